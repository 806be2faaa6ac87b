import { type DuplicateReason, identifierReason, nameReason, similarReason } from '#domain/entity/duplicates.ts'
import { scoreOfTerms } from '#domain/entity/similarity.ts'
import { differentRelation } from '#domain/record-types/different-relation.ts'
import { sameAsRelation } from '#domain/record-types/related.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { findSimilar } from './similar-records.ts'
import { readableIn, type Scope } from './readable.ts'
import { keysOf, recordsOf } from './compared-records.ts'
import { type NamedRecord, namedRecord } from './named-record.ts'
import { findCollisions, hashOfText } from './hash-collisions.ts'
import { keepCommon } from './sets.ts'
import { step } from './time-limit.ts'

/*
 * Documents that are likely to be duplicates. All documents are compared by hashes of their names
 * and numbers, so the work grows with their number and not with the number of pairs. Documents with
 * the same hash are then compared exactly.
 */

/** Documents that are likely to be the same, by their numbers, in ascending order. */
interface DuplicateGroup {
  readonly members: readonly number[]
  readonly reasons: readonly DuplicateReason[]
  /** Pairs of members that somebody said are different. */
  readonly different: readonly (readonly [number, number])[]
  /** Distinguishes groups with the same first member. */
  readonly mark: string
  /** How likely the records are the same, where they are only similar. */
  readonly score?: number
  /** Whether they are terms of several schemes, which stay apart and refer to each other. */
  readonly isAcrossSchemes?: boolean
}

/** The position of a group in the list. */
export interface DuplicatePosition {
  readonly first: number
  readonly mark: string
}

export interface DuplicatesQuery extends Scope {
  /** The types to compare. */
  readonly types: readonly string[]
  /** Groups with this reason only; similar records are listed by their reason alone. */
  readonly reason?: string | undefined
  /** The least score of similar records. */
  readonly minScore?: number | undefined
  readonly after?: DuplicatePosition | undefined
  readonly limit: number
}

/** Records that are likely to be the same. */
export interface FoundDuplicates {
  /** The number of records, of which `records` are the first. */
  readonly count: number
  readonly records: readonly NamedRecord[]
  readonly reasons: readonly DuplicateReason[]
  /** Pairs of ids of records that somebody said are different. */
  readonly different: readonly (readonly [string, string])[]
  readonly score?: number
  readonly isAcrossSchemes?: boolean
}

export interface DuplicatesAnswer {
  /** The number of groups of the whole list. */
  readonly count: number
  readonly groups: readonly FoundDuplicates[]
  /** The position of the last group, if more follow. */
  readonly next: DuplicatePosition | undefined
}

/** Maximum number of records of a group that are listed. */
const maxListed = 50

/** Lists the groups of likely duplicates that may be read, in the order of their first members. */
export function listDuplicates(index: CatalogueIndex, query: DuplicatesQuery): DuplicatesAnswer {
  const { after, limit } = query
  const all = groupsOf(index, query)
  const start = after ? firstAfter(all, after) : 0
  const page = all.slice(start, start + limit)
  const last = page.at(-1)
  return {
    count: all.length,
    groups: page.map(group => describe(index, group)),
    next: last && start + page.length < all.length ? { first: last.members[0] as number, mark: last.mark } : undefined
  }
}

function describe(
  index: CatalogueIndex,
  { members, reasons, different, score, isAcrossSchemes }: DuplicateGroup
): FoundDuplicates {
  const listed = members.slice(0, maxListed)
  const records = listed.map(number => namedRecord(index, number))
  const shown = new Set(listed)
  return {
    count: members.length,
    records,
    // A name is shown as the first record has it.
    ...(score === undefined ? {} : { score }),
    ...(isAcrossSchemes ? { isAcrossSchemes } : {}),
    reasons: reasons.map(each =>
      [nameReason, similarReason].includes(each.reason) ? { ...each, value: records[0]?.label ?? '' } : each
    ),
    different: different.flatMap(([one, other]) =>
      shown.has(one) && shown.has(other) ? [[index.idOf(one), index.idOf(other)] as const] : []
    )
  }
}

/** The place of the first group after a position. */
function firstAfter(groups: readonly DuplicateGroup[], position: DuplicatePosition): number {
  let [low, high] = [0, groups.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comparePosition(groups[middle] as DuplicateGroup, position) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function groupsOf(index: CatalogueIndex, query: DuplicatesQuery): readonly DuplicateGroup[] {
  const { types, reason, minScore = 0, readableTypes, limits } = query
  const key = JSON.stringify([types, reason, minScore, readableTypes, limits])
  const known = lastGroups.get(index)
  if (known?.change === index.change && known.key === key) return known.groups
  const all = reason === similarReason ? findSimilarGroups(index, query, minScore) : findGroups(index, query)
  const groups = reason === undefined ? all : all.filter(each => each.reasons.some(one => one.reason === reason))
  lastGroups.set(index, { change: index.change, key, groups })
  return groups
}

/** The last list of each index: the pages of a list are read one after the other. */
const lastGroups = new WeakMap<
  CatalogueIndex,
  { readonly change: number; readonly key: string; readonly groups: readonly DuplicateGroup[] }
>()

function findSimilarGroups(index: CatalogueIndex, query: DuplicatesQuery, least: number): DuplicateGroup[] {
  const { among, readable } = comparedIn(index, query)
  return findSimilar(index, among, readable, least)
    .map(({ members, name, score }) => ({
      ...toGroup(index, { members: [...members], reasons: [{ reason: similarReason, value: name }] }),
      score
    }))
    .sort(inOrder)
}

/** The documents of the types that may be read. */
function comparedIn(index: CatalogueIndex, query: DuplicatesQuery) {
  const among = index.ofTypes(query.types).slice()
  const readable = readableIn(index, query)
  if (readable) keepCommon(among, readable)
  return { among, readable }
}

function findGroups(index: CatalogueIndex, query: DuplicatesQuery): DuplicateGroup[] {
  const { among, readable } = comparedIn(index, query)
  const candidates = findCollisions(index, among, readable)
  const records = recordsOf(index, readable)
  const exact = new Map<string, { readonly reason: DuplicateReason; readonly members: Set<number> }>()
  for (let at = 0; at < candidates.length; at++) {
    step()
    const number = candidates[at] as number
    for (const [key, reason] of keysOf(index.model, records(number))) {
      const same = exact.get(key)
      if (same) same.members.add(number)
      else exact.set(key, { reason, members: new Set([number]) })
    }
  }
  const groups = new Map<string, { readonly members: number[]; readonly reasons: DuplicateReason[] }>()
  for (const { reason, members: same } of exact.values()) {
    step(same.size)
    // Candidates are in ascending order, and so are the members of each group.
    const members = same.size < 2 ? [] : withoutDecided(index, [...same])
    if (members.length < 2) continue
    const key = members.join()
    const group = groups.get(key)
    if (group) group.reasons.push(reason)
    else groups.set(key, { members, reasons: [reason] })
  }
  return [...groups.values()]
    .map(group => ({ ...toGroup(index, group), ...scoreAcrossSchemes(index, group) }))
    .sort(inOrder)
}

/** Terms with an equal number, of which no two are of one scheme. */
function scoreAcrossSchemes(
  index: CatalogueIndex,
  { members, reasons }: Pick<DuplicateGroup, 'members' | 'reasons'>
): Pick<DuplicateGroup, 'isAcrossSchemes' | 'score'> {
  const isLinked = (number: number) =>
    Object.hasOwn(index.model.findType(index.typeOf(number))?.relations ?? {}, sameAsRelation)
  if (reasons.some(({ reason }) => reason !== identifierReason) || !members.every(isLinked)) return {}
  const values = index.values('scheme')
  const seen = new Set<string>()
  for (const number of members) {
    const schemes = new Set<string>()
    values.forEachOf(number, place => schemes.add(values.foldedOf(place)))
    if (schemes.size === 0 || !schemes.isDisjointFrom(seen)) return {}
    for (const each of schemes) seen.add(each)
  }
  return { isAcrossSchemes: true, score: scoreOfTerms }
}

function toGroup(
  index: CatalogueIndex,
  { members, reasons }: Pick<DuplicateGroup, 'members' | 'reasons'>
): DuplicateGroup {
  const ordered = reasons.toSorted((one, other) => compare(one.reason, other.reason) || compare(one.value, other.value))
  const [first] = ordered
  return {
    members,
    reasons: ordered,
    different: decidedPairs(index, members),
    mark: `${first?.reason} ${hashOfText(first?.value ?? '').toString(36)}`
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const inOrder = (one: DuplicateGroup, other: DuplicateGroup) =>
  comparePosition(one, { first: other.members[0] as number, mark: other.mark })

/** Compares a group with the position of another. */
const comparePosition = ({ members, mark }: DuplicateGroup, position: DuplicatePosition): number =>
  (members[0] as number) - position.first || compare(mark, position.mark)

/** The pairs of members with one of some relations, which hold in both directions. */
function decidedPairs(
  index: CatalogueIndex,
  members: readonly number[],
  relations: readonly string[] = [differentRelation]
): [number, number][] {
  const all = new Set(members)
  const pairs = new Map<string, [number, number]>()
  for (const member of members) {
    step()
    for (const relation of relations)
      for (const other of index.relatives.by(relation).targetsOf(member))
        if (other !== member && all.has(other)) {
          const pair: [number, number] = member < other ? [member, other] : [other, member]
          pairs.set(pair.join(), pair)
        }
  }
  return [...pairs.values()]
}

/** The members without those that are different from all others, or the same in another scheme. */
function withoutDecided(index: CatalogueIndex, members: number[]): number[] {
  const decided = new Map<number, number>()
  for (const pair of decidedPairs(index, members, [differentRelation, sameAsRelation]))
    for (const each of pair) decided.set(each, (decided.get(each) ?? 0) + 1)
  return decided.size === 0 ? members : members.filter(each => (decided.get(each) ?? 0) < members.length - 1)
}

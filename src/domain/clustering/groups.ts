import type { Mention, WorkName } from './evidence.ts'
import { type Joined, joinsFrom, type Obstacle, type Reason, type ReasonCode } from './links.ts'
import { isAscii } from '../values/fold.ts'
import { areOtherLiterature, contentWords, haveOtherForms, isTitleTooLittle } from './agreement.ts'
import { haveOtherMarks } from './title-key.ts'

/*
 * Groups of mentions with a name in common: shared by the steps that join works.
 */

export interface Doubt {
  readonly one: number
  readonly other: number
  readonly reason: Reason
  readonly confidence: number
}

/** The input of the steps. */
export interface Joining {
  readonly mentions: readonly Mention[]
  readonly joined: Joined
  readonly doubts: Doubt[]
}

/** Mentions with the same author and kind of material, by index. */
export interface Scope extends Joining {
  readonly members: readonly number[]
}

export const isTitle = ({ kind }: WorkName) => kind === 'proper' || kind === 'listed'

export function groupBy(
  members: readonly number[],
  nameOf: (index: number) => readonly WorkName[],
  isMeant: (name: WorkName) => boolean
): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const index of members)
    for (const name of nameOf(index)) {
      if (!isMeant(name)) continue
      const group = groups.get(name.key)
      if (group === undefined) groups.set(name.key, [index])
      else if (group.at(-1) !== index) group.push(index)
    }
  return groups
}

/**
 * Joins each member of a group to the first member that allows it. Members with a form or contents
 * come first, then those with diacritics. A member without a form and contents is joined to the
 * first of several, and a person is asked about it, and about the several themselves.
 */
export function joinGroups(
  groups: ReadonlyMap<string, readonly number[]>,
  joining: Joining,
  code: ReasonCode,
  confidence: number
): void {
  const { mentions, joined } = joining
  const isTold = (index: number) => mentions[index]?.genre !== undefined || (mentions[index]?.contents.length ?? 0) > 0
  for (const [shared, group] of sorted(ofSeveral(groups))) {
    const heads: number[] = []
    const byContents = new Map<string, number>()
    const isMarked = (index: number) => !isAscii(textUnder(mentions[index], shared))
    const rank = (index: number) => (isTold(index) ? 0 : 2) + (isMarked(index) ? 0 : 1)
    for (const each of group.toSorted((one, other) => rank(one) - rank(other) || one - other)) {
      const isOpen = heads.length > 1 && !isTold(each)
      const link = isOpen
        ? ({ reason: { code: 'several possible', shared }, confidence: severalPossible } as const)
        : { reason: { code, shared }, confidence }
      const contents = mentions[each]?.contents.join(' / ') ?? ''
      const likely = byContents.get(contents)
      const tried = [...(likely === undefined ? [] : [likely]), ...heads.slice(0, maxCompared)]
      const home = tried.find(
        head =>
          obstacleTo(head, each, { code, shared }, joining) === undefined &&
          joined.join({ one: head, other: each, ...link, confidence: atMost(link, mentions[head], mentions[each]) })
      )
      if (home !== undefined) continue
      heads.push(each)
      if (contents !== '' && likely === undefined) byContents.set(contents, each)
    }
    const [first, ...rest] = heads
    if (first !== undefined)
      for (const each of rest.slice(0, maxQuestions)) doubtObstacle(first, each, { code, shared }, joining)
  }
}

/** The obstacle to a join by a shared title, as the code of the question about it. */
function obstacleTo(
  one: number,
  other: number,
  { code, shared = '' }: Reason,
  { mentions, joined }: Joining
): 'spelling' | Obstacle | undefined {
  if (areSpeltOtherwise(mentions[one], mentions[other], shared)) return 'spelling'
  if (byTitle.has(code) && areOtherLiterature(mentions[one], mentions[other])) return 'other form'
  return joined.obstacleTo(one, other, code)
}

/** Reasons by a title on a publication, which a novel and a play may share. */
const byTitle: ReadonlySet<ReasonCode> = new Set(['title proper', 'title is uniform title', 'learned title'])

/**
 * Asks about two mentions that an obstacle keeps apart. A person's answer and the numbers of an
 * authority file need no question, nor do aggregates each of which has a work of its own.
 */
function doubtObstacle(one: number, other: number, reason: Reason, joining: Joining): void {
  const code = obstacleTo(one, other, reason, joining)
  if (code === undefined || code === 'answer' || code === 'other identifier') return
  const [contents, others] = [one, other].map(each => new Set(joining.mentions[each]?.contents))
  // A shorter list may be incomplete; lists of other works are of another aggregate.
  if (code === 'other contents' && !contents?.isSubsetOf(others ?? contents) && !others?.isSubsetOf(contents ?? others))
    return
  joining.doubts.push({ one, other, reason: { ...reason, code }, confidence: 0.4 })
}

/** Tests whether two mentions write the name with this key with different diacritics. */
function areSpeltOtherwise(one: Mention | undefined, other: Mention | undefined, key: string): boolean {
  return haveOtherMarks(textUnder(one, key), textUnder(other, key))
}

const textUnder = (mention: Mention | undefined, key: string) =>
  mention?.names.find(each => each.key === key)?.text ?? ''

/** Confidence in a join to one of several works with the same title. */
export const severalPossible = 0.78

/** Confidence in a join that a person is asked about. */
export const askedAbout = 0.8

/** The highest confidence for a title proper alone. */
function atMost(
  { reason: { code, shared = '' }, confidence }: { readonly reason: Reason; readonly confidence: number },
  one: Mention | undefined,
  other: Mention | undefined
): number {
  if (code !== 'title proper' || one === undefined || other === undefined) return confidence
  return isTitleTooLittle(one, other, shared) ? Math.min(confidence, askedAbout) : confidence
}

/**
 * Maximum mentions to compare under one title: any number of aggregates may be called “Omnibus”.
 */
const maxCompared = 50

/** Maximum questions about one title. */
export const maxQuestions = 3

export function joinGroupTo(
  group: readonly number[],
  home: number | undefined,
  joining: Joining,
  reason: Reason,
  confidence: number
): void {
  if (home === undefined) return
  const { joined, mentions } = joining
  for (const each of distinct(group, joined)) {
    const certainty = Math.min(confidence, certaintyOf(reason, mentions[home], mentions[each]))
    if (obstacleTo(home, each, reason, joining) !== undefined) doubtObstacle(home, each, reason, joining)
    else joined.join({ one: home, other: each, reason, confidence: certainty })
  }
}

/**
 * The highest confidence for a join to a work that another record names: a form that only one of
 * them has (“a play in three acts”), or a learned title of one word, is no certainty. A story is
 * made into a novel or a film under a short title; one of many words is hardly used twice.
 */
function certaintyOf({ code, shared = '' }: Reason, home: Mention | undefined, mention: Mention | undefined): number {
  if (home === undefined || mention === undefined) return 1
  if (code === 'learned title') return isTitleTooLittle(home, mention, shared) ? askedAbout : 1
  const isTelling = contentWords(shared).size >= 4 && haveShortForm(home, mention)
  return haveOtherForms(home, mention) && !isTelling ? askedAbout : 1
}

/** Tests whether one is a story, a poem or an essay, and the other names no form. */
function haveShortForm(one: Mention, other: Mention): boolean {
  const [form, ...more] = [one, other].flatMap(({ genre }) => genre ?? [])
  return form !== undefined && more.length === 0 && shortForms.has(form)
}

const shortForms: ReadonlySet<string> = new Set(['short story', 'poem', 'essay'])

export function joinOrDoubt(
  one: number,
  others: readonly number[],
  { joined, doubts }: Joining,
  reason: Reason,
  confidence: number
): void {
  const [other] = others
  if (other === undefined) return
  const isClear = others.length === 1 && confidence >= joinsFrom
  if (isClear && joined.join({ one, other, reason, confidence })) return
  // A lesser title is not asked about where other facts tell the two apart.
  for (const each of others)
    if (joined.obstacleTo(one, each, reason.code) === undefined)
      doubts.push({ one, other: each, reason, confidence: Math.min(confidence, 0.6) })
}

export function doubtGroups(
  groups: ReadonlyMap<string, readonly number[]>,
  { joined, doubts, mentions }: Joining,
  reason: Reason,
  confidence: number,
  couldBeOne: (one: Mention, other: Mention) => boolean = () => true
): void {
  for (const [shared, group] of sorted(ofSeveral(groups))) {
    const [one, ...rest] = distinct(group, joined)
    const first = mentions[one ?? -1]
    if (one === undefined || first === undefined) continue
    const possible = rest.filter(each => {
      const second = mentions[each]
      return second !== undefined && couldBeOne(first, second)
    })
    for (const other of possible.slice(0, maxQuestions))
      doubts.push({ one, other, reason: { ...reason, shared }, confidence })
  }
}

/** The first mention of each group that is not joined to another yet. */
export function distinct(indexes: readonly number[], joined: Joined): number[] {
  const seen = new Set<number>()
  return indexes.filter(each => {
    const root = joined.find(each)
    if (seen.has(root)) return false
    seen.add(root)
    return true
  })
}

export const isOne = (one: number, other: number, joined: Joined) => joined.find(one) === joined.find(other)

/**
 * Joins records of one publication: the same title, and the same ISBN or ISSN. That is enough even
 * for titles that are common to many works.
 */
export function joinByNumber(group: readonly number[], title: string, { mentions, joined }: Joining): void {
  const byNumber = new Map<string, number[]>()
  for (const each of group) for (const number of mentions[each]?.numbers ?? []) add(byNumber, number, each)
  for (const [number, [one, ...rest]] of sorted(byNumber))
    for (const other of rest) {
      const reason: Reason = { code: 'publication', shared: `${title} (${number})` }
      if (one !== undefined) joined.join({ one, other, reason, confidence: 0.95 })
    }
}

/** Joins aggregates that list the same works, if they list at least `least`. */
export function sameContents(
  members: readonly number[],
  mentions: readonly Mention[],
  fewest: number
): [number, number][] {
  const groups = new Map<string, number[]>()
  for (const each of members) {
    const contents = mentions[each]?.contents ?? []
    if (contents.length >= fewest) add(groups, contents.join(' / '), each)
  }
  return sorted(groups).flatMap(([, [first, ...rest]]) =>
    first === undefined ? [] : rest.map((each): [number, number] => [first, each])
  )
}

export function add<K>(groups: Map<K, number[]>, key: K, value: number): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

/** The groups with several members, which are few. */
function ofSeveral<T extends readonly number[]>(groups: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const several = new Map<string, T>()
  for (const [key, group] of groups) if (group.length > 1) several.set(key, group)
  return several
}

export const sorted = <T>(groups: ReadonlyMap<string, T>): [string, T][] =>
  [...groups].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))

import { classifyPersons, personKey, personNamed } from '../clustering/persons.ts'
import { textKey } from '../clustering/title-key.ts'
import type { MetadataEntry, Relation } from '../entity/entity.ts'
import { partNumberKey } from '../entity/part-order.ts'
import { authorityAddress } from '../values/authority-link.ts'
import { foldText } from '../values/fold.ts'
import { holdings } from '../record-types/holdings.ts'
import type { Field } from '../record-types/record-type.ts'
import { person } from '../record-types/related.ts'
import { isBetterSpelling } from './authority-names.ts'
import {
  type StoredAuthority,
  type StoredDraft,
  type StoredStatement,
  type UnplacedMention,
  variantKey
} from './stored.ts'

/*
 * Derives an entity from the drafts of all its records. The same drafts give the same entity in any
 * order: they are sorted by mention, and where they differ the most frequent value wins, then the
 * first in alphabetical order.
 */

/** Type, metadata and relations of an entity, without its identifiers. */
export interface DerivedContent {
  readonly type: string
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly Relation[]
  /** Addresses in authority files, which become identifiers unless another entity has them. */
  readonly identifiers?: readonly string[]
}

/** Finds the authority that a draft refers to, by its key. */
export type FindAuthority = (key: string) => StoredAuthority | undefined

/**
 * Finds a field of a record type. A field has the values that most records give it, only one of
 * them unless it may be repeated; a key that is no field has the values of all records.
 */
export type FindField = (type: string, key: string) => Pick<Field, 'repeatable'> | undefined

const identifierKey = 'identifier'

export function deriveWork(
  mentions: readonly UnplacedMention[],
  find: FindAuthority,
  findField: FindField,
  linked: readonly Relation[] = []
): DerivedContent {
  const drafts = mentions.map(each => each.work)
  const type = commonestOf(drafts.map(each => each.type)) ?? ''
  const title = findTitle(mentions)
  return {
    type,
    metadata: [
      ...(title === undefined ? [] : [{ key: 'title', value: title }]),
      ...joinMetadata(type, drafts, findField).filter(each => each.key !== 'title')
    ],
    relations: [...joinRelations(drafts, find, { voted: 'refLanguages' }), ...linked]
  }
}

export function deriveExpression(
  mentions: readonly UnplacedMention[],
  workId: string,
  find: FindAuthority,
  findField: FindField
): DerivedContent {
  const drafts = mentions.map(each => each.expression)
  const type = commonestOf(drafts.map(each => each.type)) ?? ''
  return {
    type,
    metadata: joinMetadata(type, drafts, findField),
    relations: [{ key: workId, type: 'refWork' }, ...joinRelations(drafts, find)]
  }
}

export function deriveManifestation(
  draft: StoredDraft,
  expressionIds: readonly string[],
  find: FindAuthority,
  linked: readonly Relation[] = []
): DerivedContent {
  const expressions = [...new Set(expressionIds)].map(key => ({ key, type: 'refExpressions' }))
  return {
    type: draft.type,
    metadata: [...draft.metadata, ...draft.identifiers.map(value => ({ key: identifierKey, value }))],
    relations: [...expressions, ...joinRelations([draft], find), ...linked]
  }
}

export const deriveItem = (draft: StoredDraft, manifestationId: string, find: FindAuthority): DerivedContent => ({
  type: draft.type,
  metadata: draft.metadata,
  relations: [{ key: manifestationId, type: holdings.ofPublication }, ...joinRelations([draft], find)]
})

/** Derives an authority; `find` finds those that its authority records refer to. */
export function deriveAuthority(authority: StoredAuthority, find: FindAuthority): DerivedContent {
  const { type, metadata, variants = [], identifiers, records = {} } = authority
  const said = Object.values(records)
  const details = new Map(said.flatMap(each => each.metadata).map(each => [`${each.key} ${each.value}`, each]))
  const drafts = said.map(each => ({ type, metadata: [], relations: each.relations, identifiers: [] }))
  return {
    type,
    metadata: [
      ...metadata,
      ...variants
        .filter(value => metadata.every(each => each.value !== value))
        .map(value => ({ key: variantKey, value })),
      ...details.values(),
      ...identifiers.map(value => ({ key: identifierKey, value }))
    ],
    relations: joinRelations(drafts, find).filter(each => each.key !== authority.id),
    identifiers: [...new Set(identifiers.flatMap(each => authorityAddress(each) ?? []))]
  }
}

/**
 * The title by which cataloguers know the work, if a record has it; else the one on most
 * publications.
 */
function findTitle(mentions: readonly UnplacedMention[]): string | undefined {
  const titled = mentions.flatMap(({ work, titleRank }) => {
    const title = work.metadata.find(each => each.key === 'title')?.value
    return typeof title === 'string' ? [{ title, titleRank }] : []
  })
  const best = Math.min(...titled.map(each => each.titleRank))
  const titles = titled.filter(each => each.titleRank === best).map(each => each.title)
  const folded = commonestOf(titles.map(foldText))
  return commonestOf(titles.filter(each => foldText(each) === folded))
}

type Value = StoredStatement['value']

function joinMetadata(type: string, drafts: readonly StoredDraft[], findField: FindField): MetadataEntry[] {
  /** For each key, the values of each draft. */
  const values = new Map<string, Value[][]>()
  for (const { metadata, identifiers } of drafts) {
    const own = new Map<string, Value[]>()
    for (const { key, value } of [...metadata, ...identifiers.map(each => ({ key: identifierKey, value: each }))]) {
      const list = own.get(key)
      if (list !== undefined) {
        list.push(value)
        continue
      }
      const first = [value]
      own.set(key, first)
      const known = values.get(key)
      if (known === undefined) values.set(key, [first])
      else known.push(first)
    }
  }
  return [...values].flatMap(([key, lists]) =>
    chosenOf(lists, findField(type, key)).map((value): MetadataEntry => ({ key, value }))
  )
}

function chosenOf(lists: readonly Value[][], field: ReturnType<FindField>): readonly Value[] {
  if (field === undefined) return [...new Set(lists.flat())]
  if (field.repeatable === true) {
    if (lists.length < 2) return lists[0] ?? []
    const chosen = commonestOf(lists.map(each => JSON.stringify(each)))
    return lists.find(each => JSON.stringify(each) === chosen) ?? []
  }
  const value = commonestOf(lists.flat())
  return value === undefined ? [] : [value]
}

/** Tests whether a draft gives a field several values. */
export const hasRepeats = ({ metadata }: StoredDraft) => new Set(metadata.map(each => each.key)).size < metadata.length

/** The most frequent value; among equally frequent ones the first in alphabetical order. */
function commonestOf<T extends StoredStatement['value']>(values: readonly T[]): T | undefined {
  if (values.length < 2) return values[0]
  const counts = new Map<T, number>()
  for (const each of values) counts.set(each, (counts.get(each) ?? 0) + 1)
  let best: T | undefined
  for (const [value, count] of counts) {
    const highest = best === undefined ? 0 : (counts.get(best) ?? 0)
    if (best === undefined || count > highest || (count === highest && value < best)) best = value
  }
  return best
}

/**
 * All relations of all drafts, each target once, with all its roles and numbers. Of a relation that
 * is decided by majority only the most frequent targets remain.
 */
function joinRelations(
  drafts: readonly StoredDraft[],
  find: FindAuthority,
  { voted }: { readonly voted?: string } = {}
): Relation[] {
  const fullest = drafts.length > 1 || (drafts[0]?.relations.length ?? 0) > 1 ? findFullest(drafts, find) : new Map()
  const joined = new Map<string, JoinedRelation>()
  for (const { relations } of drafts)
    for (const each of relations) {
      const target = fullest.get(each.target) ?? each.target
      const id = find(target)?.id
      if (id === undefined) continue
      const name = `${each.relation} ${id}`
      const known = joined.get(name) ?? { relation: each.relation, id, votes: 0, details: new Map() }
      known.votes++
      if (each.role)
        known.details.set(`role ${each.role.code}${each.role.wording}`, { key: 'role', value: each.role.wording })
      if (each.number !== undefined)
        known.details.set(`number ${each.number}`, { key: partNumberKey, value: each.number })
      joined.set(name, known)
    }
  const list = [...joined.values()]
  const highest = Math.max(0, ...list.filter(each => each.relation === voted).map(each => each.votes))
  return list
    .filter(each => each.relation !== voted || each.votes === highest)
    .map(({ relation, id, details }) => ({
      key: id,
      type: relation,
      ...(details.size === 0 ? {} : { metadata: [...details.values()] })
    }))
}

interface JoinedRelation {
  readonly relation: string
  readonly id: string
  votes: number
  /** The roles and numbers of all drafts, each once. */
  readonly details: Map<string, MetadataEntry>
}

/**
 * The full name for each name of a person that another draft has in full; of equally full names
 * the most frequent one.
 */
function findFullest(drafts: readonly StoredDraft[], find: FindAuthority): Map<string, string> {
  const persons = new Map<string, string[]>()
  const evidence = []
  const votes = new Map<string, number>()
  for (const { relations } of drafts)
    for (const key of new Set(relations.map(each => each.target))) votes.set(key, (votes.get(key) ?? 0) + 1)
  for (const key of votes.keys()) {
    const target = find(key)
    const name = nameIn(target)
    if (target?.type !== person.type || name === '') continue
    const named = personNamed(name, target.birthYear, target.identifiers)
    evidence.push(named)
    const known = persons.get(personKey(named))
    if (known === undefined) persons.set(personKey(named), [key])
    else known.push(key)
  }
  const fullest = new Map<string, string>()
  if (evidence.length < 2) return fullest
  const classes = new Map<string, string[]>()
  for (const [name, head] of classifyPersons(evidence)) {
    const own = persons.get(name) ?? []
    const known = classes.get(head)
    if (known === undefined) classes.set(head, [...own])
    else known.push(...own)
  }
  for (const own of classes.values()) {
    if (own.length < 2) continue
    const [best = ''] = own.sort(
      (one, other) =>
        fullness(find(other)) - fullness(find(one)) ||
        (votes.get(other) ?? 0) - (votes.get(one) ?? 0) ||
        (isBetterSpelling(nameIn(find(one)), nameIn(find(other))) ? -1 : 1)
    )
    for (const key of own) fullest.set(key, best)
  }
  return fullest
}

const nameIn = (target: StoredAuthority | undefined) => target?.metadata.find(each => each.key === 'name')?.value ?? ''

/** Punctuation and diacritics do not make a name fuller. */
const fullness = (target: StoredAuthority | undefined) =>
  (target?.birthYear === undefined ? 0 : 1000) + textKey(nameIn(target)).length

import type { EntityContent, Json, MetadataEntry, Relation } from '../entity/entity.ts'
import { identityOfRelation, mergeMetadata, mergeRelations, removeRelations } from './merge-lists.ts'
import { isSameJson } from '../json.ts'

/**
 * One field that differs between two versions of an entity. An absent value is an empty list, or
 * null.
 */
export type Difference =
  | {
      readonly field: 'metadata'
      readonly key: string
      readonly lang?: string
      readonly before: readonly Json[]
      readonly after: readonly Json[]
    }
  | {
      readonly field: 'relation'
      readonly type: string
      readonly key: string
      readonly before: Relation | null
      readonly after: Relation | null
    }
  | { readonly field: 'identifier'; readonly before: string | null; readonly after: string | null }
  /** The same entries in another order. */
  | { readonly field: 'order'; readonly of: 'metadata' | 'relations' | 'identifiers' }

/** The key of the field, or the type of the relation, that differs. */
export const changedName = (each: Difference): string =>
  each.field === 'metadata' ? each.key : each.field === 'relation' ? each.type : each.field

type Content = Pick<EntityContent, 'metadata' | 'relations' | 'otherIdentifiers'>

/**
 * The lists whose order matters: the name of the list, the field of its entries, and its member.
 */
const orders = [
  ['metadata', 'metadata', 'metadata'],
  ['relations', 'relation', 'relations'],
  ['identifiers', 'identifier', 'otherIdentifiers']
] as const

const nothing: Content = { metadata: [], relations: [], otherIdentifiers: [] }

/** The differences between two contents, field by field; without a first one, everything is new. */
export function findDifferences(before: Content | undefined, after: Content): Difference[] {
  const from = before ?? nothing
  const differences: Difference[] = [
    ...compareMetadata(from.metadata, after.metadata),
    ...compareRelations(from.relations, after.relations),
    ...compareIdentifiers(from.otherIdentifiers, after.otherIdentifiers)
  ]
  for (const [of, field, list] of orders) {
    const isTouched = differences.some(each => each.field === field)
    if (!isTouched && !isSameJson(from[list], after[list])) differences.push({ field: 'order', of })
  }
  return differences
}

function compareMetadata(before: readonly MetadataEntry[], after: readonly MetadataEntry[]): Difference[] {
  const old = Map.groupBy(before, nameOfEntry)
  const now = Map.groupBy(after, nameOfEntry)
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): Difference[] => {
    const was = old.get(name) ?? []
    const is = now.get(name) ?? []
    const [entry] = is.length > 0 ? is : was
    if (!entry || isSameJson(was, is)) return []
    return [
      {
        field: 'metadata',
        key: entry.key,
        ...(entry.lang === undefined ? {} : { lang: entry.lang }),
        before: was.map(each => each.value),
        after: is.map(each => each.value)
      }
    ]
  })
}

function compareRelations(before: readonly Relation[], after: readonly Relation[]): Difference[] {
  const old = new Map(before.map(relation => [identityOfRelation(relation), relation]))
  const now = new Map(after.map(relation => [identityOfRelation(relation), relation]))
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): Difference[] => {
    const was = old.get(name) ?? null
    const is = now.get(name) ?? null
    const either = is ?? was
    if (!either || isSameJson(was, is)) return []
    return [{ field: 'relation', type: either.type, key: either.key, before: was, after: is }]
  })
}

function compareIdentifiers(before: readonly string[], after: readonly string[]): Difference[] {
  const [old, now] = [new Set(before), new Set(after)]
  const removed = before.filter(each => !now.has(each))
  const added = after.filter(each => !old.has(each))
  return [
    ...removed.map((each): Difference => ({ field: 'identifier', before: each, after: null })),
    ...added.map((each): Difference => ({ field: 'identifier', before: null, after: each }))
  ]
}

/**
 * Joins two changes of the same content: the changes of one are applied to the result of the other.
 * Returns the fields that both changed differently, if there are any.
 */
export function mergeChanges(
  base: Content,
  theirs: Content,
  mine: Content
): { readonly merged: Content } | { readonly conflicts: readonly Difference[] } {
  const myChanges = findDifferences(base, mine).filter(each => each.field !== 'order')
  const theirChanges = new Map(findDifferences(base, theirs).map(each => [nameOfDifference(each), each]))
  const conflicts = myChanges.filter(each => {
    const other = theirChanges.get(nameOfDifference(each))
    return other !== undefined && !isSameJson(other, each)
  })
  return conflicts.length > 0 ? { conflicts } : { merged: applyDifferences(theirs, myChanges, mine) }
}

/** Copies fields from `source` into the content. */
function applyDifferences(content: Content, differences: readonly Difference[], source: Content): Content {
  const entries = Map.groupBy(source.metadata, nameOfEntry)
  const fields = differences.filter(each => each.field === 'metadata').map(nameOfEntry)
  const removed = new Set(fields.filter(name => !entries.has(name)))
  const relations = differences.filter(each => each.field === 'relation')
  const identifiers = differences.filter(each => each.field === 'identifier')
  const touched = new Set(identifiers.map(each => each.before ?? each.after))
  return {
    metadata: mergeMetadata(
      content.metadata.filter(entry => !removed.has(nameOfEntry(entry))),
      fields.flatMap(name => entries.get(name) ?? [])
    ),
    relations: mergeRelations(
      removeRelations(
        content.relations,
        relations.filter(each => each.after === null)
      ),
      relations.flatMap(each => each.after ?? [])
    ),
    otherIdentifiers: [
      ...content.otherIdentifiers.filter(each => !touched.has(each)),
      ...identifiers.flatMap(each => each.after ?? [])
    ]
  }
}

const nameOfEntry = ({ key, lang }: Pick<MetadataEntry, 'key' | 'lang'>) => `${key}\n${lang ?? ''}`

function nameOfDifference(difference: Difference): string {
  switch (difference.field) {
    case 'metadata':
      return `metadata\n${nameOfEntry(difference)}`
    case 'relation':
      return `relation\n${identityOfRelation(difference)}`
    case 'identifier':
      return `identifier\n${difference.before ?? difference.after}`
    case 'order':
      return `order\n${difference.of}`
  }
}

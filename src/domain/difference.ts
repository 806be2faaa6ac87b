import type { EntityContent, Json, MetadataEntry, Relation } from './entity.ts'
import { identityOfRelation, mergeMetadata, mergeRelations, removeRelations } from './merge-lists.ts'

/** One field that two versions of an entity do not share. What is absent on a side is an empty list, or null. */
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

type Content = Pick<EntityContent, 'metadata' | 'relations' | 'otherIdentifiers'>

/** The lists whose order is kept: how it is told, the field of their entries, and where they stand. */
const orders = [
  ['metadata', 'metadata', 'metadata'],
  ['relations', 'relation', 'relations'],
  ['identifiers', 'identifier', 'otherIdentifiers']
] as const

const nothing: Content = { metadata: [], relations: [], otherIdentifiers: [] }

/** What changed from one content to another, field by field; without a first, everything is new. */
export function findDifferences(before: Content | undefined, after: Content): Difference[] {
  const from = before ?? nothing
  const differences: Difference[] = [
    ...compareMetadata(from.metadata, after.metadata),
    ...compareRelations(from.relations, after.relations),
    ...compareIdentifiers(from.otherIdentifiers, after.otherIdentifiers)
  ]
  for (const [of, field, list] of orders) {
    const isTouched = differences.some(each => each.field === field)
    if (!isTouched && !isSame(from[list], after[list])) differences.push({ field: 'order', of })
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
    if (!entry || isSame(was, is)) return []
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
    if (!either || isSame(was, is)) return []
    return [{ field: 'relation', type: either.type, key: either.key, before: was, after: is }]
  })
}

function compareIdentifiers(before: readonly string[], after: readonly string[]): Difference[] {
  const gone = before.filter(each => !after.includes(each))
  const added = after.filter(each => !before.includes(each))
  return [
    ...gone.map((each): Difference => ({ field: 'identifier', before: each, after: null })),
    ...added.map((each): Difference => ({ field: 'identifier', before: null, after: each }))
  ]
}

/**
 * Joins two changes of the same content: what one changed is laid over what the other left. Gives the fields that both changed, to different
 * ends, when there are any.
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
    return other !== undefined && !isSame(other, each)
  })
  return conflicts.length > 0
    ? { conflicts }
    : { merged: myChanges.reduce((content, each) => applyDifference(content, each, mine), theirs) }
}

/** Takes one field over from `source` into the content. */
function applyDifference(content: Content, difference: Difference, source: Content): Content {
  switch (difference.field) {
    case 'metadata': {
      const name = nameOfEntry(difference)
      const entries = source.metadata.filter(entry => nameOfEntry(entry) === name)
      const kept = content.metadata.filter(entry => entries.length > 0 || nameOfEntry(entry) !== name)
      return { ...content, metadata: mergeMetadata(kept, entries) }
    }
    case 'relation':
      return {
        ...content,
        relations: difference.after
          ? mergeRelations(content.relations, [difference.after])
          : removeRelations(content.relations, [difference])
      }
    case 'identifier': {
      const others = content.otherIdentifiers.filter(each => each !== difference.before && each !== difference.after)
      return { ...content, otherIdentifiers: difference.after === null ? others : [...others, difference.after] }
    }
    case 'order':
      return content
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

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

import type { EntityContent, MetadataEntry, Relation } from '../entity/entity.ts'
import { identityOfRelation } from './merge-lists.ts'
import { isSameJson } from '../json.ts'
import { isTranslatable, type RecordType } from '../record-types/record-type.ts'

/** The relations to any of these identifiers that were redirected to this id. */
export interface Redirect {
  readonly names: ReadonlySet<string>
  readonly to: string
}

type Content = Pick<EntityContent, 'metadata' | 'relations' | 'otherIdentifiers'>

/**
 * Removes a merge from a content. `withIt` and `without` are the content with the merge and without
 * it, had nobody edited it since. A list that nobody edited becomes exactly the one without the
 * merge; in an edited list only the changes of the merge are undone. Where the record type allows
 * one value, or so many relations, an edit wins over what would come back.
 */
export function undoMerge(
  current: Content,
  withIt: Content,
  without: Content,
  redirects: readonly Redirect[],
  recordType: RecordType | undefined
): Content {
  const relations = undoInRelations(current.relations, withIt.relations, without.relations, redirects)
  return {
    metadata: undoInMetadata(current.metadata, withIt.metadata, without.metadata, nameOfEntry(recordType)),
    relations: relations === without.relations ? relations : withinLimits(relations, current.relations, recordType),
    otherIdentifiers: undoInIdentifiers(current.otherIdentifiers, withIt.otherIdentifiers, without.otherIdentifiers)
  }
}

function undoInIdentifiers(current: readonly string[], withIt: readonly string[], without: readonly string[]) {
  if (isSameJson(current, withIt)) return without
  const staying = new Set(without)
  const removed = new Set(withIt.filter(each => !staying.has(each)))
  return current.filter(each => !removed.has(each))
}

function undoInMetadata(
  current: readonly MetadataEntry[],
  withIt: readonly MetadataEntry[],
  without: readonly MetadataEntry[],
  nameOf: NameOfEntry
): readonly MetadataEntry[] {
  if (isSameJson(current, withIt)) return without
  const [now, became] = [current, withIt].map(list => Map.groupBy(list, nameOf))
  const edited = new Map<string, boolean>()
  for (const name of new Set([...(now?.keys() ?? []), ...(became?.keys() ?? [])]))
    edited.set(name, !isSameJson(now?.get(name), became?.get(name)))
  const isEdited = (entry: MetadataEntry) => edited.get(nameOf(entry)) ?? false
  return weave(
    withPlaces(current, nameOf).map(place => ({ ...place, isEdited: isEdited(place.value) })),
    withPlaces(withIt, nameOf),
    withPlaces(without, nameOf).filter(place => !isEdited(place.value))
  )
}

function undoInRelations(
  current: readonly Relation[],
  withIt: readonly Relation[],
  without: readonly Relation[],
  redirects: readonly Redirect[]
): readonly Relation[] {
  if (isSameJson(current, withIt)) return without
  const [now, became] = [current, withIt].map(list => new Map(list.map(each => [identityOfRelation(each), each])))
  /** The relation that replaced this one in the merge; undefined where the merge left none. */
  const standIn = (relation: Relation): string | undefined => {
    const to = redirects.find(({ names }) => names.has(relation.key))?.to
    const identity = identityOfRelation(to === undefined ? relation : { type: relation.type, key: to })
    return became?.has(identity) ? identity : undefined
  }
  const groups = Map.groupBy(without, standIn)
  /** Of several relations that became one, the first has the position and the edits of that one. */
  const firstOf = (identity: string) => groups.get(identity)?.[0]
  const nameOf = (relation: Relation) => identityOfRelation(firstOf(identityOfRelation(relation)) ?? relation)
  const isEdited = (relation: Relation) => !isSameJson(relation, became?.get(identityOfRelation(relation)))
  const isAdded = (relation: Relation) => isEdited(relation) && !firstOf(identityOfRelation(relation))
  const added = new Set(current.filter(isAdded).map(identityOfRelation))
  // Relations that the merge left out come back; one that replaced several becomes these again,
  // unless someone removed it.
  const others = without.flatMap(relation => {
    const identity = standIn(relation)
    const stands = identity === undefined ? undefined : now?.get(identity)
    if (added.has(identityOfRelation(relation)) || (identity !== undefined && !stands)) return []
    const isFirst = identity !== undefined && relation === firstOf(identity)
    const value = isFirst && stands && isEdited(stands) ? { ...stands, key: relation.key } : relation
    return [{ name: identityOfRelation(relation), value }]
  })
  return weave(
    current.map(value => ({ name: nameOf(value), value, isEdited: isAdded(value) })),
    withIt.map(value => ({ name: nameOf(value), value })),
    others
  )
}

interface Place<T> {
  readonly name: string
  readonly value: T
}

/**
 * Inserts the edits of a list into another, each after everything that precedes it now. Restored
 * entries come before entries added since, as those were added after them. The order is that of the
 * other list, unless someone changed the order of the list as it `became`.
 */
function weave<T>(
  current: readonly (Place<T> & { readonly isEdited: boolean })[],
  became: readonly Place<T>[],
  others: readonly Place<T>[]
): readonly T[] {
  const names = new Set(current.map(place => place.name))
  const becameNames = new Set(became.map(place => place.name))
  const unedited = current.filter(place => !place.isEdited && becameNames.has(place.name))
  const uneditedNames = new Set(unedited.map(place => place.name))
  const ordered = became.filter(({ name }) => uneditedNames.has(name))
  const isReordered = unedited.some(({ name }, index) => name !== ordered[index]?.name)
  const result = isReordered ? inOrderOf(unedited, others) : others
  const positions = new Map(result.map(({ name }, index): [string, number] => [name, index]).reverse())
  const isReturning = (at: number) => at < result.length && !names.has(result[at]?.name ?? '')
  /**
   * Entries to insert, by the position before which they stand. Each stands after all that were
   * inserted earlier.
   */
  const inserted = new Map<number, T[]>()
  let last = -1
  for (const [index, place] of current.entries()) {
    if (!place.isEdited) {
      last = Math.max(last, positions.get(place.name) ?? -1)
      continue
    }
    const next = last >= 0 || inserted.size > 0 ? undefined : findNext(current, index, positions)
    let at = next ?? last + 1
    while (next === undefined && isReturning(at)) at++
    const before = inserted.get(at)
    if (before) before.push(place.value)
    else inserted.set(at, [place.value])
    last = Math.max(last, at - 1)
  }
  return [...result, undefined].flatMap((place, index) => [
    ...(inserted.get(index) ?? []),
    ...(place === undefined ? [] : [place.value])
  ])
}

/** The position of the first entry after an index that has one. */
function findNext<T>(
  current: readonly Place<T>[],
  index: number,
  positions: ReadonlyMap<string, number>
): number | undefined {
  for (let at = index + 1; at < current.length; at++) {
    const position = positions.get(current[at]?.name ?? '')
    if (position !== undefined) return position
  }
  return undefined
}

/**
 * The positions in the order of a list; entries that it does not have stay after the one that they
 * follow.
 */
function inOrderOf<T>(order: readonly Place<T>[], places: readonly Place<T>[]): Place<T>[] {
  const ranks = new Map(order.map(({ name }, index) => [name, index]))
  let rank = -1
  const ranked = places.map(place => {
    rank = ranks.get(place.name) ?? rank
    return { place, rank }
  })
  return ranked.sort((one, other) => one.rank - other.rank).map(each => each.place)
}

/**
 * Numbers entries of one name: they need not stand together, and the second is another than the
 * first.
 */
function withPlaces(entries: readonly MetadataEntry[], nameOf: NameOfEntry): Place<MetadataEntry>[] {
  const counts = new Map<string, number>()
  return entries.map(value => {
    const name = nameOf(value)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { name: `${name}\n${count}`, value }
  })
}

type NameOfEntry = (entry: MetadataEntry) => string

/** Entries of one key and language have one name; of a field with one value, those of its key. */
function nameOfEntry(recordType: RecordType | undefined): NameOfEntry {
  return ({ key, lang }) => {
    const field = recordType?.fields[key]
    const isOneInAll = field !== undefined && !field.repeatable && !isTranslatable(field)
    return `${key}\n${isOneInAll ? '' : (lang ?? '')}`
  }
}

/** The relations without those that came back, where there would be more than a record may have. */
function withinLimits(
  relations: readonly Relation[],
  current: readonly Relation[],
  recordType: RecordType | undefined
): readonly Relation[] {
  const known = new Set(current.map(identityOfRelation))
  const left = new Map<string, number>()
  for (const [type, { max }] of Object.entries(recordType?.relations ?? {}))
    if (max !== undefined) left.set(type, relations.filter(each => each.type === type).length - max)
  return relations.filter(relation => {
    const excess = left.get(relation.type) ?? 0
    if (excess <= 0 || known.has(identityOfRelation(relation))) return true
    left.set(relation.type, excess - 1)
    return false
  })
}

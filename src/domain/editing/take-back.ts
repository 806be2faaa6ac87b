import type { EntityContent, MetadataEntry, Relation } from '../entity/entity.ts'
import { identityOfRelation } from './merge-lists.ts'
import { isSameJson } from '../json.ts'

/** Arrows to any of these names were turned to this id. */
export interface Turned {
  readonly names: ReadonlySet<string>
  readonly to: string
}

type Content = Pick<EntityContent, 'metadata' | 'relations' | 'otherIdentifiers'>

/**
 * Takes a merge out of a content. `withIt` and `without` are what the content would be with the
 * merge and without it, had nobody edited it. A list that nobody edited becomes exactly what it
 * would be without; in one that was edited, only what the merge did is taken back.
 */
export function takeBack(current: Content, withIt: Content, without: Content, turned: readonly Turned[]): Content {
  return {
    metadata: takeBackMetadata(current.metadata, withIt.metadata, without.metadata),
    relations: takeBackRelations(current.relations, withIt.relations, without.relations, turned),
    otherIdentifiers: takeBackIdentifiers(current.otherIdentifiers, withIt.otherIdentifiers, without.otherIdentifiers)
  }
}

function takeBackIdentifiers(current: readonly string[], withIt: readonly string[], without: readonly string[]) {
  if (isSameJson(current, withIt)) return without
  const staying = new Set(without)
  const gone = new Set(withIt.filter(each => !staying.has(each)))
  return current.filter(each => !gone.has(each))
}

function takeBackMetadata(
  current: readonly MetadataEntry[],
  withIt: readonly MetadataEntry[],
  without: readonly MetadataEntry[]
): readonly MetadataEntry[] {
  if (isSameJson(current, withIt)) return without
  const [now, became] = [current, withIt].map(list => Map.groupBy(list, nameOfEntry))
  const edited = new Map<string, boolean>()
  for (const name of new Set([...(now?.keys() ?? []), ...(became?.keys() ?? [])]))
    edited.set(name, !isSameJson(now?.get(name), became?.get(name)))
  const isEdited = (entry: MetadataEntry) => edited.get(nameOfEntry(entry)) ?? false
  return weave(
    withPlaces(current).map(place => ({ ...place, isEdited: isEdited(place.value) })),
    withPlaces(withIt),
    withPlaces(without).filter(place => !isEdited(place.value))
  )
}

function takeBackRelations(
  current: readonly Relation[],
  withIt: readonly Relation[],
  without: readonly Relation[],
  turned: readonly Turned[]
): readonly Relation[] {
  if (isSameJson(current, withIt)) return without
  const [now, became] = [current, withIt].map(list => new Map(list.map(each => [identityOfRelation(each), each])))
  /** The arrow that stands for this one since the merge; undefined where the merge left none. */
  const standIn = (relation: Relation): string | undefined => {
    const to = turned.find(({ names }) => names.has(relation.key))?.to
    const identity = identityOfRelation(to === undefined ? relation : { type: relation.type, key: to })
    return became?.has(identity) ? identity : undefined
  }
  const groups = Map.groupBy(without, standIn)
  /** Of several arrows that became one, the first has the place and the edits of that one. */
  const firstOf = (identity: string) => groups.get(identity)?.[0]
  const nameOf = (relation: Relation) => identityOfRelation(firstOf(identityOfRelation(relation)) ?? relation)
  const isEdited = (relation: Relation) => !isSameJson(relation, became?.get(identityOfRelation(relation)))
  const isAdded = (relation: Relation) => isEdited(relation) && !firstOf(identityOfRelation(relation))
  const added = new Set(current.filter(isAdded).map(identityOfRelation))
  // What the merge left out comes back; what stands for several becomes these again, unless someone
  // removed it.
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
 * Puts what was edited in a list into another, each behind all that it stands behind now. What
 * comes back stands before what was added since: that was added behind it. The order is the
 * other's, unless someone changed that of the list as it `became`.
 */
function weave<T>(
  current: readonly (Place<T> & { readonly isEdited: boolean })[],
  became: readonly Place<T>[],
  others: readonly Place<T>[]
): readonly T[] {
  const names = new Set(current.map(place => place.name))
  const becameNames = new Set(became.map(place => place.name))
  const kept = current.filter(place => !place.isEdited && becameNames.has(place.name))
  const keptNames = new Set(kept.map(place => place.name))
  const ordered = became.filter(({ name }) => keptNames.has(name))
  const isReordered = kept.some(({ name }, index) => name !== ordered[index]?.name)
  const result = isReordered ? inOrderOf(kept, others) : others
  const positions = new Map(result.map(({ name }, index): [string, number] => [name, index]).reverse())
  const isReturning = (at: number) => at < result.length && !names.has(result[at]?.name ?? '')
  /**
   * What is put in, by the position that it stands before. Each stands behind all that was put in
   * earlier.
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

/** The position of the first behind an index that has one. */
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
 * The places in the order of a list; those it does not have stay behind the one that they follow.
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
 * Entries of one key and language need not stand together, and the second is another than the
 * first.
 */
function withPlaces(entries: readonly MetadataEntry[]): Place<MetadataEntry>[] {
  const counts = new Map<string, number>()
  return entries.map(value => {
    const name = nameOfEntry(value)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { name: `${name}\n${count}`, value }
  })
}

const nameOfEntry = ({ key, lang }: MetadataEntry) => `${key}\n${lang ?? ''}`

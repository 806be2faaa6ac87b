import { growingNumbers, narrowNumbers, type Numbers, shared, sharedNumbers } from './arrays.ts'
import {
  arraysOfValues,
  type DocumentValues,
  namesOfValueArrays,
  toDocumentValues,
  valuesOfArrays
} from './document-values.ts'
import { nobody } from './names.ts'
import { ColumnPacker, type PackedColumns, unpackColumn } from './packed-columns.ts'
import { findParents, type Parents } from './parents.ts'
import { add, type DocumentSet, sharedSet } from './sets.ts'
import { placeAmong } from './place-among.ts'

/*
 * Relations in both directions. A key is a place in the list of names, so that a relation to
 * nothing is one like any other.
 */

export interface Relations {
  readonly types: readonly string[]
  /** Where the relations of each document begin; one more than there are documents. */
  readonly starts: Uint32Array
  /** Places in `types`, in the order in which a document has its relations. */
  readonly kinds: Numbers
  /** Places in the list of names. */
  readonly keys: Uint32Array
  /** For each name where its relations begin in `sources`; one more than there are names. */
  readonly sourceStarts: Uint32Array
  /**
   * The documents that have a relation to each name; `climbMark` is added where the source is also
   * found by everything that its target says. The names of a document follow each other, so its
   * sources do too.
   */
  readonly sources: Uint32Array
  /** The documents that are above others, by a relation with `climbMark`. */
  readonly isAbove: DocumentSet
  readonly parents: Parents
  /** The documents that others lead to by any other relation. */
  readonly isRelated: DocumentSet
  /** For each type the keys that documents have, without their order; see `keyColumnOf`. */
  readonly columns: PackedColumns
}

/** The keys of relations of one type. No document has one twice. */
export interface KeyColumn extends DocumentValues {
  /** Places in the list of names, in ascending order: the values. */
  readonly names: Uint32Array
}

/** Marks a source whose relation is one of publications or expressions to what is above them. */
export const climbMark = 0x8000_0000
/** The number of a source without its mark. */
export const sourceMask = 0x7fff_ffff

export interface RelationsBuilder {
  /** `key` is a place in a list of keys that `done` leads to the names. */
  add(source: number, type: string, key: number): void
  /** `owners` has the document of each name, and `namesOfKeys` the name of each key. */
  done(size: number, owners: Uint32Array, namesOfKeys: Uint32Array): Relations
}

export function buildRelations(climbs: readonly string[]): RelationsBuilder {
  const types = new Map<string, number>()
  const [from, kinds, keys] = [growingNumbers(), growingNumbers(), growingNumbers()]
  return {
    add(source, type, key) {
      from.push(source)
      kinds.push(placeAmong(types, type))
      keys.push(key)
    },
    done(size, owners, namesOfKeys) {
      const starts = sharedNumbers(size + 1)
      const keyNames = sharedNumbers(keys.length)
      for (let at = 0; at < keys.length; at++) {
        keyNames[at] = namesOfKeys[keys.array[at] as number] as number
        increase(starts, (from.array[at] as number) + 1)
      }
      addUp(starts)
      const outgoing = {
        types: [...types.keys()],
        starts,
        kinds: kinds.array.subarray(0, kinds.length),
        keys: keyNames
      }
      return toRelations(outgoing, owners, climbs)
    }
  }
}

/** Adds the other direction to the relations of each document. */
export function toRelations(
  { types, starts, kinds, keys }: Pick<Relations, 'types' | 'starts' | 'keys'> & { readonly kinds: Uint32Array },
  owners: Uint32Array,
  climbs: readonly string[]
): Relations {
  const size = starts.length - 1
  const isClimb = types.map(type => climbs.includes(type))
  const sourceStarts = sharedNumbers(owners.length + 1)
  for (let at = 0; at < keys.length; at++) increase(sourceStarts, (keys[at] as number) + 1)
  addUp(sourceStarts)
  const next = Uint32Array.from(sourceStarts)
  const sources = sharedNumbers(keys.length)
  const [isAbove, isRelated] = [sharedSet(size), sharedSet(size)]
  for (let source = 0, at = 0; source < size; source++) {
    const end = starts[source + 1] as number
    for (; at < end; at++) {
      const name = keys[at] as number
      const climbing = isClimb[kinds[at] as number]
      const to = next[name] as number
      next[name] = to + 1
      sources[to] = source + (climbing ? climbMark : 0)
      const owner = owners[name] as number
      if (owner !== nobody) add(climbing ? isAbove : isRelated, owner)
    }
  }
  return {
    types,
    starts,
    kinds: narrowNumbers(kinds, types.length),
    keys,
    sourceStarts,
    sources,
    isAbove,
    parents: findParents({ starts, kinds, keys }, isClimb, name => {
      const owner = owners[name] as number
      return owner === nobody ? -1 : owner
    }),
    isRelated,
    columns: packKeyColumns(types.length, starts, kinds, keys, owners.length)
  }
}

const namesOfArrays = ['names', ...namesOfValueArrays] as const

/**
 * Packs the column of each type. There may be thousands of types with one relation each, so the
 * relations are sorted by their types first, and no type takes room for all documents or names.
 */
function packKeyColumns(
  typeCount: number,
  starts: Uint32Array,
  kinds: Numbers,
  keys: Uint32Array,
  nameCount: number
): PackedColumns {
  const size = starts.length - 1
  const kindStarts = new Uint32Array(typeCount + 1)
  for (let at = 0; at < kinds.length; at++) increase(kindStarts, (kinds[at] as number) + 1)
  addUp(kindStarts)
  const ends = Uint32Array.from(kindStarts)
  const [documents, names] = [new Uint32Array(keys.length), new Uint32Array(keys.length)]
  for (let source = 0, at = 0; source < size; source++) {
    const end = starts[source + 1] as number
    for (; at < end; at++) {
      const kind = kinds[at] as number
      const to = ends[kind] as number
      ends[kind] = to + 1
      documents[to] = source
      names[to] = keys[at] as number
    }
  }
  const packer = new ColumnPacker(namesOfArrays)
  /** For each name the last document and type that it was seen with, and its place in a column. */
  const [seenAt, places] = [new Uint32Array(nameCount), new Uint32Array(nameCount)]
  let group = 0
  for (let kind = 0; kind < typeCount; kind++) {
    const first = kindStarts[kind] as number
    let end = first
    for (let at = first; at < (kindStarts[kind + 1] as number); at++) {
      const name = names[at] as number
      if (at === first || documents[at] !== documents[at - 1]) group++
      if (seenAt[name] === group) continue
      seenAt[name] = group
      documents[end] = documents[at] as number
      names[end++] = name
    }
    const values = names.subarray(first, end)
    const distinct = distinctOf(values)
    for (let place = 0; place < distinct.length; place++) places[distinct[place] as number] = place
    for (let at = 0; at < values.length; at++) values[at] = places[values[at] as number] as number
    const column = toDocumentValues(documents.subarray(first, end), values, size, distinct.length)
    packer.add({ names: distinct, ...arraysOfValues(column) })
  }
  return packer.done()
}

/** The numbers of a list, each once and in ascending order. */
function distinctOf(numbers: Uint32Array): Uint32Array {
  const sorted = numbers.toSorted()
  let length = 0
  for (let at = 0; at < sorted.length; at++)
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[length++] = sorted[at] as number
  return shared(sorted.subarray(0, length))
}

function increase(counts: Uint32Array, at: number) {
  counts[at] = (counts[at] as number) + 1
}

function addUp(counts: Uint32Array) {
  for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] as number) + (counts[at - 1] as number)
}

/** Columns of relations that were unpacked, and the places of their types. */
const unpacked = new WeakMap<Relations, { kinds: ReadonlyMap<string, number>; columns: Map<number, KeyColumn> }>()

function unpackedOf(relations: Relations) {
  let known = unpacked.get(relations)
  if (!known) {
    known = { kinds: new Map(relations.types.map((type, kind) => [type, kind])), columns: new Map() }
    unpacked.set(relations, known)
  }
  return known
}

/** The place of a type of relation, or -1. */
export const kindOf = (relations: Relations, type: string): number => unpackedOf(relations).kinds.get(type) ?? -1

/** The column of a type of relation; undefined where the base has none. */
export function keyColumnOf(relations: Relations, type: string): KeyColumn | undefined {
  const { kinds, columns } = unpackedOf(relations)
  const kind = kinds.get(type)
  if (kind === undefined) return undefined
  const known = columns.get(kind)
  if (known) return known
  const arrays = unpackColumn(relations.columns, namesOfArrays, kind)
  const column = { names: arrays.names as Uint32Array, ...valuesOfArrays(arrays) }
  columns.set(kind, column)
  return column
}

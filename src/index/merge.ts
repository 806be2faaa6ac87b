import { narrowNumbers, sharedBytes, sharedNumbers } from './arrays.ts'
import { type Base, climbs, Columns, maxTypes, noType } from './base.ts'
import { type Column, packColumns } from './columns.ts'
import { type ColumnPart, mergeColumns } from './merge-columns.ts'
import { type LiveDocuments, maxParts, mergeSorted, nowhere } from './merge-sorted.ts'
import { mergeWords } from './merge-words.ts'
import { compareNames, findName, NamesCopy, nobody } from './names.ts'
import { type Relations, toRelations } from './relations.ts'
import { instantAt, type Times, toTimes } from './times.ts'

/*
 * Makes one base of several, without reading documents: a base and the changes since, or parts of a
 * catalogue that were built at the same time. The result is the base that would be built from the
 * documents that are live in them. It takes time in proportion to all documents, but some hundredth
 * of building.
 */

/** Documents that were written or deleted since some bases were built. */
export interface ChangedDocuments {
  /** The uuids of all of them. */
  readonly changed: Iterable<string>
  /** Bases of those that exist. */
  readonly bases: readonly Base[]
}

/**
 * Merges bases with what changed since. No document may be live in two of them. The bases are taken
 * out of the list, and of each everything that was merged is dropped: where nothing else needs
 * them, little of them exists twice.
 */
export function mergeBases(bases: Base[], since: ChangedDocuments, change: number, recent: Base['recent']): Base {
  const newest = bases.length
  const parts = [...bases.splice(0), ...since.bases].map(base => ({ ...base }))
  if (parts.length > maxParts) throw new Error(`At most ${maxParts} bases can be merged`)
  const drop = (...keys: (keyof Base)[]) => {
    for (const part of parts as Partial<Base>[]) for (const key of keys) delete part[key]
  }
  const live = findLive(parts, newest, since.changed)
  const words = mergeWords(
    parts.map(part => part.words),
    live
  )
  drop('words')
  const columnKeys: string[] = []
  const columns = packColumns(mergedColumns(parts, live, columnKeys))
  drop('columns')
  const documents = mergeDocuments(parts, live)
  drop('changed', 'byChange', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy')
  const idRanks = mergeIdRanks(parts, live)
  drop('idRanks', 'types')
  const { names, firstNames, nameMaps } = mergeNames(parts, live)
  const toRelations = mergeRelations(parts, live, names, nameMaps)
  drop('names', 'firstNames', 'relations')
  const finalNames = names.done()
  const relations = toRelations(finalNames.owners)
  const { size } = live
  return {
    ...{ change, recent, size, ...documents, names: finalNames, firstNames, idRanks },
    ...{ columnKeys, columns, words, relations }
  }
}

/** Merges the columns of each key, and adds those keys that live documents have to a list. */
function* mergedColumns(parts: readonly Base[], live: LiveDocuments, columnKeys: string[]): Generator<Column> {
  const byKey = new Map<string, ColumnPart[]>()
  parts.forEach((base, part) => {
    for (const [key, column] of new Columns(base)) {
      const known = byKey.get(key)
      if (known) known.push({ part, column })
      else byKey.set(key, [{ part, column }])
    }
  })
  for (const [key, columnParts] of byKey) {
    const column = mergeColumns(columnParts, live)
    if (!column) continue
    columnKeys.push(key)
    yield column
  }
}

function findLive(parts: readonly Base[], newest: number, changed: Iterable<string>): LiveDocuments {
  const partOf = new Uint8Array(Math.max(...parts.map(({ size }) => size))).fill(nowhere)
  const hidden = parts.map(() => new Set<number>())
  for (const uuid of changed)
    for (let part = 0; part < newest; part++) {
      const number = numberOf(parts[part] as Base, uuid)
      if (number >= 0) hidden[part]?.add(number)
    }
  let size = 0
  parts.forEach(({ types }, part) => {
    for (let number = 0; number < types.length; number++) {
      if (types[number] === noType || hidden[part]?.has(number)) continue
      if (partOf[number] !== nowhere) throw new Error(`Two bases have the document ${number}`)
      partOf[number] = part
      if (number >= size) size = number + 1
    }
  })
  return { size, partOf }
}

/** The number of the document with this uuid of its own, or -1. */
function numberOf({ names, firstNames }: Base, uuid: string): number {
  const name = findName(names, uuid)
  const owner = name < 0 ? nobody : (names.owners[name] as number)
  return owner !== nobody && firstNames[owner] === name ? owner : -1
}

type Documents = Pick<Base, keyof Times | 'typeNames' | 'types' | 'people' | 'createdBy' | 'updatedBy' | 'idIsUuid'>

function mergeDocuments(parts: readonly Base[], { size, partOf }: LiveDocuments): Documents {
  const typeNames = new Places()
  const people = new Places()
  const typeMaps = parts.map(base => typeNames.mapOf(base.typeNames))
  const peopleMaps = parts.map(base => people.mapOf(base.people))
  const types = sharedBytes(size).fill(noType)
  const [changed, createdAt, updatedAt] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)]
  const [createdBy, updatedBy] = [new Uint32Array(size), new Uint32Array(size)]
  const documents = new Uint32Array(size)
  let count = 0
  for (let number = 0; number < size; number++) {
    const part = partOf[number] as number
    if (part === nowhere) continue
    documents[count++] = number
    const base = parts[part] as Base
    const peopleMap = peopleMaps[part] as PlaceMap
    types[number] = (typeMaps[part] as PlaceMap)(base.types[number] as number)
    changed[number] = base.changed[number] as number
    createdAt[number] = instantAt(base.createdAt, number)
    updatedAt[number] = instantAt(base.updatedAt, number)
    createdBy[number] = peopleMap(base.createdBy[number] as number)
    updatedBy[number] = peopleMap(base.updatedBy[number] as number)
  }
  if (typeNames.texts.length > maxTypes) throw new Error(`An index has at most ${maxTypes} types`)
  return {
    typeNames: typeNames.texts,
    types,
    ...toTimes(documents.subarray(0, count), changed, createdAt, updatedAt),
    people: people.texts,
    createdBy: narrowNumbers(createdBy, people.texts.length),
    updatedBy: narrowNumbers(updatedBy, people.texts.length),
    idIsUuid: parts
      .flatMap((base, part) => base.idIsUuid.filter(number => partOf[number] === part))
      .sort((one, other) => one - other)
  }
}

/** The new place of an entry of a list. */
type PlaceMap = (place: number) => number

/** Texts of several lists, each once, in the order in which they are needed. */
class Places {
  readonly texts: string[] = []
  readonly #known = new Map<string, number>()

  mapOf(texts: readonly string[]): PlaceMap {
    const places = new Int32Array(texts.length).fill(-1)
    return place => {
      const known = places[place] as number
      if (known >= 0) return known
      const text = texts[place] as string
      const found = this.#known.get(text) ?? this.texts.push(text) - 1
      this.#known.set(text, found)
      places[place] = found
      return found
    }
  }
}

/** Copies the names of live documents. Those that relations only lead to are added later. */
function mergeNames(parts: readonly Base[], { size, partOf }: LiveDocuments) {
  const sum = (lengthOf: (base: Base) => number) => parts.reduce((all, base) => all + lengthOf(base), 0)
  const names = new NamesCopy(
    sum(base => base.names.owners.length),
    sum(base => base.names.bytes.length)
  )
  const nameMaps = parts.map(base => new Uint32Array(base.names.owners.length).fill(nobody))
  const firstNames = sharedNumbers(size + 1)
  for (let number = 0; number < size; number++) {
    firstNames[number] = names.count
    const part = partOf[number] as number
    if (part === nowhere) continue
    const base = parts[part] as Base
    const end = base.firstNames[number + 1] as number
    for (let name = base.firstNames[number] as number; name < end; name++)
      (nameMaps[part] as Uint32Array)[name] = names.add(base.names, name, number)
  }
  firstNames[size] = names.count
  return { names, firstNames, nameMaps }
}

function mergeRelations(
  parts: readonly Base[],
  { size, partOf }: LiveDocuments,
  names: NamesCopy,
  nameMaps: readonly Uint32Array[]
): (owners: Uint32Array) => Relations {
  const types = new Places()
  const typeMaps = parts.map(({ relations }) => types.mapOf(relations.types))
  const starts = sharedNumbers(size + 1)
  for (let number = 0; number < size; number++) {
    const part = partOf[number] as number
    const from = part === nowhere ? undefined : (parts[part] as Base).relations.starts
    const count = from ? (from[number + 1] as number) - (from[number] as number) : 0
    starts[number + 1] = (starts[number] as number) + count
  }
  const kinds = new Uint32Array(starts[size] as number)
  const keys = sharedNumbers(kinds.length)
  for (let number = 0, to = 0; number < size; number++) {
    const part = partOf[number] as number
    if (part === nowhere) continue
    const { relations, names: from } = parts[part] as Base
    const map = nameMaps[part] as Uint32Array
    const end = relations.starts[number + 1] as number
    for (let at = relations.starts[number] as number; at < end; at++) {
      const key = relations.keys[at] as number
      if (map[key] === nobody) map[key] = names.find(from, key)
      kinds[to] = (typeMaps[part] as PlaceMap)(relations.kinds[at] as number)
      keys[to++] = map[key] as number
    }
  }
  return owners => toRelations({ types: types.texts, starts, kinds, keys }, owners, climbs)
}

function mergeIdRanks(parts: readonly Base[], { size, partOf }: LiveDocuments): Uint32Array {
  const idIsUuid = parts.map(base => new Set(base.idIsUuid))
  const nameOfId = (part: number, number: number) =>
    ((parts[part] as Base).firstNames[number] as number) + (idIsUuid[part]?.has(number) ? 0 : 1)
  const lists = parts.map(({ idRanks, types }, part) => {
    const byRank = new Uint32Array(idRanks.length)
    let count = 0
    for (let number = 0; number < types.length; number++) {
      if (types[number] === noType) continue
      byRank[idRanks[number] as number] = number
      count++
    }
    return byRank.subarray(0, count).filter(number => partOf[number] === part)
  })
  const { places } = mergeSorted(lists, (part, number, otherPart, otherNumber) =>
    compareNames(
      (parts[part] as Base).names,
      nameOfId(part, number),
      (parts[otherPart] as Base).names,
      nameOfId(otherPart, otherNumber)
    )
  )
  const ranks = sharedNumbers(size)
  for (let at = 0; at < places.length; at++) ranks[places[at] as number] = at
  return ranks
}

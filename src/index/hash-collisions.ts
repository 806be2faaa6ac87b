import { numberKeysOf, readNumber } from '#domain/entity/duplicates.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { encode, growingNumbers, type Numbers } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { add, type DocumentSet, has, numbersIn } from './sets.ts'
import { step } from './time-limit.ts'

/*
 * Documents that may be duplicates, by hashes of 32 bits of their names and numbers. Of a million
 * documents some hundred have the hash of another by chance, so callers compare exactly.
 */

const seed = 0x811c_9dc5

/** Mixes a number of at most 32 bits into a hash (FNV-1a in two steps, then spread). */
function mix(hash: number, value: number): number {
  const mixed = Math.imul(Math.imul(hash ^ (value & 0xffff), 0x0100_0193) ^ (value >>> 16), 0x85eb_ca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

function hashOf(bytes: Uint8Array, start = 0, end = bytes.length): number {
  step(1 + ((end - start) >>> 2))
  let hash = seed
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x0100_0193)
  return hash >>> 0
}

export const hashOfText = (text: string) => hashOf(encode(text))

/** For each byte of ASCII whether it is a letter or a digit. Folded texts have no capitals. */
const isKept = Uint8Array.from({ length: 128 }, (_, byte) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) ? 1 : 0
)

/** The hash of `bareText` of a folded text, from its bytes. */
function hashOfBare(bytes: Uint8Array, start = 0, end = bytes.length): number {
  step(1 + ((end - start) >>> 2))
  let hash = seed
  let isBlank = true
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte < 128) {
      if (isKept[byte] === 0) continue
    } else if (byte === 0xc2) {
      // U+0080 to U+00BF.
      at++
      continue
    } else if (byte === 0xe2 && bytes[at + 1] === 0x80) {
      // U+2000 to U+203F.
      at += 2
      continue
    }
    isBlank = false
    hash = Math.imul(hash ^ byte, 0x0100_0193)
  }
  return isBlank ? hashOf(bytes, start, end) : hash >>> 0
}

/** The parts of the documents of a type that are compared. */
interface ComparedType {
  readonly nameField: string
  readonly fields: RecordType['fields']
  readonly numberKeys: readonly string[]
  readonly apart: ReadonlySet<string>
  /** The hash of its umbrella. */
  readonly umbrella: number
}

function comparedTypes(model: Model): ReadonlyMap<string, ComparedType> {
  const compared = model.recordTypes.map(recordType => ({
    nameField: recordType.nameField,
    fields: recordType.fields,
    numberKeys: numberKeysOf(recordType),
    apart: new Set(recordType.toldApartBy),
    umbrella: hashOfText(model.umbrellaOf(recordType.type))
  }))
  return new Map(model.recordTypes.map(({ type }, at) => [type, compared[at] as ComparedType]))
}

/**
 * The documents, in ascending order, whose name or one of whose numbers has the hash of another.
 */
export function findCollisions(
  index: CatalogueIndex,
  among: DocumentSet,
  readable: DocumentSet | undefined
): Uint32Array {
  const types = comparedTypes(index.model)
  const { places, texts } = index.types
  const typeAt = texts.map(name => types.get(name))
  const apart = hashApart(index, among, typeAt, places, readable)
  const entries = { documents: growingNumbers(), hashes: growingNumbers() }
  const push = (number: number, hash: number) => {
    entries.documents.push(number)
    entries.hashes.push(hash)
  }
  const pushName = (number: number, { umbrella }: ComparedType, hash: number) =>
    push(number, mix(mix(umbrella, hash), apart[number] as number))
  const pushNumber = (number: number, { fields, umbrella }: ComparedType, key: string, folded: string) => {
    const read = readNumber(key, fields[key], folded)
    if (read) push(number, mix(mix(umbrella, hashOfText(read.reason)), hashOfText(read.value)))
  }

  for (const key of index.keys()) {
    const named = typeAt.map(type => (type?.nameField === key ? type : undefined))
    const numbered = typeAt.map(type => (type?.numberKeys.includes(key) ? type : undefined))
    if (!named.some(Boolean) && !numbered.some(Boolean)) continue
    const values = index.values(key)
    const hashes = named.some(Boolean) ? values.hashes(hashOfBare) : undefined
    values.forEach((number, place) => {
      if (!has(among, number) || values.isDerived(place)) return
      const type = places[number] as number
      const [asName, asNumber] = [named[type], numbered[type]]
      if (asName) pushName(number, asName, hashes?.[place] as number)
      if (asNumber) pushNumber(number, asNumber, key, values.foldedOf(place))
    })
  }
  return sharingAHash(index, entries.documents.array, entries.hashes.array, entries.documents.length)
}

/** The documents of some kinds, in ascending order, whose name has the hash of another's. */
export function findNamesakes(index: CatalogueIndex, among: DocumentSet, kinds: ReadonlySet<string>): Uint32Array {
  const { places, texts } = index.types
  const types = comparedTypes(index.model)
  const typeAt = texts.map(name => (kinds.has(index.model.umbrellaOf(name)) ? types.get(name) : undefined))
  const entries = { documents: growingNumbers(), hashes: growingNumbers() }
  for (const key of new Set(typeAt.flatMap(type => type?.nameField ?? []))) {
    const values = index.values(key)
    const hashes = values.hashes(hashOfBare)
    values.forEach((number, place) => {
      const type = typeAt[places[number] as number]
      if (type?.nameField !== key || !has(among, number) || values.isDerived(place)) return
      entries.documents.push(number)
      entries.hashes.push(mix(type.umbrella, hashes[place] as number))
    })
  }
  return sharingAHash(index, entries.documents.array, entries.hashes.array, entries.documents.length)
}

/**
 * For each document a sum of the hashes of everything that tells it from others with the same name.
 */
function hashApart(
  index: CatalogueIndex,
  among: DocumentSet,
  typeAt: readonly (ComparedType | undefined)[],
  places: Numbers,
  readable: DocumentSet | undefined
): Uint32Array {
  const sums = new Uint32Array(index.size)
  const addTo = (number: number, key: number, hash: number) => {
    sums[number] = (sums[number] as number) + mix(key, hash)
  }
  for (const key of new Set(typeAt.flatMap(type => [...(type?.apart ?? [])]))) {
    const isApart = typeAt.map(type => type?.apart.has(key) === true)
    const isCompared = (number: number) => isApart[places[number] as number] && has(among, number)
    const values = index.values(key)
    const [hashes, salt] = [values.hashes(hashOfBare), hashOfText(key)]
    values.forEach((number, place) => {
      if (isCompared(number) && !values.isDerived(place)) addTo(number, salt, hashes[place] as number)
    })
    index.relatives.by(key).forEach((number, target) => {
      if (target >= 0 && isCompared(number) && (!readable || has(readable, target))) addTo(number, salt, target)
    })
  }
  return sums
}

/** The documents that have a hash which another document has too, in ascending order. */
function sharingAHash(index: CatalogueIndex, documents: Uint32Array, hashes: Uint32Array, length: number): Uint32Array {
  let size = 1024
  while (size < length * 2) size *= 2
  /** The first entry with a hash plus one; 0 for none. */
  const table = new Uint32Array(size)
  const sharing = index.newSet()
  for (let at = 0; at < length; at++) {
    step()
    const hash = hashes[at] as number
    let slot = mix(seed, hash) & (size - 1)
    while (table[slot] !== 0 && hashes[(table[slot] as number) - 1] !== hash) slot = (slot + 1) & (size - 1)
    const first = (table[slot] as number) - 1
    if (first < 0) table[slot] = at + 1
    else if (documents[first] !== documents[at]) {
      add(sharing, documents[first] as number)
      add(sharing, documents[at] as number)
    }
  }
  return numbersIn(sharing)
}

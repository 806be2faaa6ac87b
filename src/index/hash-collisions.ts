import { numberKeysOf, readNumber } from '#domain/entity/duplicates.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Field, RecordType } from '#domain/record-types/record-type.ts'
import { encode, growingNumbers, textAt } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Column, isDerivedFlag } from './columns.ts'
import { add, type DocumentSet, has, membersOf, numbersIn } from './sets.ts'
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

/** The hashes of the values of a column without punctuation. */
function hashesOf({ folded: { bytes, starts } }: Column): Uint32Array {
  const hashes = new Uint32Array(starts.length - 1)
  for (let value = 0; value < hashes.length; value++) {
    const [start, end] = [starts[value] as number, (starts[value + 1] as number) - 1]
    step()
    hashes[value] = hashOfBare(bytes, start, end)
  }
  return hashes
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
  const apart = hashApart(index, types, index.withoutHidden(among), readable)
  const entries = { documents: growingNumbers(), hashes: growingNumbers() }
  const push = (number: number, hash: number) => {
    entries.documents.push(number)
    entries.hashes.push(hash)
  }
  const pushName = (number: number, { umbrella }: ComparedType, hash: number) =>
    push(number, mix(mix(umbrella, hash), apart[number] as number))
  const pushNumber = (number: number, { fields, umbrella }: ComparedType, key: string, folded: string) => {
    const read = readNumber(key, fields[key] as Field, folded)
    if (read) push(number, mix(mix(umbrella, hashOfText(read.reason)), hashOfText(read.value)))
  }

  const inBase = index.withoutHidden(among)
  const typesInBase = index.base.typeNames.map(name => types.get(name))
  for (const [key, column] of index.columns) {
    const named = typesInBase.map(type => (type?.nameField === key ? type : undefined))
    const numbered = typesInBase.map(type => (type?.numberKeys.includes(key) ? type : undefined))
    if (!named.some(Boolean) && !numbered.some(Boolean)) continue
    const hashes = named.some(Boolean) ? hashesOf(column) : undefined
    forEachValue(column, (number, value) => {
      if (!has(inBase, number)) return
      const type = index.base.types[number] as number
      const [asName, asNumber] = [named[type], numbered[type]]
      if (asName) pushName(number, asName, hashes?.[value] as number)
      if (asNumber) pushNumber(number, asNumber, key, textAt(column.folded, value))
    })
  }
  for (const { number, type, values } of index.delta.values()) {
    step(values.length)
    const compared = has(among, number) ? types.get(type) : undefined
    for (const { key, folded, isDerived } of compared ? values : []) {
      if (!compared || isDerived) continue
      if (compared.nameField === key) pushName(number, compared, hashOfBare(encode(folded)))
      if (compared.numberKeys.includes(key)) pushNumber(number, compared, key, folded)
    }
  }
  return sharingAHash(index, entries.documents.array, entries.hashes.array, entries.documents.length)
}

/**
 * For each document a sum of the hashes of everything that tells it from others with the same name.
 */
function hashApart(
  index: CatalogueIndex,
  types: ReadonlyMap<string, ComparedType>,
  inBase: DocumentSet,
  readable: DocumentSet | undefined
): Uint32Array {
  const sums = new Uint32Array(index.size)
  const addTo = (number: number, key: number, hash: number) => {
    sums[number] = (sums[number] as number) + mix(key, hash)
  }
  const typesInBase = index.base.typeNames.map(name => types.get(name))
  const withKey = (key: string) => typesInBase.map(type => type?.apart.has(key) === true)
  for (const [key, column] of index.columns) {
    const isApart = withKey(key)
    if (!isApart.includes(true)) continue
    const [hashes, salt] = [hashesOf(column), hashOfText(key)]
    forEachValue(column, (number, value) => {
      if (isApart[index.base.types[number] as number] && has(inBase, number))
        addTo(number, salt, hashes[value] as number)
    })
  }
  const { types: kinds, starts, kinds: kindAt, keys } = index.base.relations
  const isApart = kinds.map(withKey)
  const salts = kinds.map(hashOfText)
  for (let number = 0; number < index.base.size; number++) {
    step()
    if (!has(inBase, number)) continue
    const type = index.base.types[number] as number
    const end = starts[number + 1] as number
    step(end - (starts[number] as number))
    for (let at = starts[number] as number; at < end; at++) {
      const kind = kindAt[at] as number
      if (!isApart[kind]?.[type]) continue
      const target = index.ownerOf(keys[at] as number)
      if (target >= 0 && (!readable || has(readable, target))) addTo(number, salts[kind] as number, target)
    }
  }
  for (const { number, type, values, relations, targets } of index.delta.values()) {
    step(values.length + relations.length)
    const apart = types.get(type)?.apart
    if (!apart) continue
    for (const { key, folded, isDerived } of values)
      if (!isDerived && apart.has(key)) addTo(number, hashOfText(key), hashOfBare(encode(folded)))
    relations.forEach(({ type: kind }, at) => {
      const target = targets[at] as number
      if (apart.has(kind) && target >= 0 && (!readable || has(readable, target)))
        addTo(number, hashOfText(kind), target)
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

/** Calls back with all values of all documents of a base, but those that were made from others. */
function forEachValue(column: Column, work: (number: number, value: number) => void) {
  const { firsts, furtherDocuments, further, flags } = column
  const members = membersOf(column.documents)
  const take = (number: number, value: number) => {
    step()
    if (((flags[value] as number) & isDerivedFlag) === 0) work(number, value)
  }
  for (let at = 0; at < members.length; at++) take(members[at] as number, firsts[at] as number)
  for (let at = 0; at < further.length; at++) take(furtherDocuments[at] as number, further[at] as number)
}

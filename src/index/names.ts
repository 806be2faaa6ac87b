import { compareTexts, decode, encodeTo, growingNumbers, shared, sharedNumbers } from './arrays.ts'

/*
 * Every identifier, and every key of a relation that leads nowhere, with the document that has it.
 * A hash table leads from a text to its place in the list. A uuid in its usual form is stored as
 * its sixteen bytes after a zero byte, with which no identifier begins.
 */

export interface Names {
  readonly bytes: Uint8Array
  /** Where each name begins; one more than there are names. */
  readonly starts: Uint32Array
  /** The number of the document that has the name, or `nobody`. */
  readonly owners: Uint32Array
  /** Places in the list plus one; 0 for none. The length is a power of two. */
  readonly table: Uint32Array
}

export const nobody = 0xffff_ffff

/** The first length of a table, which is doubled whenever three quarters are used. */
const firstTable = 4096

export interface NamesBuilder {
  /** The place of a name, which is added where there is none. */
  add(text: string, owner: number): number
  done(): Names
}

export function buildNames(): NamesBuilder {
  let bytes = new Uint8Array(65_536)
  let end = 0
  const starts = growingNumbers()
  const owners = growingNumbers()
  let table = new Uint32Array(firstTable)
  starts.push(0)

  const append = (length: number) => {
    if (end + length > bytes.length) {
      const larger = new Uint8Array(2 * (end + length))
      larger.set(bytes)
      bytes = larger
    }
    for (let at = 0; at < length; at++) bytes[end + at] = packed[at] as number
    end += length
  }
  const grow = () => {
    table = new Uint32Array(table.length * 2)
    for (let place = 0; place < owners.length; place++) {
      const start = starts.array[place] as number
      let slot = hash(bytes, start, starts.array[place + 1] as number) & (table.length - 1)
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
      table[slot] = place + 1
    }
  }

  return {
    add(text, owner) {
      const length = pack(text)
      let slot = hash(packed, 0, length) & (table.length - 1)
      for (let place = table[slot] as number; place !== 0; place = table[slot] as number) {
        const start = starts.array[place - 1] as number
        if ((starts.array[place] as number) - start === length && isSame(bytes, start, packed, 0, length)) {
          if (owner !== nobody) owners.array[place - 1] = owner
          return place - 1
        }
        slot = (slot + 1) & (table.length - 1)
      }
      append(length)
      owners.push(owner)
      starts.push(end)
      table[slot] = owners.length
      if (owners.length * 4 > table.length * 3) grow()
      return owners.length - 1
    },
    done() {
      const final = sharedNumbers(table.length)
      final.set(table)
      return { bytes: shared(bytes.subarray(0, end)), starts: starts.done(), owners: owners.done(), table: final }
    }
  }
}

/** A list of names into which those of other lists are copied. Its room is known before. */
export class NamesCopy {
  readonly #bytes: Uint8Array
  readonly #starts: Uint32Array
  readonly #owners: Uint32Array
  readonly #table: Uint32Array
  #count = 0

  constructor(maxNames: number, maxBytes: number) {
    this.#bytes = new Uint8Array(maxBytes)
    this.#starts = new Uint32Array(maxNames + 1)
    this.#owners = new Uint32Array(maxNames)
    let length = firstTable
    while (maxNames * 4 > length * 3) length *= 2
    this.#table = new Uint32Array(length)
  }

  get count(): number {
    return this.#count
  }

  /** Copies a name that the list does not have yet, and returns its place. */
  add({ bytes, starts }: Names, name: number, owner: number): number {
    return this.#append(bytes, starts[name] as number, starts[name + 1] as number, owner)
  }

  /** The place of a name, which is added without an owner where there is none. */
  find({ bytes, starts }: Names, name: number): number {
    const [start, end] = [starts[name] as number, starts[name + 1] as number]
    const known = { bytes: this.#bytes, starts: this.#starts, table: this.#table }
    const found = findBytes(known, bytes, start, end)
    return found < 0 ? this.#append(bytes, start, end, nobody) : found
  }

  #append(bytes: Uint8Array, first: number, end: number, owner: number): number {
    const place = this.#count++
    const start = this.#starts[place] as number
    for (let at = first; at < end; at++) this.#bytes[start + at - first] = bytes[at] as number
    this.#starts[place + 1] = start + end - first
    this.#owners[place] = owner
    const mask = this.#table.length - 1
    let slot = hash(bytes, first, end) & mask
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask
    this.#table[slot] = place + 1
    return place
  }

  done(): Names {
    const count = this.#count
    return {
      bytes: shared(this.#bytes.subarray(0, this.#starts[count])),
      starts: shared(this.#starts.subarray(0, count + 1)),
      owners: shared(this.#owners.subarray(0, count)),
      table: shared(this.#table)
    }
  }
}

/** The place of a name in the list, or -1. */
export function findName(names: Names, text: string): number {
  const length = pack(text)
  return findBytes(names, packed, 0, length)
}

function findBytes(
  { bytes, starts, table }: Omit<Names, 'owners'>,
  wanted: Uint8Array,
  first: number,
  end: number
): number {
  let slot = hash(wanted, first, end) & (table.length - 1)
  for (let place = table[slot] as number; place !== 0; place = table[slot] as number) {
    const start = starts[place - 1] as number
    const length = (starts[place] as number) - start
    if (length === end - first && isSame(bytes, start, wanted, first, length)) return place - 1
    slot = (slot + 1) & (table.length - 1)
  }
  return -1
}

export function nameAt({ bytes, starts }: Names, place: number): string {
  const start = starts[place] as number
  const end = starts[place + 1] as number
  if (bytes[start] !== 0) return decode(bytes.subarray(start, end))
  let digits = ''
  for (let at = start + 1; at < end; at++) digits += (hexadecimal[bytes[at] as number] as string) + dashes[at - start]
  return digits
}

/** Compares two names by code points. */
export function compareNames(one: Names, place: number, other: Names, otherPlace: number): number {
  const start = one.starts[place] as number
  const otherStart = other.starts[otherPlace] as number
  if (one.bytes[start] === 0 || other.bytes[otherStart] === 0)
    return compareTexts(nameAt(one, place), nameAt(other, otherPlace))
  const length = (one.starts[place + 1] as number) - start
  const otherLength = (other.starts[otherPlace + 1] as number) - otherStart
  for (let at = 0; at < length && at < otherLength; at++) {
    const difference = (one.bytes[start + at] as number) - (other.bytes[otherStart + at] as number)
    if (difference !== 0) return difference
  }
  return length - otherLength
}

const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const dashes = Array.from({ length: 17 }, (_, at) => ([4, 6, 8, 10].includes(at) ? '-' : ''))

/** The bytes of the name that was packed last. */
let packed = new Uint8Array(4096)

/** Writes a name to `packed`, as it is stored, and returns its length. */
function pack(text: string): number {
  if (text.length === 36 && packUuid(text)) return 17
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 > packed.length) packed = new Uint8Array(text.length * 6)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 127) return encodeTo(text, packed)
    packed[at] = unit
  }
  return text.length
}

/** Packs a uuid in its usual form; false for another text. */
function packUuid(text: string): boolean {
  packed[0] = 0
  for (let at = 0, to = 1; at < 36; ) {
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (text.charCodeAt(at++) !== dash) return false
      continue
    }
    const high = digitOf(text.charCodeAt(at++))
    const low = digitOf(text.charCodeAt(at++))
    if (high < 0 || low < 0) return false
    packed[to++] = high * 16 + low
  }
  return true
}

const dash = 45

/** The value of a hexadecimal digit, of which the letters are small; or -1. */
const digitOf = (unit: number): number =>
  unit >= 48 && unit <= 57 ? unit - 48 : unit >= 97 && unit <= 102 ? unit - 87 : -1

/** FNV-1a. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c_9dc5
  for (let at = start; at < end; at++) value = Math.imul(value ^ (bytes[at] as number), 0x0100_0193)
  // The lower bits decide; those above are mixed into them.
  return (value ^ (value >>> 15)) >>> 0
}

function isSame(bytes: Uint8Array, start: number, other: Uint8Array, otherStart: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (bytes[start + at] !== other[otherStart + at]) return false
  return true
}

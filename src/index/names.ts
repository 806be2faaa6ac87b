import { compareTexts, decode, encode, growingBytes, growingNumbers, shared, sharedNumbers } from './arrays.ts'

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
  const bytes = growingBytes()
  const starts = growingNumbers()
  const owners = growingNumbers()
  let table = new Uint32Array(firstTable)
  starts.push(0)

  const grow = () => {
    table = new Uint32Array(table.length * 2)
    for (let place = 0; place < owners.length; place++) {
      const start = starts.array[place] as number
      let slot = hash(bytes.array, start, starts.array[place + 1] as number) & (table.length - 1)
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
      table[slot] = place + 1
    }
  }

  return {
    add(text, owner) {
      const name = pack(text)
      let slot = hash(name, 0, name.length) & (table.length - 1)
      for (let place = table[slot] as number; place !== 0; place = table[slot] as number) {
        if (isAt(bytes.array, starts.array[place - 1] as number, starts.array[place] as number, name)) {
          if (owner !== nobody) owners.array[place - 1] = owner
          return place - 1
        }
        slot = (slot + 1) & (table.length - 1)
      }
      for (let at = 0; at < name.length; at++) bytes.push(name[at] as number)
      owners.push(owner)
      starts.push(bytes.length)
      table[slot] = owners.length
      if (owners.length * 4 > table.length * 3) grow()
      return owners.length - 1
    },
    done() {
      const final = sharedNumbers(table.length)
      final.set(table)
      return { bytes: bytes.done(), starts: starts.done(), owners: owners.done(), table: final }
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
    return this.#append(bytes.subarray(starts[name], starts[name + 1]), owner)
  }

  /** The place of a name, which is added without an owner where there is none. */
  find({ bytes, starts }: Names, name: number): number {
    const wanted = bytes.subarray(starts[name], starts[name + 1])
    const found = findBytes({ bytes: this.#bytes, starts: this.#starts, table: this.#table }, wanted)
    return found < 0 ? this.#append(wanted, nobody) : found
  }

  #append(name: Uint8Array, owner: number): number {
    const place = this.#count++
    const start = this.#starts[place] as number
    this.#bytes.set(name, start)
    this.#starts[place + 1] = start + name.length
    this.#owners[place] = owner
    const mask = this.#table.length - 1
    let slot = hash(name, 0, name.length) & mask
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
export const findName = (names: Names, text: string): number => findBytes(names, pack(text))

function findBytes({ bytes, starts, table }: Omit<Names, 'owners'>, name: Uint8Array): number {
  let slot = hash(name, 0, name.length) & (table.length - 1)
  for (let place = table[slot] as number; place !== 0; place = table[slot] as number) {
    if (isAt(bytes, starts[place - 1] as number, starts[place] as number, name)) return place - 1
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

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const dashes = Array.from({ length: 17 }, (_, at) => ([4, 6, 8, 10].includes(at) ? '-' : ''))

function pack(text: string): Uint8Array {
  if (text.length !== 36 || !uuidPattern.test(text)) return encode(text)
  const bytes = new Uint8Array(17)
  const digits = text.replaceAll('-', '')
  for (let at = 0; at < 16; at++) bytes[at + 1] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
  return bytes
}

/** FNV-1a. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c_9dc5
  for (let at = start; at < end; at++) value = Math.imul(value ^ (bytes[at] as number), 0x0100_0193)
  // The lower bits decide; those above are mixed into them.
  return (value ^ (value >>> 15)) >>> 0
}

function isAt(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name[at]) return false
  return true
}

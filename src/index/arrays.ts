import { checkTime, partFrom, step, stepsOfLookup } from './time-limit.ts'
/*
 * Arrays of numbers that grow while an index is built, and lists of texts as bytes. Everything that
 * is built stands in shared memory.
 */

/** Whole numbers in as few bytes as the largest of them takes. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array

/**
 * The length that growing arrays begin with. There may be thousands of keys and types of relations
 * with a few values each.
 */
const firstLength = 16

type Growable = Uint8Array | Uint32Array | Float64Array

/*
 * Typed arrays that grow; `done` gives their content in shared memory. There is a class for each
 * kind, since code that meets several kinds of arrays is several times as slow.
 */

class GrowingBytes {
  array = new Uint8Array(firstLength)
  length = 0

  push(value: number) {
    if (this.length === this.array.length) this.array = enlarge(this.array, new Uint8Array(this.length * 2))
    this.array[this.length++] = value
  }

  /** Repeats a value up to a length. */
  fillTo(length: number, value: number) {
    if (length > this.array.length) this.array = enlarge(this.array, new Uint8Array(length * 2))
    this.array.fill(value, this.length, length)
    this.length = Math.max(this.length, length)
  }

  done(): Uint8Array {
    return shared(this.array.subarray(0, this.length))
  }
}

class GrowingNumbers {
  array = new Uint32Array(firstLength)
  length = 0

  push(value: number) {
    if (this.length === this.array.length) this.array = enlarge(this.array, new Uint32Array(this.length * 2))
    this.array[this.length++] = value
  }

  /** Repeats a value up to a length. */
  fillTo(length: number, value: number) {
    if (length > this.array.length) this.array = enlarge(this.array, new Uint32Array(length * 2))
    this.array.fill(value, this.length, length)
    this.length = Math.max(this.length, length)
  }

  done(): Uint32Array {
    return shared(this.array.subarray(0, this.length))
  }
}

class GrowingFloats {
  array = new Float64Array(firstLength)
  length = 0

  push(value: number) {
    if (this.length === this.array.length) this.array = enlarge(this.array, new Float64Array(this.length * 2))
    this.array[this.length++] = value
  }

  /** Repeats a value up to a length. */
  fillTo(length: number, value: number) {
    if (length > this.array.length) this.array = enlarge(this.array, new Float64Array(length * 2))
    this.array.fill(value, this.length, length)
    this.length = Math.max(this.length, length)
  }

  done(): Float64Array {
    return shared(this.array.subarray(0, this.length))
  }
}

function enlarge<T extends Growable>(array: T, larger: T): T {
  larger.set(array)
  return larger
}

export const growingBytes = () => new GrowingBytes()
export const growingNumbers = () => new GrowingNumbers()
export const growingFloats = () => new GrowingFloats()

/** Bytes from which memory has pages of its own. */
const minOwnPages = 16_384

/**
 * Memory that threads share. A buffer that may grow has pages of its own, which the system gets
 * back with it. Others are parts of the heap of the C library, which gives little of it back: a
 * process that had built an index of a million records kept 705 MB there, and 263 MB now.
 */
const sharedMemory = (bytes: number): SharedArrayBuffer =>
  bytes < minOwnPages ? new SharedArrayBuffer(bytes) : new SharedArrayBuffer(bytes, { maxByteLength: bytes })

// With its length, an array over a buffer that may grow is as fast as any other.
export const sharedBytes = (length: number) => new Uint8Array(sharedMemory(length), 0, length)
export const sharedShorts = (length: number) => new Uint16Array(sharedMemory(length * 2), 0, length)
export const sharedNumbers = (length: number) => new Uint32Array(sharedMemory(length * 4), 0, length)
export const sharedFloats = (length: number) => new Float64Array(sharedMemory(length * 8), 0, length)

/** A copy in memory that threads share, in as few bytes as numbers below a bound take. */
export function narrowNumbers(numbers: Uint32Array, bound: number): Numbers {
  const copy =
    bound <= 0x100
      ? sharedBytes(numbers.length)
      : bound <= 0x1_0000
        ? sharedShorts(numbers.length)
        : sharedNumbers(numbers.length)
  copy.set(numbers)
  return copy
}

/** A copy in memory that threads share. */
export function shared<T extends Growable>(array: T): T {
  const make = array instanceof Uint8Array ? sharedBytes : array instanceof Uint32Array ? sharedNumbers : sharedFloats
  const copy = make(array.length)
  copy.set(array)
  return copy as T
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const encode = (text: string): Uint8Array => encoder.encode(text)
/** Writes a text to bytes, which have room for it, and returns its length there. */
export const encodeTo = (text: string, bytes: Uint8Array): number => encoder.encodeInto(text, bytes).written
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes)

/**
 * Texts one after the other in UTF-8, each followed by a zero byte, which no text has: a search in
 * all of them finds nothing across two.
 */
export interface Texts {
  readonly bytes: Uint8Array
  /** Where each text begins; one more than there are texts. */
  readonly starts: Uint32Array
}

export function toTexts(texts: Iterable<string>): Texts {
  const starts = growingNumbers()
  let bytes = new Uint8Array(256)
  let end = 0
  for (const text of texts) {
    starts.push(end)
    // A UTF-16 unit takes at most three bytes.
    if (end + text.length * 3 + 1 > bytes.length) {
      const larger = new Uint8Array((bytes.length + text.length * 3) * 2)
      larger.set(bytes)
      bytes = larger
    }
    end += encoder.encodeInto(text, bytes.subarray(end)).written
    bytes[end++] = 0
  }
  starts.push(end)
  return { bytes: shared(bytes.subarray(0, end)), starts: starts.done() }
}

export const countOf = ({ starts }: Texts) => starts.length - 1

export const bytesAt = ({ bytes, starts }: Texts, index: number): Uint8Array =>
  bytes.subarray(starts[index] as number, (starts[index + 1] as number) - 1)

export const textAt = (texts: Texts, index: number): string => decode(bytesAt(texts, index))

/**
 * Texts that are seldom read, most of them empty or short: only the beginning of every sixteenth is
 * noted, and others are found by the zero bytes between.
 */
export interface Spellings {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
}

const spellingsToStart = 16

export const toSpellings = ({ bytes, starts }: Texts): Spellings => ({
  bytes,
  starts: shared(starts.filter((_, at) => at % spellingsToStart === 0))
})

/** The spellings with the beginning of each. */
export function textsOfSpellings({ bytes }: Spellings, count: number): Texts {
  const starts = new Uint32Array(count + 1)
  for (let at = 0; at < count; at++) starts[at + 1] = bytes.indexOf(0, starts[at]) + 1
  return { bytes, starts }
}

export function spellingAt({ bytes, starts }: Spellings, index: number): string {
  step(2)
  let start = starts[Math.floor(index / spellingsToStart)] as number
  for (let left = index % spellingsToStart; left > 0; left--) start = bytes.indexOf(0, start) + 1
  return decode(bytes.subarray(start, bytes.indexOf(0, start)))
}

/** Compares in the order of bytes, which in UTF-8 is that of code points. */
export function compareAt({ bytes, starts }: Texts, index: number, other: Uint8Array): number {
  const start = starts[index] as number
  const length = (starts[index + 1] as number) - 1 - start
  const common = Math.min(length, other.length)
  for (let at = 0; at < common; at++) {
    const difference = (bytes[start + at] as number) - (other[at] as number)
    if (difference !== 0) return difference
  }
  return length - other.length
}

/** In texts that are sorted: the first that is not less than these bytes. */
export function lowerBound(texts: Texts, wanted: Uint8Array): number {
  step(stepsOfLookup)
  let low = 0
  let high = countOf(texts)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(texts, middle, wanted) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** In texts that are sorted: the end of those that begin with these bytes. */
export function prefixEnd(texts: Texts, beginning: Uint8Array, from: number): number {
  step(stepsOfLookup)
  let low = from
  let high = countOf(texts)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (startsAt(texts, middle, beginning)) low = middle + 1
    else high = middle
  }
  return low
}

function startsAt({ bytes, starts }: Texts, index: number, beginning: Uint8Array): boolean {
  const start = starts[index] as number
  if ((starts[index + 1] as number) - 1 - start < beginning.length) return false
  for (let at = 0; at < beginning.length; at++) if (bytes[start + at] !== beginning[at]) return false
  return true
}

/**
 * Marks, in one byte for each text, those that contain the bytes. The search of the platform is the
 * fastest while hits are rare; each call of it costs as much as some hundred bytes looked at here.
 */
export function markContaining(texts: Texts, wanted: Uint8Array, marks: Uint8Array) {
  if (wanted.length === 0) {
    marks.fill(1)
    return
  }
  const { bytes, starts } = texts
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = 0
  let from = 0
  for (let hits = 1; ; hits++) {
    const found = placeIn(buffer, wanted, from)
    if (found < 0) return
    text = textAround(starts, found, text)
    marks[text] = 1
    from = starts[text + 1] as number
    if (hits % hitsToJudge === 0 && from < hits * rareDistance) break
  }
  markFrom(texts, wanted, marks, text + 1)
}

/** The first place at or after another one that has the bytes, or -1; the time is checked. */
function placeIn(buffer: Buffer, wanted: Uint8Array, first: number): number {
  let from = first
  for (; from + bytesAtOnce < buffer.length; from += bytesAtOnce) {
    checkTime()
    const found = buffer.subarray(from, from + bytesAtOnce + wanted.length - 1).indexOf(wanted)
    if (found >= 0) return from + found
  }
  step()
  return buffer.indexOf(wanted, from)
}

/** The number of bytes that the platform searches between two looks at the clock. */
const bytesAtOnce = 1_048_576

/** After so many hits it is judged whether they are rare: at least so many bytes for each. */
const hitsToJudge = 64
const rareDistance = 512

/** Marks those from a text on (Horspool's search over all texts at once). */
function markFrom({ bytes, starts }: Texts, wanted: Uint8Array, marks: Uint8Array, from: number) {
  const length = wanted.length
  const last = wanted[length - 1] as number
  const skips = new Uint32Array(256).fill(length)
  for (let at = 0; at < length - 1; at++) skips[wanted[at] as number] = length - 1 - at
  const end = bytes.length
  let text = from
  let at = (starts[from] as number) + length - 1
  while (at < end) {
    const partEnd = partFrom(at, end)
    while (at < partEnd) {
      const byte = bytes[at] as number
      if (byte === last) {
        let back = length - 2
        let from = at - 1
        while (back >= 0 && bytes[from] === wanted[back]) {
          back--
          from--
        }
        if (back < 0) {
          text = textAround(starts, at - length + 1, text)
          marks[text] = 1
          at = (starts[text + 1] as number) + length - 1
          continue
        }
      }
      at += skips[byte] as number
    }
  }
}

/**
 * The text that has a byte, at or after another one: near ones are found by steps, others by
 * halving.
 */
function textAround(starts: Uint32Array, place: number, from: number): number {
  let low = from
  for (let steps = 0; steps < 8; steps++) {
    if ((starts[low + 1] as number) > place) return low
    low++
  }
  let high = starts.length - 1
  while (low + 1 < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) <= place) low = middle
    else high = middle
  }
  return low
}

/**
 * Compares two texts by code points; UTF-16 units alone would put what lies beyond the first plane
 * before the end of it.
 */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  step(1 + (at >>> 2))
  if (at === length) return one.length - other.length
  return codePointRank(one.charCodeAt(at)) - codePointRank(other.charCodeAt(at))
}

const codePointRank = (unit: number) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/**
 * How to sort some texts by code points: quickly where none has a unit for which that differs from
 * the order of units.
 */
export function textOrder(texts: Iterable<string>): (one: string, other: string) => number {
  for (const text of texts) if (/[\ud800-\uffff]/.test(text)) return compareTexts
  return (one, other) => (one < other ? -1 : one > other ? 1 : 0)
}

/** From so many texts on, all are looked for in one pass. */
const manyWanted = 4

/** Marks the texts that contain any of some others. */
export function markContainingAny(texts: Texts, wanted: readonly Uint8Array[], marks: Uint8Array) {
  const short = wanted.filter(each => each.length < 3)
  const long = wanted.filter(each => each.length >= 3)
  for (const each of long.length < manyWanted ? wanted : short) markContaining(texts, each, marks)
  if (long.length >= manyWanted) markContainingMany(texts, long, marks)
}

/**
 * One pass for many texts of at least three bytes: what begins with the three bytes at a place is
 * compared there.
 */
function markContainingMany({ bytes, starts }: Texts, wanted: readonly Uint8Array[], marks: Uint8Array) {
  const byBeginning = new Map<number, Uint8Array[]>()
  const beginnings = new Uint8Array(65_536)
  const keyAt = (from: Uint8Array, at: number) =>
    ((from[at] as number) << 16) | ((from[at + 1] as number) << 8) | (from[at + 2] as number)
  const slot = (key: number) => (key ^ (key >>> 8)) & 0xffff
  for (const each of wanted) {
    const key = keyAt(each, 0)
    byBeginning.set(key, [...(byBeginning.get(key) ?? []), each])
    beginnings[slot(key)] = 1
  }
  const isHere = (each: Uint8Array, at: number) => {
    step(each.length)
    for (let byte = 3; byte < each.length; byte++) if (bytes[at + byte] !== each[byte]) return false
    return true
  }
  let text = 0
  for (let at = 0, partEnd = 0; at + 2 < bytes.length; at++) {
    if (at >= partEnd) partEnd = partFrom(at, bytes.length)
    const key = keyAt(bytes, at)
    if (beginnings[slot(key)] === 0) continue
    if (!byBeginning.get(key)?.some(each => isHere(each, at))) continue
    text = textAround(starts, at, text)
    marks[text] = 1
    at = (starts[text + 1] as number) - 1
  }
}

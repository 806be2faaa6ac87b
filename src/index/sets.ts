import { type Numbers, shared, sharedNumbers } from './arrays.ts'
import { step } from './time-limit.ts'

/*
 * Sets of documents as bit sets: bit `n` stands for the document with number `n`. A catalogue of a
 * million records takes 125 KB, and a conjunction of two sets takes some 20 µs, so no other form of
 * set is needed.
 */

export type DocumentSet = Uint32Array

export const emptySet = (size: number): DocumentSet => new Uint32Array((size + 31) >>> 5)

/** An empty set in memory that threads share. */
export const sharedSet = (size: number): DocumentSet => sharedNumbers((size + 31) >>> 5)

export const has = (set: DocumentSet, number: number): boolean =>
  (((set[number >>> 5] as number) >>> (number & 31)) & 1) === 1

export function add(set: DocumentSet, number: number) {
  const at = number >>> 5
  set[at] = (set[at] as number) | (1 << (number & 31))
}

export function remove(set: DocumentSet, number: number) {
  const at = number >>> 5
  set[at] = (set[at] as number) & ~(1 << (number & 31))
}

/**
 * Keeps in the first set only what the second has too. The sets of an index have the same length.
 */
export function keepCommon(set: DocumentSet, other: DocumentSet) {
  step(set.length >>> 2)
  for (let at = 0; at < set.length; at++) set[at] = (set[at] as number) & (other[at] as number)
}

export function addAll(set: DocumentSet, other: DocumentSet) {
  step(set.length >>> 2)
  for (let at = 0; at < set.length; at++) set[at] = (set[at] as number) | (other[at] as number)
}

/** Removes from the first set what the second has. The second may be shorter. */
export function removeAll(set: DocumentSet, other: DocumentSet) {
  const length = Math.min(set.length, other.length)
  step(length >>> 2)
  for (let at = 0; at < length; at++) set[at] = (set[at] as number) & ~(other[at] as number)
}

export function count(set: DocumentSet): number {
  step(set.length >>> 2)
  let sum = 0
  for (let at = 0; at < set.length; at++) sum += bitsIn(set[at] as number)
  return sum
}

export function isEmpty(set: DocumentSet): boolean {
  for (let at = 0; at < set.length; at++) if (set[at] !== 0) return false
  return true
}

export function isSame(set: DocumentSet, other: DocumentSet): boolean {
  step(set.length >>> 2)
  for (let at = 0; at < set.length; at++) if (set[at] !== other[at]) return false
  return true
}

/** Calls back with each number of the set, in ascending order. */
export function forEach(set: DocumentSet, work: (number: number) => void) {
  for (let at = 0; at < set.length; at++) {
    let bits = set[at] as number
    step(bits === 0 ? 1 : 32)
    while (bits !== 0) {
      const lowest = bits & -bits
      work((at << 5) + (31 - Math.clz32(lowest)))
      bits ^= lowest
    }
  }
}

/** The number of bits that are set in a word. */
export function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** The numbers of a set, in ascending order. */
export function numbersIn(set: DocumentSet): Uint32Array {
  const numbers = new Uint32Array(count(set))
  let length = 0
  for (let at = 0; at < set.length; at++) {
    step(32)
    let bits = set[at] as number
    while (bits !== 0) {
      const lowest = bits & -bits
      numbers[length++] = (at << 5) + (31 - Math.clz32(lowest))
      bits ^= lowest
    }
  }
  return numbers
}

/**
 * Some documents of a base, with the place of each among them: as a list where they are few, else
 * as a set with the number of documents before each of its words.
 */
export type Members =
  | { readonly list: Uint32Array }
  | { readonly set: DocumentSet; readonly before: Uint32Array; readonly size: number }

export function toMembers(numbers: Uint32Array, size: number): Members {
  if (numbers.length * 16 < size) return { list: shared(numbers) }
  const set = sharedSet(size)
  for (let at = 0; at < numbers.length; at++) add(set, numbers[at] as number)
  return { set, before: shared(countsBefore(set)), size: numbers.length }
}

export const countMembers = (members: Members): number => ('list' in members ? members.list.length : members.size)

/** Whether a set has any of the members. */
export function hasAny(set: DocumentSet, members: Members): boolean {
  if ('list' in members) return members.list.some(number => has(set, number))
  const { set: all } = members
  for (let at = 0; at < all.length; at++) if (((all[at] as number) & (set[at] as number)) !== 0) return true
  return false
}

/** The members in ascending order. */
export const membersOf = (members: Members): Uint32Array => ('list' in members ? members.list : numbersIn(members.set))

/** Adds the members whose value is marked to a set; `values` has the value of each. */
export function addMembers(set: DocumentSet, members: Members, values: Numbers, marks: Uint8Array) {
  if ('list' in members) {
    const { list } = members
    for (let at = 0; at < list.length; at++) {
      step()
      if (marks[values[at] as number]) add(set, list[at] as number)
    }
    return
  }
  const { set: all, before, size } = members
  for (let word = 0; word < all.length; word++) {
    step(32)
    const first = before[word] as number
    const end = word + 1 < all.length ? (before[word + 1] as number) : size
    // Most words of most sets have none that is marked.
    let marked = 0
    for (let at = first; at < end; at++) marked |= marks[values[at] as number] as number
    if (marked === 0) continue
    let bits = all[word] as number
    let found = 0
    for (let at = first; at < end; at++) {
      const lowest = bits & -bits
      // A mark is one or zero, so its negative is all bits or none.
      found |= lowest & -(marks[values[at] as number] as number)
      bits ^= lowest
    }
    set[word] = (set[word] as number) | found
  }
}

/** The number of members before each word of a set. */
export function countsBefore(set: DocumentSet): Uint32Array {
  step(set.length >>> 2)
  const before = new Uint32Array(set.length)
  for (let at = 1; at < set.length; at++) before[at] = (before[at - 1] as number) + bitsIn(set[at - 1] as number)
  return before
}

/** The place of a member of a set among its members. */
export const placeIn = (set: DocumentSet, before: Uint32Array, number: number): number => {
  const word = number >>> 5
  return (before[word] as number) + bitsIn((set[word] as number) & ((1 << (number & 31)) - 1))
}

/** The first place in a sorted list with at least this number. */
export function firstAt(sorted: Uint32Array, wanted: number): number {
  step(2)
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of a document among the members, or -1. */
export function placeOf(members: Members, number: number): number {
  if ('list' in members) {
    const { list } = members
    const at = firstAt(list, number)
    return list[at] === number ? at : -1
  }
  if (number >>> 5 >= members.set.length) return -1
  return has(members.set, number) ? placeIn(members.set, members.before, number) : -1
}

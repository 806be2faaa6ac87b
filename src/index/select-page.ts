import { add, bitsIn, count, type DocumentSet, forEach, has } from './sets.ts'
import { step, stepsOfLookup } from './time-limit.ts'

/* The page of a set that was asked for, without sorting the rest of it. */

/**
 * Numbers by document. One with a lower number than another comes before it, or after it where
 * `isDescending`; one without a number (NaN) comes last in both directions.
 */
export interface FirstKeys {
  readonly keys: Uint16Array | Uint32Array | Float64Array
  readonly isDescending: boolean
  /** The number that is compared next, the lower first, if nothing but creation comes after it. */
  readonly next?: (number: number) => number
}

/**
 * The first documents of a set in an order, after some that are passed over. `first` has what the
 * order compares first, so that most documents are passed by one comparison.
 */
export function selectFirst(
  set: DocumentSet,
  order: (one: number, other: number) => number,
  skip: number,
  limit: number,
  first?: FirstKeys
): number[] {
  const compare = timed(order)
  const wanted = skip + limit
  if (wanted === 0) return []
  if (wanted > maxHeap) {
    const all = new Uint32Array(count(set))
    let length = 0
    forEach(set, number => {
      all[length++] = number
    })
    if (skip >= length) return []
    partition(all, 0, length, skip, order)
    if (wanted < length) partition(all, skip, length, wanted, order)
    return [...all.subarray(skip, wanted)].sort(compare)
  }
  const heap: number[] = []
  const offer = (number: number) => {
    step()
    if (heap.length < wanted) {
      heap.push(number)
      rise(heap, heap.length - 1, compare)
    } else if (compare(number, heap[0] as number) < 0) {
      heap[0] = number
      sink(heap, compare)
    }
  }
  if (first) offerNear(set, first, offer, () => (heap.length < wanted ? undefined : heap[0]))
  else forEach(set, offer)
  return heap.sort(compare).slice(skip)
}

/** An order that takes a step for each comparison. */
export const timed = (compare: (one: number, other: number) => number) => (one: number, other: number) => {
  step()
  return compare(one, other)
}

/**
 * Offers the documents of a set that may come before the last document chosen. They are looked at
 * in ascending order, so that of two that are equal the one chosen comes first.
 */
function offerNear(
  set: DocumentSet,
  { keys, isDescending, next }: FirstKeys,
  offer: (number: number) => void,
  last: () => number | undefined
) {
  /** The keys of the last one chosen. While there is none, or it has none, all are offered. */
  let bound = Number.NaN
  let nextBound = 0
  for (let word = 0; word < set.length; word++) {
    step(32)
    let bits = set[word] as number
    if (!isDescending && bitsIn(bits) > minCompared && leastKey(keys, word << 5) > bound) continue
    while (bits !== 0) {
      const lowest = bits & -bits
      const number = (word << 5) + (31 - Math.clz32(lowest))
      bits ^= lowest
      const key = keys[number] as number
      // Most documents come after the last one chosen.
      if (isDescending ? key < bound : key > bound) continue
      if (key === bound) {
        if (next && next(number) >= nextBound) continue
      } else if (!Number.isNaN(bound) && !(isDescending ? key > bound : key < bound)) continue
      offer(number)
      const chosen = last()
      if (chosen === undefined) continue
      bound = keys[chosen] as number
      nextBound = next?.(chosen) ?? 0
    }
  }
}

/** Where so many of 32 documents are in a set, it is faster to look at the keys of all at first. */
const minCompared = 8

/** The least key of 32 documents; NaN if one has none. */
function leastKey(keys: FirstKeys['keys'], first: number): number {
  let least = keys[first] as number
  const end = Math.min(first + 32, keys.length)
  for (let number = first + 1; number < end; number++) least = Math.min(least, keys[number] as number)
  return least
}

/**
 * For more than this, those before and after the page are parted from it, and only the page is
 * sorted.
 */
const maxHeap = 1000

/** Brings what comes before a place to the left of it (Hoare's selection). */
function partition(
  numbers: Uint32Array,
  first: number,
  end: number,
  place: number,
  compare: (one: number, other: number) => number
) {
  let low = first
  let high = end - 1
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1] as number
    let left = low
    let right = high
    while (left <= right) {
      for (step(); compare(numbers[left] as number, pivot) < 0; left++) step()
      for (; compare(numbers[right] as number, pivot) > 0; right--) step()
      if (left > right) break
      const kept = numbers[left] as number
      numbers[left++] = numbers[right] as number
      numbers[right--] = kept
    }
    if (place <= right) high = right
    else if (place >= left) low = left
    else return
  }
}

/** The last of those kept is on top. */
function rise(heap: number[], from: number, compare: (one: number, other: number) => number) {
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (compare(heap[at] as number, heap[parent] as number) <= 0) return
    exchange(heap, at, parent)
    at = parent
  }
}

function sink(heap: number[], compare: (one: number, other: number) => number) {
  let at = 0
  for (;;) {
    const left = at * 2 + 1
    if (left >= heap.length) return
    const right = left + 1
    const larger = right < heap.length && compare(heap[right] as number, heap[left] as number) > 0 ? right : left
    if (compare(heap[larger] as number, heap[at] as number) <= 0) return
    exchange(heap, at, larger)
    at = larger
  }
}

function exchange(heap: number[], one: number, other: number) {
  const kept = heap[one] as number
  heap[one] = heap[other] as number
  heap[other] = kept
}

/**
 * The first numbers of a set after a place, in ascending or descending order: it is looked through
 * from there only.
 */
export function walkFrom(
  set: DocumentSet,
  place: number | undefined,
  isAscending: boolean,
  skip: number,
  limit: number
): number[] {
  const found: number[] = []
  const end = set.length * 32
  const direction = isAscending ? 1 : -1
  /** The bit of a word where a walk through it begins. */
  const firstBit = isAscending ? 0 : 31
  let left = skip
  let number = isAscending ? (place === undefined ? 0 : place + 1) : Math.min(end, place ?? end) - 1
  while (number >= 0 && number < end && found.length < limit) {
    step()
    if ((number & 31) === firstBit) {
      // Words that are empty, or skipped as a whole, are passed at once.
      const inWord = bitsIn(set[number >>> 5] as number)
      if (inWord <= left) {
        left -= inWord
        number += 32 * direction
        continue
      }
    }
    if (has(set, number)) {
      if (left > 0) left--
      else found.push(number)
    }
    number += direction
  }
  return found
}

/**
 * One thing to sort by. `key` is a number that compares; without a value it is NaN, and the
 * document comes last in both directions.
 */
export interface SortKey {
  readonly key: (number: number) => number
  readonly sayOf: (number: number) => string | null
  readonly keyOf: (said: string) => number
  /** The keys of all documents, where they were made. */
  readonly all?: Float64Array
}

/** Documents that are sorted already, by what an order compares first. */
export interface SortedDocuments {
  /** Documents with a key, in ascending order of it. */
  readonly numbers: Uint32Array
  /** The key of one of them; several may have the same. */
  readonly keyOf: (number: number) => number
  readonly isDescending: boolean
  /** Whether one of them is no longer where it stands in the list. */
  readonly isMoved: (number: number) => boolean
  /** Documents that were moved to where they are not in the list. */
  readonly moved: Iterable<number>
  /** Whether every document has a key. Those without one come last in both directions. */
  readonly haveAll: boolean
}

/** Where to walk through sorted documents, and for how many. */
export interface SortedWalk {
  /** The key to begin with, NaN for none; undefined to begin with the first. */
  readonly key: number | undefined
  readonly backwards: boolean
  /** Whether a document comes after the place to go on from. */
  readonly isBeyond: (number: number) => boolean
  readonly wanted: number
}

/**
 * A part of a set that has the documents wanted, with few others. Sorted documents are looked at
 * from the place where a page begins until there are enough.
 */
export function narrowToPage(
  set: DocumentSet,
  { numbers, keyOf, isDescending, isMoved, moved, haveAll }: SortedDocuments,
  { key, backwards, isBeyond, wanted }: SortedWalk
): DocumentSet {
  if (Number.isNaN(key)) return set
  const part = new Uint32Array(set.length)
  const isUp = isDescending === backwards
  const direction = isUp ? 1 : -1
  let at = isUp ? 0 : numbers.length - 1
  if (key !== undefined)
    at = isUp
      ? firstMeeting(numbers, number => keyOf(number) >= key)
      : firstMeeting(numbers, number => keyOf(number) > key) - 1
  let left = wanted
  let lastKey = Number.NaN
  for (; at >= 0 && at < numbers.length; at += direction) {
    step()
    const number = numbers[at] as number
    if (!has(set, number) || isMoved(number)) continue
    // Those with the same key as the last one wanted may come before it.
    if (left === 0 && keyOf(number) !== lastKey) break
    if (!isBeyond(number)) continue
    add(part, number)
    if (left > 0) left--
    lastKey = keyOf(number)
  }
  if (left > 0 && !haveAll && !backwards) return set
  for (const number of moved) {
    step()
    if (has(set, number)) add(part, number)
  }
  return part
}

/** The first place of a list from which on a test is met. */
export function firstMeeting(list: Uint32Array | Float64Array, isMet: (value: number) => boolean): number {
  step(stepsOfLookup)
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isMet(list[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

/** The documents after a position, or before it, in the direction of an order. */
export function beyond(set: DocumentSet, compareWith: (number: number) => number, backwards: boolean): DocumentSet {
  const rest = set.slice()
  rest.fill(0)
  forEach(set, number => {
    const difference = compareWith(number)
    if (backwards ? difference < 0 : difference > 0) {
      const at = number >>> 5
      rest[at] = (rest[at] as number) | (1 << (number & 31))
    }
  })
  return rest
}

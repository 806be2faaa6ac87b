import type { Order, OrderItem, RelatedValue } from '#domain/filter/order.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { compareTexts } from './arrays.ts'
import { type Column, doubledRank, placeIn, rankOf, sortOf } from './columns.ts'
import { bitsIn, count, type DocumentSet, forEach, has, membersOf } from './sets.ts'

/**
 * A place in an order: the values of a document there, and its number, or that of its change, which
 * breaks ties.
 */
export interface Position {
  readonly values: readonly (string | null)[]
  readonly sequence: number
}

/** Numbers of documents by which an order compares them, and how the values of a place are said. */
export interface Ordering {
  /**
   * Less than zero when the first comes before the second in the direction of the order; never zero
   * for two documents.
   */
  compare(one: number, other: number): number
  /** Compares a document with a place to go on from. */
  compareWith(position: Position): (number: number) => number
  positionOf(number: number): Position
  /**
   * Whether the order is that of the numbers, ascending or descending: then a set has it already.
   */
  readonly byNumber?: 'ascending' | 'descending'
  /** For an order of relevance: how well documents fit. */
  readonly fit?: Fit
  /** The numbers that the order compares first, where every document has one. */
  readonly first?: FirstKeys
}

/**
 * Numbers by document. One with a lower number than another comes before it, or after it where
 * `isDescending`; one without a number (NaN) comes last in both directions.
 */
export interface FirstKeys {
  readonly keys: Uint16Array | Float64Array
  readonly isDescending: boolean
  /** The number that is compared next, the lower first, if nothing but creation comes after it. */
  readonly next?: (number: number) => number
}

/** Compares documents as an order does, but for their numbers: zero for two that fit alike. */
export interface Fit {
  compare(one: number, other: number): number
  compareWith(position: Position): (number: number) => number
}

/**
 * One thing to sort by. `key` is a number that compares; without a value it is NaN, and the
 * document comes last in both directions.
 */
interface SortKey {
  /** 1 for ascending, -1 for descending. */
  readonly sign: 1 | -1
  readonly key: (number: number) => number
  /** Decides between documents of the delta with the same key. */
  readonly text: (number: number) => string | undefined
  readonly sayOf: (number: number) => string | null
  readonly keyOf: (said: string) => { readonly key: number; readonly text: string | undefined }
  /** The keys of all documents, where they were made. */
  readonly all?: Float64Array
}

/** In an order of one in so many of all documents, the keys of all are made first. */
const manyShare = 16

/**
 * An order of some documents by what they have; ties are in the order of creation. Records that may
 * not be read do not count.
 */
export function orderingOf(
  index: CatalogueIndex,
  { items, ascending }: Order,
  set: DocumentSet,
  readable: DocumentSet | undefined
): Ordering {
  const [only] = items
  if (items.length === 1 && only?.by === 'created') return byCreation(ascending)
  const isForMany = count(set) * manyShare > index.size
  const keys = items.map((item): SortKey => {
    const isAscending = ascending !== (item.isReversed === true)
    return { ...sortKeyOf(index, item, isForMany, readable), sign: isAscending ? 1 : -1 }
  })
  const [firstKey] = keys
  const firstKeys = firstKey?.all
  // Texts of changed documents may have the same key and differ.
  const isOnly = items.length === 1 && index.delta.size === 0
  return {
    ...(firstKeys
      ? { first: { keys: firstKeys, isDescending: firstKey?.sign === -1, ...(isOnly ? { next: () => 0 } : {}) } }
      : {}),
    compare(one, other) {
      for (const { key, text, sign } of keys) {
        const left = key(one)
        const right = key(other)
        const difference = compareKeys(left, right, sign)
        if (difference !== 0) return difference
        if (isBetween(left)) {
          const decided = compareTexts(text(one) ?? '', text(other) ?? '')
          if (decided !== 0) return decided * sign
        }
      }
      return one - other
    },
    compareWith(position) {
      const places = keys.map(({ keyOf }, at) => {
        const said = position.values[at] ?? null
        return said === null ? { key: Number.NaN, text: undefined } : keyOf(said)
      })
      return number => {
        for (let at = 0; at < keys.length; at++) {
          const { key, text, sign } = keys[at] as SortKey
          const place = places[at] as { key: number; text: string | undefined }
          const left = key(number)
          const difference = compareKeys(left, place.key, sign)
          if (difference !== 0) return difference
          if (isBetween(left)) {
            const decided = compareTexts(text(number) ?? '', place.text ?? '')
            if (decided !== 0) return decided * sign
          }
        }
        return number - position.sequence
      }
    },
    positionOf: number => ({ values: keys.map(({ sayOf }) => sayOf(number)), sequence: number })
  }
}

/** Whether a key stands between those of the base, where texts decide. */
const isBetween = (key: number) => (key & 1) === 1 || key < 0

function compareKeys(left: number, right: number, sign: number): number {
  if (left === right) return 0
  const isLeftMissing = Number.isNaN(left)
  const isRightMissing = Number.isNaN(right)
  if (isLeftMissing || isRightMissing) return isLeftMissing && isRightMissing ? 0 : isLeftMissing ? 1 : -1
  return left < right ? -sign : sign
}

function byCreation(ascending: boolean): Ordering {
  const compare = (one: number, other: number) => (ascending ? one - other : other - one)
  return {
    compare,
    compareWith: position => number => compare(number, position.sequence),
    positionOf: number => ({ values: [], sequence: number }),
    byNumber: ascending ? 'ascending' : 'descending'
  }
}

type UndirectedKey = Omit<SortKey, 'sign'>

function sortKeyOf(
  index: CatalogueIndex,
  item: OrderItem,
  isForMany: boolean,
  readable: DocumentSet | undefined
): UndirectedKey {
  const noText = () => undefined
  const byNumber = (key: (number: number) => number): UndirectedKey => ({
    key: number => key(number) * 2,
    text: noText,
    sayOf: number => String(key(number)),
    keyOf: said => ({ key: Number(said) * 2, text: undefined })
  })
  switch (item.by) {
    case 'created':
      return byNumber(number => number)
    case 'updated':
      return byNumber(number => index.changedOf(number))
    case 'type':
      return byType(index)
    case 'id':
      return byId(index)
    case 'metadata':
      return byMetadata(index, item.key, isForMany)
    case 'related':
      return byRelated(index, item, isForMany, readable)
  }
}

function byRelated(
  index: CatalogueIndex,
  { paths, key }: RelatedValue,
  isForMany: boolean,
  readable: DocumentSet | undefined
): UndirectedKey {
  const ofTarget = byMetadata(index, key, isForMany)
  const targets = new Map<number, number>()
  const firstBy = (from: number, path: readonly string[]): number => {
    let at = from
    for (const type of path) {
      at = index.targetsBy(at, type).find(target => !readable || has(readable, target)) ?? -1
      if (at < 0) return -1
    }
    return at
  }
  const targetOf = (number: number): number => {
    let target = targets.get(number)
    if (target === undefined) {
      target = -1
      for (const path of paths) {
        target = firstBy(number, path)
        if (target >= 0) break
      }
      targets.set(number, target)
    }
    return target
  }
  const at = <T>(number: number, read: (target: number) => T, none: T): T => {
    const target = targetOf(number)
    return target < 0 ? none : read(target)
  }
  return {
    key: number => at(number, ofTarget.key, Number.NaN),
    text: number => at(number, ofTarget.text, undefined),
    sayOf: number => at(number, ofTarget.sayOf, null),
    keyOf: ofTarget.keyOf
  }
}

function byType(index: CatalogueIndex): UndirectedKey {
  const { base, delta } = index
  const names = [...new Set([...base.typeNames, ...[...delta.values()].map(({ type }) => type)])].sort(compareTexts)
  const ranks = new Map(names.map((name, rank) => [name, rank * 2]))
  const baseRanks = base.typeNames.map(name => ranks.get(name) as number)
  return {
    key: number => {
      const changed = delta.get(number)
      return changed ? (ranks.get(changed.type) as number) : (baseRanks[base.types[number] as number] as number)
    },
    text: number => index.typeOf(number),
    sayOf: number => index.typeOf(number),
    keyOf: said => ({ key: ranks.get(said) ?? rankAmong(names.length, at => names[at] as string, said), text: said })
  }
}

/** Twice the rank of a text among sorted ones, or the odd number before the next. */
function rankAmong(count: number, textOf: (rank: number) => string, said: string): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = compareTexts(textOf(middle), said)
    if (difference === 0) return middle * 2
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low * 2 - 1
}

function byId(index: CatalogueIndex): UndirectedKey {
  const { base } = index
  let byRank: Uint32Array | undefined
  /** Made only where there is something to place between the ids of the base. */
  const rankOf = (id: string): number => {
    if (!byRank) {
      byRank = new Uint32Array(base.size)
      let count = 0
      for (let number = 0; number < base.size; number++)
        if (base.types[number] !== 255) {
          byRank[base.idRanks[number] as number] = number
          count++
        }
      byRank = byRank.subarray(0, count)
    }
    const sorted = byRank
    return rankAmong(sorted.length, rank => index.baseIdOf(sorted[rank] as number), id)
  }
  const deltaKeys = new Map<number, number>()
  for (const { number, id } of index.delta.values()) deltaKeys.set(number, rankOf(id))
  return {
    key: number => deltaKeys.get(number) ?? (base.idRanks[number] as number) * 2,
    text: number => index.idOf(number),
    sayOf: number => index.idOf(number),
    keyOf: said => ({ key: rankOf(said), text: said })
  }
}

function byMetadata(index: CatalogueIndex, key: string, isForMany: boolean): UndirectedKey {
  const column = index.columns.get(key)
  const sorts = new Map<number, string>()
  const deltaKeys = new Map<number, number>()
  for (const { number, values } of index.delta.values()) {
    // The first value of a document is the one to sort by.
    const first = values.find(value => value.key === key)
    deltaKeys.set(number, first ? doubledRank(column, first.sort) : Number.NaN)
    if (first) sorts.set(number, first.sort)
  }
  const all = isForMany ? allKeys(index, column, deltaKeys) : undefined
  const keyOf = all ? (number: number) => all[number] as number : (number: number) => keyIn(column, deltaKeys, number)
  const sortAt = (number: number): string | undefined => {
    const changed = sorts.get(number)
    if (changed !== undefined) return changed
    const doubled = keyOf(number)
    return column && !Number.isNaN(doubled) ? sortOf(column, doubled / 2) : undefined
  }
  return {
    ...(all ? { all } : {}),
    key: keyOf,
    text: sortAt,
    sayOf: number => sortAt(number) ?? null,
    keyOf: said => ({ key: doubledRank(column, said), text: said })
  }
}

function keyIn(column: Column | undefined, deltaKeys: ReadonlyMap<number, number>, number: number): number {
  const changed = deltaKeys.size > 0 ? deltaKeys.get(number) : undefined
  if (changed !== undefined) return changed
  const place = column ? placeIn(column, number) : -1
  return column && place >= 0 ? rankOf(column, column.firsts[place] as number) * 2 : Number.NaN
}

/** The keys of all documents at once, which is worth it where many are compared. */
function allKeys(
  index: CatalogueIndex,
  column: Column | undefined,
  deltaKeys: ReadonlyMap<number, number>
): Float64Array {
  const keys = new Float64Array(index.size).fill(Number.NaN)
  if (column) {
    const members = membersOf(column.documents)
    const { firsts } = column
    for (let at = 0; at < members.length; at++) keys[members[at] as number] = rankOf(column, firsts[at] as number) * 2
  }
  for (const [number, key] of deltaKeys) keys[number] = key
  return keys
}

/**
 * The first documents of a set in an order, after some that are passed over. `first` has what the
 * order compares first, so that most documents are passed by one comparison.
 */
export function selectFirst(
  set: DocumentSet,
  compare: (one: number, other: number) => number,
  skip: number,
  limit: number,
  first?: FirstKeys
): number[] {
  const wanted = skip + limit
  if (wanted === 0) return []
  if (wanted > maxHeap) {
    const all = new Uint32Array(count(set))
    let length = 0
    forEach(set, number => {
      all[length++] = number
    })
    if (skip >= length) return []
    partition(all, 0, length, skip, compare)
    if (wanted < length) partition(all, skip, length, wanted, compare)
    return [...all.subarray(skip, wanted)].sort(compare)
  }
  const heap: number[] = []
  const offer = (number: number) => {
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
    let bits = set[word] as number
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
      while (compare(numbers[left] as number, pivot) < 0) left++
      while (compare(numbers[right] as number, pivot) > 0) right--
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
  const step = isAscending ? 1 : -1
  /** The bit of a word where a walk through it begins. */
  const firstBit = isAscending ? 0 : 31
  let left = skip
  let number = isAscending ? (place === undefined ? 0 : place + 1) : Math.min(end, place ?? end) - 1
  while (number >= 0 && number < end && found.length < limit) {
    if ((number & 31) === firstBit) {
      // Words that are empty, or skipped as a whole, are passed at once.
      const inWord = bitsIn(set[number >>> 5] as number)
      if (inWord <= left) {
        left -= inWord
        number += 32 * step
        continue
      }
    }
    if (has(set, number)) {
      if (left > 0) left--
      else found.push(number)
    }
    number += step
  }
  return found
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

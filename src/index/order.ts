import type { Order } from '#domain/filter/order.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import type { FirstKeys, SortedDocuments, SortKey } from './select-page.ts'
import { count, type DocumentSet } from './sets.ts'
import { sortKeyOf } from './sort-keys.ts'

/* Orders of documents: which of two comes first, and where a page goes on. */

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
  /** Documents that are in this order but for ties, where a page of many is wanted. */
  readonly sorted?: SortedDocuments & { keyAt(position: Position): number }
}

/** Compares documents as an order does, but for their numbers: zero for two that fit alike. */
export interface Fit {
  compare(one: number, other: number): number
  compareWith(position: Position): (number: number) => number
}

/** One thing to sort by, in its direction. */
interface DirectedKey extends SortKey {
  /** 1 for ascending, -1 for descending. */
  readonly sign: 1 | -1
}

/** In an order of one in so many of all documents, the keys of all are made first. */
const manyShare = 16

/** Whether a page of a set is found by looking through documents that are sorted. */
export const isForSorted = ({ tuning, size }: CatalogueIndex, set: DocumentSet): boolean =>
  count(set) * tuning.sortedShare > size

/**
 * An order of some documents by what they have; ties are in the order of creation. Records that may
 * not be read do not count.
 */
export function orderingOf(
  index: CatalogueIndex,
  { items, ascending }: Order,
  set: DocumentSet,
  readable: DocumentSet | undefined,
  isGrouped: boolean
): Ordering {
  const [only] = items
  if (items.length === 1 && only?.by === 'created') return byCreation(ascending)
  const sorted =
    only?.by === 'metadata' && !isGrouped && isForSorted(index, set)
      ? index.values(only.key).sortedDocuments()
      : undefined
  const isForMany = !sorted && count(set) * manyShare > index.size
  const keys = items.map((item): DirectedKey => {
    const isAscending = ascending !== (item.isReversed === true)
    return { ...sortKeyOf(index, item, isForMany, readable), sign: isAscending ? 1 : -1 }
  })
  const [firstKey] = keys
  const firstKeys = firstKey?.all
  const isOnly = items.length === 1
  return {
    ...(sorted && firstKey
      ? {
          sorted: {
            ...sorted,
            isDescending: firstKey.sign === -1,
            keyAt: ({ values: [said = null] }) => keyAt(firstKey.keyOf, said)
          }
        }
      : {}),
    ...(firstKeys
      ? { first: { keys: firstKeys, isDescending: firstKey?.sign === -1, ...(isOnly ? { next: () => 0 } : {}) } }
      : {}),
    compare(one, other) {
      for (const { key, sign } of keys) {
        const difference = compareKeys(key(one), key(other), sign)
        if (difference !== 0) return difference
      }
      return one - other
    },
    compareWith(position) {
      const places = keys.map(({ keyOf }, at) => keyAt(keyOf, position.values[at] ?? null))
      return number => {
        for (let at = 0; at < keys.length; at++) {
          const { key, sign } = keys[at] as DirectedKey
          const difference = compareKeys(key(number), places[at] as number, sign)
          if (difference !== 0) return difference
        }
        return number - position.sequence
      }
    },
    positionOf: number => ({ values: keys.map(({ sayOf }) => sayOf(number)), sequence: number })
  }
}

const keyAt = (keyOf: SortKey['keyOf'], said: string | null) => (said === null ? Number.NaN : keyOf(said))

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

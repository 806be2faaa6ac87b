import { programme } from '../record-types/programme.ts'
import { table } from '../table.ts'
import type { Filter, Search } from './filter.ts'
import { readHoppingPath } from './filter-path.ts'
import { splitSearch } from '../search/search.ts'

/** A sort criterion; later ones break the ties of earlier ones. */
export type OrderItem = OrderValue & {
  /** Sorts against the direction of the order. */
  readonly isReversed?: boolean
}

type OrderValue =
  | { readonly by: 'created' | 'updated' | 'id' | 'type' }
  | { readonly by: 'metadata'; readonly key: string }
  | RelatedValue
  | NextValue

/** The metadata of the first related record, such as the name of the first author. */
export interface RelatedValue {
  readonly by: 'related'
  /** Relations to follow, one after the other. The first path that leads to a record counts. */
  readonly paths: readonly (readonly string[])[]
  readonly key: string
}

/**
 * The first moment from now on of the records that have a relation to a record, or of the record
 * itself: the next performance of a production.
 */
export interface NextValue {
  readonly by: 'next'
  readonly relation: string
  readonly key: string
}

export interface Order {
  readonly items: readonly OrderItem[]
  readonly ascending: boolean
  /** Sorts by relevance to the search that all matches meet; the items break ties. */
  readonly isByRelevance?: boolean
  /** Sorts by relevance to this search instead; matches that do not meet it come last. */
  readonly search?: Search
}

export const maxOrderItems = 8

export const byRelevance: Order = { items: [{ by: 'created' }], ascending: true, isByRelevance: true }

const columns: Readonly<Record<string, OrderItem>> = table({
  date_created: { by: 'created' },
  date_updated: { by: 'updated' },
  id: { by: 'id' },
  type: { by: 'type' },
  next_performance: { by: 'next', relation: programme.ofProduction, key: 'start' }
})

const columnByPathKind: Readonly<Record<string, OrderItem>> = table({
  created_at: { by: 'created' },
  updated_at: { by: 'updated' },
  id: { by: 'id' },
  type: { by: 'type' }
})

/**
 * Reads `order_by`. Empty means relevance, best first in either direction, if there is a search,
 * else the order of creation. Returns undefined when an item cannot be sorted by.
 */
export function readOrder(orderBy: string, ascending: boolean, filter?: Filter): Order | undefined {
  const names = orderBy.split(',').filter(name => name !== '')
  if (names.length > maxOrderItems) return undefined
  if (names.length === 0 && filter && splitSearch(filter)) return byRelevance
  const items = names.map(readOrderItem)
  if (items.some(item => item === undefined)) return undefined
  return { items: items.length > 0 ? (items as OrderItem[]) : [{ by: 'created' }], ascending }
}

/** A sort name as sent: a column, a metadata key, or a path as in filters. */
function readOrderItem(name: string): OrderItem | undefined {
  if (Object.hasOwn(columns, name)) return columns[name]
  const path = readHoppingPath(name)
  if (!path) return { by: 'metadata', key: name }
  if (path.kind === 'metadata') return { by: 'metadata', key: path.key }
  return Object.hasOwn(columnByPathKind, path.kind) ? columnByPathKind[path.kind] : undefined
}

import type { Filter } from './filter.ts'
import { readFilterPath } from './filter-path.ts'
import { splitSearch } from '../search/search.ts'

/** What to sort by; several are looked at in turn. */
export type OrderItem =
  | { readonly by: 'created' | 'updated' | 'id' | 'type' }
  | { readonly by: 'metadata'; readonly key: string }

export interface Order {
  readonly items: readonly OrderItem[]
  readonly ascending: boolean
  /** What fits best the search that all matches meet comes first; the items break ties. */
  readonly isByRelevance?: boolean
}

export const maxOrderItems = 8

export const byRelevance: Order = { items: [{ by: 'created' }], ascending: true, isByRelevance: true }

const columns: Readonly<Record<string, OrderItem>> = {
  date_created: { by: 'created' },
  date_updated: { by: 'updated' },
  id: { by: 'id' },
  type: { by: 'type' }
}

const columnByPathKind: Readonly<Record<string, OrderItem>> = {
  created_at: { by: 'created' },
  updated_at: { by: 'updated' },
  id: { by: 'id' },
  type: { by: 'type' }
}

/**
 * Reads `order_by`: empty is relevance where there is something to search for, best first whatever
 * the direction, else the order of creation. Gives undefined when an item cannot be sorted by.
 */
export function readOrder(orderBy: string, ascending: boolean, filter?: Filter): Order | undefined {
  const names = orderBy.split(',').filter(name => name !== '')
  if (names.length > maxOrderItems) return undefined
  if (names.length === 0 && filter && splitSearch(filter)) return byRelevance
  const items = names.map(readOrderItem)
  if (items.some(item => item === undefined)) return undefined
  return { items: items.length > 0 ? (items as OrderItem[]) : [{ by: 'created' }], ascending }
}

/**
 * A sort name as it was given: a column, a metadata key, or a path of the kind that filters use.
 */
function readOrderItem(name: string): OrderItem | undefined {
  if (Object.hasOwn(columns, name)) return columns[name]
  const path = readFilterPath(name)
  if (!path) return { by: 'metadata', key: name }
  if (path.kind === 'metadata') return { by: 'metadata', key: path.key }
  return Object.hasOwn(columnByPathKind, path.kind) ? columnByPathKind[path.kind] : undefined
}

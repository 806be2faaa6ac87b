import { readFilterPath } from './filter-path.ts'

/** What to sort by; several are looked at in turn. */
export type OrderItem =
  | { readonly by: 'created' | 'updated' | 'id' | 'type' }
  | { readonly by: 'metadata'; readonly key: string }

export interface Order {
  readonly items: readonly OrderItem[]
  readonly ascending: boolean
}

export const mostOrderItems = 8

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

/** Reads `order_by`: empty is the order of creation. Gives undefined when an item cannot be sorted by. */
export function readOrder(orderBy: string, ascending: boolean): Order | undefined {
  const names = orderBy.split(',').filter(name => name !== '')
  if (names.length > mostOrderItems) return undefined
  const items = names.map(readOrderItem)
  if (items.some(item => item === undefined)) return undefined
  return { items: items.length > 0 ? (items as OrderItem[]) : [{ by: 'created' }], ascending }
}

/** A sort name as it was given: a column, a metadata key, or a path of the kind that filters use. */
function readOrderItem(name: string): OrderItem | undefined {
  if (Object.hasOwn(columns, name)) return columns[name]
  const path = readFilterPath(name)
  if (!path) return { by: 'metadata', key: name }
  if (path.kind === 'metadata') return { by: 'metadata', key: path.key }
  return Object.hasOwn(columnByPathKind, path.kind) ? columnByPathKind[path.kind] : undefined
}

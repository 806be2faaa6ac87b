import { invalid } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Order } from '#domain/filter/order.ts'
import type { Position, EntityQuery } from '#store/ports/queries.ts'
import type { OpaqueTokens } from './opaque-tokens.ts'

/** The end of a page, as clients carry it: opaque to them, and checked when it comes back. */
export interface Cursor {
  readonly position: Position
  readonly backwards: boolean
  /** The offset of the page, for clients that show it. */
  readonly skip: number
}

export function writeCursor(tokens: OpaqueTokens, { position, backwards, skip }: Cursor, list: string): string {
  return tokens.write([position.values, position.sequence, backwards ? 1 : 0, skip, list])
}

/**
 * A short hash of the filter and order of a list: a cursor is valid in that list only. Two lists
 * have the same hash with a probability of one in four thousand million.
 */
export function listMark(filter: Filter, order: Order, isGrouped = false): string {
  let hash = 0x811c9dc5
  for (const letter of Buffer.from(JSON.stringify([filter, order, ...(isGrouped ? [isGrouped] : [])])))
    hash = Math.imul(hash ^ letter, 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Reads a cursor back. Throws `invalid` for any other text, and for a cursor of another list. */
export function readCursor(
  tokens: OpaqueTokens,
  text: string,
  order: EntityQuery['order'],
  list: string,
  isGrouped = false
): Cursor {
  const faults = [
    {
      pointer: 'cursor',
      message: 'Not a cursor of this list: use the "next" of a page with the same filter and order'
    }
  ]
  const fail = () => invalid('The cursor is not valid', faults)
  const read = tokens.read(text, 5)
  if (!read) throw fail()
  const [values, sequence, backwards, skip, mark] = read
  if (mark !== list) throw fail()
  // The order of creation needs no value; that of the last change has the change at which the walk
  // began.
  const [only] = order.items
  const isSingle = order.items.length === 1
  const isOfOrder = (all: readonly unknown[]) => {
    // A group has its size, or the number of its head, beside the values of its first record.
    if (isGrouped && !/^\d{1,15}$/.test(String(all.at(-1)))) return false
    const given = isGrouped ? all.slice(0, -1) : all
    // The interpretation of each search, the cost of the last record, and the rank of its kind.
    if (order.isByRelevance) {
      const [modes, cost, rank] = given.map(String)
      const isRanked = /^\d{1,15}$/.test(cost ?? '') && /^[0-2]$/.test(rank ?? '')
      return given.length === 3 && /^[01]{1,4096}$/.test(modes ?? '') && isRanked
    }
    if (isSingle && only?.by === 'created') return given.length === 0
    if (isSingle && only?.by === 'updated') return given.length === 1 && /^\d{1,15}$/.test(String(given[0]))
    return given.length === order.items.length
  }
  const isGood =
    Array.isArray(values) &&
    isOfOrder(values) &&
    values.every(
      value => value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'))
    ) &&
    Number.isSafeInteger(sequence) &&
    (backwards === 0 || backwards === 1) &&
    Number.isSafeInteger(skip) &&
    (skip as number) >= 0
  if (!isGood) throw fail()
  return {
    position: { values: values as string[], sequence: sequence as number },
    backwards: backwards === 1,
    skip: skip as number
  }
}

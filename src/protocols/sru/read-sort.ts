import { maxOrderItems, type Order, type OrderItem } from '#domain/filter/order.ts'
import { SruError } from './diagnostics.ts'
import { findIndex } from './indexes.ts'
import type { CqlSortKey } from './parse-cql.ts'

interface SortKey {
  readonly item: OrderItem
  readonly ascending: boolean
}

/**
 * The order that `sortBy` in a query requests; undefined without it. Throws an `SruError` for an
 * unknown one.
 */
export const readSortBy = (keys: readonly CqlSortKey[]): Order | undefined =>
  toOrder(
    keys.map(({ index, modifiers }) => {
      let ascending = true
      for (const { name } of modifiers) {
        const local = name.replace(/^sort\./, '')
        if (local === 'descending') ascending = false
        else if (local === 'respectcase') throw new SruError(91, name)
        else if (local.startsWith('missing')) throw new SruError(92, name)
        else if (local !== 'ascending' && local !== 'ignorecase') throw new SruError(20, name)
      }
      return { item: itemOf(index), ascending }
    })
  )

/**
 * The order of the parameter `sortKeys`: `path,schema,ascending,caseSensitive,missingValue`,
 * separated by spaces.
 */
export const readSortKeys = (text: string): Order | undefined =>
  toOrder(
    text
      .trim()
      .split(/\s+/u)
      .filter(key => key !== '')
      .map(key => {
        const [path = '', , ascending = '1', isCaseSensitive = '0', missing = ''] = key.split(',')
        if (!['', '0', '1'].includes(ascending)) throw new SruError(90, ascending)
        if (!['', '0'].includes(isCaseSensitive)) throw new SruError(91, isCaseSensitive)
        if (!['', 'highValue'].includes(missing)) throw new SruError(92, missing)
        return { item: itemOf(path), ascending: ascending !== '0' }
      })
  )

function itemOf(name: string): OrderItem {
  const found = findIndex(name, {})
  if (!('index' in found)) throw new SruError(found.unknown === 'set' ? 15 : 16, name)
  if (!found.index.sort) throw new SruError(88, name)
  return found.index.sort
}

/** The direction of the first key is that of the order. */
function toOrder(keys: readonly SortKey[]): Order | undefined {
  const [first] = keys
  if (!first) return undefined
  if (keys.length > maxOrderItems) throw new SruError(84, String(maxOrderItems))
  return {
    items: keys.map(({ item, ascending }) => (ascending === first.ascending ? item : { ...item, isReversed: true })),
    ascending: first.ascending
  }
}

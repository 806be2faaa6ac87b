import { withLowerCaseUuids } from '#domain/entity/ids.ts'
import { invalidWith, type Fault } from '#domain/errors.ts'
import { readFacets } from '#domain/filter/facets.ts'
import { everything, type Filter } from '#domain/filter/filter.ts'
import { maxOrderItems, type Order, readOrder } from '#domain/filter/order.ts'
import { describeUnknown, type GivenName, namesIn } from '#domain/filter/field-names.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { ListRequest } from './list-entities.ts'

/** The parameters that every list of entities takes, as they are sent. */
export interface ListQuery {
  readonly skip: number
  readonly limit: number
  readonly cursor?: string
  readonly order_by: string
  readonly asc: number
  readonly facets: string
  readonly facet_limit: number
  readonly group_by?: string
  readonly facets_of?: string
}

/**
 * Reads the parameters of a list. Throws `invalid` for an order or a facet that does not exist. The
 * names of the order and of the facets are added to those of the filter.
 */
export function readListQuery(query: ListQuery, filter: Filter, names: readonly GivenName[] = []): ListRequest {
  const { skip, limit, cursor, order_by, asc, facets, facet_limit, group_by, facets_of } = query
  if (facets_of !== undefined && group_by === undefined)
    throw invalidWith([{ pointer: 'facets_of', message: '"facets_of" is only for lists with group_by' }])
  const order = orderOf(order_by, asc === 1, filter)
  const of = facets === '' ? [] : readFacets(facets)
  const ordered = order.items.flatMap(item =>
    item.by === 'metadata' ? [{ kind: 'key', name: item.key } as const] : []
  )
  const counted = of.flatMap(({ path }) => namesIn(path))
  return {
    skip,
    limit,
    filter,
    order,
    cursor,
    names: [
      ...names,
      ...ordered.map(name => ({ ...name, pointer: 'order_by', isLenient: name.name === unset })),
      ...counted.map(name => ({ ...name, pointer: 'facets', isLenient: false }))
    ],
    ...(group_by === undefined ? {} : { groupBy: { facets: facets_of === 'records' ? 'records' : 'groups' } }),
    ...(facets === '' ? {} : { facets: { of, limit: facet_limit } })
  }
}

/** The order of existing clients that have none. */
const unset = 'undefined'

/** The filter that a comma list of types and one of identifiers stand for. */
export function readSelection(model: Model, types: string, identifiers: string | undefined): Filter {
  const filters: Filter[] = []
  if (types !== '') filters.push({ kind: 'types', types: readTypes(model, types) })
  if (identifiers !== undefined)
    filters.push({ kind: 'identifiers', identifiers: withLowerCaseUuids(readCommaList(identifiers)) })
  return filters.length === 0 ? everything : { kind: 'all', of: filters }
}

/** The types that a comma list names. Throws `invalid` for unknown names. */
export function readTypes(model: Model, names: string): string[] {
  const faults: Fault[] = []
  const types = readCommaList(names).flatMap(name => {
    const found = model.typesNamed(name)
    if (found.length === 0)
      faults.push({ pointer: 'type', message: describeUnknown(model, { kind: 'type', name }).message })
    return found
  })
  if (faults.length > 0) throw invalidWith(faults)
  return types
}

/** The items of a comma list, without empty ones. */
export const readCommaList = (text: string) => text.split(',').filter(each => each !== '')

function orderOf(orderBy: string, ascending: boolean, filter: Filter): Order {
  const order = readOrder(orderBy, ascending, filter)
  if (order) return order
  throw invalidWith([
    {
      pointer: 'order_by',
      message: `Cannot sort by "${orderBy}": use at most ${maxOrderItems} of date_created, date_updated, id, type or a metadata key`
    }
  ])
}

import { CatalogueError, type Fault, invalidWith, messageAt } from '#domain/errors.ts'
import { describeUnknown, type FieldName, type GivenName, isDeclared } from '#domain/filter/field-names.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { EntityQuery, QueryResult } from '#store/ports/queries.ts'

/** The part of a query that asks for names that no record type declares; mostly there are none. */
export function undeclaredNames(model: Model, names: readonly GivenName[] = []): Pick<EntityQuery, 'names'> {
  const undeclared = names.filter(each => !isDeclared(model, each)).filter(isFieldName)
  return undeclared.length === 0 ? {} : { names: undeclared.map(({ kind, name }) => ({ kind, name })) }
}

/** Maximum number of unknown names of a request that are compared with known ones. */
const maxDescribed = 50

const isFieldName = (name: GivenName): name is GivenName & FieldName => name.kind !== 'type'

/**
 * Refuses unknown names, with the nearest known ones. Returns warnings about those that are
 * answered nevertheless.
 */
export function refuseUnknown(
  model: Model,
  names: readonly GivenName[] = [],
  { unknown = [] }: Pick<QueryResult, 'unknown'>
): Fault[] {
  const inNoRecord = new Set(unknown.map(({ kind, name }) => `${kind} ${name}`))
  const found = names
    .filter(each => (each.kind === 'type' ? !isDeclared(model, each) : inNoRecord.has(`${each.kind} ${each.name}`)))
    .slice(0, maxDescribed)
    .map(given => ({ ...describeUnknown(model, given), ...given }))
  const toFault = ({ pointer, message }: Fault): Fault => ({ pointer, message })
  const faults = found.filter(({ isLenient, near }) => !isLenient || near !== undefined).map(toFault)
  const [first] = faults
  if (first?.pointer.startsWith('/')) throw new CatalogueError('invalid_filter', messageAt(first), { faults })
  if (first) throw invalidWith(faults)
  return found.map(toFault)
}

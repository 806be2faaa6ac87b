import type { Fault } from '../errors.ts'
import type { Model } from '../record-types/model.ts'
import { nearestName } from '../search/nearest-name.ts'
import type { FilterPath } from './filter-path.ts'

/** A metadata key, or a type of relations. */
export interface FieldName {
  readonly kind: 'key' | 'relation'
  readonly name: string
}

/** A name in a request. It is unknown if no record type declares it and no record has it. */
export interface GivenName {
  readonly kind: FieldName['kind'] | 'type'
  readonly name: string
  /** The place in the request. */
  readonly pointer: string
  /**
   * Whether an unknown name is answered with a warning unless it is similar to a known one, as in
   * filters: existing clients filter by names of other catalogues.
   */
  readonly isLenient: boolean
}

/** The names in a path. */
export function namesIn(path: FilterPath): FieldName[] {
  if (path.kind === 'metadata') return [{ kind: 'key', name: path.key }]
  if (path.kind !== 'relation_key' && path.kind !== 'relation_name') return []
  const types = [...(path.from === undefined ? [] : [path.from]), ...(path.through ?? []), path.type]
  return types.map(name => ({ kind: 'relation', name }))
}

export function isDeclared(model: Model, { kind, name }: GivenName): boolean {
  if (kind === 'type') return model.typesNamed(name).length > 0
  return kind === 'key' ? model.isDeclaredKey(name) : model.isDeclaredRelation(name)
}

/** Describes an unknown name, with the nearest one that a record type declares, if any is near. */
export function describeUnknown(
  model: Model,
  given: Pick<GivenName, 'kind' | 'name'>
): Omit<Fault, 'pointer'> & { readonly near: string | undefined } {
  const { kind, name } = given
  const known = { type: model.typeNames, key: model.declaredKeys, relation: model.declaredRelations }[kind]
  const near = nearestName(name, known)
  const what = {
    type: `Unknown type "${name}"`,
    key: `No record has the metadata key "${name}"`,
    relation: `No record has the relation "${name}"`
  }[kind]
  return { near, message: near === undefined ? what : `${what}; did you mean "${near}"?` }
}

import { type Entity, type Json, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import { type GivenName, namesIn } from '#domain/filter/field-names.ts'
import { type FilterPath, pathForms, readFilterPath } from '#domain/filter/filter-path.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Cell, joinValues } from '#formats/tables/write-csv.ts'

/** A column: its heading, and the path of its values. */
export interface Column {
  readonly heading: string
  readonly path: FilterPath
}

export const maxColumns = 200

/**
 * Reads columns: filter paths, or bare names, such as `title` for metadata and `refAuthors` for the
 * names of related records. Throws `invalid` for others.
 */
export function readColumns(names: readonly string[]): Column[] {
  const faults: Fault[] = []
  if (names.length > maxColumns) faults.push({ pointer: 'columns', message: `At most ${maxColumns} columns` })
  const columns = names.flatMap(heading => {
    const path = readFilterPath(heading) ?? bareName(heading)
    if (path) return [{ heading, path }]
    const message = `Not a column: ${JSON.stringify(heading)}; use a metadata key, a relation, or a path: ${pathForms}`
    faults.push({ pointer: 'columns', message })
    return []
  })
  if (faults.length > 0) throw invalidWith(faults)
  return columns
}

/** The names in columns, which some record must have. */
export const namesInColumns = (columns: readonly Column[]): GivenName[] =>
  columns.flatMap(({ path }) => namesIn(path)).map(name => ({ ...name, pointer: 'columns', isLenient: false }))

function bareName(name: string): FilterPath | undefined {
  if (/^ref[A-Z]\w*$/.test(name)) return { kind: 'relation_name', type: name }
  return /^[A-Za-z_][\w-]*$/.test(name) ? { kind: 'metadata', key: name } : undefined
}

/**
 * The default columns: id, type, and all fields and relations of the types, in the order of their
 * tables.
 */
export function usualColumns(model: Model, types: readonly string[]): Column[] {
  const chosen = model.recordTypes.filter(({ type }) => types.includes(type))
  const fields = new Set(chosen.flatMap(({ fields: own }) => Object.keys(own)))
  const relations = new Set(chosen.flatMap(({ relations: own }) => Object.keys(own)))
  return readColumns(['id', 'type', ...fields, ...relations])
}

/** The relations whose targets are shown by name. */
export const namedRelations = (columns: readonly Column[]): ReadonlySet<string> =>
  new Set(columns.flatMap(({ path }) => (path.kind === 'relation_name' ? [path.type] : [])))

/**
 * The cells of an entity. `names` are the names of related records; a record without one is shown
 * by its id.
 */
export function cellsOf(entity: Entity, columns: readonly Column[], names: ReadonlyMap<string, string>): Cell[] {
  return columns.map(({ path }) => {
    const values = path.kind === 'metadata' ? valuesOf(entity, path.key) : []
    // Numbers are no text and need no guard.
    if (values.length === 1 && typeof values[0] === 'number') return values[0]
    return joinValues(textsAt(entity, path, names).filter(each => each !== ''))
  })
}

function textsAt(entity: Entity, path: FilterPath, names: ReadonlyMap<string, string>): string[] {
  switch (path.kind) {
    case 'metadata':
      return valuesOf(entity, path.key).flatMap(textsOf)
    case 'relation_key':
      return targetsOf(entity, path.type)
    case 'relation_name':
      return targetsOf(entity, path.type).map(key => names.get(key) ?? key)
    case 'identifiers':
      return [...entity.identifiers]
    case 'type':
    case 'id':
      return [entity[path.kind]]
    case 'created_at':
      return [entity.audit.created.at]
    case 'created_by':
      return [entity.audit.created.by]
    case 'updated_at':
      return [entity.audit.updated.at]
    case 'updated_by':
      return [entity.audit.updated.by]
  }
}

/** The values of an entry: a list of codes is several, other structures are shown as JSON. */
function textsOf(value: Json): string[] {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsOf(each))
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

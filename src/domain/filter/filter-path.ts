import { table } from '../table.ts'

/** The place where a filter looks. Field names are only ever values, never part of a statement. */
export type FilterPath =
  | { readonly kind: 'metadata'; readonly key: string }
  | RelationPath
  | { readonly kind: ColumnPath }

export interface RelationPath {
  readonly kind: 'relation_key' | 'relation_name'
  readonly type: string
  /**
   * Relation types that lead, one after the other, to the record that has the relation; empty for
   * the record itself.
   */
  readonly through?: readonly string[]
  /**
   * The relation by which other records refer to this one, if the path is theirs. Only facets have
   * it: in filters it is a join.
   */
  readonly from?: string
}

/** Fields stored beside the metadata. */
export const columnPaths = [
  'type',
  'id',
  'identifiers',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by'
] as const
export type ColumnPath = (typeof columnPaths)[number]

const columnByPath: Readonly<Record<string, ColumnPath>> = table({
  type: 'type',
  id: 'id',
  _id: 'identifiers',
  _key: 'id',
  identifiers: 'identifiers',
  'audit.created.at': 'created_at',
  'audit.created.by': 'created_by',
  'audit.updated.at': 'updated_at',
  'audit.updated.by': 'updated_by',
  date_created: 'created_at',
  date_updated: 'updated_at'
})

const prefixPattern = /^[A-Za-z0-9_.-]+:\d+\|/
const maxPathLength = 512

/** The path without the prefix (name and version of the catalogue) that a client may send. */
export const withoutPrefix = (key: string) => (key.includes('|') ? key.replace(prefixPattern, '') : key)

/**
 * Reads a field path with or without its catalogue prefix. Returns undefined for an unknown form.
 */
export function readFilterPath(key: string): FilterPath | undefined {
  if (key.length > maxPathLength) return undefined
  const path = withoutPrefix(key)
  if (Object.hasOwn(columnByPath, path)) {
    const kind = columnByPath[path]
    return kind && { kind }
  }
  // Most keys are plain names, of which each pattern would be tried.
  if (!path.includes('.')) return undefined
  const property = /^properties\.(.+)\.(value|name)$/s.exec(path)
  if (property) {
    const [, name = '', side] = property
    // Several relations are a path of `readHoppingPath`.
    if (isRelationName(name) && name.includes('.')) return undefined
    if (side === 'name') return { kind: 'relation_name', type: toCamelCase(name) }
    return isRelationName(name) ? { kind: 'relation_key', type: toCamelCase(name) } : { kind: 'metadata', key: name }
  }
  const metadata = /^metadata\.(.+)\.value$/s.exec(path)
  if (metadata) return { kind: 'metadata', key: metadata[1] ?? '' }
  const relation = /^relations\.(.+)\.key$/s.exec(path)
  if (relation) return { kind: 'relation_key', type: relation[1] ?? '' }
  return undefined
}

export const maxHops = 4

/**
 * Reads the path of a filter. It may follow several relations:
 * `properties.ref_works.ref_authors.value` are the authors of the works of a production.
 */
export function readHoppingPath(key: string): FilterPath | undefined {
  if (!key.includes('properties.ref')) return readFilterPath(key)
  const [, names = '', side] = /^properties\.(ref[\w.]+)\.(value|name)$/.exec(withoutPrefix(key)) ?? []
  const hops = names.split('.')
  if (hops.length < 2 || !hops.every(isRelationName) || key.length > maxPathLength) return readFilterPath(key)
  if (hops.length > maxHops) return undefined
  const types = hops.map(toCamelCase)
  return {
    kind: side === 'value' ? 'relation_key' : 'relation_name',
    type: types.at(-1) ?? '',
    through: types.slice(0, -1)
  }
}

/**
 * Splits the path of a field of referring records into the relation by which they refer, and the
 * path: `referring.ref_manifestation.ref_library.value` are the libraries of the items of a
 * manifestation, `referring.ref_manifestation.barcode.value` their barcodes.
 */
export function splitReferring(key: string): { readonly by: string; readonly rest: string } | undefined {
  const [, by = '', rest = ''] = /^referring\.(ref\w+)\.(.+)$/s.exec(withoutPrefix(key)) ?? []
  return isRelationName(by) ? { by: toCamelCase(by), rest: `properties.${rest}` } : undefined
}

/**
 * Reads the path of a facet. It may follow several relations, as in filters. Related records of
 * referring records can be counted too: the records at each library that holds items of them.
 */
export function readFacetPath(key: string): FilterPath | undefined {
  const referring = splitReferring(key)
  if (!referring) return readHoppingPath(key)
  const path = readFilterPath(referring.rest)
  return path?.kind === 'relation_key' ? { ...path, from: referring.by } : undefined
}

/** The forms of a path, for error messages. */
export const pathForms =
  'properties.<metadata key>.value, properties.<relation>.value, properties.<relation>.name, properties.<relation>.<relation>.value, referring.<relation>.<metadata key or relation>.value, metadata.<key>.value, relations.<type>.key, type, id, identifiers, audit.created.at, audit.created.by, audit.updated.at, audit.updated.by, date_created, date_updated'

export const isRelationName = (name: string) => /^ref(?:_|[A-Z])/.test(name)

/** `ref_booking_agency` → `refBookingAgency`. */
const toCamelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

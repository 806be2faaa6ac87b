import { table } from '#domain/table.ts'
import { type Counted, everything, type Filter } from '#domain/filter/filter.ts'
import {
  type ColumnPath,
  type FilterPath,
  isRelationName,
  readFilterPath,
  readHoppingPath,
  splitReferring,
  withoutPrefix
} from '#domain/filter/filter-path.ts'
import { mediaRelation } from '#domain/record-types/media-relations.ts'
import type { Model } from '#domain/record-types/model.ts'

/*
 * Members and keys of filters as the clients send them (docs/interface/existing-clients.md, "Filter
 * forms of existing clients").
 */

/** Hints of a client for its own screens, without influence on the result. */
const screenMembers = [
  'label',
  'metadata_key_as_label',
  'provide_value_options_for_key',
  'selectionOption',
  'returnIdAtIndex',
  'defaultValueMapping',
  'includeDefaultValuesFromIntialValues',
  'resolveDefaultValueToOptionIds',
  '__typename'
]

/** Members of their filters beside those of the interface. */
export const clientMembers = ['parent_key', 'lookup', 'facets', ...screenMembers]

/** Members that are not supported here, each with the reason. */
export const refusals: Readonly<Record<string, string>> = table({
  parent: '"parent" is not supported: it does not say by which relation; filter on "relations.<type>.key"',
  bucket: '"bucket" is not supported: records are not grouped by squares of a map',
  policy_signature: '"policy_signature" is not supported: what a token may read is decided by its scopes'
})

/** Members that a client leaves empty when it does not use them: `""`, or an empty collection. */
const emptyTexts = ['parent_key', 'aggregation', 'distinct_by', 'key', 'bucket', 'regex_options']
const emptyCollections = ['lookup', 'facets', 'inner_exact_matches', 'or', 'relation_keys']

/**
 * Removes members that a client sends empty: `null` for any member, other empty values for some.
 */
export const withoutEmptyMembers = (item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.keys(item).some(member => isEmptyMember(member, item[member]))
    ? Object.fromEntries(Object.entries(item).filter(([member, value]) => !isEmptyMember(member, value)))
    : item

const isEmptyMember = (member: string, value: unknown) =>
  value === null ||
  (value === '' && emptyTexts.includes(member)) ||
  (typeof value === 'object' && emptyCollections.includes(member) && Object.keys(value).length === 0)

/** Members of a media file that those clients send beside its metadata; here they are metadata. */
const mediaMembers = ['technical_origin', 'original_filename', 'img_width', 'img_height']

/** Other names of what is kept beside the metadata. */
const columnAliases: Readonly<Record<string, ColumnPath>> = table({
  created_by: 'created_by',
  last_editor: 'updated_by',
  'computed_values.created_at': 'created_at',
  'computed_values.created_by': 'created_by',
  'computed_values.modified_at': 'updated_at',
  'computed_values.modified_by': 'updated_by'
})

/**
 * Reads a field path in any form that a client may use; undefined when it has none. `parentKey` is
 * the list that the key is one of, where the client names them apart.
 */
export function readClientPath(model: Model, key: string, parentKey?: string): FilterPath | undefined {
  const bare = withoutPrefix(key)
  if (bare === `relations.${mediaOfRecord}.key`) return undefined
  // They use "key" for the name of a related entity.
  const named =
    bare.endsWith('.key') && /^properties\.ref(?:_|[A-Z]).*\.key$/s.test(bare) ? bare.replace(/key$/, 'name') : key
  // Some clients name the list beside a whole path.
  if (parentKey !== undefined && bare.startsWith(`${parentKey}.`)) return readHoppingPath(named)
  if (parentKey === 'metadata') return readFilterPath(`metadata.${bare}.value`)
  if (parentKey === 'relations')
    return readHoppingPath(isRelationName(bare) ? propertyOf(bare) : `relations.${bare}.key`)
  if (parentKey === 'properties') return readHoppingPath(propertyOf(bare))
  if (parentKey !== undefined) return undefined
  const path = readHoppingPath(named)
  if (path) return path
  const column = Object.hasOwn(columnAliases, bare) ? columnAliases[bare] : undefined
  if (column) return { kind: column }
  const field = bare.replace(/^(?:metadata|properties)\./, '')
  return model.isDeclaredKey(field) || mediaMembers.includes(field) ? { kind: 'metadata', key: field } : undefined
}

const propertyOf = (name: string) => `properties.${name}.value`

/** A way from a record to others, by the relations of either. */
export interface Join {
  /** The name before the paths of the other records. */
  readonly as: string
  /** `media` leads to the media files of a record, whichever of both has the relation. */
  readonly kind: 'related' | 'referred' | 'media'
  /** The type of the relation. */
  readonly type: string
  /** Only records of these types; undefined for all. */
  readonly types: readonly string[] | undefined
  /** Whether records without any other are found too. */
  readonly isOuter: boolean
  /** Whether the others are named by their identifiers only. */
  readonly isById: boolean
}

/** A fault of a member, and which. */
export interface MemberFault {
  readonly member: string
  readonly message: string
}

/**
 * Reads `lookup`: the collection, a field of the record and one of the others that are equal, and
 * the name of the others in keys. One of the fields is a relation and the other one an identifier.
 */
export function readLookup(model: Model, lookup: unknown): Join | MemberFault {
  if (typeof lookup !== 'object' || lookup === null || Array.isArray(lookup))
    return { member: '', message: '"lookup" must be an object with from, local_field, foreign_field and as' }
  const given = lookup as Record<string, unknown>
  const known = ['from', 'local_field', 'foreign_field', 'as', ...outerMembers, byIdMember, '__typename']
  const unknown = Object.keys(given).find(member => !known.includes(member))
  if (unknown !== undefined) return { member: unknown, message: `Unknown member "${unknown}" of a lookup` }
  const { from, local_field: local, foreign_field: foreign, as } = given
  for (const [member, value] of Object.entries({ from, local_field: local, foreign_field: foreign, as })) {
    if (typeof value !== 'string' || value === '') return { member, message: `A lookup needs "${member}" as a string` }
  }
  const types = readCollection(model, String(from))
  if (types === 'unknown')
    return {
      member: 'from',
      message: `No collection "${String(from)}": known are entities, mediafiles and the record types in the plural`
    }
  const isOuter = outerMembers.some(member => given[member] === true)
  const isById = given[byIdMember] === true
  const [near, far] = [readEnd(model, String(local)), readEnd(model, String(foreign))]
  const join = { as: String(as), types, isOuter, isById }
  if (near === 'identifier' && typeof far === 'object') return { ...join, kind: 'referred', type: far.relation }
  if (typeof near === 'object' && far === 'identifier')
    return { ...join, kind: kindOf(near.relation), type: near.relation }
  const member =
    near === undefined || (typeof near === 'object' && typeof far === 'object') ? 'local_field' : 'foreign_field'
  return {
    member,
    message: 'A lookup joins a relation, such as properties.ref_venues.value, to an identifier, such as id'
  }
}

const outerMembers = ['preserve_null_and_empty_arrays', 'preserveNullAndEmptyArrays']
/** A hint that the others are named by their identifiers, so that one read finds them. */
const byIdMember = 'resolve_to_source_ids'

/** The relation to the media files of a record, as those clients name it. */
const mediaOfRecord = 'hasMediafile'
const kindOf = (relation: string): Join['kind'] => (relation === mediaOfRecord ? 'media' : 'related')

/** One end of a lookup: an identifier, or a relation. */
function readEnd(model: Model, field: string): 'identifier' | { readonly relation: string } | undefined {
  if (withoutPrefix(field) === `relations.${mediaOfRecord}.key`) return { relation: mediaOfRecord }
  const path = readClientPath(model, isRelationName(field) ? propertyOf(field) : field)
  if (path?.kind === 'id' || path?.kind === 'identifiers') return 'identifier'
  return path?.kind === 'relation_key' && !path.through ? { relation: path.type } : undefined
}

/** The types in a collection of the other platform; undefined where it has records of all. */
function readCollection(model: Model, from: string): readonly string[] | undefined | 'unknown' {
  const name = from.replace(/_actual$/, '')
  if (name === 'entities' || name.endsWith('_entities')) return undefined
  for (const type of [name, name.replace(/s$/, ''), name.replace(/ies$/, 'y')]) {
    const types = model.typesNamed(type)
    if (types.length > 0) return types
  }
  return 'unknown'
}

/** A key without its marks: `?` finds records without a value too, `!?` takes that back. */
export function readMarkedKey(key: string): { readonly key: string; readonly isOptional: boolean } {
  const bare = withoutPrefix(key)
  const mark = /^!?\?/.exec(bare)?.[0]
  return { key: mark === undefined ? key : bare.slice(mark.length), isOptional: mark === '?' }
}

/**
 * The others that a key leads to, and the rest of the key: by the lookup of the filter, or by a
 * relation that the key names (`lookup.virtual_relations.ref_venues.…`), in the other direction
 * with `referring.`.
 */
export function readJoinedKey(
  key: string,
  lookup: Join | undefined
): { readonly join: Join; readonly rest: string } | undefined {
  const bare = withoutPrefix(key)
  if (lookup && (bare === lookup.as || bare.startsWith(`${lookup.as}.`)))
    return { join: lookup, rest: bare.slice(lookup.as.length + 1) }
  const referring = splitReferring(bare)
  if (referring) {
    const { by: type, rest } = referring
    const join = { as: 'referring', kind: 'referred', type, types: undefined, isOuter: false, isById: false } as const
    return { join, rest }
  }
  const [whole, name = ''] = /^(?:__)?lookup\.virtual_relations\.(\w+)/.exec(bare) ?? []
  if (whole === undefined) return undefined
  const path = readFilterPath(isRelationName(name) ? propertyOf(name) : `relations.${name}.key`)
  if (path?.kind !== 'relation_key') return undefined
  const { type } = path
  const join = { as: whole, kind: kindOf(type), type, types: undefined, isOuter: false, isById: false }
  return { join, rest: bare.slice(whole.length + 1) }
}

/** True of records that are joined to one of which a filter is true. */
export function joinTo(model: Model, { kind, type, types }: Join, test: Filter): Filter {
  const of: Filter = types ? { kind: 'all', of: [{ kind: 'types', types }, test] } : test
  if (kind !== 'media') return { kind, type, of }
  const referring = mediaParts(model).map(({ relation }): Filter => ({ kind: 'referred', type: relation, of }))
  return { kind: 'any', of: [{ kind: 'related', type: mediaRelation, of }, ...referring] }
}

/** True of records that are joined to any. */
export const isJoined = (model: Model, join: Join): Filter => joinTo(model, join, everything)

/** True of records that are joined to so many others; both bounds are included. */
export function countJoined(model: Model, join: Join, range: { min: number; max: number | undefined }): Filter {
  const count = (of: Counted): Filter => ({ kind: 'count', of, ...range })
  const { kind, type, types } = join
  const to = types ?? model.recordTypes.map(each => each.type)
  if (kind === 'referred') return count({ kind: 'incoming', type, of: types ? { kind: 'types', types } : everything })
  if (kind === 'related') return count({ kind: 'relation_key', type, to })
  const parts = mediaParts(model)
  const wholes: Filter = { kind: 'types', types: parts.flatMap(part => part.of) }
  return {
    kind: 'any',
    of: [
      { kind: 'all', of: [{ kind: 'not', of: wholes }, count({ kind: 'relation_key', type: mediaRelation, to })] },
      ...parts.map(
        ({ relation, of }): Filter => ({
          kind: 'all',
          of: [{ kind: 'types', types: of }, count({ kind: 'incoming', type: relation, of: everything })]
        })
      )
    ]
  }
}

/** The types whose media files refer to them, and by which relation. */
const mediaParts = ({ recordTypes }: Model) =>
  recordTypes.flatMap(({ partOf, countedBy, relations }) =>
    partOf !== undefined && countedBy !== undefined ? [{ relation: partOf, of: relations[partOf]?.to ?? [] }] : []
  )

import type { EntityContent } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { lookupValues } from '#domain/search/lookup-values.ts'
import type { Statement } from './connection.ts'

/*
 * The statements that write, each for any number of rows, which are sent as one JSON text; and the
 * rows that follow from documents.
 */

export const anyOf = '= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))'

/** An entity and its key. */
export interface IndexedRow {
  readonly pk: number
  readonly content: EntityContent
  readonly createdBy: string
}

export const relationRows = (pk: number, content: EntityContent) =>
  content.relations.map(({ type, key }, position) => ({ entity_pk: pk, position, type, target: key }))

/** The rows of `lookups` of an entity. */
export const lookupRows = (
  model: Model,
  pk: number,
  content: Pick<EntityContent, 'type' | 'metadata'>,
  createdBy: string
) => lookupValues(model, content, createdBy).map(({ type, key, value }) => ({ type, key, value, entity_pk: pk }))

/** Writes all rows that follow from the documents of new entities. */
export function indexStatements(entities: readonly IndexedRow[], model: Model): Statement[] {
  const identifiers = entities.flatMap(({ pk, content }) =>
    [...new Set([content.uuid, content.id, ...content.otherIdentifiers])].map(identifier => ({
      identifier,
      entity_pk: pk
    }))
  )
  const rows = (text: string, list: readonly unknown[]) => ({ text, parameters: [JSON.stringify(list)] })
  return [
    rows(
      deleteRelations,
      entities.map(({ pk }) => pk)
    ),
    rows(
      deleteIdentifiers,
      identifiers.map(({ identifier }) => identifier)
    ),
    rows(insertIdentifiers, identifiers),
    rows(
      insertRelations,
      entities.flatMap(({ pk, content }) => relationRows(pk, content))
    ),
    rows(
      insertLookups,
      entities.flatMap(({ pk, content, createdBy }) => lookupRows(model, pk, content, createdBy))
    )
  ]
}

const insertFrom = (table: string, columns: readonly (readonly [name: string, type: string])[], conflict = '') => {
  const list = columns.map(([name]) => name).join(', ')
  const typed = columns.map(([name, type]) => `${name} ${type}`).join(', ')
  return `INSERT INTO ${table} (${list}) SELECT ${list} FROM json_to_recordset(?::text::json) AS given (${typed})${conflict}`
}

const texts = (...names: string[]) => names.map(name => [name, 'text'] as const)

const entityColumns = [
  ['pk', 'bigint'],
  ...texts('id', 'uuid', 'type', 'umbrella'),
  ['version', 'bigint'],
  ['changed', 'bigint'],
  ...texts('created_at', 'created_by', 'updated_at', 'updated_by', 'document')
] as const
export const insertEntities = insertFrom('entities', entityColumns)
export const updateEntities = `UPDATE entities e SET version = given.version, changed = given.changed, updated_at = given.updated_at,
    updated_by = given.updated_by, document = given.document
  FROM json_to_recordset(?::text::json) AS given (pk bigint, version bigint, changed bigint, updated_at text, updated_by text, document text)
  WHERE e.pk = given.pk`
const ofNumbers = `= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::bigint))`
export const deleteEntities = `DELETE FROM entities WHERE pk ${ofNumbers}`
export const deleteRelations = `DELETE FROM relations WHERE entity_pk ${ofNumbers}`
export const deleteIdentifiers = `DELETE FROM identifiers WHERE identifier ${anyOf}`
export const insertIdentifiers = insertFrom('identifiers', [...texts('identifier'), ['entity_pk', 'bigint']])
export const insertNames = insertFrom('names', texts('identifier', 'uuid'), ' ON CONFLICT DO NOTHING')
export const insertVersions = insertFrom('versions', [
  ...texts('uuid'),
  ['version', 'bigint'],
  ...texts('id', 'type'),
  ['changed', 'bigint'],
  ...texts('at', 'by', 'document', 'merged_into'),
  ['entity_pk', 'bigint']
])
export const insertRelations = insertFrom('relations', [
  ['entity_pk', 'bigint'],
  ['position', 'integer'],
  ...texts('type', 'target')
])
export const insertLookups = insertFrom(
  'lookups',
  [...texts('type', 'key', 'value'), ['entity_pk', 'bigint']],
  ' ON CONFLICT DO NOTHING'
)
export const deleteLookups = `DELETE FROM lookups l USING json_to_recordset(?::text::json)
    AS given (type text, key text, value text, entity_pk bigint)
  WHERE l.key = given.key AND l.value = given.value AND l.type = given.type AND l.entity_pk = given.entity_pk`
export const insertChanges = insertFrom('changes', [
  ['sequence', 'bigint'],
  ...texts('kind', 'id', 'uuid', 'type'),
  ['version', 'bigint'],
  ...texts('at', 'by', 'merged_into')
])

/** Written once for a whole group. */
export const updateCounters = 'UPDATE counters SET entity = ?, change = ?, merge = ?, at = ?'

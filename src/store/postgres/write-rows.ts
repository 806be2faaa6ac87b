import type { EntityContent } from '#domain/entity/entity.ts'
import { foldText } from '#domain/values/fold.ts'
import { indexValues } from '#domain/search/index-values.ts'
import { indexWords } from '#domain/search/index-words.ts'
import type { Model } from '#domain/record-types/model.ts'
import { vocabularyRow } from '../query/search-plan.ts'
import type { Statement } from './connection.ts'

/*
 * The statements that write, each for any number of rows, which are sent as one JSON text; and the
 * rows by which entities are found.
 */

export const anyOf = '= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))'

/** An entity and its key. */
export interface IndexedRow {
  readonly pk: number
  readonly content: EntityContent
}

export const identifierRow = (identifier: string, pk: number) => ({
  identifier,
  folded: foldText(identifier),
  entity_pk: pk
})

export const relationRows = ({ pk, content }: IndexedRow) =>
  content.relations.map(({ type, key }, position) => ({
    entity_pk: pk,
    position,
    type,
    target: key,
    folded_target: foldText(key)
  }))

export const valueRows = ({ pk, content }: IndexedRow, model: Model) =>
  indexValues(model, content).map(({ isName, isDerived, ...value }, number) => ({
    entity_pk: pk,
    number_in_entity: number,
    ...value,
    is_name: isName,
    is_derived: isDerived
  }))

export const wordRows = ({ pk, content }: IndexedRow, model: Model) =>
  [...indexWords(model, content)].map(([word, weight]) => ({ entity_pk: pk, word, weight }))

/** Each word once; most are in the vocabulary already. */
export const vocabularyRows = (words: readonly { readonly word: string }[]) =>
  [...new Set(words.map(({ word }) => word))].flatMap(word => vocabularyRow(word) ?? [])

/** Replaces the words of entities. */
export function wordStatements(entities: readonly IndexedRow[], model: Model): Statement[] {
  const words = entities.flatMap(row => wordRows(row, model))
  return [
    { text: deleteWords, parameters: [JSON.stringify(entities.map(({ pk }) => pk))] },
    { text: insertWords, parameters: [JSON.stringify(words)] },
    { text: insertVocabulary, parameters: [JSON.stringify(vocabularyRows(words))] }
  ]
}

/** Replaces the rows that follow from the metadata of entities. */
export function metadataStatements(entities: readonly IndexedRow[], model: Model): Statement[] {
  return [
    { text: deleteValues, parameters: [JSON.stringify(entities.map(({ pk }) => pk))] },
    { text: insertValues, parameters: [JSON.stringify(entities.flatMap(row => valueRows(row, model)))] },
    ...wordStatements(entities, model)
  ]
}

/** Replaces all rows by which entities are found. */
export function indexStatements(entities: readonly IndexedRow[], model: Model): Statement[] {
  const identifiers = entities.flatMap(({ pk, content }) =>
    [...new Set([content.uuid, content.id, ...content.otherIdentifiers])].map(each => identifierRow(each, pk))
  )
  const pks = JSON.stringify(entities.map(({ pk }) => pk))
  const rows = (text: string, list: readonly unknown[]) => ({ text, parameters: [JSON.stringify(list)] })
  return [
    { text: deleteRelations, parameters: [pks] },
    rows(
      deleteIdentifiers,
      identifiers.map(({ identifier }) => identifier)
    ),
    rows(insertIdentifiers, identifiers),
    rows(insertRelations, entities.flatMap(relationRows)),
    ...metadataStatements(entities, model)
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
  ...texts('id', 'folded_id', 'uuid', 'type', 'folded_type', 'umbrella'),
  ['version', 'bigint'],
  ['changed', 'bigint'],
  ...texts('created_at', 'created_by', 'folded_created_by', 'updated_at', 'updated_by', 'folded_updated_by', 'document')
] as const
export const insertEntities = insertFrom('entities', entityColumns)
export const updateEntities = `UPDATE entities e SET version = given.version, changed = given.changed, updated_at = given.updated_at,
    updated_by = given.updated_by, folded_updated_by = given.folded_updated_by, document = given.document
  FROM json_to_recordset(?::text::json) AS given (pk bigint, version bigint, changed bigint, updated_at text, updated_by text,
    folded_updated_by text, document text)
  WHERE e.pk = given.pk`
const ofNumbers = `= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::bigint))`
export const deleteEntities = `DELETE FROM entities WHERE pk ${ofNumbers}`
export const deleteRelations = `DELETE FROM relations WHERE entity_pk ${ofNumbers}`
export const deleteValues = `DELETE FROM field_values WHERE entity_pk ${ofNumbers}`
export const deleteIdentifiers = `DELETE FROM identifiers WHERE identifier ${anyOf}`
export const insertIdentifiers = insertFrom('identifiers', [...texts('identifier', 'folded'), ['entity_pk', 'bigint']])
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
  ...texts('type', 'target', 'folded_target')
])
export const insertValues = insertFrom('field_values', [
  ['entity_pk', 'bigint'],
  ['number_in_entity', 'integer'],
  ...texts('key'),
  ['position', 'integer'],
  ...texts('text', 'folded', 'head', 'sort'),
  ['number', 'double precision'],
  ['instant', 'bigint'],
  ['truth', 'smallint'],
  ['is_name', 'smallint'],
  ['is_derived', 'smallint']
])
export const deleteWords = `DELETE FROM search_words WHERE entity_pk ${ofNumbers}`
export const insertWords = insertFrom('search_words', [
  ['entity_pk', 'bigint'],
  ...texts('word'),
  ['weight', 'smallint']
])
export const insertVocabulary = insertFrom(
  'vocabulary',
  [['length', 'integer'], ...texts('word', 'reversed')],
  ' ON CONFLICT DO NOTHING'
)
export const insertChanges = insertFrom('changes', [
  ['sequence', 'bigint'],
  ...texts('kind', 'id', 'uuid', 'type'),
  ['version', 'bigint'],
  ...texts('at', 'by', 'merged_into')
])

/** Written once for a whole group. */
export const updateCounters = 'UPDATE counters SET entity = ?, change = ?, merge = ?, at = ?'

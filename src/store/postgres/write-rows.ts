import { addLookups, insertRows } from '../query/derived-rows.ts'
import { columnsOf, keysOf } from '../tables.ts'
import { listed, postgresDialect } from './dialect.ts'

/* The statements that write, each for any number of rows, which are sent as one JSON text. */

export const anyOf = postgresDialect.inList()

const ofNumbers = `= ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)::bigint))`
const updated = ['pk', 'version', 'changed', 'updated_at', 'updated_by', 'document']

export const insertEntities = insertRows(postgresDialect, 'entities')
export const updateEntities = `UPDATE entities e SET version = given.version, changed = given.changed, updated_at = given.updated_at,
    updated_by = given.updated_by, document = given.document
  FROM ${listed(columnsOf('entities').filter(({ name }) => updated.includes(name)))} WHERE e.pk = given.pk`
export const deleteEntities = `DELETE FROM entities WHERE pk ${ofNumbers}`
export const deleteRelations = `DELETE FROM relations WHERE entity_pk ${ofNumbers}`
export const deleteIdentifiers = `DELETE FROM identifiers WHERE identifier ${anyOf}`
export const insertIdentifiers = insertRows(postgresDialect, 'identifiers')
export const insertNames = insertRows(postgresDialect, 'names', 'ON CONFLICT DO NOTHING')
export const insertVersions = insertRows(postgresDialect, 'versions')
export const insertRelations = insertRows(postgresDialect, 'relations')
export const insertLookups = addLookups(postgresDialect)
export const deleteLookups = `DELETE FROM lookups l USING ${listed(keysOf('lookups'))}
  WHERE l.key = given.key AND l.value = given.value AND l.type = given.type AND l.entity_pk = given.entity_pk`
export const insertChanges = insertRows(postgresDialect, 'changes')

/** Written once for a whole group. */
export const updateCounters = 'UPDATE counters SET entity = ?, change = ?, merge = ?, at = ?'

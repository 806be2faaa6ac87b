import { contentOf, type Entity, type EntityContent } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { lookupValues } from '#domain/search/lookup-values.ts'
import { columnsOf, namesOf, type TableName } from '../tables.ts'
import type { Steps } from '../administration/steps.ts'
import type { Dialect, Row } from './dialect.ts'
import { sql } from './sql.ts'

/* The rows that follow from documents, and statements that write any number of rows at once. */

/** Inserts the rows of a JSON list of objects, which is the parameter. */
export const insertRows = (dialect: Dialect, table: TableName, onConflict = '') =>
  `INSERT INTO ${table} (${namesOf(columnsOf(table))}) ${dialect.selectListed(columnsOf(table))} ${onConflict}`

/** The same for rows that may exist already. */
export const addLookups = (dialect: Dialect) => insertRows(dialect, 'lookups', 'ON CONFLICT DO NOTHING')

export const relationRows = (pk: number, { relations }: Pick<EntityContent, 'relations'>) =>
  relations.map(({ type, key }, position) => ({ entity_pk: pk, position, type, target: key }))

export const lookupRows = (
  model: Model,
  pk: number,
  content: Pick<EntityContent, 'type' | 'metadata'>,
  createdBy: string
) => lookupValues(model, content, createdBy).map(({ type, key, value }) => ({ type, key, value, entity_pk: pk }))

/** Writes identifiers, relations and lookups of entities that came from another database. */
export function* writeDerivedRows(dialect: Dialect, model: Model, rows: readonly Row[]): Steps<void> {
  const entities = rows.map(row => ({ pk: Number(row.pk), entity: JSON.parse(String(row.document)) as Entity }))
  const identifiers = entities.flatMap(({ pk, entity }) => {
    const { uuid, id, otherIdentifiers } = contentOf(entity)
    return [...new Set([uuid, id, ...otherIdentifiers])].map(identifier => ({ identifier, entity_pk: pk }))
  })
  const listed = dialect.inSelect(`SELECT value FROM ${dialect.listedNumbers} w`)
  yield sql(`DELETE FROM relations WHERE entity_pk ${listed}`, JSON.stringify(entities.map(({ pk }) => pk)))
  yield sql(
    insertRows(dialect, 'identifiers', 'ON CONFLICT (identifier) DO UPDATE SET entity_pk = EXCLUDED.entity_pk'),
    JSON.stringify(identifiers)
  )
  yield sql(
    insertRows(dialect, 'relations'),
    JSON.stringify(entities.flatMap(({ pk, entity }) => relationRows(pk, entity)))
  )
  yield sql(addLookups(dialect), JSON.stringify(entities.flatMap(({ pk, entity }) => lookupsOf(model, pk, entity))))
}

/** The rows of `lookups` of a stored entity. */
export const lookupsOf = (model: Model, pk: number, entity: Entity) =>
  lookupRows(model, pk, entity, entity.audit.created.by)

import { readableInIndex } from '#finding/find-in-index.ts'
import type { ReferencePage, ReferenceQuery } from '../ports/queries.ts'
import { findingOf, type Row, type Session } from './dialect.ts'
import { type Sql, sql } from './sql.ts'
import { typesToSql } from './types-to-sql.ts'

/** Lists the relations that point to an entity, in the order of creation, and counts them. */
export async function findReferences(session: Session, query: ReferenceQuery): Promise<ReferencePage> {
  const { dialect, run } = session
  const { id, limits, limit, skip } = query
  if (!dialect.isStorable(id)) return { count: 0, countByType: {}, references: [] }
  if (limits) return findReadable(session, query)
  const from = referencesTo(session, query)
  const [counts, rows] = await Promise.all([
    run({
      text: `SELECT r.type, count(*) AS n ${from.text} GROUP BY r.type ORDER BY r.type`,
      parameters: from.parameters
    }),
    run({
      text: `SELECT e.id, e.type, page.type AS relation_type FROM (
          SELECT r.entity_pk, r.position, r.type ${from.text}
          ORDER BY ${dialect.unindexed('r.entity_pk')}, r.position LIMIT ? OFFSET ?
        ) page ${dialect.join} entities e ON e.pk = page.entity_pk ORDER BY page.entity_pk, page.position`,
      parameters: [...from.parameters, limit, skip]
    })
  ])
  return {
    count: counts.reduce((sum, row) => sum + Number(row.n), 0),
    countByType: Object.fromEntries(counts.map(row => [String(row.type), Number(row.n)])),
    references: rows.map(toReference)
  }
}

/** The same for a caller who may read some records of a type only, which the index knows. */
async function findReadable(session: Session, query: ReferenceQuery): Promise<ReferencePage> {
  const { dialect, run } = session
  const { readableTypes, limits, limit, skip } = query
  const from = referencesTo(session, query)
  const all = await run({
    text: `SELECT r.entity_pk, r.type ${from.text} ORDER BY ${dialect.unindexed('r.entity_pk')}, r.position`,
    parameters: from.parameters
  })
  const scope = {
    readableTypes: readableTypes ?? session.model.recordTypes.map(({ type }) => type),
    ...(limits ? { limits } : {})
  }
  const readable = new Set(
    await readableInIndex(findingOf(session), scope, [...new Set(all.map(row => Number(row.entity_pk)))])
  )
  const found = all.filter(row => readable.has(Number(row.entity_pk)))
  const page = found.slice(skip, skip + limit)
  const rows = await run(
    sql(
      `SELECT e.pk, e.id, e.type FROM ${dialect.listedNumbers} w ${dialect.join} entities e ON e.pk = w.value`,
      JSON.stringify([...new Set(page.map(row => Number(row.entity_pk)))])
    )
  )
  const entities = new Map(rows.map(row => [Number(row.pk), row]))
  const types = [...Map.groupBy(found, row => String(row.type))].sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    count: found.length,
    countByType: Object.fromEntries(types.map(([type, list]) => [type, list.length])),
    references: page.map(row => toReference({ ...entities.get(Number(row.entity_pk)), relation_type: row.type }))
  }
}

/**
 * Lists the types of the relations that point to an entity. Each is found by a step of its own in
 * the index of relations, whatever the number of relations.
 */
export async function findReferenceTypes({ dialect, run }: Session, id: string): Promise<readonly string[]> {
  if (!dialect.isStorable(id)) return []
  const rows = await run(
    sql(
      `WITH RECURSIVE names AS (${namesOf}),
      found (target, type) AS (
        SELECT n.identifier, (SELECT min(r.type) FROM relations r WHERE r.target = n.identifier) FROM names n
        UNION ALL
        SELECT f.target, (SELECT min(r.type) FROM relations r WHERE r.target = f.target AND r.type > f.type)
        FROM found f WHERE f.type IS NOT NULL
      ) SELECT DISTINCT type FROM found WHERE type IS NOT NULL ORDER BY type`,
      id
    )
  )
  return rows.map(({ type }) => String(type))
}

/** Selects every identifier of the entity that has one of them. */
export const namesOf =
  'SELECT ti.identifier FROM identifiers ti WHERE ti.entity_pk = (SELECT i.entity_pk FROM identifiers i WHERE i.identifier = ?)'

/** The relations `r` to an entity, by any of its identifiers. */
function referencesTo(session: Session, { id, relationTypes, readableTypes }: ReferenceQuery): Sql {
  const { dialect } = session
  const readable = readableTypes ? typesToSql(readableTypes, session) : sql('TRUE')
  const wanted = relationTypes ? dialect.toList(relationTypes) : ''
  // Entities are joined only where their type decides.
  return sql(
    `FROM relations r ${readableTypes ? `${dialect.join} entities e ON e.pk = r.entity_pk` : ''}
    WHERE r.target ${dialect.inSelect(namesOf)}
    AND (? = '' OR r.type ${dialect.inList()}) AND ${readable.text}`,
    ...[id, wanted, wanted === '' ? '[]' : wanted],
    ...readable.parameters
  )
}

export const toReference = (row: Row) => ({
  id: String(row.id),
  type: String(row.type),
  relationType: String(row.relation_type)
})

import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { EntityQuery } from '../ports/queries.ts'
import type { Dialect } from './dialect.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

/** The records that exist for the caller. */
export type Readable = Pick<EntityQuery, 'readableTypes' | 'limits'>

/**
 * Counts the values at each path over the records that `hits` gives as `pk`: rows of `facet` (the
 * index of its path), `value` and `n`, the most frequent first. A record counts once for each value
 * it has, however often it has it. `countsOf` may count a path another way.
 */
export function facetsToSql(
  dialect: Dialect,
  hits: Sql,
  paths: readonly FilterPath[],
  limit: number,
  readable: Readable,
  countsOf: (path: FilterPath) => Sql | undefined
): Sql {
  const parts = paths.map((path, index) =>
    joined(
      `SELECT * FROM (SELECT ${index} AS facet, value, n FROM (`,
      countsOf(path) ?? countValues(path, valuesToSql(dialect, path, readable)),
      ') counted ORDER BY n DESC, value LIMIT ',
      parameter(limit),
      `) facet${index}`
    )
  )
  return joined(
    'WITH hits AS MATERIALIZED (',
    hits,
    ') ',
    ...parts.flatMap((part, index) => (index === 0 ? [part] : [' UNION ALL ', part]))
  )
}

/** Counts rows of `pk` and `value`: rows of `value` and `n`, one for each value. */
export const countValues = (path: FilterPath, values: Sql): Sql =>
  joined(
    `SELECT value, ${isSingle(path) ? 'count(*)' : 'count(DISTINCT pk)'} AS n FROM (`,
    values,
    ') listed GROUP BY value'
  )

/** Whether a record has one value at a path, so that it cannot have the same one twice. */
const isSingle = ({ kind }: FilterPath) => !['metadata', 'relation_key', 'relation_name', 'identifiers'].includes(kind)

/** Rows of `pk` and `value`, one for each value that a hit has at a path. */
function valuesToSql(dialect: Dialect, path: FilterPath, readable: Readable): Sql {
  const { join } = dialect
  const tick = dialect.deadlineEvery('x.pk')
  switch (path.kind) {
    case 'metadata':
      return joined(
        `SELECT x.pk, v.text AS value FROM hits x ${join} field_values v ON v.entity_pk = x.pk
          WHERE ${tick} AND v.is_derived = 0 AND v.text IS NOT NULL AND v.key = `,
        parameter(path.key)
      )
    case 'relation_key':
      return joined(
        `SELECT x.pk, coalesce(h.id, r.target) AS value FROM hits x ${join} relations r ON r.entity_pk = x.pk
          LEFT JOIN identifiers i ON i.identifier = r.target LEFT JOIN entities h ON h.pk = i.entity_pk
          WHERE ${tick} AND r.type = `,
        parameter(path.type),
        onlyReadable(dialect, readable)
      )
    case 'relation_name':
      return joined(
        `SELECT x.pk, v.text AS value FROM hits x ${join} relations r ON r.entity_pk = x.pk
          ${join} identifiers i ON i.identifier = r.target ${join} entities h ON h.pk = i.entity_pk
          ${join} field_values v ON v.entity_pk = h.pk WHERE ${tick} AND v.is_name = 1 AND v.text IS NOT NULL AND r.type = `,
        parameter(path.type),
        onlyReadable(dialect, readable)
      )
    case 'identifiers':
      return joined(
        `SELECT x.pk, i.identifier AS value FROM hits x ${join} identifiers i ON i.entity_pk = x.pk WHERE ${tick}`
      )
    default:
      return joined(`SELECT x.pk, e.${path.kind} AS value FROM hits x ${join} entities e ON e.pk = x.pk WHERE ${tick}`)
  }
}

/** Targets that the caller may not read do not exist. */
export function onlyReadable(dialect: Dialect, { readableTypes, limits }: Readable): Sql {
  if (!readableTypes) return joined('')
  return joined(
    ' AND (h.pk IS NULL OR h.type ',
    { text: dialect.inList(), parameters: [JSON.stringify(readableTypes)] },
    ' AND ',
    limitsToSql(dialect, 'h', limits),
    ')'
  )
}

import type { FilterPath } from '#domain/filter-path.ts'
import type { Question } from '../store.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

/** What exists for the asker. */
type Readable = Pick<Question, 'readableTypes' | 'limits'>

/**
 * Counts the values at each path over the records that `hits` gives as `pk`: rows of `facet` (its place among the paths), `value` and `n`, the most
 * frequent first. `isLarge` tells that the hits are many. A record counts once for each value it has, however often it has it.
 */
export function facetsToSql(
  hits: Sql,
  paths: readonly FilterPath[],
  limit: number,
  readable: Readable,
  isLarge: boolean
): Sql {
  const parts = paths.map((path, index) =>
    joined(
      `SELECT * FROM (SELECT ${index} AS facet, value, ${isSingle(path) ? 'count(*)' : 'count(DISTINCT pk)'} AS n FROM (`,
      valuesToSql(path, readable, isLarge),
      ') GROUP BY value ORDER BY n DESC, value LIMIT ',
      parameter(limit),
      ')'
    )
  )
  return joined(
    'WITH hits AS MATERIALIZED (',
    hits,
    ') ',
    ...parts.flatMap((part, index) => (index === 0 ? [part] : [' UNION ALL ', part]))
  )
}

/** Whether a record has one value at a path, which need not be told from others that it has. */
const isSingle = ({ kind }: FilterPath) => !['metadata', 'relation_key', 'relation_name', 'identifiers'].includes(kind)

/** Looks at the deadline for every 64th record. */
const tick = '(x.pk & 63 <> 0 OR within_deadline())'

/** Rows of `pk` and `value`, one for each value that a hit has at a path. */
function valuesToSql(path: FilterPath, readable: Readable, isLarge: boolean): Sql {
  switch (path.kind) {
    case 'metadata':
      return joined(
        `SELECT x.pk, v.text AS value FROM hits x CROSS JOIN field_values v ON v.entity_pk = x.pk
          WHERE ${tick} AND v.is_derived = 0 AND v.text IS NOT NULL AND v.key = `,
        parameter(path.key)
      )
    case 'relation_key':
      return joined(
        `SELECT x.pk, coalesce(h.id, r.target) AS value FROM hits x CROSS JOIN relations r ON r.entity_pk = x.pk
          LEFT JOIN identifiers i ON i.identifier = r.target LEFT JOIN entities h ON h.pk = i.entity_pk WHERE ${tick} AND r.type = `,
        parameter(path.type),
        onlyReadable(readable)
      )
    case 'relation_name':
      return joined(
        `SELECT x.pk, v.text AS value FROM hits x CROSS JOIN relations r ON r.entity_pk = x.pk
          CROSS JOIN identifiers i ON i.identifier = r.target CROSS JOIN entities h ON h.pk = i.entity_pk
          CROSS JOIN field_values v ON v.entity_pk = h.pk WHERE ${tick} AND v.is_name = 1 AND v.text IS NOT NULL AND r.type = `,
        parameter(path.type),
        onlyReadable(readable)
      )
    case 'type':
      // The index of types has nothing but types and places: reading all of it is quicker than fetching many records.
      if (isLarge)
        return joined(
          'SELECT x.pk, x.type AS value FROM entities x INDEXED BY entities_by_type WHERE +x.pk IN (SELECT pk FROM hits)',
          ` AND ${tick}`
        )
      return joined(`SELECT x.pk, e.type AS value FROM hits x CROSS JOIN entities e ON e.pk = x.pk WHERE ${tick}`)
    case 'identifiers':
      return joined(
        `SELECT x.pk, i.identifier AS value FROM hits x CROSS JOIN identifiers i ON i.entity_pk = x.pk WHERE ${tick}`
      )
    default:
      return joined(
        `SELECT x.pk, e.${path.kind} AS value FROM hits x CROSS JOIN entities e ON e.pk = x.pk WHERE ${tick}`
      )
  }
}

/** Targets that the asker may not read do not exist. */
function onlyReadable({ readableTypes, limits }: Readable): Sql {
  if (!readableTypes) return joined('')
  return joined(
    ' AND (h.pk IS NULL OR h.type IN (SELECT value FROM json_each(',
    parameter(JSON.stringify(readableTypes)),
    ')) AND ',
    limitsToSql('h', limits),
    ')'
  )
}

import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { Question } from '../store.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

/** What exists for the asker. */
type Readable = Pick<Question, 'readableTypes' | 'limits'>

/**
 * Counts the values at each path over the records that `hits` gives as `pk`: rows of `facet` (its
 * place among the paths), `value` and `n`, the most frequent first. A record counts once for each
 * value it has, however often it has it.
 */
export function facetsToSql(hits: Sql, paths: readonly FilterPath[], limit: number, readable: Readable): Sql {
  const parts = paths.map((path, index) =>
    joined(
      `SELECT * FROM (SELECT ${index} AS facet, value, ${isSingle(path) ? 'count(*)' : 'count(DISTINCT pk)'} AS n FROM (`,
      valuesToSql(path, readable),
      ') counted GROUP BY value ORDER BY n DESC, value LIMIT ',
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

/** Whether a record has one value at a path, which need not be told from others that it has. */
const isSingle = ({ kind }: FilterPath) => !['metadata', 'relation_key', 'relation_name', 'identifiers'].includes(kind)

/** Rows of `pk` and `value`, one for each value that a hit has at a path. */
function valuesToSql(path: FilterPath, readable: Readable): Sql {
  switch (path.kind) {
    case 'metadata':
      return joined(
        `SELECT x.pk, v.text AS value FROM hits x JOIN field_values v ON v.entity_pk = x.pk
          WHERE v.is_derived = 0 AND v.text IS NOT NULL AND v.key = `,
        parameter(path.key)
      )
    case 'relation_key':
      return joined(
        `SELECT x.pk, coalesce(h.id, r.target) AS value FROM hits x JOIN relations r ON r.entity_pk = x.pk
          LEFT JOIN identifiers i ON i.identifier = r.target LEFT JOIN entities h ON h.pk = i.entity_pk WHERE r.type = `,
        parameter(path.type),
        onlyReadable(readable)
      )
    case 'relation_name':
      return joined(
        `SELECT x.pk, v.text AS value FROM hits x JOIN relations r ON r.entity_pk = x.pk
          JOIN identifiers i ON i.identifier = r.target JOIN entities h ON h.pk = i.entity_pk
          JOIN field_values v ON v.entity_pk = h.pk WHERE v.is_name = 1 AND v.text IS NOT NULL AND r.type = `,
        parameter(path.type),
        onlyReadable(readable)
      )
    case 'identifiers':
      return joined('SELECT x.pk, i.identifier AS value FROM hits x JOIN identifiers i ON i.entity_pk = x.pk')
    default:
      return joined(`SELECT x.pk, e.${path.kind} AS value FROM hits x JOIN entities e ON e.pk = x.pk`)
  }
}

/** Targets that the asker may not read do not exist. */
function onlyReadable({ readableTypes, limits }: Readable): Sql {
  if (!readableTypes) return joined('')
  return joined(
    ' AND (h.pk IS NULL OR h.type = ANY (ARRAY(SELECT jsonb_array_elements_text(',
    parameter(JSON.stringify(readableTypes)),
    '::text::jsonb))) AND ',
    limitsToSql('h', limits),
    ')'
  )
}

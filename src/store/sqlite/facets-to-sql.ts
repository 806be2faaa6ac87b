import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { Question } from '../store.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

/** Relations are counted by their targets, everything else by its values. */
type ValuePath = Exclude<FilterPath, { readonly kind: 'relation_key' }>

/** What exists for the asker. */
type Readable = Pick<Question, 'readableTypes' | 'limits'>

/** How much there is to look at. */
export interface FacetSizes {
  /** Whether the hits are so many that reading a whole index is quicker than fetching each. */
  readonly isLarge: boolean
  /** Whether they are all there is, and all of it may be read. */
  readonly isEverything: boolean
  /**
   * Keys and relation types that only a small part of all records has; told where the hits are
   * everything.
   */
  readonly rare: ReadonlySet<string>
}

/**
 * Counts the values at each path over the records that `hits` gives as `pk`: rows of `facet` (its
 * place among the paths), `value` and `n`, the most frequent first. A record counts once for each
 * value it has, however often it has it.
 */
export function facetsToSql(
  hits: Sql,
  paths: readonly FilterPath[],
  limit: number,
  readable: Readable,
  sizes: FacetSizes
): Sql {
  const parts = paths.map((path, index) =>
    joined(
      `SELECT * FROM (SELECT ${index} AS facet, value, n FROM (`,
      countsToSql(path, readable, sizes),
      ') ORDER BY n DESC, value LIMIT ',
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

/** Rows of `value` and `n`, one for each value at a path. */
function countsToSql(path: FilterPath, readable: Readable, sizes: FacetSizes): Sql {
  if (path.kind === 'relation_key') return countTargets(path.type, readable, sizes)
  return joined(
    `SELECT value, ${isSingle(path) ? 'count(*)' : 'count(DISTINCT pk)'} AS n FROM (`,
    sizes.isEverything ? allValuesToSql(path, readable, sizes) : valuesToSql(path, readable, sizes.isLarge),
    ') GROUP BY value'
  )
}

/**
 * Counted by target, so that each is looked up once. A record that points to another by two of its
 * names counts once, so where relations use more than one of them they are counted anew. Of
 * everything, an index has all targets in order.
 */
function countTargets(type: string, readable: Readable, { isEverything, rare }: FacetSizes): Sql {
  const relations = isEverything
    ? `relations r INDEXED BY ${rare.has(type) ? 'relations_by_type' : 'relations_by_target'}`
    : 'hits x CROSS JOIN relations r ON r.entity_pk = x.pk'
  return joined(
    `SELECT value, CASE WHEN names = 1 THEN n ELSE (
        SELECT count(DISTINCT o.entity_pk) FROM identifiers oi CROSS JOIN relations o ON o.target = oi.identifier
          WHERE oi.entity_pk = place ${isEverything ? '' : 'AND o.entity_pk IN (SELECT pk FROM hits)'} AND o.type = `,
    parameter(type),
    `) END AS n FROM (
        SELECT coalesce(h.id, c.target) AS value, min(h.pk) AS place, count(*) AS names, max(c.n) AS n FROM (
          SELECT r.target, count(DISTINCT r.entity_pk) AS n FROM ${relations} WHERE ${tickOf('r.entity_pk')} AND r.type = `,
    parameter(type),
    ` GROUP BY r.target
        ) c LEFT JOIN identifiers i ON i.identifier = c.target LEFT JOIN entities h ON h.pk = i.entity_pk WHERE 1`,
    onlyReadable(readable),
    ' GROUP BY 1)'
  )
}

/** The same as for hits, without looking whether each is one. */
function allValuesToSql(path: ValuePath, readable: Readable, { rare }: FacetSizes): Sql {
  switch (path.kind) {
    case 'metadata':
      return joined(
        `SELECT v.entity_pk AS pk, v.text AS value
          FROM field_values v ${rare.has(path.key) ? 'INDEXED BY field_values_by_head' : 'NOT INDEXED'}
          WHERE ${tickOf('v.entity_pk')} AND v.is_derived = 0 AND v.text IS NOT NULL AND v.key = `,
        parameter(path.key)
      )
    case 'type':
      return joined(`SELECT x.pk, x.type AS value FROM entities x INDEXED BY entities_by_type WHERE ${tickOf('x.pk')}`)
    case 'identifiers':
      return joined(`SELECT i.entity_pk AS pk, i.identifier AS value FROM identifiers i WHERE ${tickOf('i.entity_pk')}`)
    default:
      return valuesToSql(path, readable, true)
  }
}

/** How many records have a key, or relations of a type, as far as it is worth counting. */
export function frequencyToSql(path: FilterPath, most: number): Sql | undefined {
  const counting = (from: string, name: string) =>
    joined(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} = `, parameter(name), ' LIMIT ', parameter(most), ')')
  if (path.kind === 'metadata') return counting('field_values WHERE key', path.key)
  if (path.kind === 'relation_key') return counting('relations WHERE type', path.type)
  return undefined
}

/** Whether a record has one value at a path, which need not be told from others that it has. */
const isSingle = ({ kind }: FilterPath) => !['metadata', 'relation_key', 'relation_name', 'identifiers'].includes(kind)

/** Looks at the deadline for every 64th record. */
const tickOf = (pk: string) => `(${pk} & 63 <> 0 OR within_deadline())`
const tick = tickOf('x.pk')

/** Rows of `pk` and `value`, one for each value that a hit has at a path. */
function valuesToSql(path: ValuePath, readable: Readable, isLarge: boolean): Sql {
  switch (path.kind) {
    case 'metadata':
      return joined(
        `SELECT x.pk, v.text AS value FROM hits x CROSS JOIN field_values v ON v.entity_pk = x.pk
          WHERE ${tick} AND v.is_derived = 0 AND v.text IS NOT NULL AND v.key = `,
        parameter(path.key)
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
      // The index of types has nothing but types and places: reading all of it is quicker than
      // fetching many records.
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

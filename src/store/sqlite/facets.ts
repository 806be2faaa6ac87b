import type { FilterPath } from '#domain/filter/filter-path.ts'
import { isEverything } from '#domain/search/search.ts'
import type { FacetDialect } from '../query/dialect.ts'
import { countValues, onlyReadable, type Readable } from '../query/facets-to-sql.ts'
import type { Session } from '../query/dialect.ts'
import { joined, parameter, type Sql } from '../query/sql.ts'

/** Fetching a record takes about as long as looking at this number of entries of an index. */
const fetchCost = 8

/** The sizes that decide how a facet is counted. */
interface FacetSizes {
  /** Whether the hits are so many that reading a whole index is faster than fetching each. */
  readonly isLarge: boolean
  /** Whether the hits are all records, and the caller may read all of them. */
  readonly isEverything: boolean
  /** Keys and relation types that few records have; only counted where the hits are everything. */
  readonly rare: ReadonlySet<string>
}

export const sqliteFacets: FacetDialect = {
  collectHits: '(SELECT json_group_array(pk) FROM hits)',
  async specialCounts(session, query, paths, count) {
    const total = await session.lastEntity()
    const isAll = isEverything(query.filter) && !query.readableTypes
    const sizes = {
      isLarge: count * fetchCost > total,
      isEverything: isAll,
      rare: isAll ? await rareNames(session, paths, Math.ceil(total / fetchCost)) : new Set<string>()
    }
    return path => countsToSql(session, path, query, sizes)
  }
}

function countsToSql(session: Session, path: FilterPath, readable: Readable, sizes: FacetSizes): Sql | undefined {
  if (path.kind === 'relation_key') return countTargets(session, path.type, readable, sizes)
  const values = sizes.isEverything ? allValuesToSql(session, path, sizes) : undefined
  // The index of types has types and keys only: reading all of it is faster than fetching many
  // records.
  const types =
    path.kind === 'type' && sizes.isLarge
      ? joined(
          'SELECT x.pk, x.type AS value FROM entities x INDEXED BY entities_by_type WHERE +x.pk IN (SELECT pk FROM hits)',
          ` AND ${session.dialect.deadlineEvery('x.pk')}`
        )
      : undefined
  const special = values ?? types
  return special && countValues(path, special)
}

/**
 * Counts by target, so that each is looked up once. A record that refers to another by two of its
 * identifiers counts once, so where relations use more than one of them they are counted anew. For
 * everything, an index has all targets in order.
 */
function countTargets({ dialect }: Session, type: string, readable: Readable, { isEverything, rare }: FacetSizes): Sql {
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
          SELECT r.target, count(DISTINCT r.entity_pk) AS n FROM ${relations} WHERE ${dialect.deadlineEvery('r.entity_pk')} AND r.type = `,
    parameter(type),
    ` GROUP BY r.target
        ) c LEFT JOIN identifiers i ON i.identifier = c.target LEFT JOIN entities h ON h.pk = i.entity_pk WHERE 1`,
    onlyReadable(dialect, readable),
    ' GROUP BY 1)'
  )
}

/** Rows of `pk` and `value` for all records, without a check whether each is a hit. */
function allValuesToSql({ dialect }: Session, path: FilterPath, { rare }: FacetSizes): Sql | undefined {
  switch (path.kind) {
    case 'metadata':
      return joined(
        `SELECT v.entity_pk AS pk, v.text AS value
          FROM field_values v ${rare.has(path.key) ? 'INDEXED BY field_values_by_head' : 'NOT INDEXED'}
          WHERE ${dialect.deadlineEvery('v.entity_pk')} AND v.is_derived = 0 AND v.text IS NOT NULL AND v.key = `,
        parameter(path.key)
      )
    case 'type':
      return joined(
        `SELECT x.pk, x.type AS value FROM entities x INDEXED BY entities_by_type WHERE ${dialect.deadlineEvery('x.pk')}`
      )
    case 'identifiers':
      return joined(
        `SELECT i.entity_pk AS pk, i.identifier AS value FROM identifiers i WHERE ${dialect.deadlineEvery('i.entity_pk')}`
      )
    default:
      return undefined
  }
}

/** Keys and relation types of these paths that fewer records have than the limit. */
async function rareNames({ run }: Session, paths: readonly FilterPath[], limit: number): Promise<ReadonlySet<string>> {
  const rare = new Set<string>()
  for (const path of paths) {
    const counting = frequencyToSql(path, limit)
    if (!counting) continue
    const [row] = await run(counting)
    if (Number(row?.n) >= limit) continue
    if (path.kind === 'metadata') rare.add(path.key)
    if (path.kind === 'relation_key') rare.add(path.type)
  }
  return rare
}

/** Counts the records that have a key, or relations of a type, up to a maximum. */
function frequencyToSql(path: FilterPath, maxCount: number): Sql | undefined {
  const counting = (from: string, name: string) =>
    joined(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} = `, parameter(name), ' LIMIT ', parameter(maxCount), ')')
  if (path.kind === 'metadata') return counting('field_values WHERE key', path.key)
  if (path.kind === 'relation_key') return counting('relations WHERE type', path.type)
  return undefined
}

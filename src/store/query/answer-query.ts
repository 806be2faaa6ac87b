import type { Search } from '#domain/filter/filter.ts'
import { isEverything, mayHaveTypos, type SearchFilter, searchesIn, splitSearch } from '#domain/search/search.ts'
import { cutPage, maxPageBytes } from '../page-budget.ts'
import { toStored } from '../rows.ts'
import type { QueryResult, EntityQuery } from '../ports/queries.ts'
import { facetsToSql } from './facets-to-sql.ts'
import { listInOrder } from './list-in-order.ts'
import { planSearchWith } from './plan-search.ts'
import { maxSteps } from './search-plan.ts'
import { searchToSql } from './search-to-sql.ts'
import type { Row, Session } from './dialect.ts'
import { joined, parameter, type Sql, sql } from './sql.ts'
import { type Conditions, type PlannedSearches, whereOf } from './where.ts'

/**
 * Answers a query, in the order of relevance or any other. Its searches are planned first; the
 * position to go on from says which of them count typos.
 */
export async function answerQuery(session: Session, query: EntityQuery): Promise<QueryResult> {
  const { filter, order, from } = query
  const searches = searchesIn(filter).filter(each => each.search.words.length > 0)
  if (searches.length === 0) {
    const planned: PlannedSearches = new Map()
    return withFacets(session, query, planned, await listInOrder(session, query, planned))
  }
  const answer = async (modes: string): Promise<QueryResult> => {
    const planned = await planAll(session, searches, modes)
    const found = order.isByRelevance
      ? await listByRelevance(session, query, planned, modes)
      : await listInOrder(session, query, planned)
    return withFacets(session, query, planned, { ...found, isLoose: modes.includes('1') })
  }
  const given = order.isByRelevance ? from?.position.values[0] : undefined
  if (given != null) return answer(given)
  const split = order.isByRelevance && searches.length === 1 ? splitSearch(filter) : undefined
  if (split) {
    // Most searches find something without typos, and need not be tried first.
    const strict = await answer('0')
    if (strict.count > 0 || !mayHaveTypos(split.search.search)) return strict
    if (isEverything(split.rest)) return answer('1')
  }
  let modes = ''
  for (const { search } of searches)
    modes += !mayHaveTypos(search) || (await isFoundWithoutTypos(session, search, query)) ? '0' : '1'
  return answer(modes)
}

/** A page with the keys of all matches as JSON, so that facets need not search again. */
type FoundPage = QueryResult & { readonly hits?: string | undefined }

async function withFacets(
  session: Session,
  query: EntityQuery,
  planned: PlannedSearches,
  { hits, ...found }: FoundPage
): Promise<QueryResult> {
  const { filter, readableTypes, limits, facets } = query
  if (!facets) return found
  const count = () => countFacets(session, query, facets, planned, found.count, hits)
  // Whether a search counts typos is not part of the query.
  if (planned.size > 0) return { ...found, facets: await count() }
  const key = JSON.stringify([filter, readableTypes, limits, facets])
  const counted = session.counts.findFacets(key) ?? (await count())
  session.counts.addFacets(key, counted)
  return { ...found, facets: counted }
}

async function countFacets(
  session: Session,
  query: EntityQuery,
  { paths, limit }: NonNullable<EntityQuery['facets']>,
  searches: PlannedSearches,
  count: number,
  hits: string | undefined
): Promise<NonNullable<QueryResult['facets']>> {
  if (paths.length === 0) return []
  const { dialect, run } = session
  const countsOf = await dialect.facets.specialCounts(session, query, paths, count)
  const found =
    hits !== undefined
      ? sql(`SELECT value AS pk FROM ${dialect.listedNumbers} found`, hits)
      : query.order.isByRelevance
        ? hitsToSql(session, query, searches)
        : joined('SELECT e.pk FROM entities e WHERE ', whereOf(session, query, searches, false))
  const rows = await run(facetsToSql(dialect, found, paths, limit, query, countsOf))
  return paths.map((_, index) =>
    rows.filter(row => Number(row.facet) === index).map(row => ({ value: String(row.value), count: Number(row.n) }))
  )
}

/** Gathers all matches with their scores, and reads the best of them. */
async function listByRelevance(
  session: Session,
  query: EntityQuery,
  searches: PlannedSearches,
  modes: string
): Promise<FoundPage> {
  const { dialect, run } = session
  const { limit, skip, from } = query
  const backwards = from?.backwards === true
  const position = from?.position
  const direction = backwards ? 'DESC' : 'ASC'
  const after = position
    ? sql(
        `WHERE (score, pk) ${backwards ? '<' : '>'} (CAST(? AS BIGINT), CAST(? AS BIGINT))`,
        Number(position.values[1]),
        position.sequence
      )
    : ''
  const page = joined(
    'SELECT e.id, e.uuid, e.type, e.version, e.document, h.score, h.pk AS sequence FROM (SELECT pk, score FROM hits ',
    after,
    ` ORDER BY score ${direction}, pk ${direction} LIMIT `,
    parameter(limit === 0 ? 0 : limit + 1),
    ' OFFSET ',
    parameter(skip),
    `) h ${dialect.join} entities e ON e.pk = h.pk`
  )
  const collectHits = query.facets ? dialect.facets.collectHits : undefined
  const rows = await run(
    joined(
      'WITH hits AS MATERIALIZED (',
      hitsToSql(session, query, searches),
      `) SELECT (SELECT count(*) FROM hits) AS total, ${collectHits ?? 'NULL'} AS hits, page.*
        FROM (SELECT 1) one LEFT JOIN (`,
      dialect.withinBudget(page, 'document', `score ${direction}, sequence ${direction}`),
      `) page ON TRUE ORDER BY page.score ${direction}, page.sequence ${direction}`
    ),
    maxPageBytes
  )
  const found = rows.filter(row => row.id !== null)
  const { page: cut, hasMore } = cutPage(found, limit, row => String(row.document))
  if (backwards) cut.reverse()
  const place = (row: Row | undefined) => row && { values: [modes, String(row.score)], sequence: Number(row.sequence) }
  return {
    count: Number(rows[0]?.total),
    ...(collectHits ? { hits: String(rows[0]?.hits) } : {}),
    entities: cut.map(toStored),
    hasMore,
    first: place(cut[0]),
    last: place(cut.at(-1))
  }
}

async function planAll(session: Session, searches: readonly SearchFilter[], modes: string): Promise<PlannedSearches> {
  const maxSize = maxSteps(searches.length)
  const plan = async ({ search }: SearchFilter, index: number) =>
    [search, await planSearchWith(session, search, modes[index] === '1', maxSize)] as const
  return new Map(await Promise.all(searches.map(plan)))
}

async function isFoundWithoutTypos(session: Session, search: Search, query: EntityQuery): Promise<boolean> {
  const filter: SearchFilter = { kind: 'search', search }
  const hits = hitsToSql(session, { ...query, filter }, await planAll(session, [filter], '0'))
  return (await session.run(joined('SELECT 1 AS found FROM (', hits, ') hits LIMIT 1'))).length > 0
}

/** All matches, as `pk` and `score`. */
function hitsToSql(session: Session, query: Conditions, searches: PlannedSearches): Sql {
  const { dialect } = session
  const split = splitSearch(query.filter)
  const planned = split && searches.get(split.search.search)
  if (!planned) throw new Error('Only the matches of a search have a relevance')
  const found = searchToSql(planned, { dialect, readableTypes: query.readableTypes, limits: query.limits })
  if (isEverything(split.rest) && !query.readableTypes) return found
  const where = whereOf(session, { ...query, filter: split.rest }, searches, false)
  return joined('SELECT s.pk, s.score FROM (', found, `) s ${dialect.join} entities e ON e.pk = s.pk WHERE `, where)
}

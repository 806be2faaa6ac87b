import type { Model } from '#domain/record-types/model.ts'
import type { Search } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import { isEverything, mayHaveTypos, type SearchFilter, searchesIn, splitSearch } from '#domain/search/search.ts'
import { maxSteps, type PlannedSearch } from '../search-plan.ts'
import { cutPage, maxPageBytes } from '../page-budget.ts'
import type { Answer, Question, StoredEntity } from '../store.ts'
import { facetsToSql, frequencyToSql } from './facets-to-sql.ts'
import { filterToSql, typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { planSearchWith } from './search-planner.ts'
import { searchToSql } from './search-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

type Row = Record<string, unknown>
type All = (statement: Sql, maxBytes?: number) => Row[]

/** Searches with how they are carried out. */
export type PlannedSearches = ReadonlyMap<Search, PlannedSearch>

/**
 * Answers a question after its searches, if there are any, were planned: in the order of relevance
 * here, in any other order by `answerInOrder`. Which of the searches count slips is remembered in
 * the place to go on from.
 */
export function answerWithSearches(
  all: All,
  question: Question,
  model: Model,
  answerInOrder: (searches: PlannedSearches) => Answer,
  rememberFacets: (question: Question, work: () => Answer['facets']) => Answer['facets']
): Answer {
  const { filter, order, from, facets } = question
  const withFacets = ({ hits, ...found }: Answer & Partial<Found>, planned: PlannedSearches): Answer => {
    if (!facets) return found
    const counting = () => countFacets(all, question, facets, model, planned, { hits, count: found.count })
    // Whether a search counts slips is no part of the question.
    return { ...found, facets: planned.size === 0 ? rememberFacets(question, counting) : counting() }
  }
  const searches = searchesIn(filter).filter(each => each.search.words.length > 0)
  if (searches.length === 0) return withFacets(answerInOrder(new Map()), new Map())
  const answer = (modes: string): Answer => {
    const planned = planAll(all, searches, modes)
    const found = order.isByRelevance ? answerByRelevance(all, question, model, planned, modes) : answerInOrder(planned)
    return withFacets({ ...found, isLoose: modes.includes('1') }, planned)
  }
  const given = order.isByRelevance ? from?.position.values[0] : undefined
  if (given != null) return answer(given)
  const split = order.isByRelevance && searches.length === 1 ? splitSearch(filter) : undefined
  if (split) {
    // Most searches find something as they stand, and need not be tried first.
    const strict = answer('0')
    if (strict.count > 0 || !mayHaveTypos(split.search.search)) return strict
    if (isEverything(split.rest)) return answer('1')
  }
  let modes = ''
  for (const { search } of searches)
    modes += !mayHaveTypos(search) || isFoundAsItStands(all, search, question, model) ? '0' : '1'
  return answer(modes)
}

/** To fetch a record takes about as long as to look at so many in an index. */
const fetchCost = 8

function countFacets(
  all: All,
  question: Question,
  { paths, limit }: NonNullable<Question['facets']>,
  model: Model,
  searches: PlannedSearches,
  found: Found
): Answer['facets'] {
  if (paths.length === 0) return []
  const [last] = all(joined('SELECT max(pk) AS pk FROM entities'))
  const most = Number(last?.pk)
  const isAll = isEverything(question.filter) && !question.readableTypes
  const hits =
    found.hits === undefined
      ? joined('SELECT e.pk FROM entities e WHERE ', whereOf(question, model, searches, false))
      : joined('SELECT value AS pk FROM json_each(', parameter(found.hits), ')')
  const sizes = {
    isLarge: found.count * fetchCost > most,
    isEverything: isAll,
    rare: isAll ? rareNames(all, paths, Math.ceil(most / fetchCost)) : new Set<string>()
  }
  const rows = all(facetsToSql(hits, paths, limit, question, sizes))
  return paths.map((_, index) =>
    rows.filter(row => Number(row.facet) === index).map(row => ({ value: String(row.value), count: Number(row.n) }))
  )
}

/** Keys and relation types of these paths that fewer have than so many. */
function rareNames(all: All, paths: readonly FilterPath[], most: number): ReadonlySet<string> {
  const rare = new Set<string>()
  for (const path of paths) {
    const counting = frequencyToSql(path, most)
    if (!counting || Number(all(counting)[0]?.n) >= most) continue
    if (path.kind === 'metadata') rare.add(path.key)
    if (path.kind === 'relation_key') rare.add(path.type)
  }
  return rare
}

/** What a search found, so that nobody has to search again for its facets. */
interface Found {
  readonly count: number
  /** The places of all of it, as JSON. */
  readonly hits: string | undefined
}

/** Everything that matches is gathered with how well it fits, and the best of it read. */
function answerByRelevance(
  all: All,
  question: Question,
  model: Model,
  searches: PlannedSearches,
  modes: string
): Answer & Found {
  const { limit, skip, from, facets } = question
  const backwards = from?.backwards === true
  const position = from?.position
  const direction = backwards ? 'DESC' : 'ASC'
  const after = position
    ? joined(
        `WHERE (score, pk) ${backwards ? '<' : '>'} (`,
        parameter(Number(position.values[1])),
        ', ',
        parameter(position.sequence),
        ')'
      )
    : ''
  const rows = all(
    joined(
      'WITH hits AS MATERIALIZED (',
      hitsToSql(question, model, searches),
      `) SELECT (SELECT count(*) FROM hits) AS total,
        ${facets ? '(SELECT json_group_array(pk) FROM hits)' : 'NULL'} AS hits, page.* FROM (SELECT 1) LEFT JOIN (
        SELECT e.id, e.uuid, e.type, e.version, e.document, h.score, h.pk AS sequence FROM (SELECT pk, score FROM hits `,
      after,
      ` ORDER BY score ${direction}, pk ${direction} LIMIT `,
      parameter(limit === 0 ? 0 : limit + 1),
      ' OFFSET ',
      parameter(skip),
      `) h CROSS JOIN entities e ON e.pk = h.pk) page ON TRUE ORDER BY page.score ${direction}, page.sequence ${direction}`
    ),
    maxPageBytes
  )
  const found = rows.filter(row => row.id !== null)
  const { page, hasMore } = cutPage(found, limit, row => String(row.document))
  if (backwards) page.reverse()
  const place = (row: Row | undefined) => row && { values: [modes, String(row.score)], sequence: Number(row.sequence) }
  return {
    count: Number(rows[0]?.total),
    hits: facets ? String(rows[0]?.hits) : undefined,
    entities: page.map(toStored),
    hasMore,
    first: place(page[0]),
    last: place(page.at(-1))
  }
}

const toStored = (row: Row): StoredEntity => ({
  id: String(row.id),
  uuid: String(row.uuid),
  type: String(row.type),
  version: Number(row.version),
  json: String(row.document)
})

function planAll(all: All, searches: readonly SearchFilter[], modes: string): PlannedSearches {
  const most = maxSteps(searches.length)
  return new Map(searches.map(({ search }, index) => [search, planSearchWith(all, search, modes[index] === '1', most)]))
}

function isFoundAsItStands(all: All, search: Search, { readableTypes, limits }: Question, model: Model): boolean {
  const filter: SearchFilter = { kind: 'search', search }
  const hits = hitsToSql({ filter, readableTypes, ...(limits ? { limits } : {}) }, model, planAll(all, [filter], '0'))
  return all(joined('SELECT 1 AS found FROM (', hits, ') LIMIT 1')).length > 0
}

/** All that matches, as `pk` and `score`. */
function hitsToSql(
  { filter, readableTypes, limits }: Pick<Question, 'filter' | 'readableTypes' | 'limits'>,
  model: Model,
  searches: PlannedSearches
): Sql {
  const split = splitSearch(filter)
  const planned = split && searches.get(split.search.search)
  if (!planned) throw new Error('Relevance is of a search')
  const found = searchToSql(planned, { readableTypes, limits })
  if (isEverything(split.rest) && !readableTypes) return found
  const where = whereOf({ filter: split.rest, readableTypes, ...(limits ? { limits } : {}) }, model, searches, false)
  return joined('SELECT s.pk, s.score FROM (', found, ') s CROSS JOIN entities e ON e.pk = s.pk WHERE ', where)
}

/** The condition on `entities e` of what matches and may be read. */
export function whereOf(
  { filter, readableTypes, limits }: Pick<Question, 'filter' | 'readableTypes' | 'limits'>,
  model: Model,
  searches: PlannedSearches,
  isWalked: boolean
): Sql {
  const condition = filterToSql(filter, { model, readableTypes, limits, isWalked, searches })
  if (!readableTypes) return condition
  const readable = typesToSql(readableTypes, model)
  const limited = limitsToSql('e', limits)
  return {
    text: `${readable.text} AND ${limited.text} AND ${condition.text}`,
    parameters: [...readable.parameters, ...limited.parameters, ...condition.parameters]
  }
}

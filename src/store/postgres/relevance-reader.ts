import type { Model } from '#domain/record-types/model.ts'
import type { Search } from '#domain/filter/filter.ts'
import { isEverything, mayHaveTypos, type SearchFilter, searchesIn, splitSearch } from '#domain/search/search.ts'
import { maxSteps, type PlannedSearch } from '../search-plan.ts'
import { cutPage, maxPageBytes } from '../page-budget.ts'
import type { Answer, Question, StoredEntity } from '../store.ts'
import type { Row, Statement } from './connection.ts'
import { facetsToSql } from './facets-to-sql.ts'
import { filterToSql, typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { planSearchWith } from './search-planner.ts'
import { searchToSql } from './search-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

type All = (statement: Statement) => Promise<Row[]>

/** Searches with how they are carried out. */
export type PlannedSearches = ReadonlyMap<Search, PlannedSearch>

/**
 * Answers a question after its searches, if there are any, were planned: in the order of relevance
 * here, in any other order by `answerInOrder`. Which of the searches count slips is remembered in
 * the place to go on from.
 */
export async function answerWithSearches(
  all: All,
  question: Question,
  model: Model,
  answerInOrder: (searches: PlannedSearches) => Promise<Answer>
): Promise<Answer> {
  const { filter, order, from } = question
  const withFacets = async (found: Answer, planned: PlannedSearches): Promise<Answer> =>
    question.facets ? { ...found, facets: await countFacets(all, question, question.facets, model, planned) } : found
  const searches = searchesIn(filter).filter(each => each.search.words.length > 0)
  if (searches.length === 0) return withFacets(await answerInOrder(new Map()), new Map())
  const answer = async (modes: string): Promise<Answer> => {
    const planned = await planAll(all, searches, modes)
    const found = order.isByRelevance
      ? await answerByRelevance(all, question, model, planned, modes)
      : await answerInOrder(planned)
    return withFacets({ ...found, isLoose: modes.includes('1') }, planned)
  }
  const given = order.isByRelevance ? from?.position.values[0] : undefined
  if (given != null) return answer(given)
  const split = order.isByRelevance && searches.length === 1 ? splitSearch(filter) : undefined
  if (split) {
    // Most searches find something as they stand, and need not be tried first.
    const strict = await answer('0')
    if (strict.count > 0 || !mayHaveTypos(split.search.search)) return strict
    if (isEverything(split.rest)) return answer('1')
  }
  let modes = ''
  for (const { search } of searches)
    modes += !mayHaveTypos(search) || (await isFoundAsItStands(all, search, question, model)) ? '0' : '1'
  return answer(modes)
}

async function countFacets(
  all: All,
  question: Question,
  { paths, limit }: NonNullable<Question['facets']>,
  model: Model,
  searches: PlannedSearches
): Promise<Answer['facets']> {
  if (paths.length === 0) return []
  const hits = question.order.isByRelevance
    ? hitsToSql(question, model, searches)
    : joined('SELECT e.pk FROM entities e WHERE ', whereOf(question, model, searches, false))
  const rows = await all(facetsToSql(hits, paths, limit, question))
  return paths.map((_, index) =>
    rows.filter(row => Number(row.facet) === index).map(row => ({ value: String(row.value), count: Number(row.n) }))
  )
}

/** Everything that matches is gathered with how well it fits, and the best of it read. */
async function answerByRelevance(
  all: All,
  question: Question,
  model: Model,
  searches: PlannedSearches,
  modes: string
): Promise<Answer> {
  const { limit, skip, from } = question
  const backwards = from?.backwards === true
  const position = from?.position
  const direction = backwards ? 'DESC' : 'ASC'
  const after = position
    ? joined(
        `WHERE (score, pk) ${backwards ? '<' : '>'} (`,
        parameter(Number(position.values[1])),
        '::bigint, ',
        parameter(position.sequence),
        '::bigint)'
      )
    : ''
  const rows = await all(
    joined(
      'WITH hits AS MATERIALIZED (',
      hitsToSql(question, model, searches),
      `) SELECT (SELECT count(*) FROM hits) AS total, page.* FROM (SELECT 1) one LEFT JOIN (
        SELECT * FROM (SELECT e.id, e.uuid, e.type, e.version, e.document, h.score, h.pk AS sequence,
          sum(octet_length(e.document)) OVER (ORDER BY h.score ${direction}, h.pk ${direction}) - octet_length(e.document) AS bytes_before
          FROM (SELECT pk, score FROM hits `,
      after,
      ` ORDER BY score ${direction}, pk ${direction} LIMIT `,
      parameter(limit === 0 ? 0 : limit + 1),
      ' OFFSET ',
      parameter(skip),
      `) h JOIN entities e ON e.pk = h.pk) read WHERE bytes_before <= ${maxPageBytes}) page ON TRUE ORDER BY page.score ${direction}, page.sequence ${direction}`
    )
  )
  const found = rows.filter(row => row.id !== null)
  const { page, hasMore } = cutPage(found, limit, row => String(row.document))
  if (backwards) page.reverse()
  const place = (row: Row | undefined) => row && { values: [modes, String(row.score)], sequence: Number(row.sequence) }
  return {
    count: Number(rows[0]?.total),
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

async function planAll(all: All, searches: readonly SearchFilter[], modes: string): Promise<PlannedSearches> {
  const planned = searches.map(
    async ({ search }, index) =>
      [search, await planSearchWith(all, search, modes[index] === '1', maxSteps(searches.length))] as const
  )
  return new Map(await Promise.all(planned))
}

async function isFoundAsItStands(
  all: All,
  search: Search,
  { readableTypes, limits }: Question,
  model: Model
): Promise<boolean> {
  const filter: SearchFilter = { kind: 'search', search }
  const hits = hitsToSql(
    { filter, readableTypes, ...(limits ? { limits } : {}) },
    model,
    await planAll(all, [filter], '0')
  )
  return (await all(joined('SELECT 1 AS found FROM (', hits, ') hits LIMIT 1'))).length > 0
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
  return joined('SELECT s.pk, s.score FROM (', found, ') s JOIN entities e ON e.pk = s.pk WHERE ', where)
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

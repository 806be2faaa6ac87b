import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { Filter } from '#domain/filter/filter.ts'
import { readRegularExpression, regularExpressionTest } from '#domain/filter/regular-expression.ts'
import { foldText } from '#domain/values/fold.ts'
import { memoize } from '#domain/memoize.ts'
import type { Model } from '#domain/record-types/model.ts'
import { wordText } from '#domain/search/word-text.ts'
import { stoppedAfter, tooSlow } from '../deadline.ts'
import { cutPage, lengthOf, maxPageBytes } from '../page-budget.ts'
import type {
  Answer,
  GrowthCount,
  GrowthQuery,
  Position,
  Question,
  ReferenceAnswer,
  ReferenceQuery,
  StoredEntity,
  SuggestionQuery,
  Term,
  TermQuery
} from '../store.ts'
import { toGrowthCount } from '../rows.ts'
import { typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { Sql } from './sql.ts'
import { growthToSql } from './growth-reader.ts'
import { createHarvestReader, type HarvestReader } from './harvest-reader.ts'
import { createHistoryReader, type HistoryReader } from './history-reader.ts'
import { answerWithSearches, type PlannedSearches, whereOf } from './relevance-reader.ts'
import { findSuggestions } from './suggestion-reader.ts'
import { termsToSql, toTerm } from './term-reader.ts'
import { orderToSql, type OrderedRow, type OrderSql, type Way } from './order-to-sql.ts'

export interface Reader extends HistoryReader, HarvestReader {
  ask(question: Question): Answer
  suggest(question: SuggestionQuery): readonly StoredEntity[]
  findReferences(question: ReferenceQuery): ReferenceAnswer
  listTerms(question: TermQuery): Term[]
  countGrowth(question: GrowthQuery): GrowthCount[]
}

export interface QueryTime {
  readonly deadline: number
  /** How long the query has waited. */
  readonly waited: number
}

/**
 * Runs queries on one read-only connection. A query that passes its deadline is stopped; `time`
 * tells of the current one.
 */
export function createReader(db: DatabaseSync, model: Model, time: () => QueryTime): Reader {
  const statements = new Map<string, StatementSync>()
  let stopAt = Number.POSITIVE_INFINITY

  // node:sqlite cannot interrupt a statement; a function inside it that throws can.
  db.function('within_deadline', () => {
    if (performance.now() > stopAt) throw new QueryTooSlow()
    return 1
  })
  db.function('fold', { deterministic: true }, text => foldText(String(text)))
  db.function('word_text', { deterministic: true }, text => wordText(String(text)))
  const regexTest = memoize(20, regexTestOf)
  db.function('meets_regex', { deterministic: true }, (source, isFolded, text) =>
    regexTest(`${isFolded}${source}`)(String(text)) ? 1 : 0
  )

  /**
   * The same shape of question has the same text, so statements are worth keeping; the bound keeps
   * odd ones from piling up.
   */
  const prepare = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= 200) statements.clear()
    const statement = db.prepare(text)
    statements.set(text, statement)
    return statement
  }
  const all = (statement: Sql, maxBytes?: number) => {
    // A question may take many statements, each of them too short to look at the deadline.
    if (performance.now() > stopAt) throw new QueryTooSlow()
    const prepared = prepare(statement.text)
    if (maxBytes === undefined) return prepared.all(...statement.parameters)
    // Ends with the row that passes the budget: it tells that there is more.
    const rows: ReturnType<StatementSync['all']> = []
    let bytes = 0
    try {
      for (const row of prepared.iterate(...statement.parameters)) {
        rows.push(row)
        bytes += lengthOf((row.document ?? row.json ?? null) as string | null)
        if (bytes > maxBytes) break
      }
    } catch (error) {
      // node:sqlite leaves a statement that failed here as it is: it would fail once more when it
      // is used again.
      statements.delete(statement.text)
      throw error
    }
    return rows
  }

  /**
   * What was counted, as long as nothing is written: whoever turns pages, or comes to the start
   * page, asks for the same again and again.
   */
  const counts = new Map<string, number>()
  const facets = new Map<string, Answer['facets']>()
  let countedVersion: unknown

  const remember = <T>(known: Map<string, T>, most: number, key: string, work: () => T): T => {
    // Inside the transaction, so this is the version of what is counted.
    const version = prepare('PRAGMA data_version').get()?.data_version
    if (version !== countedVersion) {
      counts.clear()
      facets.clear()
    }
    countedVersion = version
    const found = known.get(key)
    if (found !== undefined) return found
    const counted = work()
    if (known.size >= most) known.clear()
    if (key.length <= longestKey) known.set(key, counted)
    return counted
  }

  const count = ({ text, set, parameters }: Sql): number => {
    const from = set === undefined ? `entities e WHERE ${text}` : `(SELECT DISTINCT +pk FROM (${set}))`
    return remember(counts, mostCounts, JSON.stringify([from, parameters]), () =>
      Number(all({ text: `SELECT count(*) AS n FROM ${from}`, parameters })[0]?.n)
    )
  }

  const rememberFacets = (asked: Question, work: () => Answer['facets']) => {
    const { filter, readableTypes, limits, facets: paths } = asked
    return remember(facets, maxFacets, JSON.stringify([filter, readableTypes, limits, paths]), work)
  }

  /** Of what matches so much, or so little, of all there is. */
  const wayFor = (matches: number): Way => {
    const [last] = all({ text: 'SELECT max(pk) AS pk FROM entities', parameters: [] })
    return matches * largeShare > Number(last?.pk) ? 'walk' : 'gather'
  }

  const readPart = (part: OrderSql, where: Sql, limit: number, skip: number, maxBytes = maxPageBytes): OrderedRow[] =>
    all(
      {
        text: `SELECT e.id, e.uuid, e.type, e.version, e.document, ${part.columns} FROM ${part.from}
        WHERE ${part.where.text} AND ${where.text} ORDER BY ${part.orderBy} LIMIT ? OFFSET ?`,
        parameters: [...part.parameters, ...part.where.parameters, ...where.parameters, limit, skip]
      },
      maxBytes
    ) as unknown as OrderedRow[]

  const readInTurn = (
    parts: readonly OrderSql[],
    where: Sql,
    wanted: number,
    skipped: number,
    total: number | undefined
  ) => {
    const rows: OrderedRow[] = []
    let skip = skipped
    let bytes = 0
    for (const part of parts) {
      if (rows.length >= wanted || rows.length === total || bytes > maxPageBytes) break
      const found = readPart(part, where, wanted - rows.length, skip, maxPageBytes - bytes)
      rows.push(...found)
      for (const { document } of found) bytes += lengthOf(document)
      // What is skipped in a part that is used up does not have to be skipped in the next.
      if (parts.length > 1 && found.length === 0 && skip > 0) skip -= Math.min(skip, countPart(part, where))
      else if (found.length > 0) skip = 0
    }
    return rows
  }

  const readMerged = (parts: readonly OrderSql[], where: Sql, wanted: number, isAscending: boolean) => {
    const rows = parts.flatMap(part => readPart(part, where, wanted, 0))
    rows.sort((one, other) => (isAscending ? one.sequence - other.sequence : other.sequence - one.sequence))
    return rows.slice(0, wanted)
  }

  const withDeadline = <T>(work: () => T): T => {
    const { deadline, waited } = time()
    stopAt = performance.now() + stoppedAfter(deadline) - waited
    // One transaction, so that the count and the page are of the same moment.
    db.exec('BEGIN')
    try {
      return work()
    } catch (cause) {
      if (!(cause instanceof QueryTooSlow) && performance.now() <= stopAt) throw cause
      throw tooSlow(deadline, waited, cause)
    } finally {
      stopAt = Number.POSITIVE_INFINITY
      if (db.isTransaction) db.exec('COMMIT')
    }
  }

  const history = createHistoryReader(all)
  const harvesting = createHarvestReader(all, model)

  return {
    findHistory: (...asked) => withDeadline(() => history.findHistory(...asked)),
    findVersion: (...asked) => withDeadline(() => history.findVersion(...asked)),
    findVersionByUuid: (...asked) => withDeadline(() => history.findVersionByUuid(...asked)),
    identifyDeleted: (...asked) => withDeadline(() => history.identifyDeleted(...asked)),
    findMergesOf: (...asked) => withDeadline(() => history.findMergesOf(...asked)),
    sequenceAt: (...asked) => withDeadline(() => history.sequenceAt(...asked)),
    findEntitiesAt: (...asked) => withDeadline(() => history.findEntitiesAt(...asked)),
    namesMergedInto: (...asked) => withDeadline(() => history.namesMergedInto(...asked)),
    readChanges: (...asked) => withDeadline(() => history.readChanges(...asked)),
    harvest: (...asked) => withDeadline(() => harvesting.harvest(...asked)),
    findHarvested: (...asked) => withDeadline(() => harvesting.findHarvested(...asked)),
    harvestState: () => withDeadline(() => harvesting.harvestState()),
    listTerms: question => withDeadline(() => all(termsToSql(question)).map(toTerm)),
    countGrowth: question => withDeadline(() => all(growthToSql(question)).map(toGrowthCount)),

    ask: question =>
      withDeadline(() =>
        answerWithSearches(all, question, model, searches => answerInOrder(question, searches), rememberFacets)
      ),

    suggest: question => withDeadline(() => findSuggestions(all, question, model)),

    findReferences: question =>
      withDeadline(() => {
        const types = question.readableTypes ? typesToSql(question.readableTypes, model) : { text: '1', parameters: [] }
        const limited = limitsToSql('e', question.limits)
        // A cross join begins with the relations: else, for whoever may read some types only, it
        // began with all entities of those types.
        const from = `FROM relations r CROSS JOIN entities e ON e.pk = r.entity_pk
          WHERE r.target IN (SELECT ti.identifier FROM identifiers ti WHERE ti.entity_pk =
            (SELECT i.entity_pk FROM identifiers i WHERE i.identifier = ?))
          AND (? = '' OR r.type IN (SELECT value FROM json_each(?))) AND ${types.text} AND ${limited.text}`
        const wanted = question.relationTypes ? JSON.stringify(question.relationTypes) : ''
        const parameters = [
          question.id,
          wanted,
          wanted === '' ? '[]' : wanted,
          ...types.parameters,
          ...limited.parameters
        ]
        const counts = all({ text: `SELECT r.type, count(*) AS n ${from} GROUP BY r.type ORDER BY r.type`, parameters })
        const rows = all({
          text: `SELECT e.id, e.type, r.type AS relationType ${from} ORDER BY e.pk, r.position LIMIT ? OFFSET ?`,
          parameters: [...parameters, question.limit, question.skip]
        })
        return {
          count: counts.reduce((sum, row) => sum + Number(row.n), 0),
          countByType: Object.fromEntries(counts.map(row => [String(row.type), Number(row.n)])),
          references: rows.map(row => ({
            id: String(row.id),
            type: String(row.type),
            relationType: String(row.relationType)
          }))
        }
      })
  }

  function answerInOrder(question: Question, searches: PlannedSearches): Answer {
    const matching = whereOf(question, model, searches, false)
    const backwards = question.from?.backwards === true
    // One more than asked for tells whether there is a next page.
    const wanted = question.limit === 0 ? 0 : question.limit + 1
    const total = wanted > 0 && question.counted && isCountedFirst(question) ? count(matching) : undefined
    const way = total === undefined ? undefined : wayFor(total)
    const isByCreation = question.order.items[0]?.by === 'created'
    const where = way === 'walk' && isByCreation ? whereOf(question, model, searches, true) : matching
    const parts = orderToSql(question.order, question.from, way)
    const isAscending = question.order.ascending !== backwards
    const rows = parts[0]?.isMerged
      ? readMerged(parts, where, wanted, isAscending)
      : readInTurn(parts, where, wanted, question.skip, total)
    const { page, hasMore } = cutPage(rows, question.limit, row => row.document)
    if (backwards) page.reverse()
    const isWhole = !hasMore && question.limit > 0 && question.skip === 0 && !question.from
    return {
      count: !question.counted ? 0 : (total ?? (isWhole ? page.length : count(matching))),
      entities: page.map(toStored),
      hasMore,
      first: toPosition(page[0]),
      last: toPosition(page.at(-1))
    }
  }

  function countPart(part: OrderSql, where: Sql): number {
    const [row] = all({
      text: `SELECT count(*) AS n FROM ${part.from} WHERE ${part.where.text} AND ${where.text}`,
      parameters: [...part.parameters, ...part.where.parameters, ...where.parameters]
    })
    return Number(row?.n)
  }
}

const mostCounts = 1000
const maxFacets = 50
const longestKey = 4000

/**
 * A filter that leaves at least one in so many is met often enough along the way through an order.
 */
const largeShare = 20

/**
 * Whether to count before reading the page, so that the count can tell how to find it. Worth it for
 * an order by a key, and where a time of change is asked for: what changed last may stand anywhere
 * in an order. Any other filter is a set of keys, which has the order of creation already.
 */
function isCountedFirst({ order, filter }: Question): boolean {
  const [only] = order.items
  return order.items.length === 1 && (only?.by === 'metadata' || asksForChange(filter))
}

function asksForChange(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return filter.of.some(asksForChange)
    case 'not':
      return asksForChange(filter.of)
    case 'field':
      return filter.path.kind === 'updated_at'
    default:
      return false
  }
}

class QueryTooSlow extends Error {}

function toStored(row: OrderedRow): StoredEntity {
  return { id: row.id, uuid: row.uuid, type: row.type, version: row.version, json: row.document }
}

function toPosition(row: OrderedRow | undefined): Position | undefined {
  return row && { values: JSON.parse(row.sort_values) as (string | null)[], sequence: row.sequence }
}

/** The test of an expression, which 1 or 0 stands before: whether texts are folded. */
const regexTestOf = (marked: string) =>
  regularExpressionTest(readRegularExpression(marked.slice(1), marked.startsWith('1') ? foldText : undefined))

import type { Filter } from '#domain/filter/filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import { inTime, noTurn, stoppedAfter, tooSlow } from '../deadline.ts'
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
import { isStopped, isStorable, type Link, type Row, type Statement, storableList, translate } from './connection.ts'
import { toGrowthCount } from '../rows.ts'
import { typesToSql } from './filter-to-sql.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { Sql } from './sql.ts'
import { growthToSql } from './growth-reader.ts'
import { createHarvestReader, type HarvestReader } from './harvest-reader.ts'
import { createHistoryReader, type HistoryReader } from './history-reader.ts'
import { answerWithSearches, type PlannedSearches, whereOf } from './relevance-reader.ts'
import { findSuggestions } from './suggestion-reader.ts'
import { gatheredColumns, orderToSql, type OrderedRow, type OrderSql, type Way } from './order-to-sql.ts'
import { type Leased, NoConnection } from './pool.ts'
import { termsToSql, toTerm } from './term-reader.ts'

export interface Reader extends HistoryReader, HarvestReader {
  ask(question: Question): Promise<Answer>
  suggest(question: SuggestionQuery): Promise<readonly StoredEntity[]>
  findReferences(question: ReferenceQuery): Promise<ReferenceAnswer>
  listTerms(question: TermQuery): Promise<Term[]>
  countGrowth(question: GrowthQuery): Promise<GrowthCount[]>
}

/**
 * Counts by their statement and parameters, as long as nothing is written: whoever turns pages asks
 * for the same one again and again.
 */
interface CountBook {
  change: number
  readonly counts: Map<string, number>
}

/** What else a server has to keep to that others can stand in for. */
export interface ReplicaLimits {
  /**
   * Asked with the last change that this server knows of; a question to a server that is behind is
   * not answered (`StaleReplica`).
   */
  readonly isFresh?: (change: number) => boolean
  /** How long one of its connections is waited for, of a deadline; both in milliseconds. */
  readonly longestTurn?: (deadline: number) => number
}

/**
 * Answers questions, each in one transaction that sees one moment, so that the count and the page
 * agree. The server stops a statement that passes the deadline.
 */
export function createReader(
  connections: Leased,
  model: Model,
  currentDeadline: () => number,
  { isFresh = () => true, longestTurn = stoppedAfter }: ReplicaLimits = {}
): Reader {
  const book: CountBook = { change: -1, counts: new Map() }

  /**
   * Answers or refuses before the deadline, counted from now: what is waited for a connection is
   * part of it.
   */
  const inTurn = <T>(work: (link: Link, time: Time) => Promise<T>): Promise<T> => {
    const queryDeadline = currentDeadline()
    const askedAt = performance.now()
    const stopAt = askedAt + stoppedAfter(queryDeadline)
    let begunAt: number | undefined
    const refusal = (cause?: unknown) =>
      begunAt === undefined ? noTurn(queryDeadline, cause) : tooSlow(queryDeadline, begunAt - askedAt, cause)
    const left = () => {
      const milliseconds = Math.ceil(stopAt - performance.now())
      if (milliseconds <= 0) throw refusal()
      return milliseconds
    }
    const begin = (link: Link) => {
      left()
      begunAt = performance.now()
      return work(link, { left })
    }
    // The server keeps the deadline; should it be silent for much longer, it is not there.
    const limits = { until: askedAt + longestTurn(queryDeadline), patience: queryDeadline + 1000 }
    const answer = connections.use(begin, limits).catch(error => {
      const isOver = isStopped(error) || (error instanceof NoConnection && performance.now() >= stopAt)
      throw isOver ? refusal(error) : translate(error)
    })
    return inTime(answer, queryDeadline, refusal)
  }

  const within = <T>(work: Work<T>, beginning: string = asAlways): Promise<T> =>
    inTurn((link, time) => inTransaction(link, time, beginning, work))

  const inTransaction = async <T>(link: Link, { left }: Time, beginning: string, work: Work<T>): Promise<T> => {
    const whole = String(left())
    const all = async ({ text, parameters }: Statement): Promise<Row[]> => {
      // A question may take many statements, each of them too short for the server to stop.
      left()
      // Sent with the statement itself, so it costs no time of its own.
      const [, rows] = await Promise.all([link.run(timeLeft, [whole]), link.run(text, parameters)])
      return rows
    }
    const [, [numbers]] = await Promise.all([
      link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
      link.run(beginning)
    ])
    try {
      const change = Number(numbers?.change)
      if (!isFresh(change)) throw new StaleReplica()
      const result = await work(all, { change, entity: Number(numbers?.entity) })
      await link.run('COMMIT')
      return result
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
  }

  /**
   * A statement that sees one moment by itself. Everything is sent at once, so it is one journey to
   * the server, not three.
   */
  const alone = ({ text, parameters }: Statement): Promise<Row[]> =>
    inTurn(async (link, { left }) => {
      const timeout = String(left())
      const sent = [
        link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
        link.run(`SELECT set_config('statement_timeout', ?, TRUE)`, [timeout]),
        link.run(text, parameters),
        link.run('COMMIT')
      ]
      // Whatever failed, the connection is given back when everything was answered.
      await Promise.allSettled(sent)
      return (await Promise.all(sent))[2] ?? []
    })
  const history = createHistoryReader(alone)

  const withHistory = <Name extends keyof HistoryReader>(name: Name) =>
    ((...asked: never[]) =>
      within(all => {
        const method = createHistoryReader(all)[name] as (...asked: never[]) => Promise<unknown>
        return method(...asked)
      })) as HistoryReader[Name]

  return {
    findHistory: withHistory('findHistory'),
    readChanges: withHistory('readChanges'),
    harvest: question => within(all => createHarvestReader(all, model).harvest(question), plannedAnew),
    findHarvested: (...asked) => within(all => createHarvestReader(all, model).findHarvested(...asked), plannedAnew),
    harvestState: () => within(all => createHarvestReader(all, model).harvestState()),
    listTerms: async question =>
      isStorable(question.from) ? (await within(all => all(termsToSql(question)), plannedAnew)).map(toTerm) : [],
    countGrowth: async question => (await within(all => all(growthToSql(question)), plannedAnew)).map(toGrowthCount),
    // A version never changes, and what these ask for is found by one statement, or by one that
    // leads to the next.
    findVersion: history.findVersion,
    findVersionByUuid: history.findVersionByUuid,
    identifyDeleted: history.identifyDeleted,
    findMergesOf: history.findMergesOf,
    sequenceAt: history.sequenceAt,
    findEntitiesAt: history.findEntitiesAt,
    namesMergedInto: history.namesMergedInto,

    ask: question =>
      within(
        (all, last) =>
          answerWithSearches(all, question, model, searches =>
            answer(createSearch(all, book, last, question), question, model, searches)
          ),
        plannedAnew
      ),

    suggest: question => within(all => findSuggestions(all, question, model), plannedAnew),

    findReferences: question =>
      within(async all => {
        if (!isStorable(question.id)) return { count: 0, countByType: {}, references: [] }
        // Entities are only looked at where their type decides, and for the page itself. A sum
        // keeps the server from walking all relations in order.
        const types = question.readableTypes
          ? typesToSql(question.readableTypes, model)
          : { text: 'TRUE', parameters: [] }
        const limited = limitsToSql('e', question.limits)
        const from = `FROM relations r ${question.readableTypes ? 'JOIN entities e ON e.pk = r.entity_pk' : ''}
          WHERE r.target = ANY (ARRAY(SELECT ti.identifier FROM identifiers ti WHERE ti.entity_pk =
            (SELECT i.entity_pk FROM identifiers i WHERE i.identifier = ?)))
          AND (? = '' OR r.type = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))) AND ${types.text} AND ${limited.text}`
        const wanted = question.relationTypes ? storableList(question.relationTypes) : ''
        const parameters = [
          question.id,
          wanted,
          wanted === '' ? '[]' : wanted,
          ...types.parameters,
          ...limited.parameters
        ]
        const [counts, rows] = await Promise.all([
          all({ text: `SELECT r.type, count(*) AS n ${from} GROUP BY r.type ORDER BY r.type`, parameters }),
          all({
            text: `SELECT e.id, e.type, page.type AS relation_type FROM (
                SELECT r.entity_pk, r.position, r.type ${from} ORDER BY r.entity_pk + 0, r.position LIMIT ? OFFSET ?
              ) page JOIN entities e ON e.pk = page.entity_pk ORDER BY page.entity_pk, page.position`,
            parameters: [...parameters, question.limit, question.skip]
          })
        ])
        return {
          count: counts.reduce((sum, row) => sum + Number(row.n), 0),
          countByType: Object.fromEntries(counts.map(row => [String(row.type), Number(row.n)])),
          references: rows.map(row => ({
            id: String(row.id),
            type: String(row.type),
            relationType: String(row.relation_type)
          }))
        }
      }, plannedAnew)
  }
}

/** The time of one question. */
interface Time {
  /** How much of it is left, in whole milliseconds; throws when there is none. */
  left(): number
}

/**
 * Gives a statement what is left of the time of its transaction when its turn comes, which the
 * server knows: several may be sent at once.
 */
const timeLeft = `SELECT set_config('statement_timeout',
  greatest(1, ceil(?::text::numeric - 1000 * extract(epoch FROM clock_timestamp() - transaction_timestamp())))::bigint::text, TRUE)`

/** What one transaction does, given the numbers that its moment knew. */
type Work<T> = (all: (statement: Statement) => Promise<Row[]>, last: LastNumbers) => Promise<T>

interface LastNumbers {
  readonly change: number
  readonly entity: number
}

const asAlways = 'SELECT change, entity FROM counters'
/**
 * A statement that was used some times gets one plan for whatever it is given. How best to search
 * depends on what for: among 100,000 manifestations a text of two letters took 0.4 s, and 2.2 s
 * with such a plan.
 */
const plannedAnew = `SELECT change, entity, set_config('plan_cache_mode', 'force_custom_plan', TRUE) FROM counters`

/** A replica that has not yet heard of everything that the asker may know of. */
export class StaleReplica extends Error {}

/** The statements of one question. */
interface Search {
  /** Of what was counted before, as long as nothing is written. */
  knownCount(matching: Sql): number | undefined
  count(matching: Sql): Promise<number>
  noteCount(matching: Sql, count: number): void
  /** Of what matches so much, or so little, of all there is. */
  wayFor(matches: number): Way
  readInTurn(parts: readonly OrderSql[], where: Sql, way: Way, total: number | undefined): Promise<FoundRow[]>
  readMerged(parts: readonly OrderSql[], where: Sql, way: Way): Promise<FoundRow[]>
}

interface FoundRow extends OrderedRow {
  /** How many match, where all of them were gathered. */
  readonly total: number | null
}

function createSearch(
  all: (statement: Statement) => Promise<Row[]>,
  book: CountBook,
  { change, entity }: LastNumbers,
  { order, limit, skip, from }: Question
): Search {
  // One more than asked for tells whether there is a next page.
  const wanted = limit === 0 ? 0 : limit + 1

  /** Everything that matches, as the table `found`; or what follows is asked of all entities. */
  const gathered = (where: Sql, way: Way) =>
    way === 'gather'
      ? {
          before: `WITH found AS MATERIALIZED (SELECT ${gatheredColumns(order)} FROM entities e WHERE ${where.text})`,
          beforeParameters: where.parameters,
          condition: 'TRUE',
          parameters: [],
          total: '(SELECT count(*) FROM found)'
        }
      : { before: '', beforeParameters: [], condition: where.text, parameters: where.parameters, total: 'NULL' }

  /**
   * Documents are fetched last, and only those of the page: what is sorted, and passed over, is
   * narrow.
   */
  const readPart = async (part: OrderSql, where: Sql, way: Way, most: number, skipped: number) => {
    const { before, beforeParameters, condition, parameters, total } = gathered(where, way)
    return (await all({
      text: `${before} SELECT * FROM (
        SELECT e.id, e.uuid, e.type, e.version, e.document, page.sort_values, page.sequence, page.place, ${total} AS total,
          sum(octet_length(e.document)) OVER (ORDER BY page.place) - octet_length(e.document) AS bytes_before FROM (
          SELECT place.*, row_number() OVER () AS place FROM (
            SELECT e.pk, ${part.columns} FROM ${part.from}
            WHERE ${part.where.text} AND ${condition} ORDER BY ${part.orderBy} LIMIT ? OFFSET ?
          ) place
        ) page JOIN entities e ON e.pk = page.pk
        ) read WHERE bytes_before <= ${maxPageBytes} ORDER BY place`,
      parameters: [...beforeParameters, ...part.parameters, ...part.where.parameters, ...parameters, most, skipped]
    })) as unknown as FoundRow[]
  }

  const countPart = async (part: OrderSql, where: Sql, way: Way): Promise<number> => {
    const { before, beforeParameters, condition, parameters } = gathered(where, way)
    const [row] = await all({
      text: `${before} SELECT count(*) AS n FROM ${part.from} WHERE ${part.where.text} AND ${condition}`,
      parameters: [...beforeParameters, ...part.parameters, ...part.where.parameters, ...parameters]
    })
    return Number(row?.n)
  }

  const tableOf = ({ text, set }: Sql) =>
    set === undefined ? `entities e WHERE ${text}` : `(SELECT DISTINCT pk FROM (${set}) matching) found`
  const keyOf = (matching: Sql) => JSON.stringify([tableOf(matching), matching.parameters])

  const knownCount = (matching: Sql) => {
    if (change > book.change || book.counts.size >= mostCounts) book.counts.clear()
    book.change = Math.max(change, book.change)
    return change === book.change ? book.counts.get(keyOf(matching)) : undefined
  }
  const noteCount = (matching: Sql, count: number) => {
    const key = keyOf(matching)
    if (key.length <= longestCountKey && change === book.change) book.counts.set(key, count)
  }

  return {
    knownCount,
    noteCount,
    async count(matching) {
      const known = knownCount(matching)
      if (known !== undefined) return known
      const [row] = await all({
        text: `SELECT count(*) AS n FROM ${tableOf(matching)}`,
        parameters: matching.parameters
      })
      const counted = Number(row?.n)
      noteCount(matching, counted)
      return counted
    },

    wayFor: matches => (matches * largeShare > entity ? 'walk' : 'gather'),

    async readInTurn(parts, where, way, total) {
      const rows: FoundRow[] = []
      let left = skip
      let bytes = 0
      for (const part of parts) {
        if (rows.length >= wanted || rows.length === total || bytes > maxPageBytes) break
        const found = await readPart(part, where, way, wanted - rows.length, left)
        rows.push(...found)
        for (const { document } of found) bytes += lengthOf(document)
        // What is skipped in a part that is used up does not have to be skipped in the next.
        if (parts.length > 1 && found.length === 0 && left > 0)
          left -= Math.min(left, await countPart(part, where, way))
        else if (found.length > 0) left = 0
      }
      return rows
    },

    async readMerged(parts, where, way) {
      const isAscending = order.ascending !== (from?.backwards === true)
      const rows = (await Promise.all(parts.map(part => readPart(part, where, way, wanted, 0)))).flat()
      rows.sort((one, other) => (isAscending ? one.sequence - other.sequence : other.sequence - one.sequence))
      return rows.slice(0, wanted)
    }
  }
}

async function answer(search: Search, question: Question, model: Model, searches: PlannedSearches): Promise<Answer> {
  const matching = whereOf(question, model, searches, false)
  const total =
    question.limit > 0 && question.counted && isCountedFirst(question)
      ? await search.count(matching)
      : search.knownCount(matching)
  const way = wayOf(search, question, total)
  const isByCreation = question.order.items[0]?.by === 'created'
  const where = way === 'walk' && isByCreation ? whereOf(question, model, searches, true) : matching
  const parts = orderToSql(question.order, question.from, way)
  const rows = parts[0]?.isMerged
    ? await search.readMerged(parts, where, way)
    : await search.readInTurn(parts, where, way, total)
  const gathered = rows[0]?.total ?? undefined
  if (gathered !== undefined) search.noteCount(matching, gathered)
  const { page, hasMore } = cutPage(rows, question.limit, row => row.document)
  if (question.from?.backwards) page.reverse()
  const isWhole = !hasMore && question.limit > 0 && question.skip === 0 && !question.from
  return {
    count: !question.counted ? 0 : (total ?? gathered ?? (isWhole ? page.length : await search.count(matching))),
    entities: page.map(toStored),
    hasMore,
    first: toPosition(page[0]),
    last: toPosition(page.at(-1))
  }
}

/**
 * Sets of keys are gathered, unless they are known to be large: left to itself the server would
 * often walk an order in the hope of meeting the few that match. The same is done with a type of
 * which there are few.
 */
function wayOf(search: Search, { order, filter }: Question, total: number | undefined): Way {
  if (order.items.length > 1) return isSearch(filter) ? 'gather' : undefined
  if (total !== undefined) return search.wayFor(total)
  return isSearch(filter) ? 'gather' : undefined
}

/** Whether a filter asks for more than types, of which an index has those of each in order. */
function isSearch(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.some(isSearch)
    case 'types':
      return false
    case 'field':
      return filter.path.kind !== 'type' || filter.test.kind !== 'equals'
    default:
      return true
  }
}

const mostCounts = 1000
const longestCountKey = 4000

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

function toStored(row: OrderedRow): StoredEntity {
  return { id: row.id, uuid: row.uuid, type: row.type, version: row.version, json: row.document }
}

function toPosition(row: OrderedRow | undefined): Position | undefined {
  return row && { values: JSON.parse(row.sort_values) as (string | null)[], sequence: row.sequence }
}

import { CatalogueError } from '#domain/errors.ts'
import type { Filter } from '#domain/filter.ts'
import type { Model } from '#domain/model.ts'
import type { Answer, Position, Question, ReferenceAnswer, ReferenceQuestion, StoredEntity } from '../store.ts'
import { isStorable, type Link, type Row, type Statement, storableList, translate } from './connection.ts'
import { filterToSql, typesToSql, type Sql } from './filter-to-sql.ts'
import { createHistoryReader, type HistoryReader } from './history-reader.ts'
import { orderToSql, type OrderedRow, type OrderSql, type Way } from './order-to-sql.ts'
import type { Leased } from './pool.ts'

export interface Reader extends HistoryReader {
  ask(question: Question): Promise<Answer>
  findReferences(question: ReferenceQuestion): Promise<ReferenceAnswer>
}

/** Counts by their statement and parameters, as long as nothing is written: whoever turns pages asks for the same one again and again. */
interface CountBook {
  change: number
  readonly counts: Map<string, number>
}

/**
 * Answers questions, each in one transaction that sees one moment, so that the count and the page agree. The server stops a statement that passes
 * the deadline. `isFresh` is asked with the last change that this server knows of, and a question to a server that is behind is not answered
 * (`StaleReplica`).
 */
export function createReader(
  connections: Leased,
  model: Model,
  queryDeadline: number,
  isFresh: (change: number) => boolean = () => true
): Reader {
  const book: CountBook = { change: -1, counts: new Map() }

  const within = async <T>(work: (all: (statement: Statement) => Promise<Row[]>, change: number) => Promise<T>) => {
    try {
      // The server keeps the deadline; should it be silent for much longer, it is not there.
      return await connections.use(link => inTransaction(link, performance.now() + queryDeadline, work), {
        until: performance.now() + longestTurn,
        patience: queryDeadline + 1000
      })
    } catch (error) {
      throw translate(error, queryDeadline)
    }
  }

  const inTransaction = async <T>(
    link: Link,
    stopAt: number,
    work: (all: (statement: Statement) => Promise<Row[]>, change: number) => Promise<T>
  ): Promise<T> => {
    const all = async ({ text, parameters }: Statement): Promise<Row[]> => {
      const left = Math.ceil(stopAt - performance.now())
      if (left <= 0) throw tooSlow(queryDeadline)
      // Sent with the statement itself, so it costs no time of its own.
      const [, rows] = await Promise.all([
        link.run(`SELECT set_config('statement_timeout', ?, TRUE)`, [String(left)]),
        link.run(text, parameters)
      ])
      return rows
    }
    const [, [newest]] = await Promise.all([
      link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
      link.run('SELECT change FROM counters')
    ])
    try {
      const change = Number(newest?.change)
      if (!isFresh(change)) throw new StaleReplica()
      const result = await work(all, change)
      await link.run('COMMIT')
      return result
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
  }

  const withHistory = <Name extends keyof HistoryReader>(name: Name) =>
    ((...asked: never[]) =>
      within(all => {
        const method = createHistoryReader(all)[name] as (...asked: never[]) => Promise<unknown>
        return method(...asked)
      })) as HistoryReader[Name]

  return {
    findHistory: withHistory('findHistory'),
    findVersion: withHistory('findVersion'),
    findVersionByUuid: withHistory('findVersionByUuid'),
    identifyDeleted: withHistory('identifyDeleted'),
    findMergesOf: withHistory('findMergesOf'),
    sequenceAt: withHistory('sequenceAt'),
    findEntitiesAt: withHistory('findEntitiesAt'),
    namesMergedInto: withHistory('namesMergedInto'),
    readChanges: withHistory('readChanges'),

    ask: question => within((all, change) => answer(createSearch(all, book, change), question, model)),

    findReferences: question =>
      within(async all => {
        if (!isStorable(question.id)) return { count: 0, countByType: {}, references: [] }
        const types = question.readableTypes
          ? typesToSql(question.readableTypes, model)
          : { text: 'TRUE', parameters: [] }
        const from = `FROM relations r JOIN entities e ON e.pk = r.entity_pk
          WHERE r.target IN (SELECT ti.identifier FROM identifiers ti WHERE ti.entity_pk =
            (SELECT i.entity_pk FROM identifiers i WHERE i.identifier = ?))
          AND (? = '' OR r.type = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))) AND ${types.text}`
        const wanted = question.relationTypes ? storableList(question.relationTypes) : ''
        const parameters = [question.id, wanted, wanted === '' ? '[]' : wanted, ...types.parameters]
        const counts = await all({
          text: `SELECT r.type, count(*) AS n ${from} GROUP BY r.type ORDER BY r.type`,
          parameters
        })
        const rows = await all({
          text: `SELECT e.id, e.type, r.type AS relation_type ${from} ORDER BY e.pk, r.position LIMIT ? OFFSET ?`,
          parameters: [...parameters, question.limit, question.skip]
        })
        return {
          count: counts.reduce((sum, row) => sum + Number(row.n), 0),
          countByType: Object.fromEntries(counts.map(row => [String(row.type), Number(row.n)])),
          references: rows.map(row => ({
            id: String(row.id),
            type: String(row.type),
            relationType: String(row.relation_type)
          }))
        }
      })
  }
}

/** How long, in milliseconds, a question waits for its turn; the deadline counts from there. */
const longestTurn = 2000

/** A replica that has not yet heard of everything that the asker may know of. */
export class StaleReplica extends Error {}

const tooSlow = (queryDeadline: number) =>
  new CatalogueError('query_timeout', `The question took longer than ${queryDeadline} ms; ask for less`)

/** The statements of one question. */
interface Search {
  count(matching: Sql): Promise<number>
  wayFor(matches: number): Promise<Way>
  readInTurn(
    parts: readonly OrderSql[],
    where: Sql,
    wanted: number,
    skipped: number,
    total: number | undefined
  ): Promise<OrderedRow[]>
  readMerged(parts: readonly OrderSql[], where: Sql, wanted: number, isAscending: boolean): Promise<OrderedRow[]>
}

function createSearch(all: (statement: Statement) => Promise<Row[]>, book: CountBook, change: number): Search {
  const readPart = async (part: OrderSql, where: Sql, limit: number, skip: number) =>
    (await all({
      text: `SELECT e.id, e.uuid, e.type, e.version, e.document, ${part.columns} FROM ${part.from}
        WHERE ${part.where.text} AND ${where.text} ORDER BY ${part.orderBy} LIMIT ? OFFSET ?`,
      parameters: [...part.parameters, ...part.where.parameters, ...where.parameters, limit, skip]
    })) as unknown as OrderedRow[]

  const countPart = async (part: OrderSql, where: Sql): Promise<number> => {
    const [row] = await all({
      text: `SELECT count(*) AS n FROM ${part.from} WHERE ${part.where.text} AND ${where.text}`,
      parameters: [...part.parameters, ...part.where.parameters, ...where.parameters]
    })
    return Number(row?.n)
  }

  return {
    async count({ text, set, parameters }) {
      if (change > book.change || book.counts.size >= mostCounts) book.counts.clear()
      book.change = Math.max(change, book.change)
      const from = set === undefined ? `entities e WHERE ${text}` : `(SELECT DISTINCT pk FROM (${set}) matching) found`
      const key = JSON.stringify([from, parameters])
      const known = change === book.change ? book.counts.get(key) : undefined
      if (known !== undefined) return known
      const [row] = await all({ text: `SELECT count(*) AS n FROM ${from}`, parameters })
      const counted = Number(row?.n)
      if (key.length <= longestCountKey && change === book.change) book.counts.set(key, counted)
      return counted
    },

    /** Of what matches so much, or so little, of all there is. */
    async wayFor(matches) {
      const [last] = await all({ text: 'SELECT max(pk) AS pk FROM entities', parameters: [] })
      return matches * largeShare > Number(last?.pk) ? 'walk' : 'gather'
    },

    async readInTurn(parts, where, wanted, skipped, total) {
      const rows: OrderedRow[] = []
      let skip = skipped
      for (const part of parts) {
        if (rows.length >= wanted || rows.length === total) break
        const found = await readPart(part, where, wanted - rows.length, skip)
        rows.push(...found)
        // What is skipped in a part that is used up does not have to be skipped in the next.
        if (parts.length > 1 && found.length === 0 && skip > 0) skip -= Math.min(skip, await countPart(part, where))
        else if (found.length > 0) skip = 0
      }
      return rows
    },

    async readMerged(parts, where, wanted, isAscending) {
      const rows = (await Promise.all(parts.map(part => readPart(part, where, wanted, 0)))).flat()
      rows.sort((one, other) => (isAscending ? one.sequence - other.sequence : other.sequence - one.sequence))
      return rows.slice(0, wanted)
    }
  }
}

async function answer(search: Search, question: Question, model: Model): Promise<Answer> {
  const matching = whereOf(question, model, false)
  const backwards = question.from?.backwards === true
  // One more than asked for tells whether there is a next page.
  const wanted = question.limit === 0 ? 0 : question.limit + 1
  const total = wanted > 0 && question.counted && isCountedFirst(question) ? await search.count(matching) : undefined
  const way = total === undefined ? undefined : await search.wayFor(total)
  const isByCreation = question.order.items[0]?.by === 'created'
  const where = way === 'walk' && isByCreation ? whereOf(question, model, true) : matching
  const parts = orderToSql(question.order, question.from, way)
  const isAscending = question.order.ascending !== backwards
  const rows = parts[0]?.isMerged
    ? await search.readMerged(parts, where, wanted, isAscending)
    : await search.readInTurn(parts, where, wanted, question.skip, total)
  const hasMore = rows.length > question.limit
  const page = rows.slice(0, question.limit)
  if (backwards) page.reverse()
  const isWhole = !hasMore && question.limit > 0 && question.skip === 0 && !question.from
  return {
    count: !question.counted ? 0 : (total ?? (isWhole ? page.length : await search.count(matching))),
    entities: page.map(toStored),
    hasMore,
    first: toPosition(page[0]),
    last: toPosition(page.at(-1))
  }
}

const mostCounts = 1000
const longestCountKey = 4000

/** A filter that leaves at least one in so many is met often enough along the way through an order. */
const largeShare = 20

/**
 * Whether to count before reading the page, so that the count can tell how to find it. Worth it for an order by a key, and where a time of change
 * is asked for: what changed last may stand anywhere in an order. Any other filter is a set of keys, which has the order of creation already.
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

function whereOf({ filter, readableTypes }: Question, model: Model, isWalked: boolean): Sql {
  const condition = filterToSql(filter, { model, readableTypes, isWalked })
  if (!readableTypes) return condition
  const readable = typesToSql(readableTypes, model)
  return {
    text: `${readable.text} AND ${condition.text}`,
    parameters: [...readable.parameters, ...condition.parameters]
  }
}

function toStored(row: OrderedRow): StoredEntity {
  return { id: row.id, uuid: row.uuid, type: row.type, version: row.version, json: row.document }
}

function toPosition(row: OrderedRow | undefined): Position | undefined {
  return row && { values: JSON.parse(row.sort_values) as (string | null)[], sequence: row.sequence }
}

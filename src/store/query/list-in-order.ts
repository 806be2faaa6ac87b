import type { Filter } from '#domain/filter/filter.ts'
import { cutPage, lengthOf, maxPageBytes } from '../page-budget.ts'
import { toStored } from '../rows.ts'
import type { QueryResult, EntityQuery, Position } from '../ports/queries.ts'
import type { OrderedRow, OrderSql, Way } from './order-parts.ts'
import { orderToSql } from './order-to-sql.ts'
import type { Row, Session } from './dialect.ts'
import type { Sql } from './sql.ts'
import { type PlannedSearches, whereOf } from './where.ts'

/** A filter that leaves at least one record in this number is met often enough along an order. */
const largeShare = 20

/** Reads the page of a query in an order other than relevance, and counts all matches. */
export async function listInOrder(
  session: Session,
  query: EntityQuery,
  searches: PlannedSearches
): Promise<QueryResult> {
  const { order, limit, skip, from, counted } = query
  const matching = whereOf(session, query, searches, false)
  const total = await countBefore(session, query, matching)
  const way = await chooseWay(session, query, total)
  const isByCreation = order.items[0]?.by === 'created'
  const where = way === 'walk' && isByCreation ? whereOf(session, query, searches, true) : matching
  const parts = orderToSql(session.dialect, order, from, way)
  const reading = { session, query, where, way }
  const rows = parts[0]?.isMerged ? await readMerged(reading, parts) : await readInTurn(reading, parts, total)
  const gathered = rows[0]?.total ?? undefined
  if (gathered !== undefined) session.counts.addCount(countKey(session, matching), gathered)
  const { page, hasMore } = cutPage(rows, limit, row => row.document)
  if (from?.backwards) page.reverse()
  const isWhole = !hasMore && limit > 0 && skip === 0 && !from
  const count = async () => total ?? gathered ?? (isWhole ? page.length : countMatches(session, matching))
  return {
    count: counted ? await count() : 0,
    entities: page.map(row => toStored(row as unknown as Row)),
    hasMore,
    first: toPosition(page[0]),
    last: toPosition(page.at(-1))
  }
}

/** The number of matches where it is counted before the page is read, or costs nothing. */
function countBefore(session: Session, query: EntityQuery, matching: Sql) {
  if (query.limit > 0 && query.counted && isCountedFirst(query)) return countMatches(session, matching)
  return session.dialect.order.gathersUncounted ? session.counts.findCount(countKey(session, matching)) : undefined
}

const countKey = ({ dialect }: Session, matching: Sql) => {
  const { text, parameters } = dialect.order.countToSql(matching)
  return JSON.stringify([text, parameters])
}

async function countMatches(session: Session, matching: Sql): Promise<number> {
  const key = countKey(session, matching)
  const cached = session.counts.findCount(key)
  if (cached !== undefined) return cached
  const [row] = await session.run(session.dialect.order.countToSql(matching))
  const count = Number(row?.n)
  session.counts.addCount(key, count)
  return count
}

/**
 * Chooses by the share of matches among all entities, where it is known. PostgreSQL gathers a
 * selective filter in any case: its planner would often walk an order in the hope of meeting the
 * few matches.
 */
async function chooseWay(session: Session, { order, filter }: EntityQuery, total: number | undefined): Promise<Way> {
  if (order.items.length === 1 && total !== undefined)
    return total * largeShare > (await session.lastEntity()) ? 'walk' : 'gather'
  return session.dialect.order.gathersUncounted && isSelective(filter) ? 'gather' : undefined
}

/** Whether a filter tests more than types; an index has the records of each type in order. */
function isSelective(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.some(isSelective)
    case 'types':
      return false
    case 'field':
      return filter.path.kind !== 'type' || filter.test.kind !== 'equals'
    default:
      return true
  }
}

/**
 * Whether to count before reading the page, so that the count can decide how to find it. Worth it
 * for an order by a key, and for a filter by the time of change: changed records may be anywhere in
 * an order. Any other filter is a set of keys, which has the order of creation already.
 */
function isCountedFirst({ order, filter }: EntityQuery): boolean {
  const [only] = order.items
  return order.items.length === 1 && (only?.by === 'metadata' || testsChange(filter))
}

function testsChange(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return filter.of.some(testsChange)
    case 'not':
      return testsChange(filter.of)
    case 'field':
      return filter.path.kind === 'updated_at'
    default:
      return false
  }
}

interface Reading {
  readonly session: Session
  readonly query: EntityQuery
  readonly where: Sql
  readonly way: Way
}

/** One more than the limit shows whether there is a next page. */
const wantedRows = ({ limit }: EntityQuery) => (limit === 0 ? 0 : limit + 1)

async function readPart(
  { session, query, where, way }: Reading,
  part: OrderSql,
  limit: number,
  skip: number,
  maxBytes = maxPageBytes
): Promise<OrderedRow[]> {
  const statement = session.dialect.order.pageToSql(part, where, way, query.order, limit, skip)
  return (await session.run(statement, maxBytes)) as unknown as OrderedRow[]
}

/** Reads one part after the other, until the page is full. */
async function readInTurn(reading: Reading, parts: readonly OrderSql[], total: number | undefined) {
  const { session, query, where, way } = reading
  const wanted = wantedRows(query)
  const rows: OrderedRow[] = []
  let skip = query.skip
  let bytes = 0
  for (const part of parts) {
    if (rows.length >= wanted || rows.length === total || bytes > maxPageBytes) break
    const found = await readPart(reading, part, wanted - rows.length, skip, maxPageBytes - bytes)
    rows.push(...found)
    for (const { document } of found) bytes += lengthOf(document)
    // Rows skipped in a part that is used up do not have to be skipped in the next.
    if (parts.length > 1 && found.length === 0 && skip > 0) {
      const [row] = await session.run(session.dialect.order.countPartToSql(part, where, way, query.order))
      skip -= Math.min(skip, Number(row?.n))
    } else if (found.length > 0) skip = 0
  }
  return rows
}

/** Reads all parts and merges them by their sequence. */
async function readMerged(reading: Reading, parts: readonly OrderSql[]) {
  const { order, from } = reading.query
  const wanted = wantedRows(reading.query)
  const isAscending = order.ascending !== (from?.backwards === true)
  const rows = (await Promise.all(parts.map(part => readPart(reading, part, wanted, 0)))).flat()
  rows.sort((one, other) => (isAscending ? one.sequence - other.sequence : other.sequence - one.sequence))
  return rows.slice(0, wanted)
}

function toPosition(row: OrderedRow | undefined): Position | undefined {
  return row && { values: JSON.parse(row.sort_values) as (string | null)[], sequence: row.sequence }
}

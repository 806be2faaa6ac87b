import type { Counted, Filter } from '#domain/filter/filter.ts'
import type { FindAnswer } from '#index/find.ts'
import { cutPage, lengthOf, maxPageBytes } from '../page-budget.ts'
import type { StoredEntity } from '../ports/entities.ts'
import type { EntityQuery, QueryResult, SuggestionQuery } from '../ports/queries.ts'
import type { Finding, Row, Session } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import { toStored } from '../rows.ts'
import type { DocumentRow, Finder, FindReply, FindRequest, IndexUpdate, LastChange } from './finder.ts'

/*
 * Queries that an index in memory answers. Each runs inside a transaction that sees one moment, and
 * the index is brought to that moment first: it is never older than the database, nor newer. Where
 * that is not possible, the result is undefined, and the database answers.
 */

/** Maximum number of changes that are applied before a query: each takes some 100 µs. */
const maxChangesOfQuery = 200
/** Maximum number of changes that are applied between queries; after more, a new base is faster. */
export const maxChangesBetween = 5000
/** Maximum number of changed records beside a base: each takes some ten kilobytes. */
const maxDelta = 20_000
/** Maximum number of records for which an index is built within a query. */
export const maxRecordsAtOnce = 1000

/** Finds the entities of a query; undefined where the database has to do so. */
export async function findInIndex(session: Session, query: EntityQuery): Promise<QueryResult | undefined> {
  const isPossible = isEvaluated(query.filter)
  const backwards = query.from?.backwards === true
  // Nothing else can answer a query for groups, so it waits for more changes to be applied.
  const maxChanges = query.groupBy ? maxChangesBetween : maxChangesOfQuery
  return inIndex(session, isPossible, maxChanges, async (find, release) => {
    const { numbers, groups, ...found } = await findPage(session, find, query)
    release()
    if (groups) return { ...found, ...(await readGroups(session, { ...found, groups }, backwards)) }
    const rows = await readRecords(session, backwards ? numbers.toReversed() : numbers)
    const { page } = cutPage(rows, query.limit, row => String(row.document))
    // A page that is cut by its bytes ends at another position.
    if (page.length < numbers.length) return undefined
    if (backwards) page.reverse()
    return { ...found, entities: page.map(toStored) }
  })
}

/** Finds suggestions; undefined where the database has to do so. */
export async function suggestFromIndex(
  session: Session,
  query: SuggestionQuery
): Promise<readonly StoredEntity[] | undefined> {
  return inIndex(session, true, maxChangesOfQuery, async (find, release) => {
    const reply = await find({ kind: 'suggestion', query })
    release()
    if (reply.kind !== 'suggested') throw new IndexFault(`The index answers "${reply.kind}"`)
    return (await readRecords(session, reply.numbers)).map(toStored)
  })
}

/** Applies changes that were too many for a query. */
export async function catchUp(session: Session): Promise<void> {
  const { finding } = session
  if (!finding) return
  const { finder, timeLeft } = finding
  try {
    const { update } = await findUpdate(session, finding, maxChangesBetween)
    if (update) await finder.find({ update, timeLeft: timeLeft(), search: { kind: 'none' } })
  } finally {
    finder.release()
  }
}

type Find = (search: FindRequest['search']) => Promise<Exclude<FindReply, { kind: 'late' }>>

/** Does the work with an index that is as current as the session. */
async function inIndex<T>(
  session: Session,
  isPossible: boolean,
  maxChanges: number,
  work: (find: Find, release: () => void) => Promise<T | undefined>
): Promise<T | undefined> {
  const { finding } = session
  if (!finding) return undefined
  const { finder, timeLeft, tooLate } = finding
  try {
    if (!isPossible) {
      finder.note({ by: 'sql' })
      return undefined
    }
    const { update: first, behind } = await findUpdate(session, finding, maxChanges)
    if (behind !== undefined) {
      finder.note({ by: 'sql', behind, base: finder.state?.base ?? -1 })
      if (behind === Number.POSITIVE_INFINITY) finder.discard()
      return undefined
    }
    let update = first
    const answer = await work(async search => {
      const reply = await findBy(finder, { update, timeLeft: timeLeft(), search })
      update = undefined
      if (reply.kind === 'late') throw tooLate()
      return reply
    }, finder.release)
    finder.note({ by: answer === undefined ? 'sql' : 'memory' })
    return answer
  } catch (fault) {
    if (!(fault instanceof IndexFault)) throw fault
    finder.discard()
    finder.note({ by: 'sql', fault })
    return undefined
  } finally {
    finder.release()
  }
}

async function findBy(finder: Finder, request: FindRequest): Promise<FindReply> {
  try {
    return await finder.find(request)
  } catch (cause) {
    throw new IndexFault('The index failed', { cause })
  }
}

async function findPage(session: Session, find: Find, query: EntityQuery): Promise<FindAnswer> {
  let reply = await find({ kind: 'query', query })
  if (reply.kind === 'moved') {
    const before = await changesBefore(session, reply.numbers, reply.change)
    reply = await find({ kind: 'query', query, before })
  }
  if (reply.kind !== 'found') throw new IndexFault(`The index answers "${reply.kind}"`)
  return reply.answer
}

/** The changes that an index lacks, or their number where they are too many. */
interface Lack {
  readonly update?: IndexUpdate | undefined
  readonly behind?: number
}

async function findUpdate(session: Session, { finder, lastChange }: Finding, maxChanges: number): Promise<Lack> {
  const { dialect } = session
  const { state } = finder
  const last = await lastChange()
  if (!state) return beginWithAll(session, last)
  const behind = last.change - state.change
  if (behind === 0 && last.mark === state.mark) return {}
  // A replica may be at an earlier moment than the index.
  if (behind < 0) return { behind: 0 }
  if (behind === 0) return { behind: Number.POSITIVE_INFINITY }
  if (behind > maxChanges) return { behind }
  if (state.delta + behind > maxDelta) return { behind: maxChangesBetween + 1 }
  const since = [state.change, last.change] as const
  const [changes, rows] = await Promise.all([
    session.run(
      sql(
        `SELECT c.sequence, c.uuid, ${markOf('c')} AS mark FROM changes c
          WHERE c.sequence >= ? AND c.sequence <= ? ORDER BY c.sequence`,
        ...since
      )
    ),
    session.run(
      sql(
        `SELECT e.pk, e.uuid, e.changed, e.document FROM ${dialect.entitiesByUuid} WHERE ${dialect.uuidOfEntity}
          ${dialect.inSelect('SELECT uuid FROM changes WHERE sequence > ? AND sequence <= ?')}`,
        ...since
      )
    )
  ])
  const newer = changes.filter(row => Number(row.sequence) > state.change)
  const first = changes.find(row => Number(row.sequence) === state.change)
  // The change that the index knows of must be the same in the database: another server may have
  // taken over. Numbers have no gaps: where some are missing, they were deleted.
  const isSameHistory = state.change === 0 || first?.mark === state.mark
  if (!isSameHistory || newer.length !== behind) return { behind: Number.POSITIVE_INFINITY }
  const written = rows.map(toDocumentRow)
  const present = new Set(rows.map(row => String(row.uuid)))
  const removed = [...new Set(newer.map(row => String(row.uuid)))].filter(uuid => !present.has(uuid))
  return { update: { ...last, isWhole: false, written, removed } }
}

/** Begins an index with all records, where they are few. */
async function beginWithAll(session: Session, last: LastChange): Promise<Lack> {
  const behind = Number.POSITIVE_INFINITY
  if ((await session.lastEntity()) > maxRecordsAtOnce) return { behind }
  const rows = await session.run(sql('SELECT pk, changed, document FROM entities ORDER BY pk'))
  return { update: { ...last, isWhole: true, written: rows.map(toDocumentRow), removed: [] } }
}

export const toDocumentRow = (row: Row): DocumentRow => ({
  number: Number(row.pk),
  changed: Number(row.changed),
  document: String(row.document)
})

/** Identifies a row of `changes`, beside its number. */
export const markOf = (table: string) => `${table}.uuid || ' ' || ${table}.version || ' ' || ${table}.at`

/** The last change, with what it was; `newest` is the expression of its number. */
export const selectLastChange = (newest: string) =>
  `SELECT n.change, ${markOf('c')} AS mark FROM (SELECT ${newest} AS change) n LEFT JOIN changes c ON c.sequence = n.change`

/** The last changes of records up to an earlier change; none for those that did not exist then. */
async function changesBefore({ dialect, run }: Session, numbers: readonly number[], change: number) {
  const rows = await run(
    sql(
      `SELECT e.pk, v.changed FROM ${dialect.listedInOrder} w ${dialect.join} entities e ON e.pk = w.value
        JOIN versions v ON v.uuid = e.uuid AND v.document IS NOT NULL
          AND v.changed = (SELECT max(o.changed) FROM versions o WHERE o.uuid = e.uuid AND o.changed <= ?)`,
      JSON.stringify(numbers),
      change
    )
  )
  return new Map(rows.map(row => [Number(row.pk), Number(row.changed)]))
}

/** Reads records in the order of their numbers in a list, up to the maximum bytes of a page. */
async function readRecords({ dialect, run }: Session, numbers: readonly number[]): Promise<Row[]> {
  if (numbers.length === 0) return []
  const page = sql(
    `SELECT w.position, e.pk, e.id, e.uuid, e.type, e.version, e.document FROM ${dialect.listedInOrder} w
      ${dialect.join} entities e ON e.pk = w.value`,
    JSON.stringify(numbers)
  )
  const rows = await run(dialect.withinBudget(page, 'document', 'position'), maxPageBytes)
  const bytes = rows.reduce((sum, row) => sum + lengthOf(String(row.document)), 0)
  // Characters are counted here, of up to four bytes each.
  const isIncomplete = rows.length < numbers.length && bytes * 4 <= maxPageBytes
  if (isIncomplete || rows.some((row, at) => Number(row.pk) !== numbers[at]))
    throw new IndexFault('The index has a record that the database has not')
  return rows
}

type FoundGroups = Required<Pick<FindAnswer, 'groups'>> & Pick<FindAnswer, 'hasMore' | 'first' | 'last'>

/**
 * Reads the records of groups. Where a page is cut by its bytes, it ends with the last group that
 * is complete, and the next begins after it.
 */
async function readGroups(session: Session, { groups, hasMore, first, last }: FoundGroups, backwards: boolean) {
  const inOrder = backwards ? groups.toReversed() : groups
  const numbersOf = ({ head, expression, manifestation, part }: FoundGroups['groups'][number]) =>
    [head, expression, manifestation, part].filter(number => number !== undefined)
  const rows = await readRecords(session, [...new Set(inOrder.flatMap(numbersOf))])
  const { page: read } = cutPage(rows, rows.length, row => String(row.document))
  const records = new Map(read.map(row => [Number(row.pk), toStored(row)]))
  const end = inOrder.findIndex(group => !numbersOf(group).every(number => records.has(number)))
  const shown = end < 0 ? [...groups] : inOrder.slice(0, end)
  if (end >= 0 && backwards) shown.reverse()
  const languages = await idsOf(session, [...new Set(shown.flatMap(group => group.languages))])
  const idOf = (number: number) => (records.get(number) as StoredEntity).id
  return {
    groups: shown.map(({ head, isMatch, expression, manifestation, part, matching, languages: spoken }) => ({
      head: idOf(head),
      isMatch,
      ...(expression === undefined ? {} : { expression: idOf(expression) }),
      ...(manifestation === undefined ? {} : { manifestation: idOf(manifestation) }),
      ...(part === undefined ? {} : { part: idOf(part) }),
      matching,
      languages: spoken.flatMap(each => languages.get(each) ?? [])
    })),
    entities: [...new Set(shown.flatMap(numbersOf))].map(number => records.get(number) as StoredEntity),
    hasMore: hasMore || end >= 0,
    first: end >= 0 && backwards ? shown[0]?.position : first,
    last: end >= 0 && !backwards ? shown.at(-1)?.position : last
  }
}

/** The ids of records by their numbers. */
async function idsOf({ dialect, run }: Session, numbers: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (numbers.length === 0) return new Map()
  const ids = sql(
    `SELECT e.pk, e.id FROM ${dialect.listedInOrder} w ${dialect.join} entities e ON e.pk = w.value`,
    JSON.stringify(numbers)
  )
  return new Map((await run(ids)).map(row => [Number(row.pk), String(row.id)]))
}

/** Whether the index can evaluate a filter: it has no members of entries beside their values. */
function isEvaluated(filter: Filter): boolean {
  switch (filter.kind) {
    case 'entry':
      return false
    case 'all':
    case 'any':
      return filter.of.every(isEvaluated)
    case 'not':
    case 'related':
    case 'referred':
    case 'first_of':
      return isEvaluated(filter.of)
    case 'count':
      return isCountedInIndex(filter.of)
    default:
      return true
  }
}

const isCountedInIndex = (counted: Counted) => counted.kind !== 'incoming' || isEvaluated(counted.of)

/** The index and the database differ: the index is dropped, and the database answers. */
class IndexFault extends Error {}

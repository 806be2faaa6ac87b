import { CatalogueError } from '#domain/errors.ts'
import type { FindAnswer } from '#index/find.ts'
import { cutPage, lengthOf, maxPageBytes } from '../page-budget.ts'
import type { StoredEntity } from '../ports/entities.ts'
import type {
  DuplicatesAnswer,
  DuplicatesQuery,
  EntityQuery,
  GrowthCount,
  GrowthQuery,
  QueryResult,
  SameRecord,
  SameRecordsQuery,
  SuggestionQuery,
  Term,
  TermQuery
} from '../ports/queries.ts'
import type { Dialect, Finding, Row, Session } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import { toStored } from '../rows.ts'
import {
  type ChangeMark,
  type DocumentRow,
  type Finder,
  type FindReply,
  type FindRequest,
  IndexNotReady,
  type IndexSearch,
  type IndexState,
  type IndexUpdate
} from './finder.ts'
import { hasEntry } from './has-entry.ts'

/*
 * Queries that the index in memory answers. Each runs inside a transaction that sees one moment,
 * and the index is brought to that moment first: it is never older than the database, nor newer.
 * Where that is not possible, the query is refused as `IndexNotReady`, and a new base is built.
 */

/**
 * Usual maximum of changes that a query applies to the index before it is answered; more would take
 * longer than a query may. A new base is made long before.
 */
export const usualMaxBehind = 20_000
/**
 * Maximum number of changed records beside a base, in times of that number: each takes some ten
 * kilobytes. They may be more than a query applies, since other queries applied most of them.
 */
const maxDeltaShare = 3
/** Maximum number of records for which an index is built within a query. */
export const maxRecordsAtOnce = 1000
/** The number of changes by which a history is recognised. */
const maxRecent = 8
/** The number of changes that are applied at once. */
const changesEach = 250
/** The number of documents that are read at once. */
const documentsEach = 500

/** Finds the entities of a query. */
export async function findInIndex(session: Session, query: EntityQuery): Promise<QueryResult> {
  const backwards = query.from?.backwards === true
  return inIndex(session, async find => {
    let { numbers, groups, ...found } = await findPage(session, find, query)
    if (groups) return { ...found, ...(await readGroups(session, { ...found, groups }, backwards)) }
    const rows = await readRecords(session, backwards ? numbers.toReversed() : numbers)
    const { page } = cutPage(rows, query.limit, row => String(row.document))
    // A page that is cut by its bytes ends at another position.
    if (page.length < numbers.length)
      ({ numbers, groups, ...found } = await findPage(session, find, { ...query, limit: page.length }))
    if (backwards) page.reverse()
    return { ...found, entities: page.map(toStored) }
  })
}

/** Finds suggestions. */
export async function suggestFromIndex(session: Session, query: SuggestionQuery): Promise<readonly StoredEntity[]> {
  return inIndex(session, async find => {
    const { numbers } = expect('numbers', await find({ kind: 'suggestion', query }))
    return (await readRecords(session, numbers)).map(toStored)
  })
}

export const listTermsInIndex = (session: Session, query: TermQuery): Promise<readonly Term[]> =>
  inIndex(session, async find => expect('terms', await find({ kind: 'terms', query })).terms)

export const countGrowthInIndex = (session: Session, query: GrowthQuery): Promise<readonly GrowthCount[]> =>
  inIndex(session, async find => expect('growth', await find({ kind: 'growth', query })).counts)

export const listDuplicatesInIndex = (session: Session, query: DuplicatesQuery): Promise<DuplicatesAnswer> =>
  inIndex(session, async find => expect('duplicates', await find({ kind: 'duplicates', query })).list)

export const findSameInIndex = (session: Session, query: SameRecordsQuery): Promise<readonly SameRecord[]> =>
  inIndex(session, async find => expect('same', await find({ kind: 'same', query })).records)

/** The records of a list that a caller may read. */
export const readableInIndex = (
  session: Session,
  query: GrowthQuery,
  numbers: readonly number[]
): Promise<readonly number[]> =>
  inIndex(session, async find => expect('numbers', await find({ kind: 'readable', query, numbers })).numbers)

type Find = (search: IndexSearch) => Promise<FindReply>

/** Does the work with an index that is as current as the session. */
async function inIndex<T>(session: Session, work: (find: Find) => Promise<T>): Promise<T> {
  const { finding } = session
  if (!finding) throw new Error('A query needs a session with an index')
  const { finder, timeLeft, tooLate } = finding
  try {
    let update = await catchUp(session, finding)
    const answer = await work(async search => {
      const reply = await findBy(finder, { update, timeLeft: timeLeft(), search })
      update = undefined
      if (reply.kind === 'late') throw tooLate()
      return reply
    })
    finder.note({ isAnswered: true })
    return answer
  } catch (fault) {
    if (!(fault instanceof IndexFault)) throw fault
    finder.discard()
    finder.note({ isAnswered: false, fault, behind: Number.POSITIVE_INFINITY, base: finder.state?.base ?? -1 })
    throw new IndexNotReady()
  }
}

async function findBy(finder: Finder, request: FindRequest): Promise<FindReply> {
  try {
    return await finder.find(request)
  } catch (cause) {
    throw new IndexFault('The index failed', { cause })
  }
}

function expect<Kind extends FindReply['kind']>(kind: Kind, reply: FindReply): Extract<FindReply, { kind: Kind }> {
  if (reply.kind !== kind) throw new IndexFault(`The index answers "${reply.kind}"`)
  return reply as Extract<FindReply, { kind: Kind }>
}

/** Finds a page, and tells the index what only the database knows. */
async function findPage(session: Session, find: Find, query: EntityQuery): Promise<FindAnswer> {
  let before: ReadonlyMap<number, number> | undefined
  const withEntries: (readonly number[])[] = []
  for (;;) {
    const reply = await find({ kind: 'query', query, withEntries, ...(before ? { before } : {}) })
    if (reply.kind === 'moved') before = await changesBefore(session, reply.numbers, reply.change)
    else if (reply.kind === 'entries') withEntries.push(await readWithEntry(session, reply))
    else return expect('found', reply).answer
  }
}

/**
 * Applies the changes that an index lacks, some at a time, and returns the last of them; undefined
 * where it lacks none. What is applied stays when the time is over, so the next query has less to
 * do.
 */
async function catchUp(session: Session, finding: Finding): Promise<IndexUpdate | undefined> {
  const { finder, lastChange, timeLeft } = finding
  for (;;) {
    const update = await findUpdate(session, finding)
    if (!update || update.change === (await lastChange()).change) return update
    await findBy(finder, { update, timeLeft: timeLeft(), search: { kind: 'nothing' } })
  }
}

/** The next changes that an index lacks; undefined where it lacks none. */
async function findUpdate(session: Session, finding: Finding): Promise<IndexUpdate | undefined> {
  const { finder, lastChange, olderThanIndex } = finding
  const { state } = finder
  const last = await lastChange()
  if (!state) return beginWithAll(session, finding, last)
  const behind = last.change - state.change
  if (behind === 0 && last.mark === markOf(state, last.change)) return undefined
  // A replica may be at an earlier moment than the index.
  if (behind < 0 && olderThanIndex) throw olderThanIndex()
  const { maxBehind } = finder
  if (behind > maxBehind || state.delta + behind > maxBehind * maxDeltaShare) return refuse(finding, behind)
  const update =
    behind > 0 ? await readUpdate(session, state, Math.min(last.change, state.change + changesEach)) : undefined
  if (update) return update
  // The records of the database are of another history: the index is dropped.
  finder.discard()
  return beginWithAll(session, finding, last)
}

const markOf = ({ recent }: IndexState, change: number) => recent.find(each => each.change === change)?.mark ?? ''

function refuse({ finder }: Finding, behind: number): never {
  finder.note({ isAnswered: false, behind, base: finder.state?.base ?? -1 })
  throw new IndexNotReady()
}

/** Reads the changes since those of an index; undefined where they are not known any more. */
async function readUpdate(session: Session, state: IndexState, change: number): Promise<IndexUpdate | undefined> {
  const { dialect, run } = session
  const since = [state.change, change] as const
  const oldest = state.recent.at(-1)?.change ?? 0
  const [changes, rows, [forgotten]] = await Promise.all([
    run(
      sql(
        `SELECT c.sequence, c.uuid, ${markOfChange('c')} AS mark FROM changes c
          WHERE c.sequence >= ? AND c.sequence <= ? ORDER BY c.sequence DESC`,
        oldest,
        change
      )
    ),
    run(
      sql(
        `SELECT e.pk, e.uuid, e.changed, e.document FROM ${dialect.entitiesByUuid} WHERE ${dialect.uuidOfEntity}
          ${dialect.inSelect('SELECT uuid FROM changes WHERE sequence > ? AND sequence <= ?')}`,
        ...since
      )
    ),
    run(sql(selectForgotten))
  ])
  const recent = new Set(state.recent.map(each => each.change))
  const marks = changes.filter(row => recent.has(Number(row.sequence)))
  if (!isSameHistory(state, marks, Number(forgotten?.value ?? 0))) return undefined
  const present = new Set(rows.map(row => String(row.uuid)))
  const changed = new Set(changes.filter(row => Number(row.sequence) > state.change).map(row => String(row.uuid)))
  return {
    change,
    recent: changes.slice(0, maxRecent).map(toChangeMark),
    isWhole: false,
    written: rows.map(toDocumentRow),
    removed: [...changed].filter(uuid => !present.has(uuid))
  }
}

/** Begins an index with all records, where they are few. */
async function beginWithAll(session: Session, finding: Finding, { change }: ChangeMark): Promise<IndexUpdate> {
  const { run } = session
  if ((await session.lastEntity()) > maxRecordsAtOnce) return refuse(finding, Number.POSITIVE_INFINITY)
  const [rows, recent] = await Promise.all([
    run(sql('SELECT pk, changed, document FROM entities ORDER BY pk')),
    run(sql(selectRecentChanges))
  ])
  return { change, recent: recent.map(toChangeMark), isWhole: true, written: rows.map(toDocumentRow), removed: [] }
}

export const toDocumentRow = (row: Row): DocumentRow => ({
  number: Number(row.pk),
  changed: Number(row.changed),
  document: String(row.document)
})

/** Identifies a row of `changes`, beside its number. */
export const markOfChange = (table: string) => `${table}.uuid || ' ' || ${table}.version || ' ' || ${table}.at`

/** The last change, with what it was; `newest` is the expression of its number. */
export const selectLastChange = (newest: string) =>
  `SELECT n.change, ${markOfChange('c')} AS mark FROM (SELECT ${newest} AS change) n LEFT JOIN changes c ON c.sequence = n.change`

/** The last changes, by which a history is recognised. */
export const selectRecentChanges = `SELECT c.sequence, ${markOfChange('c')} AS mark FROM changes c ORDER BY c.sequence DESC LIMIT ${maxRecent}`

export const toChangeMark = (row: Row): ChangeMark => ({ change: Number(row.sequence), mark: String(row.mark) })

/** The rows of the changes that a base knows of, as far as the database has them. */
export const selectMarks = (dialect: Pick<Dialect, 'inSelect' | 'listedNumbers'>) =>
  `SELECT c.sequence, ${markOfChange('c')} AS mark FROM changes c
    WHERE c.sequence ${dialect.inSelect(`SELECT value FROM ${dialect.listedNumbers} w`)}`

/** The last change that was deleted for its age, with all before it. */
export const selectForgotten = `SELECT value FROM properties WHERE name = 'forgotten'`

/**
 * Whether a database has the history of an index, so that changes lead from one to the other.
 * `marks` are those of the last changes of the index that the database has, as `selectMarks` reads
 * them. Another server may have taken over without the last commits, or a backup was restored.
 * Changes that a purge deletes are followed by its own; those deleted for their age are lost.
 */
export function isSameHistory(
  { change, recent }: Pick<IndexState, 'change' | 'recent'>,
  marks: readonly Row[],
  forgotten: number
): boolean {
  const known = new Map(recent.map(each => [each.change, each.mark]))
  const isSame = marks.every(row => known.get(Number(row.sequence)) === row.mark)
  return isSame && (marks.length > 0 || change === 0) && forgotten <= change
}

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

/** Reads which of some records have the entry of a filter. */
async function readWithEntry(
  { dialect, run }: Session,
  { filter, candidates }: Extract<FindReply, { kind: 'entries' }>
): Promise<number[]> {
  const found: number[] = []
  for (let at = 0; at < candidates.length; at += documentsEach) {
    const some = new Map(candidates.slice(at, at + documentsEach).map(each => [each.number, each]))
    const rows = await run(
      sql(
        `SELECT e.pk, e.document FROM ${dialect.listedNumbers} w ${dialect.join} entities e ON e.pk = w.value`,
        JSON.stringify([...some.keys()])
      )
    )
    for (const row of rows) {
      const candidate = some.get(Number(row.pk))
      if (candidate && hasEntry(String(row.document), filter, candidate)) found.push(candidate.number)
    }
  }
  return found
}

/** The index and the database differ: the index is dropped. */
class IndexFault extends Error {}

/** The refusal of a query while there is no index. `share` of the records has been read. */
export const notIndexed = (share: number | undefined) =>
  new CatalogueError(
    'unavailable',
    share === undefined
      ? 'The index is being read; try again'
      : `The index is being built, and ${Math.floor(share * 100)} % of the records were read; try again. Records can be read by their ids meanwhile`
  )

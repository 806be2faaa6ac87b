import { CatalogueError } from '#domain/errors.ts'
import type { DuplicatesAnswer, DuplicatesQuery } from '#index/duplicates.ts'
import type { FindAnswer } from '#index/find.ts'
import type { NamesInUse } from '#index/names-in-use.ts'
import type { SameRecord, SameRecordsQuery } from '#index/same-records.ts'
import {
  type Finding,
  type FindReply,
  type FindRequest,
  IndexNotReady,
  type IndexSearch,
  type IndexState,
  type IndexUpdate,
  type Lacking
} from './finder.ts'
import { findRecent, firstOfRecent, joinRecent, readMoment } from './history.ts'
import type { EntityQuery, GrowthCount, GrowthQuery, QueryResult, SuggestionQuery, Term, TermQuery } from './queries.ts'
import type { ChangeMark, DocumentRow, RecordPage, Records } from './records.ts'
import type { Entity, Json, StoredEntity } from '#domain/entity/entity.ts'
import { countCharacters } from '#domain/values/fold.ts'
import { replaceTags } from '#domain/values/replace-tags.ts'
import { isSameJson } from '#domain/json.ts'
import { textOf } from '#domain/search/index-values.ts'
import type { EntryCandidate, EntryFilter } from '#index/entries.ts'

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
const maxChangedShare = 3
/** Maximum number of records for which an index is built within a query. */
export const maxRecordsAtOnce = 1000
/** Minimum and maximum number of changes that are read at once. */
const minChangesEach = 32
const maxChangesEach = 256
/** The number of documents that are read at once. */
const documentsEach = 100
/**
 * Fewer records are read at once where they have more characters than this together: the thread
 * that reads them answers others too.
 */
const maxCharactersAtOnce = 8_388_608

/** Finds the entities of a query. */
export async function findInIndex(finding: Finding, query: EntityQuery): Promise<QueryResult> {
  const { records } = finding
  const backwards = query.from?.backwards === true
  return inIndex(finding, async find => {
    let { numbers, groups, works, ...found } = await findPage(records, find, query)
    if (groups) {
      const read = await readGroups(records, { ...found, groups }, backwards)
      return { ...found, ...read, ...(await readEditions(records, works, [])) }
    }
    const inOrder = backwards ? numbers.toReversed() : numbers
    // The page and the editions of its works, by one statement.
    const read = await readRecords(records, [...inOrder, ...editionsOf(works)])
    const page = read.slice(0, inOrder.length)
    let furtherRead = read.slice(inOrder.length)
    // A page that is cut by its bytes ends at another position.
    if (page.length < numbers.length) {
      ;({ numbers, groups, works, ...found } = await findPage(records, find, { ...query, limit: page.length }))
      furtherRead = []
    }
    const entities = page.map(toEntity)
    const editions = await readEditions(records, works, furtherRead)
    return { ...found, entities: backwards ? entities.reverse() : entities, ...editions }
  })
}

/** Finds suggestions. */
export async function suggestFromIndex(finding: Finding, query: SuggestionQuery): Promise<readonly StoredEntity[]> {
  return inIndex(finding, async find => {
    const { numbers } = expect('numbers', await find({ kind: 'suggestion', query }))
    return (await readRecords(finding.records, numbers)).map(toEntity)
  })
}

export const listTermsInIndex = (finding: Finding, query: TermQuery): Promise<readonly Term[]> =>
  inIndex(finding, async find => expect('terms', await find({ kind: 'terms', query })).terms)

export const countGrowthInIndex = (finding: Finding, query: GrowthQuery): Promise<readonly GrowthCount[]> =>
  inIndex(finding, async find => expect('growth', await find({ kind: 'growth', query })).counts)

export const listDuplicatesInIndex = (finding: Finding, query: DuplicatesQuery): Promise<DuplicatesAnswer> =>
  inIndex(finding, async find => expect('duplicates', await find({ kind: 'duplicates', query })).list)

export const findSameInIndex = (finding: Finding, query: SameRecordsQuery): Promise<readonly SameRecord[]> =>
  inIndex(finding, async find => expect('same', await find({ kind: 'same', query })).records)

export const listNamesInIndex = (finding: Finding): Promise<NamesInUse> =>
  inIndex(finding, async find => expect('names', await find({ kind: 'names' })).names)

/** The records of a list that a caller may read. */
export const readableInIndex = (
  finding: Finding,
  query: GrowthQuery,
  numbers: readonly number[]
): Promise<readonly number[]> =>
  inIndex(finding, async find => expect('numbers', await find({ kind: 'readable', query, numbers })).numbers)

type Find = (search: IndexSearch) => Promise<FindReply>

/** Does the work with an index that is as current as the session. */
async function inIndex<T>(finding: Finding, work: (find: Find) => Promise<T>): Promise<T> {
  const { finder, records, timeLeft, tooLate, isTooLate } = finding
  const last = await records.lastChange()
  const before = finder.state?.change
  try {
    let update = await catchUp(finding, last)
    const answer = await work(async search => {
      const reply = await findBy(finding, { update, timeLeft: timeLeft(), search })
      update = undefined
      if (reply.kind === 'late') throw tooLate()
      return reply
    })
    finder.note({ isAnswered: true })
    return answer
  } catch (error) {
    if (error instanceof IndexFault) {
      // The base of a thread that failed may be good: only one that differs is dropped.
      const base = error instanceof IndexDiffers ? finder.state?.base : noBase
      finder.discard()
      return refuse(finding, 'all', base, error)
    }
    // Changes that are too large for the time of one query are so for the next.
    const isStuck = before !== last.change && finder.state?.change === before
    if (isStuck && isTooLate(error)) return refuse(finding, 'speed')
    throw error
  }
}

async function findBy({ finder, isTooLate }: Finding, request: FindRequest): Promise<FindReply> {
  try {
    return await finder.find(request)
  } catch (cause) {
    // The thread of the index was ended, since it did not end by itself.
    if (isTooLate(cause)) throw cause
    throw new IndexFault('The index failed', { cause })
  }
}

function expect<Kind extends FindReply['kind']>(kind: Kind, reply: FindReply): Extract<FindReply, { kind: Kind }> {
  if (reply.kind !== kind) throw new IndexFault(`The index answers "${reply.kind}"`)
  return reply as Extract<FindReply, { kind: Kind }>
}

/** Finds a page, and tells the index what only the database knows. */
async function findPage(records: Records, find: Find, query: EntityQuery): Promise<FindAnswer> {
  let before: ReadonlyMap<number, number> | undefined
  const withEntries: (readonly number[])[] = []
  for (;;) {
    const reply = await find({ kind: 'query', query, withEntries, ...(before ? { before } : {}) })
    if (reply.kind === 'moved') before = await records.changesBefore(reply.numbers, reply.change)
    else if (reply.kind === 'entries') withEntries.push(await readWithEntry(records, reply))
    else return expect('found', reply).answer
  }
}

/**
 * Gives an index the changes that it lacks, some at a time, and returns the last of them; undefined
 * where it lacks none. It keeps them when the time is over, so the next query has less to do.
 */
async function catchUp(finding: Finding, last: ChangeMark): Promise<IndexUpdate | undefined> {
  const { timeLeft } = finding
  let count = minChangesEach
  for (;;) {
    const update = await findUpdate(finding, last, count)
    if (!update || update.change === last.change) return update
    await findBy(finding, { update, timeLeft: timeLeft(), search: { kind: 'nothing' } })
    const isSmall = charactersOf(update.written) < maxCharactersAtOnce / 4
    count = isSmall ? Math.min(2 * count, maxChangesEach) : minChangesEach
  }
}

const charactersOf = (rows: readonly DocumentRow[]) => rows.reduce((sum, { document }) => sum + document.length, 0)

/** The next changes that an index lacks, at most so many; undefined where it lacks none. */
async function findUpdate(finding: Finding, last: ChangeMark, count: number): Promise<IndexUpdate | undefined> {
  const { finder, records, olderThanIndex } = finding
  const { state } = finder
  if (!state) return beginWithAll(finding)
  const behind = last.change - state.change
  if (behind === 0 && last.mark === markOf(state, last.change)) return undefined
  // A replica may be at an earlier moment than the index.
  if (behind < 0 && olderThanIndex) throw olderThanIndex()
  const { maxBehind } = finder
  if (behind > maxBehind || state.changed + behind > maxBehind * maxChangedShare) return refuse(finding, 'changes')
  const update = behind < 0 ? undefined : await readUpdate(records, state, Math.min(last.change, state.change + count))
  if (update) return update
  // The database has another history. Often the base is still of the same: it is older.
  if (finder.restart()) return findUpdate(finding, last, count)
  finder.discard()
  return beginWithAll(finding, state.base)
}

/** Stands for the change of a base that is not there, or not to blame. */
const noBase = -1

const markOf = ({ recent }: IndexState, change: number) => recent.find(each => each.change === change)?.mark ?? ''

function refuse({ finder }: Finding, lacks: Lacking, base = finder.state?.base ?? noBase, fault?: unknown): never {
  finder.note({ isAnswered: false, lacks, base, ...(fault === undefined ? {} : { fault }) })
  throw new IndexNotReady()
}

/** Reads changes since those of an index; undefined where the database has another history. */
async function readUpdate(records: Records, state: IndexState, change: number): Promise<IndexUpdate | undefined> {
  const reading = records.changesBetween(firstOfRecent(state), change)
  const [recent, read, written] = await Promise.all([
    findRecent(records, state, reading),
    reading,
    records.changedDocuments(state.change, change)
  ])
  if (!recent) return undefined
  const changes = read.filter(each => each.change > state.change)
  const present = new Set(written.map(({ uuid }) => uuid))
  const changed = new Set(changes.map(({ uuid }) => uuid))
  return {
    change,
    recent: joinRecent(changes, recent),
    isWhole: false,
    written,
    removed: [...changed].filter(uuid => !present.has(uuid))
  }
}

/** Begins an index with all records, where they are few. `base` is that of a dropped index. */
async function beginWithAll(finding: Finding, base = noBase): Promise<IndexUpdate> {
  const { records } = finding
  const lastNumber = await records.lastNumber()
  if (lastNumber > maxRecordsAtOnce) return refuse(finding, 'all', base)
  const written: DocumentRow[] = []
  for (let isMore = true; isMore; ) {
    const rows = await records.documentsBetween(written.at(-1)?.number ?? 0, lastNumber, documentsEach)
    written.push(...rows)
    if (charactersOf(written) > maxCharactersAtOnce) return refuse(finding, 'all', base)
    isMore = rows.length === documentsEach
  }
  return { ...(await readMoment(records)), isWhole: true, written, removed: [] }
}

/** Reads records in the order of their numbers in a list, up to the maximum bytes of a page. */
async function readRecords(database: Records, numbers: readonly number[]): Promise<RecordPage['records']> {
  if (numbers.length === 0) return []
  const { records, isCut } = await database.readPage(numbers)
  const isIncomplete = records.length < numbers.length && !isCut
  if (isIncomplete || records.some(({ number }, at) => number !== numbers[at]))
    throw new IndexDiffers('The index has a record that the database has not')
  return records
}

const toEntity = ({ number: _, ...entity }: RecordPage['records'][number]): StoredEntity => entity

/** The numbers of the newest editions of works. */
const editionsOf = (works: FindAnswer['works'] = []): number[] => [...new Set(works.flatMap(({ newest }) => newest))]

/**
 * Reads the newest editions of works, of which the first were read. They may take more than the
 * bytes of a page.
 */
async function readEditions(
  database: Records,
  works: FindAnswer['works'],
  begun: RecordPage['records']
): Promise<Pick<QueryResult, 'works' | 'editions'>> {
  if (!works) return {}
  const numbers = editionsOf(works)
  const read = [...begun]
  while (read.length < numbers.length) read.push(...(await readRecords(database, numbers.slice(read.length))))
  const ids = new Map(read.map(({ number, id }) => [number, id]))
  return {
    works: works.map(each => ({ ...each, newest: each.newest.map(number => ids.get(number) as string) })),
    editions: read.map(toEntity)
  }
}

type FoundGroups = Required<Pick<FindAnswer, 'groups'>> & Pick<FindAnswer, 'hasMore' | 'first' | 'last'>

/**
 * Reads the records of groups. Where a page is cut by its bytes, it ends with the last group that
 * is complete, and the next begins after it.
 */
async function readGroups(database: Records, { groups, hasMore, first, last }: FoundGroups, backwards: boolean) {
  const inOrder = backwards ? groups.toReversed() : groups
  const numbersOf = ({ head, expression, manifestation, part }: FoundGroups['groups'][number]) =>
    [head, expression, manifestation, part].filter(number => number !== undefined)
  const read = await readRecords(database, [...new Set(inOrder.flatMap(numbersOf))])
  const records = new Map(read.map(each => [each.number, toEntity(each)]))
  const end = inOrder.findIndex(group => !numbersOf(group).every(number => records.has(number)))
  const shown = end < 0 ? [...groups] : inOrder.slice(0, end)
  if (end >= 0 && backwards) shown.reverse()
  const languageNumbers = [...new Set(shown.flatMap(group => group.languages))]
  const languages = languageNumbers.length === 0 ? new Map<number, string>() : await database.findIds(languageNumbers)
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

/** Reads which of some records have the entry of a filter. */
async function readWithEntry(
  records: Records,
  { filter, candidates }: Extract<FindReply, { kind: 'entries' }>
): Promise<number[]> {
  const found: number[] = []
  for (let at = 0; at < candidates.length; at += documentsEach) {
    const some = new Map(candidates.slice(at, at + documentsEach).map(each => [each.number, each]))
    for (const { number, document } of await records.documents([...some.keys()])) {
      const candidate = some.get(number)
      if (candidate && hasEntry(document, filter, candidate)) found.push(number)
    }
  }
  return found
}

/** The index failed: it is dropped. */
class IndexFault extends Error {}

/** The index and the database differ: it is dropped with its base. */
class IndexDiffers extends IndexFault {}

/** The refusal of a query while there is no index. `share` of the records has been read. */
export const notIndexed = (share: number | undefined) =>
  new CatalogueError(
    'unavailable',
    share === undefined
      ? 'The index is being read; try again'
      : `The index is being built, and ${Math.floor(share * 100)} % of the records were read; try again. Records can be read by their ids meanwhile`,
    { isExpected: true }
  )

/** Whether a document has an entry of metadata or a relation with the members of a filter. */
function hasEntry(document: string, filter: EntryFilter, { positions }: EntryCandidate): boolean {
  const { path, test, members, length } = filter
  const entity = JSON.parse(document) as Entity
  const hasMembers = (entry: object | undefined) =>
    entry !== undefined &&
    Object.entries(members).every(
      ([name, value]) => Object.hasOwn(entry, name) && isSameJson((entry as Record<string, Json>)[name], value)
    )
  if (path.kind === 'relation_key') return positions?.some(at => hasMembers(entity.relations[at])) === true
  const isMet = (value: Json) => {
    const text = textOf(value)
    if (length) {
      const characters = countCharacters(replaceTags(text, () => ''))
      if (characters < length.min || characters > (length.max ?? characters)) return false
    }
    return test.kind === 'present' ? text !== '' : test.values.includes(text)
  }
  return entity.metadata.some(
    entry =>
      entry.key === path.key &&
      hasMembers(entry) &&
      (Array.isArray(entry.value) ? (entry.value as Json[]) : [entry.value]).some(isMet)
  )
}

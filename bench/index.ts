import { DatabaseSync } from 'node:sqlite'

import type { Entity } from '#domain/entity/entity.ts'
import { toEntity } from '#domain/entity/entity.ts'
import { readFacets } from '#domain/filter/facets.ts'
import { readSearch } from '#domain/search/search.ts'
import { createModel } from '#domain/record-types/model.ts'
import { readOrder } from '#domain/filter/order.ts'
import { readClientFilters as readFilters } from '#compat/filter/client-filter-reader.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { type Base, buildBase } from '#index/base.ts'
import { bytesOf } from '#index/bytes-of.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { type IndexedDocument, toIndexedDocument } from '#index/document.ts'
import { find } from '#index/find.ts'
import { mergeBases } from '#index/merge.ts'
import { nameAt } from '#index/names.ts'
import { readSnapshot } from '#index/snapshot.ts'
import { suggest } from '#index/suggest.ts'
import { instantAt } from '#index/times.ts'
import type { EntityQuery, SuggestionQuery } from '#store/ports/queries.ts'
import { snapshotBytes, snapshotIn } from '../test/support/records/snapshot-bytes.ts'
import { commonWord, findSamples, prepareCatalogue, type Samples } from './support/catalogue-file.ts'
import { benchSize, generateCatalogue } from './support/generate-catalogue.ts'
import { adversaries, manifestations, questionsAbout, searched, searchesAbout } from './support/questions.ts'
import { printTable, type RunOptions } from './support/report.ts'

/**
 * The index in memory alone: what it costs to build, to store and to change, and what each question
 * takes. Above 150,000 manifestations there is no database: it is built from generated records.
 */
export async function run({ manifestations: size, rounds }: RunOptions) {
  const isAlone = size > 150_000
  const path = isAlone ? undefined : await prepareCatalogue(size)
  const before = memory()
  const started = used()
  const base = path === undefined ? generateBase(size) : readBase(path)
  const built = used() - started
  const bytes = bytesOf(base)
  console.log(
    `${base.size} records: built in ${(built / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB of arrays, ` +
      `${(bytes / base.size).toFixed(0)} bytes a record (process before: ${before} MB)`
  )
  for (const [name, part] of Object.entries(base)
    .sort(([, one], [, other]) => bytesOf(other) - bytesOf(one))
    .slice(0, 8))
    console.log(`  ${name}: ${(bytesOf(part) / base.size).toFixed(1)} bytes a record`)
  measureSnapshot(base)
  measureApply(base)
  measureMerge(base)
  const index = new CatalogueIndex(model, base)
  const samples = path === undefined ? madeSamples(index) : findSamples(path)
  using db = path === undefined ? undefined : new DatabaseSync(path, { readOnly: true })
  const rows: string[][] = []
  for (const { name, query, suggestion } of timedQueries(index, samples)) {
    const { outcome, took } = measure(
      suggestion ? suggestByIndex(index, db, suggestion) : findByIndex(index, db, query),
      Math.max(3, rounds)
    )
    rows.push([name, outcome, took.toFixed(2)])
  }
  printTable(['question', 'matches', 'ms'], rows)
}

interface TimedQuery {
  readonly name: string
  readonly query: EntityQuery
  readonly suggestion?: SuggestionQuery
}

/** Every question of `search.ts` and `filter.ts`. */
function timedQueries(index: CatalogueIndex, samples: Samples): TimedQuery[] {
  const deep = (filters: readonly unknown[], skip: number): EntityQuery => {
    const query = toQuestion(filters, '')
    const { last } = find(index, { ...query, skip: skip - 1, limit: 1 }, noChanges, noEntries)
    return last ? { ...query, from: { position: last, backwards: false } } : query
  }
  const suggestion = (text: string): SuggestionQuery => ({ search: readSearch(text), types: undefined, limit: 10 })
  const nothing = toQuestion([], '')
  return [
    ...[...questionsAbout(samples), ...searchesAbout(samples), ...adversaries]
      .filter(({ query = '' }) => !query.includes('highlight'))
      .map(({ name, filters, query = '' }) => ({ name, query: toQuestion(filters, query) })),
    { name: 'page 2000 by cursor', query: deep([manifestations], 40_000) },
    { name: 'page 50 of a common word, by cursor', query: deep([searched(commonWord)], 980) },
    { name: 'suggestions for three letters', query: nothing, suggestion: suggestion('ges') },
    { name: 'suggestions for a typo', query: nothing, suggestion: suggestion('geschidenis') }
  ]
}

/** Gives the number of matches. */
type Work = () => string

interface MeasuredWork {
  /** Milliseconds for one round. */
  readonly took: number
  readonly outcome: string
}

const noChanges = () => new Map<number, number>()
const noEntries = () => []

/** Finds in the index, and reads the records found from the database, as a service does. */
function findByIndex(index: CatalogueIndex, db: DatabaseSync | undefined, query: EntityQuery): Work {
  const read = documentReader(index, db)
  return () => {
    forget(index)
    const { count, numbers } = find(index, query, noChanges, noEntries)
    read(numbers)
    return String(count)
  }
}

function suggestByIndex(index: CatalogueIndex, db: DatabaseSync | undefined, query: SuggestionQuery): Work {
  const read = documentReader(index, db)
  return () => {
    forget(index)
    return String(read(suggest(index, query)).length)
  }
}

function documentReader(index: CatalogueIndex, db: DatabaseSync | undefined) {
  const statement = db?.prepare(
    `SELECT e.id, e.uuid, e.type, e.version, e.document FROM json_each(?) wanted
     CROSS JOIN entities e ON e.pk = wanted.value ORDER BY wanted.key`
  )
  return (numbers: readonly number[]) =>
    statement
      ? statement.all(JSON.stringify(numbers)).map(({ id }) => String(id))
      : numbers.map(number => index.idOf(number))
}

/** Sets are remembered until the next change; here nothing is. */
const forget = (index: CatalogueIndex) => index.apply({ change: index.change, written: [], removed: [] })

/**
 * Milliseconds of processor time for one round. The system counts it in steps of 4 ms, so rounds
 * are repeated until they take some hundred together; two before are not counted.
 */
function measure(work: Work, rounds: number): MeasuredWork {
  for (let warming = 0; warming < 2; warming++) {
    const begun = used()
    const outcome = work()
    if (used() - begun > 1000) return { took: used() - begun, outcome }
  }
  const begun = used()
  let done = 1
  let outcome = work()
  while (done < rounds || (used() - begun < minMeasured && done < maxRounds)) {
    if (used() - begun > 1000) break
    outcome = work()
    done++
  }
  return { took: (used() - begun) / done, outcome }
}

const minMeasured = 160
const maxRounds = 2000

const model = createModel(builtInRecordTypes)

function readBase(path: string): Base {
  using db = new DatabaseSync(path, { readOnly: true })
  const builder = buildBase()
  for (const row of db.prepare('SELECT pk, changed, document FROM entities ORDER BY pk').iterate())
    builder.add(
      toIndexedDocument(model, JSON.parse(String(row.document)) as Entity, Number(row.pk), Number(row.changed))
    )
  return builder.done(Number(db.prepare('SELECT max(sequence) AS n FROM changes').get()?.n))
}

function generateBase(size: number): Base {
  const builder = buildBase()
  let number = 0
  for (const content of generateCatalogue({ ...benchSize, manifestations: size })) {
    number++
    const at = new Date(1_700_000_000_000 + Math.floor(number / 1000) * 1000).toISOString()
    const stamp = { at, by: 'bench' }
    builder.add(toIndexedDocument(model, toEntity(content, 1, { created: stamp, updated: stamp }), number, number))
  }
  return builder.done(number)
}

function madeSamples(index: CatalogueIndex): Samples {
  const middle = index.base.size >>> 1
  return {
    isbn: '9780306406157',
    publisher: index.idOf(middle),
    author: index.idOf(1),
    authorName: 'Jan de Vries',
    language: index.idOf(0),
    recently: new Date(instantAt(index.base.updatedAt, Math.floor(index.base.size * 0.98))).toISOString()
  }
}

function toQuestion(filters: readonly unknown[], query: string): EntityQuery {
  const given = new URLSearchParams(query)
  const filter = readFilters(model, filters).filter
  const order = readOrder(given.get('order_by') ?? '', given.get('asc') !== '0', filter)
  const facets = given.get('facets')
  if (!order) throw new Error(`No order: ${query}`)
  return {
    filter,
    order,
    skip: Number(given.get('skip') ?? 0),
    limit: Number(given.get('limit') ?? 20),
    readableTypes: undefined,
    counted: true,
    ...(facets === null ? {} : { facets: { paths: readFacets(facets).map(({ path }) => path), limit: 20 } })
  }
}

/** Records that a base does not have yet. */
function newDocuments(base: Base, count: number): Iterable<IndexedDocument> {
  const stamp = { at: new Date(0).toISOString(), by: 'bench' }
  return generateCatalogue({ ...benchSize, manifestations: count })
    .take(count)
    .map((content, at) => {
      const named = { ...content, id: `N-${at}`, uuid: `new ${at}`, otherIdentifiers: [] }
      const entity = toEntity(named, 1, { created: stamp, updated: stamp })
      return toIndexedDocument(model, entity, base.size + at, base.change + at + 1)
    })
}

/** Measures the cost of applying a change in one thread, after a number of other changes. */
function measureApply(base: Base) {
  const index = new CatalogueIndex(model, base)
  const started = used()
  for (const document of newDocuments(base, 2000))
    index.apply({ change: document.changed, written: [document], removed: [] })
  console.log(`2000 changes taken in one by one: ${((used() - started) / 2).toFixed(0)} µs each`)
}

/** The cost of a new base, made of an old one and changes: new records, and some deleted ones. */
function measureMerge(base: Base) {
  const started = used()
  const builder = buildBase()
  for (const document of newDocuments(base, 10_000)) builder.add(document)
  const since = builder.done(base.change)
  const built = used()
  const changed = Array.from({ length: 1000 }, (_, at) =>
    nameAt(base.names, base.firstNames[1 + Math.floor((at * (base.size - 1)) / 1000)] as number)
  )
  const merged = mergeBases([base], { bases: [since], changed }, base.change + 11_000, [])
  console.log(
    `a base of 10000 new records: built in ${((built - started) / 1000).toFixed(2)} s, ` +
      `merged in ${((used() - built) / 1000).toFixed(2)} s (${merged.size} records)`
  )
}

function measureSnapshot(base: Base) {
  const started = used()
  const bytes = snapshotBytes(base, 'bench')
  const written = used()
  if (!readSnapshot(snapshotIn(bytes), 'bench')) throw new Error('The snapshot cannot be read')
  const read = used()
  console.log(
    `snapshot of ${(bytes.length / 1e6).toFixed(0)} MB: made in ${((written - started) / 1000).toFixed(2)} s, ` +
      `checked and read in ${((read - written) / 1000).toFixed(2)} s`
  )
}

/**
 * Milliseconds of processor time of this thread, which does all the work: on a machine that does
 * other things too, the clock would measure those.
 */
const used = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const memory = () => Math.round(process.memoryUsage().rss / 1e6)

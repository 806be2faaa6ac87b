import { DatabaseSync } from 'node:sqlite'

import type { Entity } from '#domain/entity/entity.ts'
import { toEntity } from '#domain/entity/entity.ts'
import { readFacets } from '#domain/filter/facets.ts'
import { createModel } from '#domain/record-types/model.ts'
import { readOrder } from '#domain/filter/order.ts'
import { readFilters } from '#domain/filter/read-filter.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { type Base, buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { toIndexedDocument } from '#index/document.ts'
import { find } from '#index/find.ts'
import { readSnapshot, writeSnapshot } from '#index/snapshot.ts'
import { createSqliteReader } from '#store/sqlite/reader.ts'
import type { EntityQuery } from '#store/ports/queries.ts'
import { commonWord, findSamples, prepareCatalogue, rareWord, type Samples } from './support/catalogue-file.ts'
import { benchSize, generateCatalogue } from './support/generate-catalogue.ts'
import { type AskedQuestion, manifestations, questionsAbout } from './support/questions.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/**
 * The index in memory beside SQL, on the same records, in one process and one run: what each
 * question takes, whether both find the same, and what the index costs. Above 150,000
 * manifestations there is no database: the index alone is built from generated records.
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
  const index = new CatalogueIndex(model, base)
  measureApply(base)
  const samples = path === undefined ? madeSamples(index) : findSamples(path)
  const rows: string[][] = []
  using db = path === undefined ? undefined : new DatabaseSync(path, { readOnly: true })
  for (const { name, filters, query = '' } of [...questionsAbout(samples), ...searches(samples)]) {
    const question = toQuestion(filters, query)
    const times: number[] = []
    let found = { count: 0, ids: '' }
    for (let round = 0; round < Math.max(3, rounds); round++) {
      // What was evaluated is remembered until the next change; here nothing is.
      index.apply({ change: index.change, written: [], removed: [] })
      const begun = used()
      const answer = find(
        index,
        question,
        () => {},
        () => new Map()
      )
      times.push(used() - begun)
      found = { count: answer.count, ids: answer.numbers.map(number => index.idOf(number)).join() }
    }
    const ours = median(times)
    if (!db) {
      rows.push([name, String(found.count), '', ours.toFixed(2), ''])
      continue
    }
    const sql: number[] = []
    for (let round = 0; round < 3; round++) {
      const begun = used()
      const answer = await createSqliteReader(db, model, () => ({ deadline: 600_000, waited: 0 })).queryEntities(
        question
      )
      sql.push(used() - begun)
      const same = answer.count === found.count && answer.entities.map(({ id }) => id).join() === found.ids
      if (!same) throw new Error(`${name}: SQL finds ${answer.count}, the index ${found.count}, or in another order`)
    }
    const theirs = median(sql)
    rows.push([name, String(found.count), theirs.toFixed(1), ours.toFixed(2), (theirs / ours).toFixed(0)])
  }
  printTable(['question', 'matches', 'SQL ms', 'index ms', 'times'], rows)
}

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
    recently: new Date((index.base.updatedAt[Math.floor(index.base.size * 0.98)] as number) || 0).toISOString()
  }
}

function searches({ authorName }: Samples): AskedQuestion[] {
  const search = (value: string) => ({ type: 'search', value })
  const contains = (value: string) => ({ type: 'text', key: ['properties.title.value'], value })
  return [
    { name: `search: a rare word (${rareWord})`, filters: [search(rareWord)] },
    { name: `search: a common word (${commonWord})`, filters: [search(commonWord)] },
    { name: 'search: a title with stop words', filters: [search('de geschiedenis van het water')] },
    { name: 'search: an author', filters: [search(authorName)] },
    { name: 'search: a word with a typo', filters: [search('geschidenis')] },
    { name: 'search: two words with typos', filters: [search('gschiedenis schadw')] },
    { name: 'search: a stop word (de)', filters: [search('de')] },
    { name: 'search: a stop word, by title', filters: [search('de')], query: 'order_by=title' },
    { name: 'search: ten stop words', filters: [search('de het een van the en of and in a')] },
    {
      name: 'a common word among manifestations, three facets',
      filters: [search(commonWord), manifestations],
      query: 'facets=type,properties.ref_languages.value,properties.year_of_publication.value'
    },
    { name: 'facet of the languages of all', filters: [], query: 'facets=properties.ref_languages.value&limit=0' },
    { name: 'facet of the years of all', filters: [], query: 'facets=properties.year_of_publication.value&limit=0' },
    {
      name: 'facet of the publishers of all manifestations',
      filters: [manifestations],
      query: 'facets=properties.ref_publishers.value&limit=0'
    },
    { name: 'facet of the titles of all', filters: [], query: 'facets=properties.title.value&limit=0' },
    { name: 'contains one letter', filters: [contains('e')] },
    { name: 'contains 512 characters', filters: [contains('x'.repeat(512))] }
  ]
}

function toQuestion(filters: readonly unknown[], query: string): EntityQuery {
  const given = new URLSearchParams(query)
  const filter = readFilters(model, filters)
  const order = readOrder(given.get('order_by') ?? '', true, filter)
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

/** What it costs a thread to take in a change, where so many came before. */
function measureApply(base: Base) {
  const index = new CatalogueIndex(model, base)
  const documents = [...generateCatalogue({ ...benchSize, manifestations: 700 })].slice(0, 2000)
  const stamp = { at: new Date(0).toISOString(), by: 'bench' }
  const started = used()
  documents.forEach((content, at) => {
    const named = { ...content, id: `N-${at}`, uuid: `new ${at}`, otherIdentifiers: [] }
    const entity = toEntity(named, 1, { created: stamp, updated: stamp })
    const number = base.size + at
    index.apply({
      change: base.change + at + 1,
      written: [toIndexedDocument(model, entity, number, base.change + at + 1)],
      removed: []
    })
  })
  const took = used() - started
  console.log(`2000 changes taken in one by one: ${((took / documents.length) * 1000).toFixed(0)} µs each`)
}

function measureSnapshot(base: Base) {
  const started = used()
  const bytes = writeSnapshot(base, 'bench')
  const written = used()
  if (!readSnapshot(bytes, 'bench')) throw new Error('The snapshot cannot be read')
  const read = used()
  console.log(
    `snapshot of ${(bytes.length / 1e6).toFixed(0)} MB: made in ${((written - started) / 1000).toFixed(2)} s, ` +
      `checked and read in ${((read - written) / 1000).toFixed(2)} s`
  )
}

function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + bytesOf(each), 0)
}

/**
 * Milliseconds of processor time that this process has used: on a machine that does other things
 * too, the time by the clock tells of those. Everything here runs in one thread; what the collector
 * of garbage takes is counted.
 */
const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const memory = () => Math.round(process.memoryUsage().rss / 1e6)

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { everything, type FieldTest, type Filter } from '#domain/filter/filter.ts'
import { columnPaths, type FilterPath } from '#domain/filter/filter-path.ts'
import type { Order, OrderItem } from '#domain/filter/order.ts'
import { readClientFilters as readFilters } from '#compat/filter/client-filter-reader.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { readSearch } from '#domain/search/search.ts'
import type { Base } from '#index/base.ts'
import type { CatalogueIndex } from '#index/catalogue-index.ts'
import type { Tuning } from '#index/current-documents.ts'
import type { IndexedDocument } from '#index/document.ts'
import type { FindQuery } from '#index/find.ts'
import { entityOf } from '../support/records/publications.ts'
import { isLong } from '../support/records/chance.ts'
import { countRunsIn } from '../support/oracles/count-runs.ts'
import { testStore } from '../support/databases/database.ts'

/*
 * The deadline in the loops of the index. It is counted how often each function and each loop runs:
 * none may run many times more often between two looks at the clock than there are steps between
 * them. A loop over the catalogue that takes no steps is found so, whatever it costs.
 */

const runs = countRunsIn(url => url.includes('/src/index/') && !url.endsWith('/time-limit.ts'))
const { buildBase } = await import('#index/base.ts')
const { CatalogueIndex: Index } = await import('#index/catalogue-index.ts')
const { toIndexedDocument } = await import('#index/document.ts')
const { listDuplicates } = await import('#index/duplicates.ts')
const { find } = await import('#index/find.ts')
const { countGrowth } = await import('#index/growth.ts')
const { readableIn } = await import('#index/readable.ts')
const { findSameRecords } = await import('#index/same-records.ts')
const { suggest } = await import('#index/suggest.ts')
const { listTerms } = await import('#index/terms.ts')
const { TimeIsOver, withinTime } = await import('#index/time-limit.ts')

const model = createModel(builtInRecordTypes)

/** The number of records of each of five types. */
const ofEach = isLong ? 5000 : 450

/** Fewer than usual, so that a small catalogue shows it. */
const steps = 24

/** A step may be several runs of a piece that several loops share. */
const maxRuns = 16 * steps

describe('the deadline', { skip: testStore === 'postgres' && 'The index alone has no database' }, () => {
  const documents = Array.from({ length: ofEach }, (_, at) => someRecords(at))
    .flat()
    .map((entity, at) => toIndexedDocument(model, entity, at + 1, at + 1))
  const builder = buildBase()
  for (const document of documents) builder.add(document)
  const base = builder.done(documents.length)
  const shares: readonly [what: string, share: number, tuning?: Tuning][] = [
    ['an index', 1],
    [
      'an index that takes every other way',
      1,
      { sourceCost: Number.POSITIVE_INFINITY, pullFactor: 0, denseShare: 0, sortedShare: 0 }
    ],
    ['an index of which half of the records changed', 0.5]
  ]
  for (const [what, share, tuning] of shares) {
    const index = indexOf(documents, base, share, tuning)

    it(`is looked at in every loop of ${what}`, () => {
      /** The question in which each piece ran too often. */
      const faults = new Map<string, string>()
      const look = (name: string) => {
        const { runs: most, place } = runs.take()
        if (most > maxRuns && !faults.has(place)) faults.set(place, `${most} times in ${name}`)
        return 0
      }
      for (const [name, ask] of Object.entries(questions)) {
        forget(index)
        runs.take()
        withinTime(1, () => ask(index), { now: () => look(name), steps })
        look(name)
      }
      assert.deepEqual([...faults], [])
    })

    it(`ends every question to ${what} at any moment, and the next is answered`, () => {
      for (const [name, ask] of Object.entries(questions)) {
        forget(index)
        let looks = 0
        const count = () => looks++ && 0
        const expected = JSON.stringify(withinTime(1, () => ask(index), { now: count, steps }))
        for (const end of new Set([2, Math.ceil(looks / 2), looks])) {
          if (end < 2 || end > looks) continue
          let look = 0
          forget(index)
          const ended = () => withinTime(1, () => ask(index), { now: () => (++look < end ? 0 : 2), steps })
          assert.throws(ended, TimeIsOver, `${name}, look ${end} of ${looks}`)
          assert.equal(look, end)
        }
        forget(index)
        assert.equal(JSON.stringify(ask(index)), expected, name)
      }
    })
  }
})

/** Forgets the sets that are remembered for further questions. */
const forget = (index: CatalogueIndex) => index.apply({ change: index.change, written: [], removed: [] })

const byCreation: Order = { items: [{ by: 'created' }], ascending: true }
const middle = { position: { values: ['x', 'x'], sequence: ofEach }, backwards: false }

const field = (path: FilterPath, test: FieldTest): Filter => ({ kind: 'field', path, test })
const title: FilterPath = { kind: 'metadata', key: 'title' }
const author: FilterPath = { kind: 'relation_key', type: 'refAuthors' }

const tests: { readonly [Kind in FieldTest['kind']]: Extract<FieldTest, { kind: Kind }> } = {
  present: { kind: 'present' },
  absent: { kind: 'absent' },
  equals: { kind: 'equals', values: Array.from({ length: 1000 }, (_, at) => `Titel ${at} van het water`) },
  contains: { kind: 'contains', folded: ['water', 'nergens', 'van het wate', 'titel 7', 'el'] },
  pattern: { kind: 'pattern', pieces: ['titel', 'van', 'water'] },
  words: {
    kind: 'words',
    pieces: [{ text: 'van' }, { mask: 'any' }, { text: 'w' }, { mask: 'one' }],
    atStart: false,
    atEnd: false
  },
  regex: { kind: 'regex', source: '^titel .*(wijn|water)$', isFolded: true },
  instant: { kind: 'instant', from: 0, to: 9_999_999 },
  number: { kind: 'number', min: { value: 1, included: true }, max: undefined },
  boolean: { kind: 'boolean', value: false }
}

const filters: { readonly [Kind in Filter['kind']]: readonly Filter[] } = {
  all: [everything, { kind: 'all', of: [field(title, tests.contains), field(title, tests.pattern)] }],
  any: [{ kind: 'any', of: [field(title, tests.contains), field(title, tests.pattern)] }],
  not: [{ kind: 'not', of: field(title, tests.contains) }],
  types: [{ kind: 'types', types: ['work_word'] }],
  identifiers: [{ kind: 'identifiers', identifiers: Array.from({ length: 9000 }, (_, at) => `X-${at}`) }],
  search: ['water', 'titel water', 'titel water 12', '"van het water"', 'watre', 'wat', 'naam titel'].map(text => ({
    kind: 'search',
    search: readSearch(text)
  })),
  field: [
    ...Object.values(tests).map(test => field(title, test)),
    field({ kind: 'metadata', key: 'latitude' }, tests.number),
    field({ kind: 'metadata', key: 'premiere' }, tests.instant),
    ...columnPaths.flatMap(kind => [tests.contains, tests.regex, tests.instant].map(test => field({ kind }, test))),
    ...[tests.contains, tests.equals, tests.present].flatMap(test => [
      field(author, test),
      field({ ...author, kind: 'relation_name' }, test),
      field({ ...author, through: ['refWork'] }, test)
    ])
  ],
  related: [{ kind: 'related', type: 'refAuthors', of: field({ kind: 'metadata', key: 'name' }, tests.present) }],
  referred: [{ kind: 'referred', type: 'refAuthors', of: field(title, tests.present) }],
  part_of: [{ kind: 'part_of', of: field(title, tests.present) }],
  whole_of: [{ kind: 'whole_of', of: field(title, tests.present) }],
  count: [
    { kind: 'count', of: { kind: 'metadata', key: 'title' }, min: 0, max: 3 },
    { kind: 'count', of: { kind: 'relation_key', type: 'refAuthors', to: ['person'] }, min: 1, max: undefined },
    { kind: 'count', of: { kind: 'incoming', type: 'refAuthors', of: everything }, min: 1, max: undefined }
  ],
  first_of: [
    { kind: 'first_of', path: { kind: 'metadata', key: 'title' }, of: everything },
    { kind: 'first_of', path: { kind: 'relation_key', type: 'refAuthors' }, of: everything }
  ],
  within: [
    readFilters(model, [
      {
        type: 'geo',
        value: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [90, 0],
              [90, 89],
              [0, 0]
            ]
          ]
        }
      }
    ]).filter
  ],
  entry: [
    { kind: 'entry', path: { kind: 'metadata', key: 'title' }, test: tests.present, members: { lang: 'nl' } },
    { kind: 'entry', path: { kind: 'relation_key', type: 'refAuthors' }, test: tests.present, members: { role: 'x' } }
  ]
}

const orders: { readonly [By in OrderItem['by']]: OrderItem } = {
  created: { by: 'created' },
  updated: { by: 'updated' },
  id: { by: 'id' },
  type: { by: 'type' },
  metadata: { by: 'metadata', key: 'title' },
  related: { by: 'related', paths: [['refAuthors'], ['refWork', 'refAuthors']], key: 'name' },
  next: { by: 'next', relation: 'refAuthors', key: 'premiere' }
}

const facets: readonly FilterPath[] = [
  title,
  author,
  { ...author, kind: 'relation_name' },
  { ...author, from: 'refAuthors' },
  ...columnPaths.map(kind => ({ kind }))
]

const limited = {
  readableTypes: model.recordTypes.map(({ type }) => type),
  limits: [
    {
      type: 'work_word',
      status: { field: 'title', values: ['Titel 3 van het water'] },
      parts: [{ type: 'expression_word', relation: 'refWork' }]
    }
  ]
}

type Question = (index: CatalogueIndex) => unknown

/** Every kind of question to an index. */
const questions: Readonly<Record<string, Question>> = {
  ...named(
    'filter',
    Object.values(filters)
      .flat()
      .map(filter => ({ filter }))
  ),
  ...named(
    'limited',
    filters.search.slice(0, 2).map(filter => ({ filter, ...limited }))
  ),
  ...named(
    'order',
    Object.values(orders).flatMap(item => [true, false].map(ascending => orderedBy([item], ascending)))
  ),
  ...named('order of two', [orderedBy([orders.type, orders.metadata], true)]),
  ...named(
    'deep page',
    Object.values(orders).map(item => ({ ...orderedBy([item], true), skip: ofEach * 2, limit: 1000 }))
  ),
  ...named(
    'next page',
    Object.values(orders).map(item => ({ ...orderedBy([item], true), from: middle }))
  ),
  ...named(
    'relevance',
    filters.search.map(filter => ({ filter, order: { ...byCreation, isByRelevance: true } }))
  ),
  ...named(
    'facet',
    facets.map(path => ({ facets: { paths: [path], limit: 20 } }))
  ),
  ...named(
    'facet of groups',
    facets.map(path => ({ facets: { paths: [path], limit: 20 }, groupBy: { facets: 'groups' as const } }))
  ),
  ...named(
    'groups by relevance',
    filters.search.map(filter => ({
      filter,
      order: { ...byCreation, isByRelevance: true },
      groupBy: { facets: 'records' as const }
    }))
  ),
  ...Object.fromEntries(
    ['wat', 'titel', 'watre', 'x'].map(text => [
      `suggestions of ${text}`,
      index => suggest(index, { search: readSearch(text), types: undefined, limit: 10 })
    ])
  ),
  'suggestions in types': index =>
    suggest(index, { search: readSearch('titel'), types: ['work_word'], limits: limited.limits, limit: 10 }),
  terms: index => listTerms(index, { key: 'title', types: ['work_word'], from: 'u', backwards: true, limit: 200 }),
  growth: index => countGrowth(index, { readableTypes: undefined }),
  duplicates: index =>
    listDuplicates(index, { types: model.recordTypes.map(({ type }) => type), readableTypes: undefined, limit: 100 }),
  'same records': index => {
    const { _id, type, metadata, relations } = someRecords(0)[4] as Entity
    return findSameRecords(index, {
      content: { uuid: `${_id.slice(0, -1)}f`, type, metadata, relations },
      readableTypes: undefined,
      limit: ofEach
    })
  },
  'readable records': index => readableIn(index, limited)?.length
}

function orderedBy(items: readonly OrderItem[], ascending: boolean): Pick<FindQuery, 'order'> {
  return { order: { items, ascending } }
}

function named(name: string, given: readonly Partial<FindQuery>[]): Record<string, Question> {
  const plain = { filter: everything, order: byCreation, skip: 0, limit: 20, counted: true, readableTypes: undefined }
  return Object.fromEntries(
    given.map(each => [
      `${name} ${JSON.stringify(each).slice(0, 200)}`,
      (index: CatalogueIndex) =>
        find(
          index,
          { ...plain, ...each },
          () => new Map(),
          (_, candidates) => candidates.map(({ number }) => number)
        )
    ])
  )
}

/** A person, a work, an expression, a publication and a place, which refer to each other. */
function someRecords(at: number): Entity[] {
  const first = at * 5 + 1
  const many = Array.from({ length: at === 0 ? 500 : 1 }, (_, n) => `Nog een titel ${at} ${n}`)
  return [
    recordOf(first, 'person', { name: [`Naam ${at % 100}`, `Ook ${at}`] }, {}),
    recordOf(first + 1, 'work_word', titlesOf(at, many), { refAuthors: [`X-${first}`, `X-${(first % 500) + 1}`] }),
    recordOf(first + 2, 'expression_word', titlesOf(at, many), { refWork: [`X-${first + 1}`] }),
    recordOf(first + 3, 'manifestation_word', titlesOf(at, many), { refExpressions: [`X-${first + 2}`, 'X-3'] }),
    recordOf(first + 4, 'venue', { name: [`Zaal ${at % 9}`], latitude: [at % 90], longitude: [at % 90] }, {})
  ]
}

function titlesOf(at: number, many: readonly string[]) {
  return { title: [`Titel ${at} van het water`, ...many], premiere: [new Date(at * 86_400_000).toISOString()] }
}

function recordOf(
  number: number,
  type: string,
  metadata: Readonly<Record<string, readonly (string | number)[]>>,
  relations: Readonly<Record<string, readonly string[]>>
): Entity {
  const id = `X-${number}`
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const stamp = { at: new Date(number * 1000).toISOString(), by: `token:${number % 7}` }
  return entityOf({
    ...{ id, uuid, type, stamp },
    metadata: Object.entries(metadata).flatMap(([key, values]) => values.map(value => ({ key, value }))),
    relations: Object.entries(relations).flatMap(([type, keys]) => keys.map(key => ({ type, key })))
  })
}

function indexOf(documents: readonly IndexedDocument[], base: Base, share: number, tuning?: Tuning): CatalogueIndex {
  const index = new Index(model, base, tuning)
  const changed = documents.slice(Math.round(documents.length * share))
  if (changed.length > 0) index.apply({ change: documents.length + 1, written: changed, removed: [] })
  return index
}

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'

import type { Entity } from '#domain/entity/entity.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { runStatement } from '../support/databases/database.ts'
import { type Chance, createChance, isLong, repeatable, seed } from '../support/records/chance.ts'
import {
  aCataloguePlan,
  aFilter,
  anyText,
  aQuestion,
  aSearchText,
  type CataloguePlan,
  oddWords,
  someFacets,
  toBody
} from '../support/records/generators.ts'
import { createDatabase, whyNoServer } from '../support/databases/postgres-server.ts'
import { createClient, type HttpAnswer, startServer } from '../support/services/server-process.ts'
import { adminToken, type Teardown, temporaryFolder } from '../support/services/start.ts'

/*
 * The same program gives the same answers on both databases, to the byte. Two services, one on
 * SQLite and one on PostgreSQL, get the same writes in the same order, then the same queries. Every
 * answer is compared as a whole: status, headers and body, also of refusals.
 *
 * No part of an answer is removed or made alike before it is compared. Values that each service
 * would generate itself are given to both (`startBoth`): the clock, and the epoch of the change
 * feed; ids and uuids are sent with each record.
 */

const catalogues = isLong ? 40 : 2
const queriesEach = isLong ? 1250 : 150

describe('SQLite and PostgreSQL', { skip: whyNoServer() }, () => {
  it(`answer ${catalogues * queriesEach} generated queries with the same bytes`, async () => {
    const counts: Record<string, number> = {}
    let requests = 0
    for (let number = 0; number < catalogues; number++) {
      await repeatable(async after => {
        const both = await startBoth({ after })
        const { written, ids } = await fill(both, createChance(seed + number), planFrom(seed + number))
        for (const [kind, count] of Object.entries(written)) counts[kind] = (counts[kind] ?? 0) + count
        await fc.assert(
          fc.asyncProperty(aRead(await stateOf(both, ids)), isRestricted, async (read, restricted) => {
            counts[read.kind] = (counts[read.kind] ?? 0) + 1
            await read.ask(restricted ? both.asReader : both)
          }),
          { seed: seed + number, numRuns: queriesEach, includeErrorInReport: true }
        )
        requests += both.asked()
        assert.equal(both.complaints(), '')
      })
    }
    console.log(`${catalogues} catalogues, ${requests} requests to each (SEED=${seed}): ${JSON.stringify(counts)}`)
    for (const kind of ['merge', 'unmerge', 'revert', 'delete', 'replace', 'atomic batch', 'batch'])
      assert.ok((counts[kind] ?? 0) >= 10, `"${kind}" was accepted ${counts[kind] ?? 0} times only`)
  })
})

/** Some questions are asked by somebody who may read a few types only. */
const isRestricted = fc.integer({ min: 0, max: 4 }).map(draw => draw === 4)

// Two services that know the same

interface Asked {
  /** Sends the same to both, compares the answers, and gives the one of SQLite. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  get(path: string): Promise<HttpAnswer>
}

interface Both extends Asked {
  /** The same, asked by somebody who may read a few types only. */
  readonly asReader: Asked
  /** Moves the clock of both on, by milliseconds. */
  wait(milliseconds: number): void
  /** How many questions were asked of each. */
  asked(): number
  complaints(): string
}

const model = createModel(builtInRecordTypes)

const readerToken = 'libretto_reader_0123456789'
const reader = {
  id: 'reader',
  name: 'reader',
  hash: hash('sha256', readerToken),
  scopes: ['read:work', 'read:venue', 'read:manifestation_word'],
  createdAt: '2024-01-05T09:00:00.000Z',
  createdBy: 'test',
  expiresAt: null
}

/** Headers that tell of the connection, or of the clock of the machine, not of the answer. */
const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding']

async function startBoth(t: Teardown): Promise<Both> {
  const folder = temporaryFolder(t)
  const clock = join(folder, 'clock')
  let now = Date.parse('2024-01-05T10:00:00.000Z')
  const wait = (milliseconds: number) => {
    now += milliseconds
    writeFileSync(clock, String(now))
  }
  wait(0)
  const urls = [`sqlite:${join(folder, 'catalogue.db')}`, await createDatabase(t)]
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'support', 'machines', 'set-clock.ts')).href
  const servers = await Promise.all(
    urls.map(async url => {
      {
        await using store = await openStore(url, model)
        await store.insertToken(reader)
      }
      await runStatement(url, "UPDATE properties SET value = '0123456789abcdef' WHERE name = 'epoch'")
      return startServer(t, url, { NODE_OPTIONS: `--import=${preload}`, TEST_CLOCK: clock, SAMPLE_DATA: '0' })
    })
  )
  const clients = servers.map(({ port }) => createClient(port))
  t.after(() => {
    for (const client of clients) client.close()
  })
  let asked = 0
  const sendAs =
    (token: string): Both['send'] =>
    async (method, path, body, headers) => {
      asked++
      const [one, other] = await Promise.all(
        clients.map(client => client.call(method, path, body, { authorization: `Bearer ${token}`, ...headers }))
      )
      if (!one || !other) throw new Error('Two services were asked')
      assert.ok(one.status < 500, `${method} ${path} ${JSON.stringify(body)} was answered ${one.status}: ${one.text}`)
      if (shown(one) !== shown(other))
        throw new Error(
          `${method} ${path} ${JSON.stringify(body)}\n--- SQLite answers\n${shown(one)}\n--- PostgreSQL answers\n${shown(other)}`
        )
      return one
    }
  const [send, sendAsReader] = [sendAs(adminToken), sendAs(readerToken)]
  return {
    send,
    get: path => send('GET', path),
    asReader: { send: sendAsReader, get: path => sendAsReader('GET', path) },
    wait,
    asked: () => asked,
    complaints: () => servers.map(server => server.complaints()).join('')
  }
}

function shown({ status, headers, text }: HttpAnswer): string {
  const told = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))
  return [status, ...told.map(([name, value]) => `${name}: ${value}`).sort(), '', text].join('\n')
}

// Writing

function planFrom(from: number): CataloguePlan {
  const plans = fc.sample(aCataloguePlan, { seed: from, numRuns: 12 })
  const largest = plans.sort((one, other) => other.entities.length - one.entities.length).slice(0, 2)
  return {
    entities: largest.flatMap(plan => plan.entities),
    changes: largest.flatMap(plan => plan.changes)
  }
}

interface Filled {
  /** How often each kind of write was accepted. */
  readonly written: Readonly<Record<string, number>>
  /** Ids of every record that was made, deleted ones included. */
  readonly ids: readonly string[]
}

/** The state of both catalogues while they are filled. */
interface Filling {
  entities: readonly Entity[]
  /** Ids of every record that was created, including deleted ones. */
  readonly ids: string[]
  /** Records that others were merged into. */
  readonly survivors: string[]
}

/** Draws records and lines of batches. */
function createDrawing(chance: Chance, plan: CataloguePlan, state: Filling) {
  let uuids = 0
  const newUuid = () =>
    `0190${chance.below(65_536).toString(16).padStart(4, '0')}-0000-7000-8000-${(++uuids).toString(16).padStart(12, '0')}`
  const bodyOf = (planned: CataloguePlan['entities'][number]) => {
    const taken = new Set(state.entities.flatMap(entity => entity.identifiers))
    const { id: wanted, ...body } = toBody(planned, state.entities)
    const id = wanted === undefined || (taken.has(wanted) && !chance.oneIn(10)) ? `R-${state.ids.length}` : wanted
    return {
      ...body,
      id,
      _id: newUuid(),
      identifiers: body.identifiers.filter(each => chance.oneIn(20) || (!taken.has(each) && each !== id))
    }
  }
  const anId = () => encodeURIComponent(chance.pickOr(state.ids, 'none'))
  const planned = () => chance.pickOr(plan.entities, plan.entities[0] as (typeof plan.entities)[number])
  const ofType = (type: string) => plan.entities.filter(each => each.type === type)
  const other = (entity: Entity) => {
    const like = ofType(entity.type)
    const { id: _, identifiers, ...body } = toBody(chance.pickOr(like, planned()), state.entities)
    return { ...body, ...(chance.oneIn(3) ? { identifiers: [...entity.identifiers, ...identifiers] } : {}) }
  }
  const anEntity = () => chance.pickOr(state.entities, undefined)
  const aLineOn = (entity: Entity): Record<string, unknown> => {
    const draw = chance.below(10)
    if (draw < 5) return { op: 'patch', id: entity.id, metadata: toBody(planned(), state.entities).metadata.slice(-2) }
    if (draw < 7) return { op: 'replace', id: entity.id, ...other(entity) }
    if (draw < 9) return { op: 'upsert', ...other(entity), id: entity.id, _id: entity._id, type: entity.type }
    return { op: 'delete', id: entity.id, references: 'detach' }
  }
  const aLine = (): Record<string, unknown> => {
    const entity = anEntity()
    if (entity && !chance.oneIn(3)) return aLineOn(entity)
    const body = bodyOf(planned())
    state.ids.push(body.id)
    return { op: chance.pick(['create', 'upsert']), ...body }
  }
  return { newUuid, bodyOf, anId, planned, other, anEntity, aLineOn, aLine }
}

type Act = readonly [kind: string, act: () => Promise<HttpAnswer | undefined>]

/** Every way to change records. */
function createActs(
  both: Both,
  chance: Chance,
  plan: CataloguePlan,
  state: Filling,
  { anId, planned, other, anEntity, aLineOn, aLine }: ReturnType<typeof createDrawing>
): readonly [Act, ...Act[]] {
  const key = () => (chance.oneIn(4) ? { 'idempotency-key': `key-${chance.below(20)}` } : undefined)
  return [
    [
      'patch',
      async () => {
        const { metadata, relations } = toBody(planned(), state.entities)
        const body = chance.oneIn(3) ? { relations } : { metadata: metadata.slice(-2) }
        return both.send('PATCH', `/entities/${anId()}?allow_dangling=1`, body, key())
      }
    ],
    [
      'patch a value',
      async () => {
        const change = chance.pickOr(plan.changes, undefined)
        const value = change?.kind === 'patch' ? change.value : chance.pick(oddWords)
        return both.send('PATCH', `/entities/${anId()}`, { metadata: [{ key: 'mixed', value }] })
      }
    ],
    [
      'replace',
      async () => {
        const entity = anEntity()
        return entity && both.send('PUT', `/entities/${encodeURIComponent(entity.id)}`, other(entity), key())
      }
    ],
    ['delete', async () => both.send('DELETE', `/entities/${anId()}${chance.oneIn(2) ? '?references=detach' : ''}`)],
    [
      'merge',
      async () => {
        const survivor = anEntity()
        const victim = chance.pickOr(
          state.entities.filter(each => each.type === survivor?.type && each.id !== survivor.id),
          survivor
        )
        if (!survivor || !victim) return undefined
        const body = { victim_id: chance.pickOr(victim.identifiers, victim.id) }
        state.survivors.push(encodeURIComponent(survivor.id))
        return both.send('POST', `/entities/${encodeURIComponent(survivor.id)}/merge`, body, key())
      }
    ],
    [
      'unmerge',
      async () => {
        const body = chance.oneIn(5) ? { victim_id: chance.pick(['A\0', 'none', '\ud800', '']) } : {}
        return both.send('POST', `/entities/${state.survivors.pop() ?? anId()}/unmerge`, body)
      }
    ],
    ['revert', async () => both.send('POST', `/entities/${anId()}/revert`, { version: 1 + chance.below(4) }, key())],
    [
      'atomic batch',
      async () => {
        const lines = Array.from({ length: 1 + chance.below(6) }, () => aLine())
        return both.send('POST', '/entities/batch?atomic=1&allow_dangling=1', lines, key())
      }
    ],
    [
      // Lines about different records are on their way together, in whatever order; about one
      // record, one after the other.
      'batch',
      async () => {
        const entity = anEntity()
        if (!entity) return undefined
        const lines = Array.from({ length: 1 + chance.below(4) }, () => aLineOn(entity))
        return both.send('POST', '/entities/batch', lines)
      }
    ]
  ]
}

/** Creates the records of a plan and changes them in every way there is. */
async function fill(both: Both, chance: Chance, plan: CataloguePlan): Promise<Filled> {
  const counts: Record<string, number> = {}
  const state: Filling = { entities: [], ids: [], survivors: [] }
  const drawing = createDrawing(chance, plan, state)
  const acts = createActs(both, chance, plan, state, drawing)
  const count = (kind: string, { status }: HttpAnswer) => {
    const name = status < 300 ? kind : `${kind} refused`
    counts[name] = (counts[name] ?? 0) + 1
  }
  const create = async (planned: CataloguePlan['entities'][number]) => {
    const body = drawing.bodyOf(planned)
    state.ids.push(body.id)
    const query = chance.pick(['?allow_dangling=1', '?allow_dangling=1', '?allow_dangling=1', '', '?dry_run=1'])
    const answer = await both.send('POST', `/entities${query}`, body)
    count('create', answer)
    if (answer.status >= 300 || query === '?dry_run=1')
      count('create', await both.send('POST', '/entities?allow_dangling=1', { ...body, _id: drawing.newUuid() }))
  }
  const refresh = async () => {
    // Sometimes many things happen in one moment, sometimes months lie between.
    if (!chance.oneIn(3)) both.wait(chance.pick([1, 1, 20, 60_000, 86_400_000, 40 * 86_400_000]))
    state.entities = JSON.parse((await both.get('/entities?limit=1000')).text) as Entity[]
  }

  for (const each of plan.entities) {
    await create(each)
    await refresh()
    const [kind, act] = chance.pick(acts)
    const answer = await act()
    if (answer) count(kind, answer)
    await refresh()
  }
  for (let round = 0; round < 60; round++) {
    const [kind, act] = chance.pick(acts)
    const answer = await act()
    if (answer) count(kind, answer)
    await refresh()
  }
  return { written: counts, ids: state.ids }
}

// Reading

interface State {
  readonly entities: readonly Entity[]
  /** Ids of all records that were ever made, and every other name there is. */
  readonly names: readonly string[]
  readonly cursors: readonly string[]
  readonly moments: readonly string[]
}

async function stateOf(both: Both, ids: readonly string[]): Promise<State> {
  const entities = JSON.parse((await both.get('/entities?limit=1000')).text) as Entity[]
  const cursors: string[] = []
  const moments: string[] = []
  for (let since = '', more = true; more; ) {
    const page = JSON.parse((await both.get(`/changes?limit=7${since}`)).text) as {
      changes: { time: string }[]
      cursor: string
      more: boolean
    }
    cursors.push(page.cursor)
    moments.push(...page.changes.map(change => change.time))
    since = `&since=${page.cursor}`
    more = page.more
  }
  const names = [...new Set([...ids, ...entities.flatMap(entity => entity.identifiers), 'none', '%', 'A\0', '\0'])]
  return { entities, names, cursors, moments: [...new Set(moments)] }
}

interface Read {
  readonly kind: string
  ask(both: Asked): Promise<unknown>
  /** How a failure shows it. */
  toString(): string
}

const reading = (kind: string, path: string): Read => ({
  kind,
  ask: both => both.get(path),
  toString: () => `GET ${path}`
})
const posting = (kind: string, path: string, body: unknown): Read => ({
  kind,
  ask: both => both.send('POST', path, body),
  toString: () => `POST ${path} ${JSON.stringify(body)}`
})

/** Arbitrary parts of requests for reads. */
function createReadParts({ entities, names, moments }: State) {
  const name = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: anyText.map(text => text || 'x') }
  )
  const path = name.map(each => `/entities/${encodeURIComponent(each)}`)
  const question = aQuestion(entities).map(given => ({ ...given, query: queryOf(given) }))
  const small = fc.integer({ min: 1, max: 9 })
  const page = fc
    .record({
      skip: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 5 }) }, fc.constantFrom(2 ** 31, 2 ** 53 - 1, -1)),
      limit: fc.nat({ max: 5 })
    })
    .map(given => `${new URLSearchParams(texts(given))}`)
  const moment = fc.oneof(
    fc.constantFrom(...moments),
    fc.constantFrom(...moments).map(at => at.slice(0, 10)),
    fc.constantFrom(...moments).map(at => new Date(Date.parse(at) - 1).toISOString()),
    fc.constantFrom(
      '2024-01-05T12:00:00+02:00',
      '1999-01-01',
      '2999-01-01',
      'now',
      '',
      '2024-13-01',
      '2024-01-05T10:00'
    )
  )
  const past = fc.oneof(
    small.map(version => `version=${version}`),
    fc.constantFrom('version=2147483648', 'version=99999999999', 'version=0', 'version=1.5'),
    moment.map(at => `at=${encodeURIComponent(at)}`)
  )
  const types = fc.constantFrom('', 'work', 'manifestation', 'venue,person', 'production', 'expression,zizo', 'none')
  return { name, path, question, small, page, past, types }
}

type Reads = readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Read> }[]
type ReadParts = ReturnType<typeof createReadParts>

const readsOfLists = ({ entities }: State, { name, question, small, types }: ReadParts): Reads => [
  {
    weight: 24,
    arbitrary: question.map(({ filters, query }) => posting('filter', `/entities/filter?${query}`, filters))
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(question, fc.option(someFacets), fc.integer({ min: 0, max: 12 }), fc.constantFrom('0', '1'))
      .map(([{ filters, query }, facets, most, highlight]) => {
        const asked = new URLSearchParams(query)
        if (facets) asked.set('facets', facets.join())
        asked.set('facet_limit', String(most))
        asked.set('highlight', highlight)
        return posting('facets', `/entities/filter?${asked}`, filters)
      })
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(aSearchText(entities), types, fc.integer({ min: 0, max: 21 }))
      .map(([q, type, limit]) =>
        reading('suggest', `/suggest?${new URLSearchParams({ q, type, limit: String(limit) })}`)
      )
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(aBadFilter(entities), question)
      .map(([filters, { query }]) => posting('bad filter', `/entities/filter?${query}`, filters))
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...oddOrders),
        fc.constantFrom('0', '1'),
        fc.constantFrom('0', '3', '1000', '1001', '-1', 'x')
      )
      .map(([order_by, asc, limit]) =>
        reading('odd order', `/entities?${new URLSearchParams({ order_by, asc, limit })}`)
      )
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(question, types, fc.constantFrom('0', '1'), fc.option(fc.array(name, { maxLength: 6 })))
      .map(([given, type, envelope, ids]) => {
        const query = new URLSearchParams(queryOf(given))
        if (type !== '') query.set('type', type)
        if (ids) query.set('ids', ids.join(','))
        query.set('envelope', envelope)
        return reading('list', `/entities?${query}`)
      })
  },
  {
    weight: 2,
    arbitrary: fc.tuple(question, small).map(([given, limit]) => walking(given.filters, queryOf({ ...given, limit })))
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(question, aCursor)
      .map(([given, cursor]) =>
        posting('given cursor', `/entities/filter?${queryOf(given)}&cursor=${cursor}`, given.filters)
      )
  }
]

const readsOfRecords = ({ cursors }: State, { name, path, page, past }: ReadParts): Reads => [
  {
    weight: 3,
    arbitrary: fc.tuple(path, fc.constantFrom('', '?resolve=1')).map(parts => reading('entity', parts.join('')))
  },
  { weight: 4, arbitrary: fc.tuple(path, past).map(parts => reading('past entity', parts.join('?'))) },
  { weight: 1, arbitrary: fc.tuple(path, page).map(([each, query]) => reading('parts', `${each}/parts?${query}`)) },
  { weight: 2, arbitrary: fc.tuple(path, page).map(([each, query]) => reading('tree', `${each}/tree?${query}`)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(path, page, fc.constantFrom('', '&type=refVenues', '&type=seeAlso,refOdd', '&type=none'))
      .map(([each, query, type]) => reading('references', `${each}/references?${query}${type}`))
  },
  {
    weight: 4,
    arbitrary: fc.tuple(path, page).map(([each, query]) => reading('history', `${each}/history?${query}`))
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(name, fc.option(past))
      .map(([each, when]) =>
        reading('wem', `/entities/wem/${encodeURIComponent(each)}${when === null ? '' : `?${when}`}`)
      )
  },
  {
    weight: 1,
    arbitrary: fc.array(name, { maxLength: 8 }).map(ids => posting('wem batch', '/entities/wem', { ids }))
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        since: fc.oneof(fc.constantFrom('', ...cursors), fc.constant('0123456789abcdef-999999'), anyText),
        limit: fc.integer({ min: 0, max: 30 }),
        types: fc.constantFrom(
          '',
          'work',
          'entity.deleted',
          'entity.merged,venue',
          'person,entity.created,entity.updated',
          'x'
        ),
        ids: fc.oneof(
          fc.constant(''),
          fc.array(name, { maxLength: 5 }).map(each => each.join(','))
        )
      })
      .map(given => {
        const query = new URLSearchParams(Object.entries(texts(given)).filter(([, value]) => value !== ''))
        return reading('changes', `/changes?${query}`)
      })
  }
]

/** Any read of a catalogue. */
function aRead(state: State): fc.Arbitrary<Read> {
  const parts = createReadParts(state)
  return fc.oneof(...readsOfLists(state, parts), ...readsOfRecords(state, parts))
}

const texts = (given: object) => Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]))

const queryOf = ({ orderBy, asc, skip, limit }: { orderBy: string; asc: number; skip: number; limit: number }) =>
  `${new URLSearchParams({ skip: String(skip), limit: String(limit), asc: String(asc), ...(orderBy === '' ? {} : { order_by: orderBy }) })}`

const oddOrders = [
  ...[
    'long',
    'a.value',
    '%',
    'id,id,id',
    'type,long,date_updated',
    'metadata.long.value',
    'properties.x.y.value',
    ',',
    ' '
  ],
  ...[
    'date_updated,date_created',
    'a,b,c,d,e,f,g,h',
    'a,b,c,d,e,f,g,h,i',
    'metadata..value',
    'identifiers',
    'relations'
  ]
] as const

/** Goes from page to page to the end, and back to the beginning. */
const walking = (filters: unknown, query: string): Read => ({
  kind: 'walk',
  async ask(both) {
    const start = `/entities/filter?${query}`
    let [path, last]: (string | undefined)[] = [start, start]
    for (const way of ['next', 'previous'] as const) {
      path = last
      for (let pages = 0; path !== undefined && pages < 60; pages++) {
        last = path
        const { text } = await both.send('POST', path, filters)
        path = (JSON.parse(text) as { next?: string; previous?: string })[way]
      }
    }
  },
  toString: () => `walk POST /entities/filter?${query} ${JSON.stringify(filters)}`
})

/** Cursors that no answer gave, or that one might have given. */
const aCursor = fc.oneof(
  fc
    .tuple(
      fc.array(fc.option(fc.oneof(anyText, fc.constantFrom('5', '0', '17'))), { maxLength: 2 }),
      fc.integer({ min: -1, max: 90 }),
      fc.constantFrom(0, 1, 2),
      fc.nat({ max: 30 })
    )
    .map(compact => Buffer.from(JSON.stringify(compact)).toString('base64url')),
  anyText.map(encodeURIComponent)
)

/** A list of filters of which one is broken. */
function aBadFilter(entities: readonly Entity[]): fc.Arbitrary<unknown> {
  const junk = fc.oneof(
    fc.constantFrom<unknown[]>(
      null,
      '',
      0,
      -1,
      true,
      [],
      {},
      [null],
      [[]],
      { min: 2, max: 1 },
      { min: 'x' },
      { max: null }
    ),
    fc.constantFrom<unknown[]>(
      'metadata',
      'metadata..value',
      'properties.x.y',
      'relations.x',
      'catalog:1|',
      '*'.repeat(33)
    ),
    anyText,
    fc.constantFrom('x'.repeat(600), '\0', 'a\0b', '\ud800', 'x\udfff', 1e308, -1e308, 2 ** 63)
  )
  const broken = fc
    .tuple(
      aFilter(entities, 2),
      fc.constantFrom('type', 'key', 'value', 'match_not', 'match_exact', 'operator', 'or', 'and', 'other'),
      junk
    )
    .map(([filter, member, value]) => ({ ...filter, [member]: value }))
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.array(aFilter(entities, 2), { maxLength: 1 }), broken).map(([good, bad]) => [...good, bad])
    },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: junk },
    { weight: 1, arbitrary: aFilter(entities, 1).map(filter => Array.from({ length: 65 }, () => filter)) }
  )
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import type { ChangeEvent } from '#domain/events/change-event.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { type Chance, createChance, howMany, seed } from '../support/records/chance.ts'
import { type ServerProcess, startServer } from '../support/services/server-process.ts'
import { adminToken } from '../support/services/start.ts'

/*
 * A client that got no answer cannot know whether its request happened. With an `Idempotency-Key`
 * it just sends it again: the first answer is given, to the byte, and there is one effect, however
 * often the service was killed in between.
 */

const kills = howMany({ short: 4, long: 500, onPostgres: 2 })
const moreKills = 10
const clients = 6
const maxAnswersPerLife = 40
const settings = { READERS: '1', LOG_LEVEL: 'error' }

describe('a request that is sent again with its Idempotency-Key', () => {
  it(`has one effect and one answer through ${kills} kills of the service (seed ${seed})`, async t => {
    const databaseUrl = await createTestDatabase(t)
    const chance = createChance(seed)
    const started = performance.now()
    let service = await startServer(t, databaseUrl, settings)
    const PORT = String(service.port)
    const stock = await fillStock(service)
    const requests = new RequestBook(chance, stock)

    let open = 0
    let repeated = 0
    let moments = new Map<string, number>()
    const cutOff = () => requests.all.filter(request => request.cutOffAt !== undefined)
    const happened = () =>
      cutOff().filter(({ effects, cutOffAt = 0 }) =>
        effects.some(effect => (moments.get(effect) ?? Number.POSITIVE_INFINITY) <= cutOffAt)
      )
    // The tests need at least one request that took effect without an answer: a few more kills
    // follow if the first ones caused none.
    for (let killed = 0; killed < kills || (killed < kills + moreKills && happened().length === 0); killed++) {
      // After so many answers, and a moment more: at any stage of the requests that are on their
      // way then.
      let answersLeft = chance.below(maxAnswersPerLife)
      const enough = Promise.withResolvers<void>()
      const workers = Array.from({ length: clients }, () =>
        sendUntilKilled(service, requests, () => {
          if (answersLeft-- <= 0) enough.resolve()
        })
      )
      await Promise.race([enough.promise, delay(5000)])
      await delay(chance.below(15))
      await service.kill()
      await Promise.all(workers)
      service = await startServer(t, databaseUrl, { ...settings, PORT })

      // Every request without an answer, and some that had one.
      const unanswered = requests.all.filter(request => request.answer === undefined)
      const answered = requests.all.filter(request => request.answer !== undefined)
      open += unanswered.length
      await Promise.all(
        unanswered.map(async request => {
          request.answer = await send(service, request)
          assertGood(service, request)
        })
      )
      const again = Array.from({ length: Math.min(8, answered.length) }, () => chance.pickOr(answered, undefined))
      repeated += again.length
      await Promise.all([...unanswered, ...again].map(request => request && assertSameAnswer(service, request)))
      if (killed >= kills - 1) moments = await assertOneEffectEach(service, requests, stock)
    }

    assert.ok(open >= kills / 2, `Only ${open} requests were cut off`)
    t.diagnostic(
      `seed ${seed}: ${requests.all.length} requests, ${open} cut off by ${kills} kills, ${repeated} repeated that had an answer, ${Math.round(performance.now() - started)} ms`
    )
    t.diagnostic(`${happened().length} of ${cutOff().length} requests that were cut off had happened all the same`)
    assert.ok(happened().length > 0, 'No request had happened without an answer, so this shows little')
    assert.equal(await service.stop(), 0)
  })
})

// Requests

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly location: string | null
  readonly body: string
}

interface KeyedRequest {
  readonly key: string
  readonly kind: (typeof kinds)[number]
  readonly path: string
  readonly contentType: string
  readonly body: string
  /** The entries that the request must leave in the feed, each once: `<event> <id or marker>`. */
  readonly effects: readonly string[]
  /** When it was cut off, where it was. */
  cutOffAt: number | undefined
  answer: Answer | undefined
}

const kinds = ['create', 'add metadata', 'batch', 'atomic batch', 'merge', 'revert'] as const

/** Records to work on: each is used by one request only, but for the shared ones. */
interface Stock {
  readonly shared: readonly string[]
  take(): string
}

const json = 'application/json'
const lines = 'application/x-ndjson'

class RequestBook {
  readonly all: KeyedRequest[] = []
  readonly #chance: Chance
  readonly #stock: Stock

  constructor(chance: Chance, stock: Stock) {
    this.#chance = chance
    this.#stock = stock
  }

  /** A new request; nobody has sent it yet. */
  next(): KeyedRequest {
    const kind = this.#chance.pick(kinds)
    const number = this.all.length
    const request: KeyedRequest = {
      key: `key ${number}`,
      kind,
      cutOffAt: undefined,
      answer: undefined,
      ...this.#make[kind](`marker-${number}`)
    }
    this.all.push(request)
    return request
  }

  #make: Record<
    KeyedRequest['kind'],
    (marker: string) => Pick<KeyedRequest, 'path' | 'contentType' | 'body' | 'effects'>
  > = {
    create: marker => ({
      path: '/entities',
      contentType: json,
      // The script is taken away with a warning, which must stand in the answer again.
      body: JSON.stringify({
        type: 'production',
        metadata: [...marked(marker), { key: 'description', value: '<p>Hamlet</p><script>1</script>' }]
      }),
      effects: [`entity.created ${marker}`]
    }),
    'add metadata': marker => {
      const id = this.#chance.pickOr(this.#stock.shared, '')
      return {
        path: `/entities/${id}/metadata`,
        contentType: json,
        body: JSON.stringify([{ key: 'mark', value: marker }]),
        effects: [`entity.updated ${id}`]
      }
    },
    batch: marker => {
      const shared = this.#chance.pickOr(this.#stock.shared, '')
      const [deleted, replaced] = [this.#stock.take(), this.#stock.take()]
      const operations = [
        { op: 'create', type: 'person', metadata: marked(`${marker}-a`) },
        { op: 'create', id: `${marker}-b`, type: 'person', metadata: marked(`${marker}-b`) },
        { op: 'upsert', id: `${marker}-c`, type: 'person', metadata: marked(`${marker}-c`) },
        { op: 'patch', id: shared, metadata: [{ key: marker, value: 1 }] },
        { op: 'replace', id: replaced, metadata: [{ key: 'name', value: marker }] },
        { op: 'delete', id: deleted }
      ]
      return {
        path: '/entities/batch',
        contentType: lines,
        body: operations.map(each => `${JSON.stringify(each)}\n`).join(''),
        effects: [
          ...['a', 'b', 'c'].map(letter => `entity.created ${marker}-${letter}`),
          `entity.updated ${shared}`,
          `entity.updated ${replaced}`,
          `entity.deleted ${deleted}`
        ]
      }
    },
    'atomic batch': marker => {
      const deleted = this.#stock.take()
      const work = `${marker}-b`
      return {
        path: '/entities/batch?atomic=1',
        contentType: json,
        body: JSON.stringify([
          {
            op: 'create',
            type: 'production',
            metadata: marked(`${marker}-a`),
            relations: [{ key: work, type: 'refWorks' }]
          },
          { op: 'create', id: work, type: 'work_word', metadata: marked(work) },
          { op: 'delete', id: deleted }
        ]),
        effects: [`entity.created ${marker}-a`, `entity.created ${work}`, `entity.deleted ${deleted}`]
      }
    },
    merge: () => {
      const [survivor, victim] = [this.#stock.take(), this.#stock.take()]
      return {
        path: `/entities/${survivor}/merge`,
        contentType: json,
        body: JSON.stringify({ victim_id: victim }),
        effects: [`entity.merged ${victim}`, `entity.updated ${survivor}`]
      }
    },
    revert: () => {
      const id = this.#stock.take()
      return {
        path: `/entities/${id}/revert`,
        contentType: json,
        body: JSON.stringify({ version: 1 }),
        effects: [`entity.updated ${id}`]
      }
    }
  }
}

/** The values that identify the record of a request: a name for persons, a title for the others. */
const marked = (marker: string) => [
  { key: 'name', value: marker },
  { key: 'title', value: marker },
  { key: 'marker', value: marker }
]

/** A request takes two records at most, and some are on their way beyond the answers counted. */
const stockSize = (kills + moreKills) * (maxAnswersPerLife + 40) * 2

/** Persons of two versions each, so that there is something to revert. */
async function fillStock(service: ServerProcess): Promise<Stock> {
  const ids = Array.from({ length: stockSize }, (_, number) => `stock-${number}`)
  for (let first = 0; first < ids.length; first += 2000) {
    const some = ids.slice(first, first + 2000)
    const create = some.map(id => ({ op: 'create', id, type: 'person', metadata: [{ key: 'name', value: id }] }))
    const patch = some.map(id => ({ op: 'patch', id, metadata: [{ key: 'name', value: `${id} again` }] }))
    for (const operations of [create, patch]) {
      const { status } = await post(service, '/entities/batch?atomic=1', json, JSON.stringify(operations))
      assert.equal(status, 200)
    }
  }
  const shared = ids.splice(0, 20)
  return { shared, take: () => ids.pop() ?? assert.fail('The stock is used up') }
}

// Sending

/** Sends one new request after the other, until one gets no answer. */
async function sendUntilKilled(service: ServerProcess, requests: RequestBook, onAnswer: () => void) {
  for (;;) {
    const request = requests.next()
    try {
      request.answer = await send(service, request)
    } catch {
      request.cutOffAt = Date.now()
      return
    }
    assertGood(service, request)
    onAnswer()
  }
}

const send = (service: ServerProcess, { path, contentType, body, key }: KeyedRequest) =>
  post(service, path, contentType, body, { 'idempotency-key': key })

async function post(
  service: ServerProcess,
  path: string,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answer> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': contentType, ...headers },
    body
  })
  const text = await response.text()
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    location: response.headers.get('location'),
    body: text
  }
}

function assertGood(service: ServerProcess, { path, body, answer }: KeyedRequest) {
  const isGood = answer !== undefined && answer.status < 300 && !answer.body.includes('"problem"')
  assert.ok(isGood, `${path} ${body}: ${JSON.stringify(answer)}. ${service.complaints()}`)
}

async function assertSameAnswer(service: ServerProcess, request: KeyedRequest) {
  const answer = await send(service, request)
  assert.deepEqual(answer, request.answer, `"${request.kind}" was answered differently. ${service.complaints()}`)
}

// Effects

/**
 * Checks that each request took effect exactly once since the stock was filled, and that nothing
 * else changed. Returns the moment of each effect, in milliseconds.
 */
async function assertOneEffectEach(service: ServerProcess, requests: RequestBook, stock: Stock) {
  const expected = requests.all.flatMap(request => request.effects).sort()
  const changes = (await readFeed(service)).slice(2 * stockSize)
  const effectOf = ({ type, subject, data }: ChangeEvent) => `${type} ${markerOf(data.entity) ?? subject}`
  assert.deepEqual(difference(changes.map(effectOf).sort(), expected), { more: [], less: [] })

  for (const id of stock.shared) {
    const { metadata } = (await get(service, `/entities/${id}`)) as Entity
    const marks = metadata.filter(entry => entry.key === 'mark').map(entry => entry.value)
    assert.equal(new Set(marks).size, marks.length, 'a mark was added twice')
  }
  const markers = await readMarkers(service)
  assert.equal(new Set(markers).size, markers.length, 'a record was created twice')
  return new Map(changes.map(change => [effectOf(change), Date.parse(change.time)]))
}

async function readFeed(service: ServerProcess): Promise<ChangeEvent[]> {
  const changes: ChangeEvent[] = []
  let since = ''
  for (;;) {
    const page = (await get(service, `/changes?limit=1000${since}`)) as {
      changes: ChangeEvent[]
      cursor: string
      more: boolean
    }
    changes.push(...page.changes)
    since = `&since=${page.cursor}`
    if (!page.more) return changes
  }
}

async function get(service: ServerProcess, path: string): Promise<unknown> {
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${adminToken}` } })
  assert.equal(response.status, 200)
  return response.json()
}

/** Of the records in the list now: who made them. */
async function readMarkers(service: ServerProcess): Promise<string[]> {
  const markers: string[] = []
  let next: string | undefined = '/entities?limit=1000&envelope=1&type=production,work_word,person'
  while (next !== undefined) {
    const page = (await get(service, next)) as { results: Entity[]; next?: string }
    markers.push(...page.results.map(markerOf).filter(marker => marker !== undefined))
    next = page.next
  }
  return markers
}

function markerOf(entity: Entity | undefined): string | undefined {
  const value = entity?.metadata.find(entry => entry.key === 'marker')?.value
  return value === undefined ? undefined : String(value)
}

function difference(actual: readonly string[], expected: readonly string[]) {
  const counts = new Map<string, number>()
  for (const each of actual) counts.set(each, (counts.get(each) ?? 0) + 1)
  for (const each of expected) counts.set(each, (counts.get(each) ?? 0) - 1)
  const entries = [...counts]
  return { more: entries.filter(([, count]) => count > 0), less: entries.filter(([, count]) => count < 0) }
}

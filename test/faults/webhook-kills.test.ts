import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { text } from 'node:stream/consumers'

import { Webhook } from 'standardwebhooks'

import { metadata } from '../support/records/entities.ts'
import { allowLoopback, until } from '../support/services/receiver.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { howMany } from '../support/records/chance.ts'
import { type ServerProcess, startServer } from '../support/services/server-process.ts'
import { adminToken } from '../support/services/start.ts'

const kills = howMany({ short: 3, long: 20, onPostgres: 2 })
/** One webhook for each of these types, which all have a name and nothing else that they need. */
const types = [
  'person',
  'corporation',
  'subject',
  'publisher',
  'genre',
  'place',
  'venue',
  'company',
  'booking_agency',
  'season'
] as const
const entitiesOfEach = howMany({ short: 200, long: 1000, onPostgres: 100 })
const total = types.length * entitiesOfEach

describe('Webhooks, while the service is killed again and again', () => {
  it(`are told of ${total} changes through ${kills} kills: each at least once, in order, signed`, async t => {
    const databaseUrl = await createTestDatabase(t)
    const settings = { ...allowLoopback, READERS: '1', LOG_LEVEL: 'error', WEBHOOK_RETRIES: '0.1,0.1,0.1' }
    let service: ServerProcess = await startServer(t, databaseUrl, settings)
    const PORT = String(service.port)
    const serveAgain = () => startServer(t, databaseUrl, { ...settings, PORT })
    const receiver = await startReceivers(t)
    for (const type of types) {
      const { secret } = await call('POST', `${service.url}/webhooks`, {
        url: `${receiver.url}/${type}`,
        entity_types: [type]
      })
      receiver.secrets.set(type, secret)
    }

    const writing = writeEverything(service.url)
    for (let kill = 1; kill <= kills; kill++) {
      // Each comes in the middle of the deliveries, wherever they are then.
      const share = Math.round((total * kill) / (kills + 1))
      await until(
        () => receiver.distinct() >= share,
        60_000,
        () => `${share} events, got ${receiver.distinct()}; ${service.complaints()}`
      )
      await service.kill()
      service = await serveAgain()
    }
    await writing
    await until(
      () => receiver.distinct() >= total,
      60_000,
      () => `${total} events, got ${receiver.distinct()}`
    )

    const feed = await readFeed(service.url)
    assert.equal(feed.length, total)
    let repeated = 0
    for (const type of types) {
      const got = receiver.received.get(type) ?? []
      // An event that comes twice comes twice in a row, so what is left without the repetitions is
      // the feed itself.
      const told = got.filter((id, index) => id !== got[index - 1])
      assert.deepEqual(
        told,
        feed.filter(event => event.data.type === type).map(event => event.id),
        type
      )
      assert.ok(got.length - told.length <= kills, `${type}: at most one event is repeated for each kill`)
      repeated += got.length - told.length
    }
    assert.deepEqual(receiver.faults, [])
    t.diagnostic(`${repeated} of ${total + repeated} deliveries were repetitions, after ${kills} kills`)
    assert.ok(repeated <= kills * types.length)

    const webhooks = (await call('GET', `${service.url}/webhooks`)) as { state: string; attempts: number }[]
    for (const { state, attempts } of webhooks) assert.deepEqual([state, attempts], ['active', 0])
    assert.equal(await service.stop(), 0)
  })
})

/** A receiver for each type. Deliveries are checked by the published library. */
async function startReceivers(t: TestContext) {
  const secrets = new Map<string, string>()
  const received = new Map<string, string[]>()
  const seen = new Set<string>()
  const faults: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The service was killed while it sent this.
    if (body === undefined) return
    const type = (request.url ?? '').slice(1)
    try {
      const headers = request.headers as Record<string, string>
      const event = new Webhook(secrets.get(type) ?? '').verify(body, headers) as FeedEvent
      assert.equal(event.id, headers['webhook-id'])
      assert.equal(event.data.type, type)
      seen.add(event.id)
      received.set(type, [...(received.get(type) ?? []), event.id])
    } catch (error) {
      faults.push(String(error))
    }
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secrets,
    received,
    faults,
    distinct: () => seen.size
  }
}

interface FeedEvent {
  readonly id: string
  readonly data: { readonly type: string }
}

/** Writes all entities, types mixed, in batches; a batch that got no answer is sent again. */
async function writeEverything(url: string) {
  const size = 100
  for (let first = 0; first < total; first += size) {
    const lines = Array.from({ length: size }, (_, index) => {
      const number = first + index
      const type = types[number % types.length]
      return { op: 'create', id: `X-${number}`, entity: { type, metadata: metadata({ name: `Name ${number}` }) } }
    })
    let isWritten = false
    while (!isWritten) {
      try {
        const results = (await call('POST', `${url}/entities/batch`, lines)) as { status: number }[]
        // 409: it was written by a batch whose answer was lost.
        isWritten = results.length === size && results.every(({ status }) => status === 201 || status === 409)
      } catch {
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    }
  }
}

async function readFeed(url: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  let since = ''
  for (;;) {
    const page = await call('GET', `${url}/changes?limit=1000${since}`)
    if (page.changes.length === 0) return events
    events.push(...page.changes)
    since = `&since=${page.cursor}`
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes into an answer
async function call(method: string, url: string, body?: unknown): Promise<any> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

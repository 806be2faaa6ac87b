import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'

import type { Entity } from '#domain/entity/entity.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { assertNoneLost, changeShared, createShared } from '../support/records/shared-records.ts'
import { harvest, oaiDomain } from '../support/services/harvest.ts'
import { allowLoopback, startReceiver, until } from '../support/services/receiver.ts'
import { createClient, startServer } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'
import {
  assertEveryWriteOnce,
  createSender,
  readFeed,
  type SteadySender,
  writeSteadily
} from '../support/services/steady-clients.ts'

/*
 * The clock of two processes is set forward and back by hours and days while clients write, a
 * harvester follows by datestamps, and a webhook is told of every change. On PostgreSQL the
 * database has the right time, as on another machine.
 */

const jumps = howMany({ short: 6, long: 300, onPostgres: 6 })
const hour = 3_600_000
const day = 24 * hour

describe(`a clock that jumps (${testStore})`, () => {
  it(`${jumps} times by hours and days loses no write, no order and no event, and harvests miss nothing (seed ${seed})`, async t => {
    const { senders, setClock } = await startTwo(t)
    const [sender, other] = senders
    const receiver = await startReceiver(t)
    assert.equal((await sender.send('POST', '/webhooks', { url: receiver.url })).status, 201)
    const shared = await createShared(sender, 3)
    const harvester = createHarvester(other)
    let isOver = false
    let successes = 0
    const ledgers = [0, 1].map(number =>
      writeSteadily(number === 0 ? sender : other, `W${number}`, {
        isOver: () => isOver,
        onSuccess: () => successes++,
        withKeys: number === 0
      })
    )
    const sharing = [0, 1].map(number =>
      changeShared(senders, shared, `S${number}`, { isOver: () => isOver, chance: createChance(seed + number) })
    )
    const working = Promise.all([Promise.all(ledgers), Promise.all(sharing)])
    working.catch(() => {})
    const chance = createChance(seed)
    for (let jump = 0; jump < jumps; jump++) {
      setClock(chance.pick([hour, -hour, day, -day, 0]))
      if (chance.oneIn(2)) await harvester.follow()
      const before = successes
      await Promise.race([until(() => successes > before + 20, 60_000), working])
      if (chance.oneIn(2)) await harvester.follow()
    }
    setClock(0)
    isOver = true
    const [written, acknowledged] = await working
    await harvester.follow()

    await assertNoneLost(other, acknowledged.flat())
    const versions = new Map(shared.map(id => [id, 1 + acknowledged.flat().filter(each => each.id === id).length]))
    const created = acknowledged.flat().filter(each => !shared.includes(each.id))
    for (const { id } of created) versions.set(id, 1)
    await assertEveryWriteOnce(sender, [...written, { versions }])
    await assertMomentsInOrder(sender)
    assert.deepEqual(await differencesOf(sender, harvester.copy), [])
    const feed = (await readFeed(sender)).map(({ subject, data }) => `${subject} ${data.version}`)
    const told = () => new Set(receiver.received.map(({ event }) => `${event.subject} ${event.data.version}`))
    await until(
      () => receiver.received.length >= feed.length && told().size === feed.length,
      120_000,
      () => `${feed.length} events, got ${told().size}`
    )
    t.diagnostic(`${feed.length} changes, ${receiver.received.length} events, SEED=${seed}`)
  })

  it('set back ends no limit later, and keeps no token that was revoked', async t => {
    const { senders, servers, setClock } = await startTwo(t, { RATE_LIMIT: '20/2' })
    const [sender] = senders
    const token = JSON.parse((await sender.send('POST', '/tokens', { name: 'reader', scopes: ['read'] })).text) as {
      token: string
      id: string
    }
    const reader = createClient(servers[1]?.port ?? 0)
    t.after(() => reader.close())
    const read = async () =>
      (await reader.call('GET', '/entities', undefined, { authorization: `Bearer ${token.token}` })).status
    assert.equal(await read(), 200)
    setClock(-day)
    assert.equal((await sender.send('DELETE', `/tokens/${token.id}`)).status, 204)
    await until(async () => (await read()) === 401, 5000)
    await until(async () => (await sender.send('GET', '/entities')).status === 429, 10_000)
    await until(async () => (await sender.send('GET', '/entities')).status === 200, 10_000)
  })

  it('set forward during a harvest, and back, hides no later write from the next harvest', async t => {
    const { senders, setClock } = await startTwo(t)
    const [sender] = senders
    await createShared(sender, 2)
    const harvester = createHarvester(sender)
    for (const ahead of [hour, day]) {
      setClock(ahead)
      await harvester.follow()
      setClock(0)
      const patch = { metadata: [{ key: 'city', value: `After ${ahead}` }] }
      assert.equal((await sender.send('PATCH', '/entities/SHARED-1', patch)).status, 200)
      await harvester.follow()
      assert.deepEqual(await differencesOf(sender, harvester.copy), [])
    }
  })

  it('set forward ends a token that expires, and set back again lets it in', async t => {
    const { senders, servers, setClock } = await startTwo(t)
    const expires = new Date(Date.now() + hour / 2).toISOString()
    const draft = { name: 'reader', scopes: ['read'], expires_at: expires }
    const { token } = JSON.parse((await senders[0].send('POST', '/tokens', draft)).text) as { token: string }
    const reader = createClient(servers[0]?.port ?? 0)
    t.after(() => reader.close())
    for (const [ahead, status] of [
      [0, 200],
      [hour, 401],
      [0, 200]
    ] as const) {
      setClock(ahead)
      const answer = await reader.call('GET', '/entities', undefined, { authorization: `Bearer ${token}` })
      assert.equal(answer.status, status, answer.text)
    }
  })

  it('set forward past a performance, and back, orders productions by the one that is to come again', async t => {
    const { senders, setClock } = await startTwo(t)
    const [sender] = senders
    const nights: [production: string, hours: number][] = [
      ['FIRST', 2],
      ['FIRST', 200],
      ['SECOND', 100]
    ]
    const shows = ['FIRST', 'SECOND'].map(id => ({ id, type: 'production', metadata: [{ key: 'title', value: id }] }))
    for (const show of shows) assert.equal((await sender.send('POST', '/entities', show)).status, 201)
    for (const [production, hours] of nights) {
      const start = new Date(Date.now() + hours * hour).toISOString()
      const night = {
        type: 'performance',
        metadata: [{ key: 'start', value: start }],
        relations: [{ type: 'refProduction', key: production }]
      }
      const { status, text } = await sender.send('POST', '/entities', night)
      assert.equal(status, 201, text)
    }
    for (const [ahead, order] of [
      [day, ['SECOND', 'FIRST']],
      [0, ['FIRST', 'SECOND']],
      [day, ['SECOND', 'FIRST']]
    ] as const) {
      setClock(ahead)
      const { status, text } = await sender.send('GET', '/entities?type=production&order_by=next_performance&asc=1')
      assert.equal(status, 200, text)
      assert.deepEqual(
        (JSON.parse(text) as Entity[]).map(({ id }) => id),
        order
      )
    }
  })
})

async function startTwo(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const clock = join(temporaryFolder(t), 'clock')
  const setClock = (ahead: number) => {
    // Not read before it is whole.
    writeFileSync(`${clock}.new`, ahead < 0 ? String(ahead) : `+${ahead}`)
    renameSync(`${clock}.new`, clock)
  }
  setClock(0)
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'support', 'machines', 'set-clock.ts')).href
  const url = await createTestDatabase(t)
  const settings = {
    ...{ NODE_OPTIONS: `--import=${preload}`, TEST_CLOCK: clock, SAMPLE_DATA: '0', READERS: '1' },
    ...{ OAI_DOMAIN: oaiDomain, OAI_PAGE_SIZE: '50', ...allowLoopback, ...environment }
  }
  const servers = [await startServer(t, url, settings), await startServer(t, url, settings)]
  const [first, second] = servers.map(({ port }) => createSender(port, 4))
  assert.ok(first && second)
  t.after(() => {
    first.close()
    second.close()
  })
  return { servers, senders: [first, second] as const, setClock }
}

/** Keeps a copy, and asks each time for what changed since the time of the last answer. */
function createHarvester(sender: SteadySender) {
  const copy = new Map<string, number | undefined>()
  let from: string | undefined
  return {
    copy,
    async follow() {
      const since = from === undefined ? '' : `&from=${from.replace(/\.\d+Z$/, 'Z')}`
      const { records, documents } = await harvest(async query => {
        const { status, text } = await sender.send('GET', `/oai?${query}`)
        assert.equal(status, 200, text)
        return text
      }, `verb=ListRecords&metadataPrefix=libretto${since}`)
      from = /<responseDate>([^<]*)</.exec(documents[0] ?? '')?.[1] ?? assert.fail(documents[0])
      for (const { id, isDeleted, metadata } of records)
        copy.set(id, isDeleted ? undefined : Number(/version="(\d+)"/.exec(metadata)?.[1]))
    }
  }
}

/** Returns the records of which a copy has another version. */
async function differencesOf(sender: SteadySender, copy: ReadonlyMap<string, number | undefined>): Promise<string[]> {
  const { text } = await sender.send('GET', '/export?format=ndjson')
  const all = text.split('\n').filter(Boolean)
  const versions = new Map(all.map(line => JSON.parse(line) as Entity).map(({ id, version }) => [id, version]))
  return [...versions].flatMap(([id, version]) =>
    copy.get(id) === version ? [] : [`${id} has version ${version}, the harvester has ${copy.get(id)}`]
  )
}

/** No change is dated before an earlier one. */
async function assertMomentsInOrder(sender: SteadySender) {
  const times = (await readFeed(sender)).map(change => (change as unknown as { time: string }).time)
  assert.deepEqual(times, times.toSorted())
}

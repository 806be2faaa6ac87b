import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createTestDatabase, runStatement, testStore } from '../support/databases/database.ts'
import { type Chance, createChance, isLong, seed } from '../support/records/chance.ts'
import { allowLoopback, type Receiver, startReceiver, until } from '../support/services/receiver.ts'
import { pause, type ServerProcess, startServer } from '../support/services/server-process.ts'
import { createSender, type SteadySender } from '../support/services/steady-clients.ts'

/*
 * Four processes on one database. A write that one of them has answered is seen by the next read
 * through any other; each gives the whole feed in the same order; one at a time tells the webhooks,
 * also when that one is killed.
 */

const operations = isLong ? 100_000 : 1500
const processes = 4
const clients = 16
const works = 40

interface Work {
  readonly id: string
  /** The newest version that somebody was told of. */
  version: number
  /** Resolved when the previous change of this record has finished. */
  turn: Promise<unknown>
}

describe(`${processes} processes on one database (${testStore})`, () => {
  it(`do ${operations} operations: no read is stale, the feed is whole and in order, and one leads`, async t => {
    const url = await createTestDatabase(t)
    const environment = { SAMPLE_DATA: '0', ...allowLoopback }
    const servers = await Promise.all(Array.from({ length: processes }, () => startServer(t, url, environment)))
    const senders = servers.map(({ port }) => createSender(port, clients))
    t.after(() => {
      for (const sender of senders) sender.close()
    })
    const chance = createChance(seed)
    const any = () => senders[chance.below(senders.length)] as SteadySender

    const receiver = await startReceiver(t)
    const hooked = await any().send('POST', '/webhooks', { url: receiver.url })
    assert.equal(hooked.status, 201, hooked.text)
    const all = await createWorks(any)

    let done = 0
    const stale: string[] = []
    const client = async () => {
      while (done++ < operations && stale.length === 0) {
        const work = all[chance.below(all.length)] as Work
        if (chance.below(10) < 3) await change(any, work)
        else await look(any(), work, chance, stale)
      }
    }
    const killing = until(() => done > operations / 2 || stale.length > 0, 600_000).then(() =>
      killLeader(url, servers, senders)
    )
    await Promise.all([killing, ...Array.from({ length: clients }, client)])

    assert.deepEqual(stale, [])
    const feeds = await Promise.all(senders.map(readFeed))
    const [first = []] = feeds
    for (const feed of feeds) assert.deepEqual(feed, first)
    const expected = new Map(all.map(({ id, version }) => [id, version]))
    for (const [id, version] of expected) {
      const told = first.filter(each => each.startsWith(`${id} `)).map(each => Number(each.split(' ')[1]))
      assert.deepEqual(
        told,
        Array.from({ length: version }, (_, index) => index + 1),
        id
      )
    }
    await assertTold(receiver, first)
    t.diagnostic(`${operations} operations, ${first.length} changes`)
  })
})

async function createWorks(any: () => SteadySender): Promise<Work[]> {
  const all: Work[] = []
  for (let number = 0; number < works; number++) {
    const entities = [
      { id: `W-${number}`, type: 'work_word', metadata: [{ key: 'title', value: 'Version 1' }] },
      {
        id: `E-${number}`,
        type: 'expression_word',
        metadata: [{ key: 'title', value: `Expression ${number}` }],
        relations: [{ type: 'refWork', key: `W-${number}` }]
      },
      {
        id: `M-${number}`,
        type: 'manifestation_word',
        metadata: [{ key: 'title', value: `Book ${number}` }],
        relations: [{ type: 'refExpressions', key: `E-${number}` }]
      }
    ]
    for (const entity of entities) {
      const { status, text } = await any().send('POST', '/entities', entity)
      assert.equal(status, 201, text)
    }
    all.push({ id: `W-${number}`, version: 1, turn: Promise.resolve() })
  }
  return all
}

/** Says its version in its title, because a WEM tells none. */
async function change(any: () => SteadySender, work: Work) {
  const changing = work.turn.then(async () => {
    const patch = { metadata: [{ key: 'title', value: `Version ${work.version + 1}` }] }
    const { status, text } = await any().send('PATCH', `/entities/${work.id}`, patch)
    assert.equal(status, 200, text)
    work.version = (JSON.parse(text) as { version: number }).version
  })
  work.turn = changing.catch(() => {})
  await changing
}

interface WemAnswer {
  readonly work: { readonly metadata: { readonly title: { readonly value: string } } }
}

/**
 * Reads a work in one of the ways there are; it must not be older than what anybody knew when the
 * request was sent.
 */
async function look(sender: SteadySender, work: Work, chance: Chance, stale: string[]) {
  const known = work.version
  const number = work.id.slice('W-'.length)
  const ways: readonly [() => Promise<{ status: number; text: string }>, (body: never) => number][] = [
    [() => sender.send('GET', `/entities/${work.id}`), (body: { version: number }) => body.version],
    [
      () => sender.send('GET', `/entities/wem/M-${number}`),
      (body: WemAnswer) => Number(body.work.metadata.title.value.split(' ')[1])
    ],
    [
      () => sender.send('POST', '/entities/filter', [{ type: 'id', value: [work.id] }]),
      (body: { results: { version: number }[] }) => body.results[0]?.version ?? 0
    ]
  ]
  const [ask, versionIn] = ways[chance.below(ways.length)] ?? ways[0] ?? assert.fail()
  const { status, text } = await ask()
  assert.equal(status, 200, text)
  const version = versionIn(JSON.parse(text) as never)
  if (!(version >= known)) stale.push(`${work.id} has version ${version}, ${known} was known: ${text.slice(0, 300)}`)
}

/**
 * Kills the process that leads. Clients are sent to the others first, so that no request of theirs
 * is cut.
 */
async function killLeader(databaseUrl: string, servers: readonly ServerProcess[], senders: SteadySender[]) {
  const [lease] = await runStatement(databaseUrl, 'SELECT holder FROM leases')
  const pid = Number(String(lease?.holder).split('/')[1])
  const index = servers.findIndex(({ child }) => child.pid === pid)
  assert.ok(index >= 0, `the leader is none of the processes: ${lease?.holder}`)
  const [sender] = senders.splice(index, 1)
  await pause(1000)
  await servers[index]?.kill()
  sender?.close()
}

/**
 * Every change came to the receiver, in order; one that was under way when the leader was killed
 * may have come twice.
 */
async function assertTold({ received }: Receiver, feed: readonly string[]) {
  const told = () => received.map(({ event }) => `${event.subject} ${event.data.version}`)
  const isRepeated = (each: string, index: number, list: readonly string[]) => list[index - 1] === each
  await until(
    // To look at all of them each time would keep the receiver from answering.
    () => received.length >= feed.length && told().filter((...each) => !isRepeated(...each)).length >= feed.length,
    60_000 + 30 * feed.length,
    () => `${feed.length} events, got ${received.length}`
  )
  assert.deepEqual(
    told().filter((...each) => !isRepeated(...each)),
    feed
  )
  assert.ok(received.length - feed.length <= 1, `${received.length - feed.length} events came twice`)
}

async function readFeed(sender: SteadySender): Promise<string[]> {
  const told: string[] = []
  let since = ''
  for (;;) {
    const { status, text } = await sender.send('GET', `/changes?limit=1000${since}`)
    assert.equal(status, 200, text)
    const page = JSON.parse(text) as {
      changes: { id: string; subject: string; data: { version: number } }[]
      cursor: string
      more: boolean
    }
    told.push(...page.changes.map(({ subject, data }) => `${subject} ${data.version}`))
    since = `&since=${encodeURIComponent(page.cursor)}`
    if (!page.more) return told
  }
}

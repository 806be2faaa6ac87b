import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { aRecord, insert, metadata, write } from '../contract/promises/contract-support.ts'
import { until } from '../support/services/receiver.ts'
import { aProduction } from '../support/records/entities.ts'
import { temporaryFolder } from '../support/services/start.ts'
import { createClient, pause, runLibretto, startServer, waitForEnd } from '../support/services/server-process.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'

/*
 * Heavy questions and an import must not make others wait. Times depend on the machine and on what
 * else it does, so only ratios are looked at, and those with much room: what is to be noticed is a
 * scan on the thread that answers, which costs a hundred times as much.
 */

const records = process.env.LONG ? 100_000 : 10_000
const imported = 4000
const heavyClients = 8
const maxTimes = 30
const leastBound = 20

/** No index helps to find what these contain: every record is looked at, for each of them. */
const heavyFilter = [
  { type: 'text', key: ['id', 'identifiers', 'audit.created.by', 'audit.updated.by'], value: 'no such text' }
]

describe('while others ask heavy questions', () => {
  const cleanUps: (() => void | Promise<void>)[] = []
  const whole = { after: (cleanUp: () => void | Promise<void>) => void cleanUps.push(cleanUp) }
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  let path = ''
  before(async () => {
    path = join(temporaryFolder(whole), 'catalogue.db')
    await fill(path)
  })

  it('a record is still read by its id in time, with an import running too', async t => {
    const server = await startServer(t, `sqlite:${path}`, { QUERY_DEADLINE: '60000', READERS: '2' })
    const idle = await measure(server.port, 300)

    let isOver = false
    let answered = 0
    const asking = Array.from({ length: heavyClients }, async () => {
      const client = createClient(server.port)
      while (!isOver) {
        const { status, text } = await client.call('POST', '/entities/filter', heavyFilter)
        assert.equal(status, 200, text)
        answered++
      }
      client.close()
    })
    const file = join(temporaryFolder(t), 'import.ndjson')
    const lines = Array.from({ length: imported }, (_, n) => JSON.stringify({ id: `IMPORTED-${n}`, ...aProduction() }))
    writeFileSync(file, lines.join('\n'))
    const importing = runLibretto(t, ['import', file, '--json'], { DATABASE_URL: `sqlite:${path}` })
    // The import needs a moment to begin; measuring goes on until it has ended.
    const busy: number[] = []
    let hasEnded = false
    void importing.ended.then(() => {
      hasEnded = true
    })
    const giveUp = performance.now() + hangLimit
    while ((!hasEnded || busy.length < 300) && performance.now() < giveUp)
      busy.push(...(await measure(server.port, 100)))
    isOver = true
    await Promise.all(asking)

    assert.equal((await waitForEnd(importing)).code, 0, importing.output().err)
    assert.equal((JSON.parse(importing.output().out) as { created: number }).created, imported)
    const bound = maxTimes * percentile(idle, 99) + leastBound
    t.diagnostic(
      `p99 ${percentile(idle, 99).toFixed(1)} ms idle, ${percentile(busy, 99).toFixed(1)} ms busy (${busy.length} reads, ${answered} heavy questions)`
    )
    assert.ok(percentile(busy, 99) <= bound, `p99 ${percentile(busy, 99)} ms, at most ${bound} ms`)
    assert.ok(answered >= heavyClients, `only ${answered} heavy questions were answered`)
  })

  it('a question that passes the deadline is answered with 503 query_timeout, and the next is answered', async t => {
    const server = await startServer(t, `sqlite:${path}`, { QUERY_DEADLINE: '10', READERS: '1' })
    const clients = Array.from({ length: heavyClients }, () => createClient(server.port))
    // To start the thread that answers questions takes longer than that, and on a busy machine much
    // does.
    const askUntilAnswered = async (client: (typeof clients)[number]) => {
      const ask = () => client.call('POST', '/entities/filter?limit=1', [{ type: 'id', value: 'P-7' }])
      await until(async () => (await ask()).status === 200)
    }
    for (const client of clients.slice(0, 1)) await askUntilAnswered(client)
    const answers = await Promise.all(clients.map(client => client.call('POST', '/entities/filter', heavyFilter)))
    for (const { status, headers, text } of answers) {
      assert.equal(status, 503, text)
      assert.equal((JSON.parse(text) as { code: string }).code, 'query_timeout')
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
      assert.match(String(headers['retry-after']), /^\d+$/)
    }
    for (const client of clients) {
      await askUntilAnswered(client)
      client.close()
    }
  })
})

/** How long each of so many reads by id took, in milliseconds, at about two hundred a second. */
async function measure(port: number, reads: number): Promise<number[]> {
  const client = createClient(port)
  const times: number[] = []
  for (let n = 0; n < reads; n++) {
    const id = `P-${(n * 7919) % records}`
    const started = performance.now()
    const { status } = await client.call('GET', `/entities/${id}`)
    times.push(performance.now() - started)
    assert.equal(status, 200)
    await pause(4)
  }
  client.close()
  return times
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)] ?? 0
}

async function fill(path: string) {
  const model = createModel(builtInRecordTypes)
  await using store = await openStore(`sqlite:${path}`, model, { queryDeadline: 60_000, readers: 1 })
  const chunk = 2000
  for (let from = 0; from < records; from += chunk) {
    const ids = Array.from({ length: chunk }, (_, n) => `P-${from + n}`)
    await write(store, ...ids.map(id => insert(aRecord(id, { metadata: metadata({ title: `Show ${id}` }) }))))
  }
}

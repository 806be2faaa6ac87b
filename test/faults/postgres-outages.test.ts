import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { until } from '../support/services/receiver.ts'
import { createChance, isLong, seed } from '../support/records/chance.ts'
import { watchStalls } from '../support/machines/machine-stalls.ts'
import { startCluster } from '../support/databases/postgres-cluster.ts'
import { whyNoServer } from '../support/databases/postgres-server.ts'
import { pause, startServer } from '../support/services/server-process.ts'
import {
  assertEveryWriteOnce,
  createSender,
  type SteadySender,
  writeSteadily
} from '../support/services/steady-clients.ts'

/*
 * A database that goes away, cuts connections or stops to answer: the service says so in time, and
 * goes on by itself.
 */

/** Nobody waits longer for an answer, in milliseconds. */
const maxAnswerTime = 5000
const clients = 200
const writers = 20
const smallPool = { SAMPLE_DATA: '0', DATABASE_POOL: '5', QUERY_DEADLINE: '2000' }

describe('a database that is there only now and then', () => {
  const stops = isLong ? 200 : 2

  it(`is stopped ${stops} times and has its connections cut: ${clients} clients on a pool of 5 get an answer in time, and the service recovers`, {
    skip: whyNoServer()
  }, async t => {
    using stalls = watchStalls()
    const cluster = await startCluster(t, { isSynchronous: false })
    const service = await startServer(t, cluster.primary.url, smallPool)
    const sender = createSender(service.port, clients)
    t.after(() => sender.close())
    const chance = createChance(seed)
    let isOver = false
    const writing = Promise.all(
      Array.from({ length: writers }, (_, number) =>
        writeSteadily(sender, `W${number}`, { isOver: () => isOver, withKeys: number % 2 === 0 })
      )
    )
    const reading = Promise.all(
      Array.from({ length: clients - writers }, async (_, number) => {
        while (!isOver) await readSomething(sender, number)
      })
    )
    for (const work of [writing, reading]) work.catch(() => {})

    for (let stop = 0; stop < stops; stop++) {
      await pause(chance.below(400))
      if (chance.oneIn(2)) await cluster.cutConnections()
      await pause(chance.below(200))
      await cluster.stopPrimary()
      await pause(chance.below(300))
      await cluster.startPrimary()
    }
    await pause(300)
    isOver = true
    const [ledgers] = await Promise.all([writing, reading])

    const counts = [...sender.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
    t.diagnostic(`${counts}; slowest ${Math.round(sender.slowest.milliseconds)} ms: ${sender.slowest.what}`)
    // 404: who was refused a creation looks whether it happened, and it had not.
    assert.deepEqual([...sender.statuses.keys()].filter(status => ![200, 201, 404, 503].includes(status)).sort(), [])
    assert.ok(sender.slowest.milliseconds < stalls.allow(maxAnswerTime), sender.slowest.what)
    await assertEveryWriteOnce(sender, ledgers)
  })

  it('is frozen: whoever waits is told in time, and when it goes on so does the service', {
    skip: whyNoServer()
  }, async t => {
    using stalls = watchStalls()
    const cluster = await startCluster(t, { isSynchronous: false })
    const service = await startServer(t, cluster.primary.url, smallPool)
    const sender = createSender(service.port, 50)
    t.after(() => sender.close())
    const venue = { id: 'VE-1', type: 'venue', metadata: [{ key: 'name', value: 'One' }] }
    assert.equal((await sender.send('POST', '/entities', venue)).status, 201)

    cluster.primary.process.freeze()
    const asked = await Promise.all([
      ...Array.from({ length: 10 }, (_, number) => readSomething(sender, number)),
      sender.send('PATCH', '/entities/VE-1', { metadata: [{ key: 'city', value: 'Gent' }] })
    ])
    assert.deepEqual([...new Set(asked.map(answer => answer.status))], [503])
    for (const { headers } of asked) assert.match(String(headers['retry-after']), /^\d+$/)
    assert.ok(sender.slowest.milliseconds < stalls.allow(maxAnswerTime), sender.slowest.what)

    cluster.primary.process.thaw()
    await untilAnswered(sender)
    const { status, text } = await sender.send('PATCH', '/entities/VE-1', {
      metadata: [{ key: 'city', value: 'Aalst' }]
    })
    assert.equal(status, 200, text)
    assert.equal((await sender.send('GET', '/entities/VE-1')).status, 200)
  })
})

/** One of the calls that only read. */
async function readSomething(sender: SteadySender, number: number) {
  const calls = [
    () => sender.send('GET', '/entities?limit=5'),
    () => sender.send('GET', '/entities?ids=W0-0,W1-0'),
    () => sender.send('POST', '/entities/filter', [{ type: 'text', key: 'properties.name.value', value: 'venue' }]),
    () => sender.send('GET', '/changes?limit=5'),
    () => sender.send('GET', '/entities?limit=3&order_by=name&asc=1')
  ]
  return (calls[number % calls.length] ?? calls[0] ?? (() => sender.send('GET', '/entities')))()
}

const untilAnswered = (sender: SteadySender) =>
  until(async () => (await sender.send('GET', '/entities?limit=1')).status === 200)

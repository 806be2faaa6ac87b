import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isLong } from '../support/chance.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { whyNoServer } from '../support/postgres-server.ts'
import { pause, startServer } from '../support/server-process.ts'
import { assertEveryWriteOnce, createSender, writeSteadily } from '../support/steady-clients.ts'

/*
 * A primary and a synchronous standby. The primary is killed under load, the standby takes its place, the service goes on by itself: every write
 * that was answered is there, each of them once.
 */

const cycles = isLong ? 25 : 3
const writers = 8
/** Nobody waits longer for an answer, in milliseconds. */
const longestAnswer = 5000
/** After a promotion writes are answered again within this, in milliseconds. */
const longestRecovery = 1000

describe('a primary that dies under load', () => {
  it(`loses no write that was answered, and doubles none, through ${cycles} failovers`, {
    skip: whyNoServer()
  }, async t => {
    const cluster = await startCluster(t)
    const service = await startServer(t, cluster.url, { SAMPLE_DATA: '0' })
    const sender = createSender(service.port, writers)
    t.after(() => sender.close())
    let isOver = false
    let successes = 0
    let lastSuccess = 0
    const ledgers = Array.from({ length: writers }, (_, number) =>
      writeSteadily(sender, `W${number}`, {
        isOver: () => isOver,
        onSuccess() {
          successes++
          lastSuccess = performance.now()
        },
        withKeys: number % 2 === 0
      })
    )
    const failed = Promise.all(ledgers)
    failed.catch(() => {})
    const recoveries: number[] = []
    for (let cycle = 0; cycle < cycles; cycle++) {
      const before = successes
      await Promise.race([until(() => successes > before + 50, 'no writes before the kill'), failed])
      await cluster.killPrimary()
      await pause(Math.random() * 300)
      await cluster.promote()
      const promoted = performance.now()
      await until(() => lastSuccess > promoted, 'no write was answered after the promotion')
      recoveries.push(lastSuccess - promoted)
      await cluster.rebuild()
    }
    isOver = true
    const all = await failed
    t.diagnostic(
      `${successes} writes; answered again ${recoveries.map(each => Math.round(each)).join(', ')} ms after the promotion`
    )
    t.diagnostic(`slowest ${Math.round(sender.slowest.milliseconds)} ms: ${sender.slowest.what}`)

    await assertEveryWriteOnce(sender, all)
    assert.ok(sender.slowest.milliseconds < longestAnswer, sender.slowest.what)
    assert.equal(sender.statuses.get(500), undefined)
    // Each of them: a statement that a lost connection never answered once made some take three seconds.
    const longest = Math.max(...recoveries)
    assert.ok(longest < longestRecovery, `answered ${longest} ms after the promotion`)
  })
})

async function until(isTrue: () => boolean, otherwise: string) {
  const giveUp = performance.now() + 30_000
  while (!isTrue()) {
    if (performance.now() > giveUp) throw new Error(otherwise)
    await pause(2)
  }
}

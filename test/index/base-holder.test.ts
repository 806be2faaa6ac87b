import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'

import { buildBase } from '#index/base.ts'
import { BaseHolder } from '#finding/base-holder.ts'
import { type BuildBase, noSnapshot } from '#finding/builder.ts'
import type { FindingState } from '#finding/finding-state.ts'

describe('the holder of the newest base', () => {
  it('goes on looking when the database does not answer, and builds when it is far ahead', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let built = 0
    const holder = new BaseHolder(async () => ({
      base: buildBase().done(++built, []),
      isFromSnapshot: false,
      savedChange: built,
      saving: undefined
    }))
    holder.start()
    await turn()
    assert.equal(built, 1)

    let looks = 0
    holder.follow(() => {
      if (++looks < 3) throw new Error('database is locked')
      return { change: 1_000_000, purged: 0 }
    })
    // After a base was built there is a pause, of several times as long.
    for (let ticks = 0; built === 1 && ticks < 1000; ticks++) {
      t.mock.timers.tick(2000)
      await sleep(1)
    }

    assert.equal(built, 2)
    assert.ok(looks >= 3)
    await holder.close()
  })

  it('fails while there is no base and the last attempt to build one failed, but not while the first is built', async t => {
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const attempts: PromiseWithResolvers<void>[] = []
    const holder = new BaseHolder(async () => {
      const attempt = Promise.withResolvers<void>()
      attempts.push(attempt)
      await attempt.promise
      return { base: buildBase().done(1, []), isFromSnapshot: false, savedChange: 1, saving: undefined }
    })
    const states: boolean[] = [holder.isFailing]
    for (const isGood of [false, false, true]) {
      now += 10_000
      holder.start()
      states.push(holder.isFailing)
      if (isGood) attempts.at(-1)?.resolve()
      else attempts.at(-1)?.reject(new Error('disk I/O error'))
      await turn()
      states.push(holder.isFailing)
    }
    assert.deepEqual(states, [false, false, true, true, true, true, false])
    await holder.close()
  })

  it('counts a snapshot when it is saved, and tries again where that failed, without further changes', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const saves = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
    const known: number[] = []
    const build: BuildBase = async (_signal, _report, { savedChange, mayWriteSnapshot }) => {
      const saving = mayWriteSnapshot ? saves[known.length]?.promise : undefined
      if (saving) known.push(savedChange)
      return { base: buildBase().done(2000, []), isFromSnapshot: false, savedChange, saving }
    }
    const holder = new BaseHolder(build, undefined, 0)
    holder.start()
    holder.follow(() => ({ change: 2000, purged: 0 }))
    const look = async () => {
      t.mock.timers.tick(2000)
      await sleep(1)
    }
    await look()
    const stateOf = (): FindingState['snapshot'] => holder.state.snapshot
    assert.equal(stateOf().savedAt, undefined)
    const failure = new Error('no space left on device')
    saves[0]?.reject(failure)
    while (known.length < 2) await look()
    assert.deepEqual(known, [noSnapshot, noSnapshot])
    assert.deepEqual(stateOf(), { savedAt: undefined, failures: 1, failure })
    saves[1]?.resolve(2000)
    while (stateOf().savedAt === undefined) await look()
    assert.equal(known.length, 2)
    await holder.close()
  })
})

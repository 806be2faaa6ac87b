import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'

import { buildBase } from '#index/base.ts'
import { BaseHolder } from '#finding/base-holder.ts'

describe('the holder of the newest base', () => {
  it('goes on looking when the database does not answer, and builds when it is far ahead', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let built = 0
    const holder = new BaseHolder(async () => ({
      base: buildBase().done(++built, []),
      isFromSnapshot: false,
      savedChange: built
    }))
    holder.start()
    await turn()
    assert.equal(built, 1)

    let looks = 0
    holder.follow(() => {
      if (++looks < 3) throw new Error('database is locked')
      return 1_000_000
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
})

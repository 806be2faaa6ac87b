import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Store } from '#store/store.ts'
import type { Subject } from './contract-support.ts'

export function leasesPromises({ name, newDatabase }: Subject) {
  describe(`${name} store: leases`, () => {
    it('gives a task to one holder at a time, who may keep it or give it back', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      assert.equal(await here.findLeaseHolder('task'), undefined)
      assert.equal(await here.holdLease('task', 'one', 60_000), true)
      assert.equal(await here.holdLease('task', 'one', 60_000), true)
      assert.equal(await there.holdLease('task', 'two', 60_000), false)
      assert.equal(await there.holdLease('another task', 'two', 60_000), true)
      assert.equal(await there.findLeaseHolder('task'), 'one')
      await there.releaseLease('task', 'two')
      assert.equal(await there.findLeaseHolder('task'), 'one')
      await there.releaseLease('task', 'one')
      assert.equal(await here.findLeaseHolder('task'), undefined)
      assert.equal(await there.holdLease('task', 'two', 60_000), true)
      assert.equal(await here.holdLease('task', 'one', 60_000), false)
    })

    it('lets another take it when its time is over, and keeping it counts from then', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      await here.holdLease('task', 'one', 60_000)
      // The holder of a lease may also shorten it.
      assert.equal(await here.holdLease('task', 'one', 100), true)
      await sleep(150)
      assert.equal(await there.findLeaseHolder('task'), 'one', 'nobody took it yet')
      assert.equal(await there.holdLease('task', 'two', 60_000), true)
      assert.equal(await here.holdLease('task', 'one', 60_000), false)
      await here.releaseLease('task', 'one')
      assert.equal(await here.findLeaseHolder('task'), 'two')
    })

    it('gives it to one of many who ask at once', async t => {
      const database = newDatabase(t)
      const stores = await Promise.all([database.open(), database.open(), database.open()])
      const got = await Promise.all(
        Array.from({ length: 30 }, (_, n) => (stores[n % 3] as Store).holdLease('task', `holder ${n}`, 60_000))
      )
      assert.equal(got.filter(Boolean).length, 1)
      assert.equal(await stores[0]?.findLeaseHolder('task'), `holder ${got.indexOf(true)}`)
    })
  })
}

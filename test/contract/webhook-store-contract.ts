import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { CatalogueError } from '#domain/errors.ts'
import { maxStoredDeliveries, type NewDelivery, type StoredWebhook } from '#store/ports/webhooks.ts'
import type { Store } from '#store/store.ts'
import type { Teardown } from '../support/services/start.ts'

/**
 * The promises of every store about webhooks and their deliveries (`src/store/store.ts`). Called
 * once for each adapter.
 */
export function webhookStoreContract(name: string, open: (t: Teardown) => Promise<Store>) {
  describe(`${name} store: webhooks`, () => {
    it('finds a webhook as it was inserted, with everything that can be empty or not', async t => {
      const store = await open(t)
      const bare = aWebhook('bare')
      const full = aWebhook('full', {
        description: 'Ümläut “and” \\ more',
        kinds: ['created', 'merged'],
        types: ['person', 'work'],
        previousSecret: 'whsec_old',
        previousSecretUntil: '2026-01-02T00:00:00.000Z',
        state: 'parked',
        cursor: 9_007_199_254_740_991,
        attempts: 8,
        failingSince: '2026-01-01T00:00:00.000Z',
        nextAttemptAt: '2026-01-03T00:00:00.000Z',
        revision: 12
      })
      for (const webhook of [bare, full]) {
        await store.insertWebhook(webhook)
        assert.deepEqual(await store.findWebhook(webhook.id), webhook)
      }
      assert.equal(await store.findWebhook('nobody'), undefined)
    })

    it('lists them in the order in which they were made', async t => {
      const store = await open(t)
      for (const id of ['c', 'a', 'b']) await store.insertWebhook(aWebhook(id))
      assert.deepEqual(
        (await store.listWebhooks()).map(each => each.id),
        ['c', 'a', 'b']
      )
    })

    it('changes what an edit names, keeps the rest, and counts the revision up', async t => {
      const store = await open(t)
      const webhook = aWebhook('w', { cursor: 3 })
      await store.insertWebhook(webhook)
      const edited = await store.updateWebhook('w', 1, { state: 'paused', types: ['venue'] })
      assert.deepEqual(edited, { ...webhook, state: 'paused', types: ['venue'], revision: 2 })
      assert.deepEqual(await store.findWebhook('w'), edited)
    })

    it('refuses an edit at another revision than expected, and edits nobody who is not there', async t => {
      const store = await open(t)
      await store.insertWebhook(aWebhook('w'))
      await store.updateWebhook('w', 1, { url: 'https://example.org/2' })
      await assert.rejects(
        store.updateWebhook('w', 1, { url: 'https://example.org/3' }),
        (error: unknown) => error instanceof CatalogueError && error.code === 'version_mismatch'
      )
      assert.equal((await store.findWebhook('w'))?.url, 'https://example.org/2')
      assert.equal(await store.updateWebhook('nobody', 1, { url: 'https://example.org/3' }), undefined)
    })

    it('deletes a webhook with its deliveries, and says whether there was one', async t => {
      const store = await open(t)
      await store.insertWebhook(aWebhook('w'))
      await store.insertWebhook(aWebhook('other'))
      const logged = await store.logDelivery('w', aDelivery())
      await store.logDelivery('other', aDelivery())
      assert.equal(await store.deleteWebhook('w'), true)
      assert.equal(await store.deleteWebhook('w'), false)
      assert.equal(await store.findDelivery('w', logged?.number ?? 0), undefined)
      assert.equal((await store.listDeliveries('other', 10)).length, 1)
    })
  })

  describe(`${name} store: progress of webhooks`, () => {
    const to = { state: 'active', cursor: 8, attempts: 0, failingSince: null, nextAttemptAt: null } as const
    const failed = {
      state: 'parked',
      cursor: 7,
      attempts: 3,
      failingSince: '2026-01-01T00:00:00.000Z',
      nextAttemptAt: null
    } as const

    it('moves the cursor and logs the delivery', async t => {
      const store = await open(t)
      const webhook = aWebhook('w', { cursor: 7, attempts: 2, failingSince: '2026-01-01T00:00:00.000Z' })
      await store.insertWebhook(webhook)
      const after = await store.advanceWebhook({ from: webhook, to, delivery: aDelivery({ sequence: 8 }) })
      assert.deepEqual(after, { ...webhook, ...to })
      assert.deepEqual(await store.findWebhook('w'), after)
      assert.deepEqual(
        (await store.listDeliveries('w', 10)).map(each => each.sequence),
        [8]
      )
    })

    it('logs nothing when the cursor only passes over changes', async t => {
      const store = await open(t)
      const webhook = aWebhook('w', { cursor: 7 })
      await store.insertWebhook(webhook)
      assert.equal((await store.advanceWebhook({ from: webhook, to }))?.cursor, 8)
      assert.deepEqual(await store.listDeliveries('w', 10), [])
    })

    it('leaves what a person set meanwhile, but still counts what was delivered', async t => {
      const store = await open(t)
      const webhook = aWebhook('w', { cursor: 7 })
      await store.insertWebhook(webhook)
      const paused = await store.updateWebhook('w', 1, { state: 'paused' })
      const after = await store.advanceWebhook({ from: webhook, to, delivery: aDelivery() })
      assert.deepEqual(after, { ...paused, cursor: 8 })
    })

    it('does not undo a resume by the failure of an attempt that began before', async t => {
      const store = await open(t)
      const webhook = aWebhook('w', { cursor: 7, attempts: 2 })
      await store.insertWebhook(webhook)
      const resumed = await store.updateWebhook('w', 1, { attempts: 0 })
      assert.deepEqual(await store.advanceWebhook({ from: webhook, to: failed, delivery: aDelivery() }), resumed)
      assert.equal((await store.listDeliveries('w', 10)).length, 1)
    })

    it('leaves a cursor that a person moved', async t => {
      const store = await open(t)
      const webhook = aWebhook('w', { cursor: 7 })
      await store.insertWebhook(webhook)
      await store.updateWebhook('w', 1, { cursor: 2 })
      assert.equal((await store.advanceWebhook({ from: webhook, to, delivery: aDelivery() }))?.cursor, 2)
    })

    it('comes to nothing for a webhook that is gone', async t => {
      const store = await open(t)
      assert.equal(await store.advanceWebhook({ from: aWebhook('w'), to, delivery: aDelivery() }), undefined)
      assert.equal(await store.logDelivery('w', aDelivery()), undefined)
      assert.deepEqual(await store.listDeliveries('w', 10), [])
    })
  })

  describe(`${name} store: deliveries`, () => {
    it('finds a delivery as it was logged, under its own webhook only', async t => {
      const store = await open(t)
      await store.insertWebhook(aWebhook('w'))
      await store.insertWebhook(aWebhook('other'))
      const answered = aDelivery()
      const unanswered = aDelivery({ reason: 'change', sequence: 4, attempt: 3, status: null, error: 'No answer' })
      for (const delivery of [answered, unanswered]) {
        const logged = await store.logDelivery('w', delivery)
        assert.deepEqual(logged, { ...delivery, number: logged?.number, webhookId: 'w' })
        assert.deepEqual(await store.findDelivery('w', logged?.number ?? 0), logged)
        assert.equal(await store.findDelivery('other', logged?.number ?? 0), undefined)
      }
    })

    it('lists them newest first, a page at a time', async t => {
      const store = await open(t)
      await store.insertWebhook(aWebhook('w'))
      const numbers: number[] = []
      for (let index = 0; index < 5; index++) numbers.unshift((await store.logDelivery('w', aDelivery()))?.number ?? 0)
      const page = async (before?: number) => (await store.listDeliveries('w', 2, before)).map(each => each.number)
      assert.deepEqual(await page(), numbers.slice(0, 2))
      assert.deepEqual(await page(numbers[1]), numbers.slice(2, 4))
      assert.deepEqual(await page(numbers[3]), numbers.slice(4))
      assert.deepEqual(await page(numbers[4]), [])
    })

    it(`keeps the last ${maxStoredDeliveries} of each webhook`, async t => {
      const store = await open(t)
      await store.insertWebhook(aWebhook('w'))
      await store.insertWebhook(aWebhook('other'))
      await store.logDelivery('other', aDelivery())
      const logged: Awaited<ReturnType<typeof store.logDelivery>>[] = []
      // Not all at once: a caller that waits too long for a connection is refused.
      while (logged.length < maxStoredDeliveries + 3)
        logged.push(...(await Promise.all(Array.from({ length: 59 }, () => store.logDelivery('w', aDelivery())))))
      const kept = (await store.listDeliveries('w', 2 * maxStoredDeliveries)).map(each => each.number)
      // Deliveries that are logged at the same moment have numbers in any order.
      const numbers = logged.map(each => each?.number ?? 0).sort((one, other) => other - one)
      assert.deepEqual(kept, numbers.slice(0, maxStoredDeliveries))
      assert.equal((await store.listDeliveries('other', 10)).length, 1)
    })
  })
}

const aWebhook = (id: string, given: Partial<StoredWebhook> = {}): StoredWebhook => ({
  id,
  url: 'https://example.org/hook',
  description: '',
  kinds: [],
  types: [],
  secret: 'whsec_new',
  previousSecret: null,
  previousSecretUntil: null,
  state: 'active',
  cursor: 0,
  attempts: 0,
  failingSince: null,
  nextAttemptAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'test',
  revision: 1,
  ...given
})

const aDelivery = (given: Partial<NewDelivery> = {}): NewDelivery => ({
  reason: 'test',
  eventId: 'test-1',
  eventType: 'webhook.test',
  subject: 'w',
  sequence: null,
  attempt: 1,
  at: '2026-01-01T00:00:00.000Z',
  duration: 12,
  status: 204,
  error: null,
  ...given
})

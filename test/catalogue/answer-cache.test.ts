import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'

import { createAnswerCache } from '#catalogue/cache/answer-cache.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'
import { aRecord, contentIn, insert, metadata, update, write } from '../contract/promises/contract-support.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'

const model = createModel(builtInRecordTypes)
const folder = temporaryFolder({ after })
let files = 0

/** Two stores on one file, as two processes have them, with the records W-1 and W-2. */
async function twoStores(t: TestContext): Promise<[Store, Store]> {
  const file = join(folder, `${files++}.db`)
  const open = async () => {
    const store = await openStore(`sqlite:${file}`, model, { queryDeadline: 10_000, readers: 1 })
    t.after(() => store[Symbol.asyncDispose]())
    return store
  }
  const stores: [Store, Store] = [await open(), await open()]
  await write(stores[0], insert(aRecord('W-1')), insert(aRecord('W-2')))
  return stores
}

const change = async (store: Store, id: string) =>
  write(store, update(await contentIn(store, id), { metadata: metadata({ title: 'Changed' }) }))

/** A cache whose answers have a number, which grows with each that is made. */
function counted(store: Store, maxBytes = 1_000_000) {
  const cache = createAnswerCache(store, maxBytes)
  let made = 0
  return {
    cache,
    answer: async (key: string, madeFrom: readonly string[], more: { hasGaps?: boolean; size?: number } = {}) => {
      const { size = 1, hasGaps = false } = more
      const found = await cache.answer(key, async () => ({
        body: `${++made} `.padEnd(size),
        etag: '',
        madeFrom,
        hasGaps
      }))
      return Number(found.body)
    },
    page: async (key: string) => Number(await cache.page(key, async () => String(++made)))
  }
}

describe('Cached answers', () => {
  it('are made again after a change of a record that they show, by any process, and only then', async t => {
    const [store, other] = await twoStores(t)
    const { answer } = counted(store)
    assert.deepEqual([await answer('a', ['W-1']), await answer('b', ['W-2']), await answer('a', ['W-1'])], [1, 2, 1])
    await change(store, 'W-1')
    assert.deepEqual([await answer('a', ['W-1']), await answer('b', ['W-2'])], [3, 2])
    await change(other, 'W-2')
    assert.deepEqual([await answer('a', ['W-1']), await answer('b', ['W-2'])], [3, 4])
  })

  it('do not include those with gaps, nor those that were made before a change and are stored after it', async t => {
    const [store] = await twoStores(t)
    const { answer, cache } = counted(store)
    assert.deepEqual([await answer('a', [], { hasGaps: true }), await answer('a', [], { hasGaps: true })], [1, 2])
    const late = await cache.answer('late', async () => {
      await change(store, 'W-1')
      await answer('other', [])
      return { body: 'old', etag: '', madeFrom: ['W-1'] }
    })
    assert.equal(late.body, 'old')
    const again = await cache.answer('late', async () => ({ body: 'new', etag: '', madeFrom: ['W-1'] }))
    assert.equal(again.body, 'new')
  })

  it('stay within their memory, and those that are read often stay longer', async t => {
    const [store] = await twoStores(t)
    const { answer, cache } = counted(store, 400_000)
    const often = await answer('often', ['W-1'], { size: 5000 })
    for (let times = 0; times < 200; times++) {
      await answer(`once ${times}`, ['W-1'], { size: 5000 })
      assert.equal(await answer('often', ['W-1']), often)
    }
    const { bytes, entries } = cache.measure()
    assert.ok(bytes <= 200_000 && entries > 5, `${bytes} bytes, ${entries} entries`)
  })

  it('are none without memory', async t => {
    const [store] = await twoStores(t)
    const { answer, cache } = counted(store, 0)
    assert.deepEqual([await answer('a', ['W-1']), await answer('a', ['W-1'])], [1, 2])
    assert.deepEqual(cache.measure(), { bytes: 0, entries: 0 })
  })
})

describe('Cached pages', () => {
  it('are made again after any change', async t => {
    const [store, other] = await twoStores(t)
    const { page } = counted(store)
    assert.deepEqual([await page('a'), await page('a'), await page('b')], [1, 1, 2])
    await change(other, 'W-2')
    assert.deepEqual([await page('a'), await page('b')], [3, 4])
  })
})

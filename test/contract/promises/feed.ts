import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Store } from '#store/store.ts'
import { moment } from '../../support/records/changes.ts'
import {
  aRecord,
  metadata,
  insert,
  remove,
  twoRecords,
  merge,
  titleOf,
  changeOf,
  write,
  type Subject
} from './contract-support.ts'

export function feedPromises({ name, newDatabase, openNew }: Subject) {
  describe(`${name} store: the change feed`, () => {
    const all = { after: 0, limit: 100, readableTypes: undefined }

    it('tells every change in the order of commits, with the document it left', async t => {
      const store = await openNew(t)
      const [a, b] = await twoRecords(store)
      await write(store, await changeOf(store, 'A', { metadata: metadata({ title: 'A2' }) }))
      await merge(store, 'A', 'B')
      await write(store, remove('A', 3))
      const { changes, upTo } = await store.readChanges(all)
      assert.equal(upTo, 6)
      assert.deepEqual(
        changes.map(each => [
          each.sequence,
          each.kind,
          each.id,
          each.uuid,
          each.version,
          titleOf(each.json),
          each.mergedInto
        ]),
        [
          [1, 'created', 'A', a.uuid, 1, 'A', null],
          [2, 'created', 'B', b.uuid, 1, 'B', null],
          [3, 'updated', 'A', a.uuid, 2, 'A2', null],
          [4, 'merged', 'B', b.uuid, 2, undefined, 'A'],
          [5, 'updated', 'A', a.uuid, 3, 'A2', null],
          [6, 'deleted', 'A', a.uuid, 4, undefined, null]
        ]
      )
      for (const { by, at, type } of changes) {
        assert.deepEqual([by, type], ['test', 'production'])
        assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      }
    })

    it('is read in pages, of some kinds, types and identifiers only, and always says how far it looked', async t => {
      const store = await openNew(t)
      await twoRecords(store)
      await write(store, insert(aRecord('V', { type: 'venue', otherIdentifiers: ['other-v'] })))
      await write(store, await changeOf(store, 'V', { otherIdentifiers: [] }))
      await write(store, remove('V', 2))
      const read = async (question: Partial<Parameters<Store['readChanges']>[0]>) => {
        const { changes, upTo } = await store.readChanges({ ...all, ...question })
        return [changes.map(each => each.sequence), upTo]
      }
      assert.deepEqual(await read({ limit: 2 }), [[1, 2], 2])
      assert.deepEqual(await read({ after: 2, limit: 2 }), [[3, 4], 4])
      assert.deepEqual(await read({ after: 4, limit: 2 }), [[5], 5])
      assert.deepEqual(await read({ after: 5 }), [[], 5])
      assert.deepEqual(await read({ kinds: ['deleted', 'updated'] }), [[4, 5], 5])
      assert.deepEqual(await read({ kinds: [] }), [[], 5])
      assert.deepEqual(await read({ types: ['venue'], limit: 1 }), [[3], 3])
      assert.deepEqual(await read({ types: ['production'] }), [[1, 2], 5])
      assert.deepEqual(await read({ readableTypes: ['production'] }), [[1, 2], 5])
      assert.deepEqual(await read({ readableTypes: [] }), [[], 5])
      // Also by names that it no longer has.
      for (const name of ['V', 'other-v']) assert.deepEqual(await read({ ids: [name] }), [[3, 4, 5], 5])
      assert.deepEqual(await read({ ids: ['A', 'V'], kinds: ['created'] }), [[1, 3], 5])
      assert.deepEqual(await read({ ids: ['nobody'] }), [[], 5])
    })

    it('knows its oldest and newest change, and is the same feed after closing', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const { epoch, ...empty } = await store.feedState()
      assert.deepEqual(empty, { oldest: 1, newest: 0 })
      assert.match(epoch, /^[0-9a-f]{16}$/)
      await twoRecords(store)
      const between = await moment()
      await write(store, insert(aRecord('C')))
      assert.deepEqual(await store.feedState(), { epoch, oldest: 1, newest: 3 })
      assert.equal(await store.deleteChanges(between), 2)
      assert.equal(await store.deleteChanges(between), 0)
      assert.deepEqual(await store.feedState(), { epoch, oldest: 3, newest: 3 })
      assert.equal(await store.deleteChanges('9999'), 1)
      const again = await database.open()
      assert.deepEqual(await again.feedState(), { epoch, oldest: 4, newest: 3 })
      assert.deepEqual(await again.readChanges({ ...all, after: 3 }), { changes: [], upTo: 3 })
      await write(again, insert(aRecord('D')))
      assert.deepEqual(
        (await store.readChanges({ ...all, after: 3 })).changes.map(each => each.sequence),
        [4]
      )
      assert.equal((await again.findHistory('A', 0, 9))?.count, 1, 'versions stay')
      const other = await openNew(t)
      assert.notEqual((await other.feedState()).epoch, epoch)
    })

    it('shows no change later that a reader has passed, however many stores write', async t => {
      const database = newDatabase(t)
      const stores = await Promise.all([database.open(), database.open(), database.open()])
      const reading = await database.open()
      let isOver = false
      const seen: number[] = []
      const follow = async () => {
        for (let after = 0; ; ) {
          const wasOver = isOver
          const { changes, upTo } = await reading.readChanges({ ...all, after })
          seen.push(...changes.map(each => each.sequence))
          if (wasOver && changes.length === 0) return
          after = upTo
        }
      }
      const following = follow()
      await Promise.all(
        stores.flatMap((store, which) =>
          Array.from({ length: 60 }, async (_, n) => write(store, insert(aRecord(`S${which}-${n}`))))
        )
      )
      isOver = true
      await following
      assert.deepEqual(
        seen,
        Array.from({ length: 180 }, (_, n) => n + 1)
      )
    })

    it('tells a cache to begin anew when changes were forgotten before it heard of them', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      await write(there, insert(aRecord('A')), insert(aRecord('B')))
      await there.deleteChanges('9999')
      assert.equal(await here.changedSinceLastCall(), 'all')
      assert.deepEqual(await here.changedSinceLastCall(), [])
      await write(there, insert(aRecord('C')))
      assert.deepEqual(await here.changedSinceLastCall(), ['C'])
    })

    it('tells a cache of a store that did not write of more than ten thousand changes', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      await write(there, ...Array.from({ length: 10_001 }, (_, n) => insert(aRecord(`P-${n}`, { metadata: [] }))))
      assert.equal(await here.changedSinceLastCall(), 'all')
      await write(there, insert(aRecord('last')))
      assert.deepEqual(await here.changedSinceLastCall(), ['last'])
    })
  })
}

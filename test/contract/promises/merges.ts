import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'

import { relations } from '../../support/records/entities.ts'
import {
  aRecord,
  insert,
  remove,
  twoRecords,
  merge,
  changeOf,
  write,
  rejects,
  type Subject
} from './contract-support.ts'

export function mergesPromises({ name, openNew }: Subject) {
  describe(`${name} store: merges`, () => {
    it('finds the newest merge into an entity, with what it wrote, until it is taken back', async t => {
      const store = await openNew(t)
      const [a, b] = await twoRecords(store)
      const c = aRecord('C', { otherIdentifiers: ['other-c'] })
      await write(store, insert(c))
      assert.equal(await store.findMerge('A'), undefined)
      await merge(store, 'A', 'B')
      await merge(store, 'A', 'C')
      const newest = await store.findMerge('A')
      assert.deepEqual([newest?.survivorId, newest?.victimId, newest?.undone], ['A', 'C', null])
      assert.deepEqual(newest?.written, [
        { id: 'C', uuid: c.uuid, version: 2 },
        { id: 'A', uuid: a.uuid, version: 3 }
      ])
      // A victim's name leads to the survivor, and so to its merges.
      assert.equal((await store.findMerge('C'))?.number, newest?.number)
      assert.equal((await store.findMerge('A', 'B'))?.victimId, 'B')
      assert.equal(await store.findMerge('A', 'nobody'), undefined)
      assert.deepEqual(await store.identifiersMergedInto(a.uuid), [b.uuid, 'B', c.uuid, 'C', 'other-c'])
      assert.deepEqual(await store.identifiersMergedInto(b.uuid), [])

      const back = await changeOf(store, 'A', { otherIdentifiers: ['B', b.uuid] })
      const number = newest?.number ?? 0
      await store.write({ writes: [back], by: 'test', unmerges: number })
      assert.equal((await store.findMerge('A'))?.victimId, 'B')
      assert.deepEqual(await store.identifiersMergedInto(a.uuid), [b.uuid, 'B'])
      await rejects(
        store.write({ writes: [await changeOf(store, 'A', {})], by: 'test', unmerges: number }),
        'version_mismatch'
      )
      assert.deepEqual(
        (await store.findMergesOf([c.uuid])).map(each => [each.number, each.undone]),
        [[number, 8]]
      )
      const both = (await store.findMergesOf([a.uuid, c.uuid])).map(each => each.victimId)
      assert.deepEqual(both, ['B', 'C'])
      assert.deepEqual(await store.findMergesOf([randomUUID()]), [])
    })

    it('keeps nothing of a merge that was refused, or only tried', async t => {
      const store = await openNew(t)
      await twoRecords(store)
      await merge(store, 'A', 'B', { dryRun: true })
      await write(store, insert(aRecord('R', { relations: relations({ refOther: 'B' }) })))
      await rejects(
        store.write({
          writes: [remove('B', 1)],
          by: 'test',
          merge: { survivorId: 'A', victimId: 'B' }
        }),
        'still_referenced'
      )
      assert.equal(await store.findMerge('A'), undefined)
    })
  })
}

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
  pointingTo,
  problemsIn,
  readIn,
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

    it('gives a reference that was prepared before a merge, and is written after it, the id of the survivor', async t => {
      const store = await openNew(t)
      const [, b] = await twoRecords(store)
      await write(store, insert(aRecord('R')), insert(aRecord('OTHER')))
      const prepared = [
        insert(aRecord('NEW', { relations: relations({ refOther: 'B', refSame: ['A', 'B'] }) })),
        await changeOf(store, 'R', { relations: relations({ refOther: ['OTHER', 'B', b.uuid] }) })
      ]
      const dangling = insert(aRecord('DANGLING', { relations: relations({ refOther: ['B', 'NOBODY'] }) }))
      const grouped = ['G-1', 'G-2', 'G-3'].map(id => insert(aRecord(id, { relations: relations({ refOther: 'B' }) })))

      await merge(store, 'A', 'B')
      const [stored] = await write(store, ...prepared)
      await store.write({ writes: [dangling], by: 'test', allowDangling: true })
      // Those that share a transaction with others, too.
      await Promise.all(grouped.map(each => write(store, each)))

      assert.equal(stored?.json, (await store.findEntity('NEW'))?.json)
      const relationsOf = async (id: string) => (await readIn(store, id)).relations.map(each => [each.type, each.key])
      const toBoth = ['refOther', 'A']
      assert.deepEqual(await relationsOf('NEW'), [toBoth, ['refSame', 'A']])
      assert.deepEqual(await relationsOf('R'), [['refOther', 'OTHER'], toBoth])
      assert.deepEqual(await relationsOf('DANGLING'), [toBoth, ['refOther', 'NOBODY']])
      for (const id of ['G-1', 'G-2', 'G-3']) assert.deepEqual(await relationsOf(id), [toBoth])
      assert.deepEqual((await store.findReferences(pointingTo('A'))).countByType, { refOther: 6, refSame: 1 })
      assert.deepEqual(
        (await store.findHistory('R', 0, 10))?.versions.map(each => each.version),
        [2, 1]
      )
      assert.deepEqual(await problemsIn(store), [])
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

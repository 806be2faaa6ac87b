import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { EntityContent } from '#domain/entity/entity.ts'
import { everything } from '#domain/filter/filter.ts'
import { relations } from '../../support/records/entities.ts'
import {
  aRecord,
  changeOf,
  contentIn,
  idsIn,
  idsWhere,
  insert,
  metadata,
  pointingTo,
  problemsIn,
  readIn,
  rejects,
  remove,
  type Subject,
  update,
  wholeList,
  write
} from './contract-support.ts'

export function refusedWritesPromises({ name, openNew }: Subject) {
  describe(`${name} store: what a write throws`, () => {
    const taken: readonly [what: string, make: (a: EntityContent) => EntityContent][] = [
      ['its id is another’s id', () => aRecord('A')],
      ['its uuid is another’s uuid', a => aRecord('B', { uuid: a.uuid })],
      ['its id is another’s identifier', () => aRecord('other-a')],
      ['its identifier is another’s id', () => aRecord('B', { otherIdentifiers: ['A'] })],
      ['its identifier is another’s uuid', a => aRecord('B', { otherIdentifiers: [a.uuid] })],
      ['its identifier is another’s identifier', () => aRecord('B', { otherIdentifiers: ['free', 'other-a'] })]
    ]
    for (const [what, make] of taken) {
      it(`throws identifier_taken when ${what}`, async t => {
        const store = await openNew(t)
        const a = aRecord('A', { otherIdentifiers: ['other-a'] })
        await write(store, insert(a))
        const error = await rejects(write(store, insert(make(a))), 'identifier_taken')
        assert.equal(error.about?.[0], 'identifier')
        assert.ok(['A', a.uuid, 'other-a'].includes(error.about?.[1] ?? ''))
        assert.deepEqual(await idsWhere(store, everything), ['A'])
        assert.equal(await store.findEntity('free'), undefined)
      })
    }

    it('throws identifier_taken when an update takes what another has, or two of one unit want the same', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      const b = await contentIn(store, 'B')
      await rejects(write(store, update(b, { otherIdentifiers: ['A'] })), 'identifier_taken')
      const wanting = ['X', 'Y'].map(id => insert(aRecord(id, { otherIdentifiers: ['same'] })))
      await rejects(write(store, ...wanting), 'identifier_taken')
      assert.equal((await readIn(store, 'B')).version, 1)
    })

    it('writes many in one unit in their order, and none of them when one name among them is taken', async t => {
      const store = await openNew(t)
      const many = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) =>
          aRecord(`M${from + index}`, { otherIdentifiers: [`other-${from + index}`] })
        )
      const first = many(0, 70)
      // One of them is changed in the middle: what follows is numbered after that change.
      const [early = aRecord('M0')] = first
      await write(
        store,
        ...first.slice(0, 40).map(insert),
        update(early, { metadata: metadata({ title: 'Changed' }) }),
        ...first.slice(40).map(insert)
      )
      const ids = first.map(each => each.id)
      assert.deepEqual(idsIn(await store.queryEntities({ ...wholeList, limit: 100 })), ids)
      const { changes } = await store.readChanges({ after: 0, limit: 100, readableTypes: undefined })
      assert.deepEqual(
        changes.map(each => [each.sequence, each.id]),
        [...ids.slice(0, 40), 'M0', ...ids.slice(40)].map((id, index) => [index + 1, id])
      )
      const wanting = many(100, 150)
      wanting[37] = aRecord('M137', { otherIdentifiers: ['other-12'] })
      const error = await rejects(write(store, ...wanting.map(insert)), 'identifier_taken')
      assert.deepEqual(error.about, ['identifier', 'other-12'])
      assert.equal(await store.findEntity('M100'), undefined)
      assert.equal((await store.findEntity('other-12'))?.id, 'M12')
      await write(store, insert(aRecord('M100')))
      assert.equal(idsIn(await store.queryEntities({ ...wholeList, limit: 100 })).at(-1), 'M100')
    })

    it('throws version_mismatch when an entity has another version than expected, and says which', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')))
      await write(store, await changeOf(store, 'A', { metadata: [] }))
      const a = await contentIn(store, 'A')
      for (const expected of [1, 3]) {
        const updating = await rejects(
          write(store, update(a, { metadata: metadata({ title: 'x' }) }, expected)),
          'version_mismatch'
        )
        assert.equal(updating.extra.current_version, 2)
        await rejects(write(store, remove('A', expected)), 'version_mismatch')
      }
      assert.equal((await readIn(store, 'A')).version, 2)
    })

    it('throws version_mismatch when the entity is gone', async t => {
      const store = await openNew(t)
      const content = aRecord('A')
      await write(store, insert(content))
      await write(store, remove('A', 1))
      await rejects(write(store, update(content, {}, 1)), 'version_mismatch')
      await rejects(write(store, remove('A', 1)), 'version_mismatch')
      await rejects(write(store, remove('NEVER', 1)), 'version_mismatch')
    })

    it('throws invalid when a new relation points to nothing, naming each', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')))
      const lost = aRecord('B', { relations: relations({ refOther: ['NOBODY', 'A', 'NO-ONE'] }) })
      const alone = await rejects(write(store, insert(lost)), 'invalid')
      assert.deepEqual(
        alone.faults.map(fault => fault.pointer),
        ['/relations/0/key', '/relations/2/key']
      )
      assert.match(alone.faults[0]?.message ?? '', /"NOBODY"/)
      const among = await rejects(write(store, insert(aRecord('C')), insert(lost)), 'invalid')
      assert.deepEqual(
        among.faults.map(fault => fault.pointer),
        ['/1/relations/0/key', '/1/relations/2/key']
      )
      const a = await contentIn(store, 'A')
      await rejects(write(store, update(a, { relations: relations({ refOther: 'NOBODY' }) })), 'invalid')
    })

    it('lets relations point to any identifier, to the entity itself, and to what the same unit creates, in any order', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { otherIdentifiers: ['other-a'] })
      await write(store, insert(a))
      await write(
        store,
        insert(aRecord('B', { relations: relations({ refOther: ['C', 'B', 'other-a', a.uuid] }) })),
        insert(aRecord('C', { relations: relations({ refOther: 'B' }) }))
      )
      // Each is stored once, by the id.
      assert.deepEqual(
        (await readIn(store, 'B')).relations.map(each => each.key),
        ['C', 'B', 'A']
      )
    })

    it('lets a relation point to nothing when asked to, and stay so through later changes', async t => {
      const store = await openNew(t)
      const dangling = aRecord('A', { relations: relations({ refOther: 'LATER' }) })
      await store.write({ writes: [insert(dangling)], by: 'test', allowDangling: true })
      // It was there before, so an ordinary change may keep it …
      await write(store, await changeOf(store, 'A', { metadata: metadata({ title: 'x' }) }))
      await write(store, await changeOf(store, 'A', { relations: relations({ refElse: 'LATER' }) }))
      // … and what comes to exist is pointed to.
      await write(store, insert(aRecord('LATER')))
      assert.deepEqual(
        (await store.findReferences(pointingTo('LATER'))).references.map(each => [each.id, each.relationType]),
        [['A', 'refElse']]
      )
      await rejects(write(store, remove('LATER', 1)), 'still_referenced')
    })

    it('throws still_referenced when something points to a deleted entity, by whichever identifier, and says what', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { type: 'venue', otherIdentifiers: ['other-a'] })
      await write(store, insert(a))
      await write(
        store,
        insert(aRecord('B', { relations: relations({ refVenues: 'other-a' }) })),
        insert(aRecord('C', { relations: relations({ refOther: a.uuid }) }))
      )
      const error = await rejects(write(store, remove('A', 1)), 'still_referenced')
      assert.deepEqual(error.about, ['id', 'A'])
      const references = error.extra.references as { id: string; type: string }[]
      assert.deepEqual(
        references.map(each => [each.id, each.type]),
        [
          ['B', 'production'],
          ['C', 'production']
        ]
      )
      assert.ok(await store.findEntity('A'))
    })

    it('looks at references after the whole unit: what lets go of the entity, or goes with it, does not hold it', async t => {
      const store = await openNew(t)
      const pointing = (id: string, key: string) => insert(aRecord(id, { relations: relations({ refOther: key }) }))
      await write(store, insert(aRecord('A')), pointing('B', 'A'), pointing('C', 'A'), pointing('SELF', 'SELF'))
      const letGo = await changeOf(store, 'B', { relations: [] })
      await rejects(write(store, remove('A', 1), letGo), 'still_referenced')
      await write(store, remove('A', 1), letGo, remove('C', 1), remove('SELF', 1))
      assert.deepEqual(await idsWhere(store, everything), ['B'])

      await write(store, insert(aRecord('D')))
      await rejects(write(store, remove('D', 1), pointing('E', 'D')), ['still_referenced', 'invalid'])
      assert.ok(await store.findEntity('D'))
    })

    it('moves identifiers from one entity to another in one unit', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A', { otherIdentifiers: ['shared', 'mine'] })), insert(aRecord('B')))
      await write(
        store,
        await changeOf(store, 'A', { otherIdentifiers: ['mine'] }),
        await changeOf(store, 'B', { otherIdentifiers: ['shared'] })
      )
      assert.equal((await store.findEntity('shared'))?.id, 'B')
      assert.equal((await store.findEntity('mine'))?.id, 'A')

      // All that a deleted entity answered to may go to another: so old names go on working after a
      // merge.
      const a = await contentIn(store, 'A')
      const b = await contentIn(store, 'B')
      await write(store, remove('A', 2), update(b, { otherIdentifiers: ['shared', 'mine', 'A', a.uuid] }, 2))
      for (const identifier of ['A', a.uuid, 'mine', 'shared', 'B'])
        assert.equal((await store.findEntity(identifier))?.id, 'B', identifier)
      assert.deepEqual(await problemsIn(store), [])
    })
  })
}

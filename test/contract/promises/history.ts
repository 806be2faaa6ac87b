import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { toEntity } from '#domain/entity/entity.ts'
import type { EntityWrite } from '#store/ports/entities.ts'
import { moment } from '../../support/records/changes.ts'
import {
  aRecord,
  metadata,
  insert,
  remove,
  update,
  twoRecords,
  writeVersions,
  merge,
  titleOf,
  pick,
  changeOf,
  write,
  wholeList,
  idsIn,
  readIn,
  rejects,
  type Subject
} from './contract-support.ts'

export function historyPromises({ name, openNew }: Subject) {
  describe(`${name} store: history`, () => {
    it('has every version of an entity, newest first, with who, when, and the change that made it', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { otherIdentifiers: ['other-a'] })
      await write(store, insert(a))
      await store.write({ writes: [update(a, { metadata: metadata({ title: 'B' }) })], by: 'somebody' })
      await write(store, remove('A', 2))
      for (const identifier of ['A', a.uuid, 'other-a']) {
        const history = await store.findHistory(identifier, 0, 10)
        assert.deepEqual([history?.id, history?.uuid, history?.type, history?.count], ['A', a.uuid, 'production', 3])
        assert.deepEqual(
          history?.versions.map(each => [each.version, each.by, each.sequence, titleOf(each.json), each.mergedInto]),
          [
            [3, 'test', 3, undefined, null],
            [2, 'somebody', 2, 'B', null],
            [1, 'test', 1, 'A', null]
          ]
        )
      }
      assert.equal(await store.findHistory('nobody', 0, 10), undefined)
    })

    it('gives a page of it, and one version more to compare with', async t => {
      const store = await openNew(t)
      await writeVersions(store, 'A', 6)
      const page = async (skip: number, limit: number) =>
        (await store.findHistory('A', skip, limit))?.versions.map(each => each.version)
      assert.deepEqual(await page(0, 2), [6, 5, 4])
      assert.deepEqual(await page(4, 2), [2, 1])
      assert.deepEqual(await page(9, 2), [])
      assert.equal((await store.findHistory('A', 9, 2))?.count, 6)
    })

    it('finds one version by any identifier, deleted ones too, and by the uuid of a merged one', async t => {
      const store = await openNew(t)
      const [a, b] = await twoRecords(store)
      await merge(store, 'A', 'B')
      // The names of B lead to A now; its uuid alone still tells its own versions.
      assert.equal((await store.findVersion('B', 1))?.json, (await store.findVersion('A', 1))?.json)
      assert.equal(titleOf((await store.findVersionByUuid(b.uuid, 1))?.json), 'B')
      assert.deepEqual(pick(await store.findVersionByUuid(b.uuid, 2)), [2, null, 'A'])
      assert.equal(titleOf((await store.findVersionByUuid(a.uuid, 1))?.json), 'A')
      assert.equal(await store.findVersionByUuid(b.uuid, 3), undefined)
      assert.equal(await store.findVersion('A', 9), undefined)
      assert.equal(await store.findVersion('nobody', 1), undefined)
    })

    it('knows an id that was used again as what has it now, else as what had it last', async t => {
      const store = await openNew(t)
      const [first, second] = [aRecord('A'), aRecord('A', { type: 'venue', metadata: metadata({ name: 'x' }) })]
      await write(store, insert(first))
      await write(store, remove('A', 1))
      assert.deepEqual([...(await store.identifyDeleted(['A', 'B']))], [['A', { id: 'A', type: 'production' }]])
      await write(store, insert(second))
      assert.equal((await store.findHistory('A', 0, 9))?.uuid, second.uuid)
      await write(store, remove('A', 1))
      assert.equal((await store.findHistory('A', 0, 9))?.uuid, second.uuid)
      assert.equal((await store.findHistory(first.uuid, 0, 9))?.count, 2)
      assert.deepEqual((await store.identifyDeleted(['A'])).get('A'), { id: 'A', type: 'venue' })
    })

    it('goes on with the versions that another catalogue made, which are in no feed and at no moment', async t => {
      const store = await openNew(t)
      const [a, gone] = [aRecord('A', { otherIdentifiers: ['other-a'] }), aRecord('G')]
      const carried = (content: typeof a, version: number, isDeletion = false) => {
        const stamp = { at: `2020-01-0${version}T00:00:00.000Z`, by: 'somebody' }
        const json = JSON.stringify(toEntity(content, version, { created: stamp, updated: stamp }))
        const { id, uuid, type } = content
        return { id, uuid, type, version, ...stamp, json: isDeletion ? null : json, mergedInto: null }
      }
      // In any order, and again.
      const versions = [carried(a, 2), carried(a, 1), carried(gone, 1), carried(gone, 2, true)]
      assert.deepEqual(await store.carryVersions(versions), ['stored', 'stored', 'stored', 'stored'])
      assert.deepEqual(await store.carryVersions(versions), ['known', 'known', 'known', 'known'])
      assert.deepEqual(await store.carryVersions([{ ...carried(a, 2), by: 'another' }]), ['refused'])
      await write(store, insert(a))
      await store.write({ writes: [update(a, { metadata: metadata({ title: 'B' }) }, 3)], by: 'test' })
      for (const identifier of ['A', a.uuid, 'other-a'])
        assert.deepEqual(
          (await store.findHistory(identifier, 0, 10))?.versions.map(each => [each.version, each.sequence, each.by]),
          [
            [4, 2, 'test'],
            [3, 1, 'test'],
            [2, 0, 'somebody'],
            [1, 0, 'somebody']
          ]
        )
      assert.deepEqual(await store.carryVersions([carried(a, 5)]), ['refused'])
      assert.deepEqual(await store.carryVersions([{ ...carried(aRecord('X'), 1), id: 'A' }]), ['refused'])
      assert.deepEqual(
        (await store.readChanges({ after: 0, limit: 9, readableTypes: undefined })).changes.map(each => [
          each.id,
          each.version
        ]),
        [
          ['A', 3],
          ['A', 4]
        ]
      )
      assert.equal(await store.sequenceAt('2020-01-09T00:00:00.000Z'), 0)
      assert.equal((await store.findEntitiesAt(['A', 'G'], 0)).size, 0)
      assert.deepEqual(await store.listDeleted('', 9), [{ uuid: gone.uuid, id: 'G', type: gone.type }])
      assert.deepEqual(await store.listDeleted(gone.uuid, 9), [])
      const created = { at: '2020-01-01T00:00:00.000Z', by: 'somebody' }
      await write(store, { kind: 'restore', content: gone, expectedVersion: 2, created })
      assert.equal((await readIn(store, 'G')).version, 3)
      assert.deepEqual(idsIn(await store.queryEntities(wholeList)), ['A', 'G'])
      assert.deepEqual((await store.check()).problems, [])
    })

    it('goes on with the versions of an entity that is brought back, in its old place', async t => {
      const store = await openNew(t)
      const [a] = await twoRecords(store)
      const { audit } = await readIn(store, 'A')
      await write(store, remove('A', 1))
      const restore: EntityWrite = { kind: 'restore', content: a, expectedVersion: 2, created: audit.created }
      await write(store, restore)
      const back = await readIn(store, 'A')
      assert.deepEqual([back.version, back.audit.created], [3, audit.created])
      assert.deepEqual(idsIn(await store.queryEntities(wholeList)), ['A', 'B'])
      await rejects(write(store, restore), ['version_mismatch', 'identifier_taken'])
    })

    it('tells which change was the last at a moment, also when changes were forgotten', async t => {
      const store = await openNew(t)
      const start = await moment()
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      const between = await moment()
      await write(store, insert(aRecord('C')))
      const end = await moment()
      const all = async () =>
        Promise.all([start, between, end, '9999-12-31T23:59:59.999Z'].map(at => store.sequenceAt(at)))
      assert.deepEqual(await all(), [0, 2, 3, 3])
      await store.deleteChanges(between)
      assert.deepEqual(await all(), [0, 2, 3, 3])
      await store.deleteChanges(end)
      assert.deepEqual(await all(), [0, 2, 3, 3])
    })

    it('finds entities as they were after a change, by the names they had then', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A', { otherIdentifiers: ['name'] })))
      await write(store, await changeOf(store, 'A', { metadata: metadata({ title: 'A2' }), otherIdentifiers: [] }))
      await write(store, insert(aRecord('B', { otherIdentifiers: ['name'] })))
      await write(store, remove('A', 2))
      await write(store, insert(aRecord('A', { metadata: metadata({ title: 'another A' }) })))
      const at = async (sequence: number) =>
        [...(await store.findEntitiesAt(['A', 'name', 'B', 'nobody'], sequence))].map(([asked, { id, json }]) => [
          asked,
          id,
          titleOf(json)
        ])
      assert.deepEqual(await at(0), [])
      assert.deepEqual(await at(1), [
        ['A', 'A', 'A'],
        ['name', 'A', 'A']
      ])
      assert.deepEqual(await at(2), [['A', 'A', 'A2']])
      assert.deepEqual((await at(3)).slice(1), [
        ['name', 'B', 'B'],
        ['B', 'B', 'B']
      ])
      assert.deepEqual((await at(4))[0], ['name', 'B', 'B'])
      assert.deepEqual((await at(5))[0], ['A', 'A', 'another A'])
    })
  })
}

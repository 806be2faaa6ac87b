import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { relations } from '../../support/records/entities.ts'
import { aRecord, insert, twoRecords, write, pointingTo, type Subject } from './contract-support.ts'

export function identifiersPromises({ name, openNew }: Subject) {
  describe(`${name} store: finding entities by identifier`, () => {
    it('finds an entity by its id, its uuid and any other identifier', async t => {
      const store = await openNew(t)
      const hamlet = aRecord('PR-HAMLET', { otherIdentifiers: ['urn:isbn:9789025701', 'Hamlet’s “other” name \\ %_'] })
      const [stored] = await write(store, insert(hamlet))
      for (const identifier of ['PR-HAMLET', hamlet.uuid, ...hamlet.otherIdentifiers])
        assert.deepEqual({ ...(await store.findEntity(identifier)) }, { ...stored })
    })

    it('finds nothing under a name that nobody has, however near', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('PR-HAMLET')))
      for (const identifier of [
        'PR-HAMLET2',
        'pr-hamlet',
        'PR-HAMLET ',
        '',
        'PR-%',
        'PR-HAMLET\0',
        '"',
        '[]',
        'null'
      ]) {
        assert.equal(await store.findEntity(identifier), undefined, JSON.stringify(identifier))
        assert.equal((await store.findEntities([identifier])).size, 0, JSON.stringify(identifier))
        assert.equal((await store.identify([identifier])).size, 0, JSON.stringify(identifier))
      }
    })

    it('finds many at once, each under the identifier asked for, and leaves out those that match nothing', async t => {
      const store = await openNew(t)
      const a = aRecord('A', { otherIdentifiers: ['other-a'] })
      await write(store, insert(a), insert(aRecord('B')))
      const found = await store.findEntities(['B', 'nobody', 'other-a', 'A', 'B', a.uuid])
      assert.deepEqual(
        [...found].map(([identifier, { id }]) => [identifier, id]).sort(),
        [
          ['A', 'A'],
          ['B', 'B'],
          ['other-a', 'A'],
          [a.uuid, 'A']
        ].sort()
      )
      assert.equal(found.get('B')?.json, (await store.findEntity('B'))?.json)
      assert.equal((await store.findEntities([])).size, 0)
    })

    it('climbs from an entity by its first relation of each type, by any name, and ends where there is nothing', async t => {
      const store = await openNew(t)
      const above = (types: Readonly<Record<string, string | readonly string[]>>) => ({ relations: relations(types) })
      const writes = [
        insert(aRecord('TOP', { otherIdentifiers: ['the top'] })),
        insert(aRecord('OTHER')),
        insert(aRecord('MIDDLE', above({ other: 'OTHER', second: ['the top', 'OTHER'] }))),
        insert(aRecord('LOW', above({ second: 'OTHER', first: ['MIDDLE', 'OTHER'] }))),
        insert(aRecord('LOST', above({ first: ['nobody', 'MIDDLE'] }))),
        insert(aRecord('SELF', above({ first: 'SELF', second: 'LOST' })))
      ]
      await store.write({ writes, by: 'tester', allowDangling: true })
      const climb = async (identifier: string) => {
        const climbed = await store.findClimbing(identifier, ['first', 'second'])
        for (const each of climbed) assert.deepEqual({ ...(await store.findEntity(each.id)) }, { ...each })
        return climbed.map(({ id }) => id)
      }
      const low = await store.findEntity('LOW')
      assert.deepEqual(await climb('LOW'), ['LOW', 'MIDDLE', 'TOP'])
      assert.deepEqual(await climb(String(low?.uuid)), ['LOW', 'MIDDLE', 'TOP'])
      assert.deepEqual(await climb('MIDDLE'), ['MIDDLE'])
      assert.deepEqual(await climb('the top'), ['TOP'])
      assert.deepEqual(await climb('LOST'), ['LOST'])
      assert.deepEqual(await climb('SELF'), ['SELF', 'SELF', 'LOST'])
      for (const nobody of ['nobody', 'low', 'LOW\0', '']) assert.deepEqual(await climb(nobody), [])
    })

    it('tells id and type of many at once, and leaves out those that match nothing', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A', { type: 'venue', otherIdentifiers: ['other-a'] })), insert(aRecord('B')))
      const found = await store.identify(['other-a', 'nobody', 'B', 'A'])
      assert.deepEqual(Object.fromEntries([...found].map(([identifier, { id, type }]) => [identifier, { id, type }])), {
        'other-a': { id: 'A', type: 'venue' },
        A: { id: 'A', type: 'venue' },
        B: { id: 'B', type: 'production' }
      })
      assert.equal((await store.identify([])).size, 0)
    })

    it('finds a thousand at once', async t => {
      const store = await openNew(t)
      const ids = Array.from({ length: 1000 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id))))
      assert.deepEqual([...(await store.findEntities(ids)).keys()].sort(), [...ids].sort())
      assert.equal((await store.identify(ids)).size, 1000)
    })
  })

  describe(`${name} store: the order of answers`, () => {
    it('gives what was asked for by identifiers in the order asked for', async t => {
      const store = await openNew(t)
      const ids = Array.from({ length: 300 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id))))
      const asked = [...ids].sort().reverse()
      assert.deepEqual([...(await store.findEntities(['none', ...asked, 'P-3'])).keys()], asked)
      assert.deepEqual([...(await store.identify([...asked, 'none'])).keys()], asked)
    })
  })

  describe(`${name} store: names that cannot be`, () => {
    it('finds nothing under them, whichever way it is asked', async t => {
      const store = await openNew(t)
      const [a] = await twoRecords(store)
      for (const odd of ['A\0', '\0', '\ud800', 'A\udc00', '']) {
        const said = JSON.stringify(odd)
        assert.equal(await store.findEntity(odd), undefined, said)
        assert.deepEqual([...(await store.findEntities([odd, 'A'])).keys()], ['A'], said)
        assert.deepEqual([...(await store.identify([odd, 'A'])).keys()], ['A'], said)
        assert.equal(await store.findHistory(odd, 0, 9), undefined, said)
        assert.equal(await store.findVersion(odd, 1), undefined, said)
        assert.equal(await store.findVersionByUuid(odd, 1), undefined, said)
        assert.equal((await store.identifyDeleted([odd])).size, 0, said)
        assert.deepEqual([...(await store.findEntitiesAt([odd, 'A'], 2)).keys()], ['A'], said)
        assert.equal(await store.findMerge(odd), undefined, said)
        assert.deepEqual(await store.findMergesOf([odd, a.uuid]), [], said)
        assert.deepEqual(await store.identifiersMergedInto(odd), [], said)
        assert.equal((await store.findReferences(pointingTo(odd))).count, 0, said)
        assert.deepEqual(
          (await store.readChanges({ after: 0, limit: 9, readableTypes: undefined, ids: [odd] })).changes,
          [],
          said
        )
        assert.equal(await store.findOutcome(odd, odd), undefined, said)
        assert.equal(await store.findToken(odd), undefined, said)
      }
    })
  })
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Store } from '#store/store.ts'
import { relations } from '../../support/records/entities.ts'
import {
  aRecord,
  metadata,
  insert,
  remove,
  update,
  changeOf,
  write,
  wholeList,
  titleIs,
  idsWhere,
  pointingTo,
  everythingIn,
  problemsIn,
  aToken,
  rejects,
  type Subject
} from './contract-support.ts'

export function freshnessPromises({ name, newDatabase, openNew }: Subject) {
  describe(`${name} store: freshness`, () => {
    it('shows an answered write to every read that begins after the answer, here and in another store on the same database', async t => {
      const database = newDatabase(t)
      const stores = [await database.open(), await database.open()]
      const [writing] = stores
      if (!writing) throw new Error('There is no store to write to')
      await write(writing, insert(aRecord('T')))
      for (let round = 1; round <= 60; round++) {
        const id = `R-${round}`
        const content = aRecord(id, {
          metadata: metadata({ title: `r${round}` }),
          relations: relations({ refOther: 'T' })
        })
        await write(writing, insert(content))
        for (const store of stores) {
          assert.equal((await store.findEntity(id))?.version, 1)
          assert.equal((await store.findEntities([id, 'T'])).size, 2)
          assert.equal((await store.identify([content.uuid])).get(content.uuid)?.id, id)
          assert.deepEqual(await idsWhere(store, titleIs(`r${round}`)), [id])
          assert.equal((await store.findReferences(pointingTo('T'))).count, round)
          assert.equal(await store.isNew(), false)
        }
        await write(
          writing,
          update(content, { metadata: metadata({ title: `changed${round}` }), relations: content.relations }, 1)
        )
        for (const store of stores) {
          assert.equal((await store.findEntity(id))?.version, 2)
          assert.deepEqual(await idsWhere(store, titleIs(`r${round}`)), [])
          assert.deepEqual(await idsWhere(store, titleIs(`changed${round}`)), [id])
        }
      }
    })

    it('lets two stores on one database write at the same time', async t => {
      const database = newDatabase(t)
      const stores = [await database.open(), await database.open()]
      await Promise.all(
        stores.flatMap((store, which) =>
          Array.from({ length: 60 }, (_, n) => write(store, insert(aRecord(`S${which}-${n}`))))
        )
      )
      for (const store of stores) assert.equal((await store.queryEntities({ ...wholeList, counted: true })).count, 120)
    })

    it('writes what is sound of units that come at once, wherever among them one is refused or only tried', async t => {
      const store = await newDatabase(t).open()
      await write(store, insert(aRecord('A')))
      const refused = () => store.write({ writes: [insert(aRecord('R')), insert(aRecord('A'))], by: 'test' })
      const tried = () => store.write({ writes: [insert(aRecord('T'))], by: 'test', dryRun: true })
      const sound = (id: string) => () => store.write({ writes: [insert(aRecord(id))], by: 'test' })
      const orders = [
        [refused, sound('B1'), tried, sound('B2')],
        [tried, sound('C1'), refused, sound('C2'), refused],
        [sound('D1'), refused, tried, sound('D2'), tried]
      ]
      for (const order of orders) {
        // Nobody waits for the first, so it is the first of a group.
        const outcomes = await Promise.allSettled(order.map(ask => ask()))
        assert.deepEqual(
          outcomes.map(each => each.status),
          order.map(ask => (ask === refused ? 'rejected' : 'fulfilled'))
        )
      }
      const there = (await store.queryEntities({ ...wholeList, counted: true })).entities.map(each => each.id)
      assert.deepEqual(there.sort(), ['A', 'B1', 'B2', 'C1', 'C2', 'D1', 'D2'])
      assert.deepEqual(await store.check(), { ok: true, entities: 7, problems: [], notices: [] })
    })

    it('tells which entities changed since it was last asked, by any process', async t => {
      const database = newDatabase(t)
      const here = await database.open()
      const there = await database.open()
      const changes = async (store: Store) => {
        const changed = await store.changedSinceLastCall()
        return changed === 'all' ? changed : [...new Set(changed)].sort()
      }
      assert.deepEqual(await changes(here), [])
      await write(here, insert(aRecord('A')), insert(aRecord('B')))
      assert.deepEqual(await changes(here), ['A', 'B'])
      assert.deepEqual(await changes(here), [])
      await write(there, await changeOf(there, 'A', { metadata: [] }))
      await write(there, remove('B', 1))
      assert.deepEqual(await changes(here), ['A', 'B'])
      assert.deepEqual(await changes(here), [])
      assert.deepEqual(await changes(there), ['A', 'B'])
      await write(here, insert(aRecord('C')))
      assert.deepEqual(await changes(there), ['C'])
      assert.deepEqual(await changes(here), ['C'])
      // A refused write is no change, nor is a token.
      await rejects(write(there, insert(aRecord('C'))), 'identifier_taken')
      await there.insertToken(aToken())
      assert.deepEqual(await changes(here), [])
      const late = await database.open()
      assert.deepEqual(await changes(late), [])
    })

    it('tells every one of very many changes, or that they cannot be told', async t => {
      const store = await openNew(t)
      const ids = Array.from({ length: 10_050 }, (_, n) => `P-${n}`)
      await write(store, ...ids.map(id => insert(aRecord(id, { metadata: [] }))))
      const changed = await store.changedSinceLastCall()
      if (changed !== 'all') assert.deepEqual([...new Set(changed)].sort(), [...ids].sort())
      await write(store, remove('P-1', 1))
      assert.deepEqual(await store.changedSinceLastCall(), ['P-1'])
    })

    it('is new until the first entity is written, and never again', async t => {
      const store = await openNew(t)
      assert.equal(await store.isNew(), true)
      await store.insertToken(aToken())
      await store.write({ writes: [insert(aRecord('A'))], by: 'test', dryRun: true })
      assert.equal(await store.isNew(), true)
      await write(store, insert(aRecord('A')))
      await write(store, remove('A', 1))
      assert.equal(await store.isNew(), false)
    })

    it('is not new, nor damaged, when its changes were forgotten', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      await write(store, insert(aRecord('A')), insert(aRecord('B')))
      await store.changedSinceLastCall()
      assert.equal(await store.deleteChanges('9999-12-31T23:59:59.999Z'), 2)
      assert.equal(await store.isNew(), false)
      assert.deepEqual(await store.changedSinceLastCall(), [])
      assert.deepEqual(await store.check(), { ok: true, entities: 2, problems: [], notices: [] })
      const again = await database.open()
      assert.equal(await again.isNew(), false)
      await write(store, insert(aRecord('C')))
      assert.deepEqual(await again.changedSinceLastCall(), ['C'])
      assert.deepEqual(await problemsIn(again), [])
    })

    it('keeps everything when it is closed and opened again', async t => {
      const database = newDatabase(t)
      let before: string[]
      {
        await using store = await database.open()
        await write(store, insert(aRecord('A', { otherIdentifiers: ['other-a'] })), insert(aRecord('B')))
        await write(store, remove('B', 1))
        await store.insertToken(aToken())
        before = await everythingIn(store)
      }
      const store = await database.open()
      assert.deepEqual(await everythingIn(store), before)
      assert.equal((await store.findEntity('other-a'))?.id, 'A')
      assert.equal((await store.listTokens()).length, 1)
      assert.deepEqual(await problemsIn(store), [])
    })

    it('still answers what was asked before it is closed', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      const writing = Array.from({ length: 50 }, (_, n) => write(store, insert(aRecord(`P-${n}`))))
      const asking = store.queryEntities(wholeList)
      await store[Symbol.asyncDispose]()
      await Promise.all([...writing, asking])
      const again = await database.open()
      assert.equal((await again.queryEntities({ ...wholeList, counted: true })).count, 50)
    })
  })
}

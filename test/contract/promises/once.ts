import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Store } from '#store/store.ts'
import {
  aRecord,
  insert,
  remove,
  changeOf,
  write,
  wholeList,
  idsIn,
  rejects,
  type Subject
} from './contract-support.ts'

export function oncePromises({ name, newDatabase, openNew }: Subject) {
  describe(`${name} store: units that happen once`, () => {
    const once = (key: string, fingerprint = 'f') => ({
      scope: 'somebody',
      key,
      fingerprint,
      note: { warnings: ['ü'] }
    })

    it('gives the first outcome again, and does nothing', async t => {
      const database = newDatabase(t)
      const [here, there] = [await database.open(), await database.open()]
      const unit = { writes: [insert(aRecord('A')), insert(aRecord('B'))], by: 'test', once: once('k') }
      assert.equal(await here.findOutcome('somebody', 'k'), undefined)
      const first = await here.write(unit)
      await write(here, await changeOf(here, 'A', { metadata: [] }), remove('B', 1))
      assert.deepEqual(await there.write(unit), first)
      const found = await there.findOutcome('somebody', 'k')
      assert.deepEqual(found, { fingerprint: 'f', outcome: first, note: { warnings: ['ü'] } })
      assert.deepEqual(idsIn(await there.queryEntities(wholeList)), ['A'])
      const removal = { writes: [remove('A', 2)], by: 'test', once: once('gone') }
      assert.deepEqual(await here.write(removal), [undefined])
      assert.deepEqual(await there.write(removal), [undefined])
    })

    it('refuses the key for another unit, and knows it only for whoever chose it', async t => {
      const store = await openNew(t)
      await store.write({ writes: [insert(aRecord('A'))], by: 'test', once: once('k') })
      await rejects(store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k', 'other') }), 'key_reused')
      await store.write({ writes: [insert(aRecord('C'))], by: 'test', once: { ...once('k'), scope: 'another' } })
      assert.deepEqual(idsIn(await store.queryEntities(wholeList)), ['A', 'C'])
    })

    it('remembers nothing of a unit that was refused, or only tried', async t => {
      const store = await openNew(t)
      await write(store, insert(aRecord('A')))
      await rejects(store.write({ writes: [insert(aRecord('A'))], by: 'test', once: once('k') }), 'identifier_taken')
      await store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k'), dryRun: true })
      assert.equal(await store.findOutcome('somebody', 'k'), undefined)
      await store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k', 'other') })
      assert.ok(await store.findOutcome('somebody', 'k'))
    })

    it('lets one of many equal units happen that come at once, through two stores', async t => {
      const database = newDatabase(t)
      const stores = [await database.open(), await database.open()]
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, n) => {
          const content = aRecord('A')
          return (stores[n % 2] as Store).write({ writes: [insert(content)], by: 'test', once: once('k') })
        })
      )
      assert.equal(new Set(outcomes.map(([entity]) => entity?.uuid)).size, 1)
      assert.equal((await (stores[0] as Store).feedState()).newest, 1)
    })

    it('forgets a key after a day', async t => {
      const database = newDatabase(t)
      const store = await database.open()
      await store.write({ writes: [insert(aRecord('A'))], by: 'test', once: once('k') })
      const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
      await database.alter(`UPDATE outcomes SET at = '${ago(23.9)}'`)
      assert.ok(await store.findOutcome('somebody', 'k'))
      await database.alter(`UPDATE outcomes SET at = '${ago(24.1)}'`)
      assert.equal(await store.findOutcome('somebody', 'k'), undefined)
      await store.write({ writes: [insert(aRecord('B'))], by: 'test', once: once('k', 'other') })
      assert.equal((await store.findOutcome('somebody', 'k'))?.fingerprint, 'other')
    })
  })
}

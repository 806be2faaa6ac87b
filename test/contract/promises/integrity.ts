import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { relations } from '../../support/records/entities.ts'
import { aRecord, changeOf, fillForOrders, insert, metadata, remove, type Subject, write } from './contract-support.ts'

export function integrityPromises({ name, openNew }: Subject) {
  describe(`${name} store: checking itself`, () => {
    it('finds nothing wrong after every kind of write, and counts the entities', async t => {
      const store = await openNew(t)
      assert.deepEqual(await store.check(), { ok: true, entities: 0, problems: [], notices: [] })
      await fillForOrders(store)
      await write(
        store,
        insert(aRecord('T', { otherIdentifiers: ['t1', 't2'] })),
        insert(aRecord('R', { relations: relations({ refOther: ['T', 't1'] }) }))
      )
      await write(
        store,
        await changeOf(store, 'R', {
          relations: relations({ refElse: 't2' }),
          metadata: metadata({ isbn: ['9789025701', 'x'] })
        })
      )
      await store.write({
        writes: [insert(aRecord('LOST', { relations: relations({ refOther: 'NOBODY' }) }))],
        by: 'test',
        allowDangling: true
      })
      await write(store, remove('LOST', 1))
      assert.deepEqual(await store.check(), { ok: true, entities: 10, problems: [], notices: [] })
    })
  })
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { aRecord, insert, remove, write, type Subject } from './contract-support.ts'

export function growthPromises({ name, openNew }: Subject) {
  describe(`${name} store: growth`, () => {
    it('counts what there is by month of creation and type, for whom it is counted', async t => {
      const store = await openNew(t)
      const records = [
        ['A', 'production', '2025-12-31T23:59:59.999Z'],
        ['B', 'production', '2026-01-01T00:00:00.000Z'],
        ['C', 'production', '2026-01-31T12:00:00.000Z'],
        ['D', 'venue', '2026-01-15T12:00:00.000Z'],
        ['E', 'venue', '2026-01-15T12:00:00.000Z']
      ] as const
      for (const [id, type, at] of records) {
        const content = aRecord(id, { type })
        await write(store, insert(content))
        await write(store, remove(id, 1))
        await write(store, { kind: 'restore', content, expectedVersion: 2, created: { at, by: 'test' } })
      }
      await write(store, remove('E', 3))
      const growth = (readableTypes?: readonly string[]) => store.countGrowth({ readableTypes })
      const production = [
        { month: '2025-12', type: 'production', count: 1 },
        { month: '2026-01', type: 'production', count: 2 }
      ]
      assert.deepEqual(await growth(), [...production, { month: '2026-01', type: 'venue', count: 1 }])
      assert.deepEqual(await growth(['production', 'person']), production)
      assert.deepEqual(await growth([]), [])
    })
  })
}

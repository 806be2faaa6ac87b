import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { aPerson, aProduction } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

describe('GET /growth', () => {
  it('counts the records that there are by month and type, for whoever may read them', async t => {
    const service = await start(t)
    assert.deepEqual((await service.get('/growth')).body, { growth: [] })
    const month = new Date().toISOString().slice(0, 7)
    const hamlet = await service.create(aProduction({ title: 'Hamlet' }))
    await service.create(aProduction({ title: 'Macbeth' }))
    const author = await service.create(aPerson('Shakespeare, William'))
    await service.patch(`/entities/${hamlet.id}`, { metadata: [{ key: 'title', value: 'Hamlet!' }] })

    const count = async (token?: string) => {
      const { body } = await service.get('/growth', token === undefined ? {} : { token })
      // A month may end while this runs.
      const counts: Record<string, number> = {}
      for (const each of body.growth as { month: string; type: string; count: number }[]) {
        assert.ok(each.month >= month, each.month)
        counts[each.type] = (counts[each.type] ?? 0) + each.count
      }
      return counts
    }
    assert.deepEqual(await count(), { person: 1, production: 2 })
    assert.deepEqual(await count(await service.tokenWith('read:person')), { person: 1 })

    await service.delete(`/entities/${author.id}`)
    assert.deepEqual(await count(), { production: 2 })
    assert.deepEqual(await count(await service.tokenWith('read:person')), {})
  })
})

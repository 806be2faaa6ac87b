import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { aPerson } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

describe('Changes that the index gets in several parts', () => {
  /** More than are read at once. */
  const pairs = 100

  it('leave no merged record, and lead by its identifiers to the other one', async t => {
    const { create, get, patch, post } = await start(t)
    const total = async () => Number((await get('/entities?limit=0')).headers['x-total-count'])
    const ids: (readonly [survivor: string, victim: string])[] = []
    for (let pair = 0; pair < pairs; pair++)
      ids.push([(await create(aPerson(`One ${pair}`))).id, (await create(aPerson(`Other ${pair}`))).id])
    assert.equal(await total(), 2 * pairs)

    // The first changes are read with what the last ones did.
    for (const [survivor] of ids)
      await patch(`/entities/${survivor}`, { metadata: [{ key: 'note', value: 'changed' }] })
    for (const [survivor, victim] of ids)
      assert.equal((await post(`/entities/${survivor}/merge`, { victim_id: victim })).status, 200)

    assert.equal(await total(), pairs)
    const found = await post('/entities/filter?limit=1000', [{ type: 'id', value: ids.map(([, victim]) => victim) }])
    assert.equal(found.body.count, pairs)
    // Each of them is found by what it was changed to, once.
    const changed = await post('/entities/filter', [{ type: 'text', key: 'properties.note.value', value: 'changed' }])
    assert.equal(changed.body.count, pairs)
  })
})

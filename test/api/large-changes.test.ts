import { describe, it } from 'node:test'

import { aPerson, metadata } from '../support/records/entities.ts'
import { until } from '../support/services/receiver.ts'
import { start } from '../support/services/start.ts'

describe('Changes that are too large for the time of one query', () => {
  const note = Array.from({ length: 6 }, () => 'a note '.repeat(10_000))
  const largePerson = () => aPerson('Large', { metadata: metadata({ name: 'Large', note }) })
  /** A query of 60 ms has time for a few of them. */
  const count = 60

  it('are in the index after a while, in the first one and in one that there is', async t => {
    const { create, get } = await start(t, { QUERY_DEADLINE: '60' })
    for (const rounds of [1, 2]) {
      for (let number = 0; number < count; number++) await create(largePerson())
      const isIndexed = async () => (await get('/entities?limit=0')).headers['x-total-count'] === String(rounds * count)
      await until(isIndexed)
    }
  })
})

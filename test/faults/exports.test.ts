import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { CatalogueError, type ErrorCode } from '#domain/errors.ts'
import { createClient } from '../../client/index.ts'
import { aVenue } from '../support/records/entities.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'

/* An export while the database or the index cannot answer in time. */

const service = await start({ after })
const { store } = service.libretto.parts
const venues = 1200
const lines = Array.from({ length: venues }, (_, number) => ({ op: 'create', entity: aVenue(`Zaal ${number}`) }))
assert.equal((await service.post('/entities/batch?atomic=1', lines)).status, 200)
const baseUrl = `http://127.0.0.1:${await listen(service)}`

/** Makes some queries of an export fail, by their number. */
async function failing<T>(isFailing: (number: number) => boolean, code: ErrorCode, work: () => Promise<T>): Promise<T> {
  const { queryEntities } = store
  let number = 0
  const failed: typeof queryEntities = async query => {
    if (isFailing(number++)) throw new CatalogueError(code, 'Other queries came first')
    return queryEntities(query)
  }
  Object.assign(store, { queryEntities: failed })
  try {
    return await work()
  } finally {
    Object.assign(store, { queryEntities })
  }
}

describe('GET /export', () => {
  it('is whole although queries were late, the first one and those in the middle', async () => {
    const answer = await failing(
      number => [0, 2, 4, 5].includes(number),
      'query_timeout',
      () => service.get('/export?type=venue')
    )
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.text.trimEnd().split('\n').length, venues)
  })

  it('refuses a costly filter that is late on its first page, as a search', async () => {
    // The first query looks for the newest record, the second is the filter.
    const answer = await failing(
      number => number === 1,
      'query_timeout',
      () => service.post('/export', [{ type: 'text', key: ['properties.name.value'], value: 'zaal*' }])
    )
    assert.deepEqual([answer.status, answer.body.code], [503, 'query_timeout'])
  })
})

describe('An export that is cut', () => {
  for (const encoding of ['identity', 'gzip', 'br'])
    it(`fails in the client instead of looking complete (${encoding})`, async () => {
      const client = createClient({ baseUrl, token: adminToken })
      const read = async () => {
        const response = await client.exports.matching([{ type: 'type', value: 'venue' }], 'ndjson', {
          headers: { 'accept-encoding': encoding }
        })
        assert.equal(response.status, 200)
        return response.text()
      }
      assert.equal((await read()).trimEnd().split('\n').length, venues)
      await assert.rejects(failing(number => number === 3, 'unavailable', read))
    })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { start } from '../support/start.ts'

/* Bodies that once stopped the service or held its main thread. Each is answered at once, with what is wrong. */

describe('PUT /entities as CSV', () => {
  it('ends when a byte order mark stands before a quotation mark', async t => {
    const service = await start(t)
    const body = Buffer.from('69642c747970650aefbbbf226162630a', 'hex')
    const answer = await service.call('PUT', '/entities', { body, headers: { 'content-type': 'text/csv' } })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(
      answer.body.errors.map((each: { pointer: string }) => each.pointer),
      ['/0/type']
    )
  })
})

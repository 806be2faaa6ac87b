import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { start } from '../support/services/start.ts'

describe('The rate limit', () => {
  it('is off by default', async t => {
    const service = await start(t)
    const answer = await service.get('/entities?limit=0')

    assert.equal(answer.headers.ratelimit, undefined)
    assert.equal(answer.headers['ratelimit-policy'], undefined)
  })

  it('says what is left, and answers 429 with Retry-After when nothing is', async t => {
    const service = await start(t, { RATE_LIMIT: '2/60' })
    const [first, second, third] = [
      await service.get('/entities'),
      await service.get('/entities'),
      await service.get('/entities')
    ]

    assert.equal(first.headers['ratelimit-policy'], '"token";q=2;w=60')
    assert.match(String(first.headers.ratelimit), /^"token";r=1;t=(59|60)$/)
    assert.match(String(second.headers.ratelimit), /^"token";r=0;t=(59|60)$/)
    assert.equal(second.status, 200)
    assert.equal(third.status, 429)
    assert.equal(third.body.code, 'rate_limited')
    assert.match(String(third.headers['retry-after']), /^(59|60)$/)
  })

  it('counts each token for itself, also where two have the same name', async t => {
    const service = await start(t, { RATE_LIMIT: '1/60' })
    const one = await service.tokenWith('read')
    const other = await service.tokenWith('read')
    await service.get('/entities', { token: one })

    assert.equal((await service.get('/entities', { token: one })).status, 429)
    assert.equal((await service.get('/entities', { token: other })).status, 200)
  })

  it('does not count paths that need no bearer', async t => {
    const service = await start(t, { RATE_LIMIT: '1/60' })
    for (let times = 0; times < 5; times++) assert.equal((await service.get('/health/live')).status, 200)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { start } from '../support/services/start.ts'

describe('GET /health/live', () => {
  it('answers 200 to anybody while the process runs, even when the database is away', async t => {
    const service = await start(t)
    const first = await service.get('/health/live', { token: undefined })
    await service.libretto.store[Symbol.asyncDispose]()
    const second = await service.get('/health/live', { token: undefined })

    for (const answer of [first, second]) {
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, { status: 'ok' })
      assert.equal(answer.headers['cache-control'], 'private, no-cache')
    }
  })

  it('is also found under /elody/v1, and as HEAD', async t => {
    const service = await start(t)

    assert.equal((await service.get('/elody/v1/health/live', { token: undefined })).status, 200)
    assert.equal((await service.call('HEAD', '/health/live', { token: undefined })).status, 200)
  })
})

describe('GET /health/ready', () => {
  it('answers 200 to anybody while the database answers, and 503 when it does not', async t => {
    const service = await start(t)
    const ready = await service.get('/health/ready', { token: undefined })
    assert.equal(ready.status, 200)
    assert.deepEqual(ready.body, { status: 'ok' })

    await service.libretto.store[Symbol.asyncDispose]()
    const away = await service.get('/health/ready', { token: undefined })
    assert.equal(away.status, 503)
    assert.deepEqual(away.body, { status: 'unavailable' })
  })

  it('tells nothing of the inside', async t => {
    const service = await start(t)
    const { text } = await service.get('/health/ready', { token: undefined })

    assert.doesNotMatch(text, /sqlite|version|node|path/i)
  })
})

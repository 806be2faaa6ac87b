import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, pointersOf } from '../support/records/write-cases.ts'

/* Contradictory requests are refused, each with a message of its own. */

const service = await start({ after }, { CORS_ORIGINS: 'https://programme.example.org' })
const { create, get, patch, post } = service

const refused = async (answer: Promise<Awaited<ReturnType<typeof post>>>, sentence: RegExp) => {
  const given = await answer
  assertProblem(given, 'invalid')
  assert.match(given.body.detail, sentence)
}

describe('A contradiction is refused:', () => {
  it('a performance that ends before it starts', async () => {
    const { id } = await create(aProduction())
    const send = (start: string, end: string) =>
      post('/entities', {
        type: 'performance',
        metadata: metadata({ start, end }),
        relations: relations({ refProduction: id })
      })
    await refused(send('2026-10-05T20:00:00Z', '2026-10-05T19:00:00Z'), /"end" of a performance is before its "start"/)
    assert.equal((await send('2026-10-05T20:00:00Z', '2026-10-05T20:00:00Z')).status, 201)
  })

  it('a season reversed', async () => {
    const season = { name: 'x', start_date: '2026-09-01', end_date: '2026-06-30' }
    await refused(post('/entities', { type: 'season', metadata: metadata(season) }), /"end_date" of a season is before/)
  })

  it('a class above itself, at once or over others', async () => {
    const zizo = (code: string, parent?: string) => ({
      type: 'zizo',
      metadata: [
        { key: 'code', value: [code] },
        { key: 'title', value: code }
      ],
      relations: parent === undefined ? [] : relations({ refParentZizo: parent })
    })
    const top = await create(zizo('A'))
    const low = await create(zizo('AB', top.id))
    for (const parent of [top.id, low.id])
      await refused(patch(`/entities/${top.id}`, { relations: relations({ refParentZizo: parent }) }), /above itself/)
  })

  it('a name of blanks', async () => {
    await refused(post('/entities', { type: 'venue', metadata: metadata({ name: ' \t ' }) }), /"name" is required/)
  })

  it('an address that is no link', async () => {
    for (const website of ['javascript:alert(1)', 'data:text/html,x', ' JaVaScRiPt:x', 'file:///etc/passwd'])
      await refused(post('/entities', { type: 'venue', metadata: metadata({ name: 'x', website }) }), /http, https/)
    for (const website of ['https://example.org', 'example.org:8080', 'mailto:a@example.org', 'www.example.org'])
      assert.equal((await post('/entities', { type: 'venue', metadata: metadata({ name: 'x', website }) })).status, 201)
  })

  it('an empty media file', async () => {
    const { id } = await create({ type: 'mediafile', metadata: metadata({ mediafile_type: 'rider' }) })
    const answer = service.call('PUT', `/mediafiles/${id}/content`, { body: '', headers: { 'content-length': '0' } })
    assert.equal((await answer).status, 400)
  })

  it('a token that has expired already', async () => {
    const token = { name: 'x', scopes: ['read'], expires_at: '2020-01-01' }
    assert.deepEqual(pointersOf(await post('/tokens', token)), ['/expires_at'])
  })

  it('an id that no path can name', async () => {
    for (const id of ['.', '..'])
      assert.deepEqual(pointersOf(await post('/entities', { ...aProduction(), id })), ['/id'])
  })

  it('a cursor of another order or filter', async () => {
    for (const name of ['a', 'b', 'c']) await create({ type: 'genre', metadata: metadata({ name }) })
    const { body } = await post('/entities/filter?limit=1&order_by=name', [{ type: 'type', value: 'genre' }])
    const cursor = new URL(body.next, 'http://x').searchParams.get('cursor') ?? ''
    const go = (query: string, value: string) =>
      post(`/entities/filter?limit=1&${query}&cursor=${cursor}`, [{ type: 'type', value }])
    assert.equal((await go('order_by=name', 'genre')).status, 200)
    for (const answer of [await go('order_by=title', 'genre'), await go('order_by=name', 'venue')])
      assert.deepEqual(pointersOf(answer), ['cursor'])
  })

  it('a bearer that is none, and the challenge says that it was the bearer', async () => {
    const answer = await get('/entities', { token: 'nonsense' })
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="libretto", error="invalid_token"')
  })
})

describe('CORS_ORIGINS', () => {
  const origin = 'https://programme.example.org'

  it('lets the pages it names read answers, problems included', async () => {
    for (const path of ['/entities', '/entities/unknown', '/no-such-path']) {
      const { headers } = await get(path, { headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], origin, path)
      assert.match(String(headers['access-control-expose-headers']), /X-Total-Count/)
      assert.match(String(headers.vary), /Origin/)
      assert.equal(headers['access-control-allow-credentials'], undefined)
    }
  })

  it('answers the question that a browser asks first, without a bearer', async () => {
    const answer = await service.call('OPTIONS', '/entities/X', {
      token: undefined,
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type,if-match'
      }
    })
    assert.equal(answer.status, 204)
    assert.match(String(answer.headers['access-control-allow-methods']), /PATCH/)
    assert.equal(answer.headers['access-control-allow-headers'], 'authorization,content-type,if-match')
  })

  it('lets no other page', async () => {
    const { headers } = await get('/entities', { headers: { origin: 'https://other.example.org' } })
    assert.equal(headers['access-control-allow-origin'], undefined)
  })
})

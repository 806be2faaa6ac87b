import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'

import { createRequestMetrics } from '#http/observe/request-metrics.ts'
import { buildService } from '../../src/main.ts'
import { createBook } from '../support/records/entities.ts'
import { getOverSocket as get, type Sent } from '../support/services/get-over-socket.ts'
import { listen } from '../support/services/listen.ts'
import { start } from '../support/services/start.ts'

const repeated = () => service.libretto.parts.cache.sent.measure().entries
const textOf = ({ body }: Sent) => Buffer.from(body, 'latin1').toString()

const service = await start({ after }, { CORS_ORIGINS: 'https://other.example' })
const port = await listen(service)
const book = await createBook(service)
await service.patch(`/entities/${book.work}`, { metadata: [{ key: 'title', value: 'Zes 日本 é'.repeat(200) }] })

describe('An answer that was sent before', () => {
  const forms: Record<string, string>[] = [
    {},
    { accept: 'application/json' },
    { 'accept-encoding': 'gzip, br' },
    { 'accept-encoding': 'gzip', 'accept-language': 'nl' },
    { origin: 'https://other.example' },
    { 'if-none-match': '*' }
  ]
  for (const headers of forms)
    it(`is sent again with the same status, headers and bytes: ${JSON.stringify(headers)}`, async () => {
      for (const path of [
        `/entities/wem/${book.manifestation}`,
        `/entities/${book.manifestation}`,
        `/entities/${book.work}`
      ]) {
        const entries = repeated()
        const first = await get(port, path, headers)
        assert.equal(repeated(), entries + 1, 'the answer was not stored')
        const again = await get(port, path, headers)
        assert.deepEqual(again, first)
        assert.equal(first.status, 'if-none-match' in headers ? 304 : 200)
      }
    })

  it('is never stale, while others read the same', async () => {
    const path = `/entities/wem/${book.manifestation}`
    let isOver = false
    const reading = Array.from({ length: 6 }, async () => {
      while (!isOver) await get(port, path)
    })
    try {
      for (let round = 0; round < 40; round++) {
        const title = `Title ${round}`
        await service.patch(`/entities/${book.work}`, { metadata: [{ key: 'title', value: title }] })
        assert.equal(JSON.parse(textOf(await get(port, path))).work.metadata.title.value, title)
      }
    } finally {
      isOver = true
      await Promise.all(reading)
    }
  })

  it('is not sent after the record was deleted', async () => {
    const { manifestation } = await createBook(service)
    const path = `/entities/${manifestation}`
    assert.deepEqual([(await get(port, path)).status, (await get(port, path)).status], [200, 200])
    assert.equal((await service.delete(path)).status, 204)
    assert.equal((await get(port, path)).status, 404)
  })

  it('is sent to nobody whose token was revoked, or reads less', async () => {
    const path = `/entities/${book.work}`
    const { id, token } = await service.libretto.tokens.create({ name: 'all', scopes: ['read'] }, 'test')
    const part = await service.tokenWith('read:manifestation')
    const as = (bearer: string) => get(port, path, { authorization: `Bearer ${bearer}` })
    assert.deepEqual([(await as(token)).status, (await as(token)).status, (await as(part)).status], [200, 200, 404])
    assert.equal((await service.delete(`/tokens/${id}`)).status, 204)
    assert.deepEqual([(await as(token)).status, (await as('wrong')).status], [401, 401])
  })

  it('is not sent for a number that a second publication has got', async () => {
    const isbn = '9789025701109'
    const { expression } = book
    const add = () =>
      service.create({
        type: 'manifestation_word',
        metadata: [
          { key: 'title', value: 'Numbered' },
          { key: 'isbn', value: isbn }
        ],
        relations: [{ key: expression, type: 'refExpressions' }]
      })
    await add()
    const path = `/entities/wem/${isbn}`
    assert.deepEqual([(await get(port, path)).status, (await get(port, path)).status], [200, 200])
    await add()
    assert.equal((await get(port, path)).status, 300)
  })

  it('is not sent for a request with a header that is not known to make no difference', async () => {
    const path = `/entities/${book.work}`
    await get(port, path)
    const entries = repeated()
    const other = await get(port, path, { 'x-new-header': 'a' })
    assert.deepEqual([other.status, repeated()], [200, entries])
    assert.equal((await get(port, path, { host: 'a b' })).status, 400)
  })
})

it('Answers that were sent before are counted, and have an id of their own', async t => {
  const metrics = createRequestMetrics()
  const app = await buildService(service.libretto, metrics)
  t.after(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port: counted } = app.server.address() as AddressInfo
  const ids = new Set<unknown>()
  for (let times = 0; times < 3; times++)
    ids.add((await get(counted, `/entities/${book.expression}`)).headers['x-request-id'])
  assert.deepEqual([ids.size, ids.has(undefined)], [3, false])
  const [requests] = metrics.families()
  assert.deepEqual(requests?.samples, [{ labels: { method: 'GET', route: '/entities/:id', status: '200' }, value: 3 }])
})

it('Answers that were sent before count for the limit of a token', async t => {
  const service = await start(t, { RATE_LIMIT: '5/60' })
  const port = await listen(service)
  const { work } = await createBook(service)
  const token = await service.tokenWith('read')
  const left: unknown[] = []
  for (let times = 0; times < 7; times++) {
    const { status, headers } = await get(port, `/entities/${work}`, { authorization: `Bearer ${token}` })
    left.push([status, /r=(\d+)/.exec(String(headers.ratelimit))?.[1]])
  }
  const counted = [4, 3, 2, 1, 0].map(each => [200, String(each)])
  assert.deepEqual(left, [...counted, [429, '0'], [429, '0']])
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, createBook, idsOf, metadata, relations } from '../support/records/entities.ts'
import { holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
holdToChanges(service)
const { create, get, post } = service

const author = await create(aPerson('Shakespeare, William'))
const book = await createBook(service, { work: { relations: relations({ refAuthors: author.id }) } })
const productions: string[] = []
for (const title of ['Hamlet', 'Macbeth', 'Othello']) productions.push((await create(aProduction({ title }))).id)

describe('/elody/v1', () => {
  for (const path of [
    '/entities',
    '/entities?type=production&order_by=title&asc=0',
    `/entities/${author.id}`,
    `/entities/${author.id}?resolve=1`,
    `/entities/${author.id}/references`,
    `/entities/${author.id}/metadata`,
    `/entities/${author.id}/relations`,
    `/entities/wem/${book.manifestation}`,
    `/entities/${book.work}/tree`,
    '/entities/PR-NOWHERE',
    '/entities?limit=-1',
    '/health/live',
    '/openapi.json'
  ]) {
    it(`is an alias of every path: GET ${path.replace(/[A-Z]+-[A-Z0-9]{9}/, '{id}')}`, async () => {
      const alias = await get(`/elody/v1${path}`)
      const own = await get(path)

      assert.equal(alias.status, own.status)
      assert.notEqual(alias.body.code, 'no_such_path')
      assert.deepEqual({ ...alias.body, instance: undefined }, { ...own.body, instance: undefined })
    })
  }

  it('is an alias of POST /entities/filter and POST /entities/wem', async () => {
    const filters = [{ type: 'type', value: 'production' }]

    assert.deepEqual((await post('/elody/v1/entities/filter', filters)).body, (await service.filter(filters)).body)
    const ids = [book.manifestation]
    assert.deepEqual((await post('/elody/v1/entities/wem', { ids })).body, (await post('/entities/wem', { ids })).body)
  })

  it('is an alias of the paths that write', async () => {
    const created = await post('/elody/v1/entities', aPerson('Written by alias'))
    assert.equal(created.status, 201)
    const path = `/elody/v1/entities/${created.body.id}`

    assert.equal((await service.patch(path, { metadata: metadata({ name: 'Changed' }) })).status, 200)
    assert.equal((await service.patch(`${path}/metadata`, metadata({ name: 'Again' }))).status, 200)
    assert.equal((await service.put(path, aPerson('Replaced'))).body.metadata[0].value, 'Replaced')
    assert.equal((await service.delete(path)).status, 204)
    assert.equal((await get(`/entities/${created.body.id}`)).status, 404)
  })

  it('needs a token as every path does', async () => {
    assert.equal((await get('/elody/v1/entities', { token: undefined })).status, 401)
  })

  it('gives a next that leads on', async () => {
    const filters = [{ type: 'type', value: 'production' }]

    const { body } = await post('/elody/v1/entities/filter?limit=2', filters)

    assert.deepEqual(idsOf((await post(body.next, filters)).body), productions.slice(2))
  })

  it('is no prefix of other words', async () => {
    assert.equal((await get('/elody/v1x/entities')).status, 404)
    assert.equal((await get('/elody/v2/entities')).status, 404)
    assert.equal((await get('/elody/entities')).status, 404)
  })
})

describe('The headers of existing clients', () => {
  /** As the Python SDK sends them. */
  const headers = {
    accept: '*/*',
    'accept-encoding': 'gzip, deflate',
    'user-agent': 'python-requests/2.32.3',
    'x-tenant-id': 'podiumnet'
  }

  it('X-tenant-id is accepted and ignored', async () => {
    const plain = await get('/entities?type=production')

    for (const tenant of ['podiumnet', 'vlacc', '']) {
      const answer = await get('/entities?type=production', { headers: { 'x-tenant-id': tenant } })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, plain.body)
    }
  })

  it('Accept: */* is answered with JSON on every read', async () => {
    for (const path of ['/entities', `/entities/${author.id}`, `/entities/wem/${book.manifestation}`]) {
      const answer = await get(path, { headers })
      assert.equal(answer.status, 200)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
    }
    const filtered = await post('/entities/filter', [], { headers })
    assert.equal(filtered.status, 200)
    assert.match(String(filtered.headers['content-type']), /^application\/json/)
  })

  for (const accept of [
    undefined,
    '',
    'application/json',
    'application/*',
    'text/html, application/json',
    'text/html, */*;q=0.1'
  ]) {
    it(`Accept: ${accept ?? 'left out'} is answered with JSON`, async () => {
      const answer = await get('/entities', accept === undefined ? {} : { headers: { accept } })

      assert.equal(answer.status, 200)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
    })
  }

  it('an Accept that leaves JSON out is answered with 406', async () => {
    assert.equal((await get('/entities', { headers: { accept: 'text/html' } })).status, 406)
  })

  it('a problem answers Accept: */* too, with the message they parse', async () => {
    const answer = await get('/entities/PR-NOWHERE', { headers })

    assert.equal(answer.status, 404)
    assert.match(answer.body.message, /^[A-Z]\d+ \| \w+:.* - /)
  })
})

describe('The parameters of existing clients', () => {
  it('an empty order_by= is treated as none', async () => {
    const path = '/entities?limit=20&skip=0&asc=1&order_by='

    assert.deepEqual((await get(path)).body, (await get('/entities')).body)
    const filters = [{ type: 'type', value: 'production' }]
    const { body } = await post('/elody/v1/entities/filter?limit=20&skip=0&order_by=&asc=1', filters, {
      headers: { 'x-tenant-id': 'podiumnet', accept: '*/*' }
    })
    assert.deepEqual(idsOf(body), productions)
  })

  it('history and exact_count are accepted and ignored', async () => {
    const answer = await post('/entities/filter?history=0&exact_count=1', [{ type: 'type', value: 'production' }])

    assert.equal(answer.status, 200)
    assert.equal(answer.body.count, 3)
  })

  it('GET /entities without parameters is answered, as the SDK sends it', async () => {
    assert.equal((await get('/entities')).status, 200)
  })
})

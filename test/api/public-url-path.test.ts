import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { buildPage } from '../../web/build.ts'
import { start } from '../support/services/start.ts'

await buildPage()

describe('a service whose PUBLIC_URL has a path', async () => {
  const service = await start({ after }, { PUBLIC_URL: 'https://example.org/catalogue' })
  for (const number of [1, 2, 3])
    await service.create({
      id: `PERS-${number}`,
      type: 'person',
      metadata: [{ key: 'name', value: `Person ${number}` }]
    })

  it('is found with the path and without it, whichever a proxy sends', async () => {
    for (const path of ['/entities/PERS-1', '/catalogue/entities/PERS-1', '/catalogue/elody/v1/entities/PERS-1'])
      assert.equal((await service.get(path)).body.id, 'PERS-1', path)
    assert.equal((await service.get('/catalogue')).status, 200)
    assert.equal((await service.get('/catalogue?x=1')).status, 200)
    assert.equal((await service.get('/catalogues/entities/PERS-1')).status, 404)
  })

  it('gives addresses of other pages with the path, in bodies and in headers', async () => {
    const list = await service.get('/entities?limit=1')
    assert.match(String(list.headers.link), /^<\/catalogue\/entities\?[^>]*>; rel="next"/)
    const found = (await service.filter([], '?limit=1')).body
    assert.match(found.next, /^\/catalogue\/entities\/filter\?/)
    const next = (await service.post(found.next, [])).body
    assert.equal(next.results.length, 1)
    assert.notEqual(next.results[0].id, found.results[0].id)
    const { body } = await service.get('/entities/PERS-1/history?limit=1')
    assert.equal(body.next, undefined)
    await service.patch('/entities/PERS-1', { metadata: [{ key: 'name', value: 'Another' }] })
    assert.match(
      (await service.get('/entities/PERS-1/history?limit=1')).body.next,
      /^\/catalogue\/entities\/PERS-1\/history\?/
    )
  })

  it('says with the path where something was made', async () => {
    const made = await service.post('/entities', { type: 'person', metadata: [{ key: 'name', value: 'New' }] })
    assert.equal(made.headers.location, `/catalogue/entities/${made.body.id}`)
    const token = await service.post('/tokens', { name: 'reader', scopes: ['read'] })
    assert.equal(token.headers.location, `/catalogue/tokens/${token.body.id}`)
  })

  it('describes itself with the path', async () => {
    const { body } = await service.get('/openapi.json', { token: undefined })
    assert.deepEqual(body.servers, [{ url: '/catalogue' }])
  })

  it('sends a page that asks for its files under the path', async () => {
    const { text, headers } = await service.get('/record/PERS-1', { token: undefined })
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
    assert.ok(files.length > 2)
    for (const file of files) {
      assert.match(file, /^\/catalogue\/assets\//)
      assert.equal((await service.get(file, { token: undefined })).status, 200, file)
    }
    assert.equal(headers['content-encoding'], undefined)
  })
})

describe('a service whose PUBLIC_URL has no path', async () => {
  const service = await start({ after }, { PUBLIC_URL: 'https://example.org' })

  it('gives addresses from the root', async () => {
    const made = await service.post('/entities', { type: 'person', metadata: [{ key: 'name', value: 'New' }] })
    assert.equal(made.headers.location, `/entities/${made.body.id}`)
    assert.deepEqual((await service.get('/openapi.json')).body.servers, [{ url: '/' }])
    assert.match((await service.get('/')).text, /src="\/assets\//)
  })
})

describe('A service that listens on every address', () => {
  for (const host of ['0.0.0.0', '::'])
    it(`gives addresses that a client can open: ${host}`, async t => {
      const service = await start(t, { HOST: host, PORT: '8123' })
      const venue = await service.create({ type: 'venue', metadata: [{ key: 'name', value: 'De Zaal' }] })
      const answers = await Promise.all([
        service.get('/oai?verb=Identify'),
        service.get(`/entities/${venue.id}`, { headers: { accept: 'text/turtle' } }),
        service.get('/export?format=ntriples')
      ])
      for (const { text, status } of answers) {
        assert.equal(status, 200, text)
        assert.doesNotMatch(text, /0\.0\.0\.0|\[::\]/)
      }
      assert.match(answers[2]?.text ?? '', /<http:\/\/localhost:8123\//)
    })
})

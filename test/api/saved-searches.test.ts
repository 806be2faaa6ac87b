import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { assertProblem } from '../support/records/write-cases.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })
const { get, post, patch } = service
const [owner, colleague, reader, publicSite] = await Promise.all([
  service.tokenWith('read', 'write'),
  service.tokenWith('read', 'write', 'delete'),
  service.tokenWith('read'),
  service.tokenWith('read:production:published')
])
await service.create({ id: 'PR-1', type: 'production', metadata: [{ key: 'title', value: 'Hamlet' }], relations: [] })

const titled = (value: string) => [{ key: 'title', value }]
const save = async (title: string, more: object = {}, token = owner) => {
  const answer = await post(
    '/saved_searches',
    { metadata: titled(title), address: '/find?q=hamlet', ...more },
    { token }
  )
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const titlesFor = async (token: string, query = '') => {
  const { status, body, text } = await get(`/saved_searches?${query}`, { token })
  assert.equal(status, 200, text)
  return (body.results as { metadata: { value: string }[] }[]).map(each => each.metadata[0]?.value)
}

describe('Saved searches', () => {
  it('have an address, a feed and filters that find the same', async () => {
    const made = await save('Hamlets', { address: '/find?sort=year&q=hamlet&type=production&utm_source=mail' })
    assert.deepEqual(
      { ...made, id: '', _id: '', _key: '', date_created: '', date_updated: '' },
      {
        ...{ id: '', _id: '', _key: '', type: 'saved_search', user: 'token:test', is_own: true, private: true },
        metadata: titled('Hamlets'),
        definition: [
          { type: 'search', value: 'hamlet' },
          { type: 'type', value: ['production'] }
        ],
        address: '/find?q=hamlet&type=production&sort=year',
        feed: '/feed.atom?q=hamlet&type=production&sort=year',
        ...{ date_created: '', date_updated: '' }
      }
    )
    assert.deepEqual((await get(`/saved_searches/${made.id}`, { token: owner })).body, made)
    const found = await service.filter(made.definition)
    assert.deepEqual(
      found.body.results.map((each: { id: string }) => each.id),
      ['PR-1']
    )
    assert.equal((await get(made.feed)).status, 200)
  })

  it('are listed by title, page by page', async () => {
    for (const title of ['Zomer', 'ávond', 'Ander']) await save(title, {}, reader)
    assert.deepEqual(await titlesFor(reader), ['Ander', 'ávond', 'Zomer'])
    assert.deepEqual(await titlesFor(reader, 'title=AV'), ['ávond'])
    assert.deepEqual(await titlesFor(reader, 'limit=1&skip=1'), ['ávond'])
    assert.equal((await get('/saved_searches?limit=0', { token: reader })).body.count, 3)
  })

  it('are read by their owner only, in every door, until they are shared', async () => {
    const { id } = await save('Xylofoon')
    const doors = [
      ...['/saved_searches?limit=1000', `/saved_searches/${id}`, `/entities/${id}`, `/entities/${id}/history`],
      ...['/entities?limit=1000', '/changes', '/changes?since=beginning', '/export?format=ndjson', '/suggest?q=xylo'],
      ...['/oai?verb=ListRecords&metadataPrefix=oai_dc', '/sru?query=xylofoon', '/find?q=xylofoon', '/audit', '/growth']
    ]
    for (const door of doors)
      for (const token of [colleague, reader, publicSite, undefined]) {
        const { text } = await get(door, { token })
        assert.ok(!text.includes('"Xylofoon"'), `${door}: ${text.slice(0, 300)}`)
      }
    for (const body of [[{ type: 'search', value: 'xylofoon' }], [{ type: 'type', value: ['saved_search'] }]]) {
      const { text } = await post('/entities/filter', body)
      assert.ok(!text.includes('"Xylofoon"'), text)
    }
    // An administrator does not read it either.
    assertProblem(await get(`/saved_searches/${id}`), 'not_found')
    assertProblem(await patch(`/saved_searches/${id}`, { private: false }, { token: colleague }), 'not_found')
    assertProblem(await service.delete(`/saved_searches/${id}`, { token: colleague }), 'not_found')

    assert.equal((await patch(`/saved_searches/${id}`, { private: false }, { token: owner })).status, 200)
    assert.ok((await titlesFor(colleague)).includes('Xylofoon'))
    assert.equal((await get(`/saved_searches/${id}`, { token: reader })).body.is_own, false)
    assertProblem(await get('/saved_searches', { token: publicSite }), 'forbidden')
    assertProblem(await get('/saved_searches', { token: undefined }), 'unauthenticated')

    assert.equal((await patch(`/saved_searches/${id}`, { private: true }, { token: owner })).status, 200)
    assertProblem(await get(`/saved_searches/${id}`, { token: colleague }), 'not_found')
  })

  it('are renamed, changed and deleted by their owner, shared ones by an administrator too', async () => {
    const { id } = await save('Oud', { private: false })
    const path = `/saved_searches/${id}`
    assertProblem(await patch(path, { metadata: titled('Anders') }, { token: colleague }), 'forbidden')
    assertProblem(await service.delete(path, { token: colleague }), 'forbidden')
    const renamed = await patch(path, { metadata: titled('Nieuw') }, { token: owner })
    assert.deepEqual(renamed.body.metadata, titled('Nieuw'))
    assert.equal(renamed.body.address, '/find?q=hamlet')
    // Nobody can take the search of somebody else for himself.
    assertProblem(await patch(path, { private: true }), 'forbidden')
    assert.equal((await patch(path, { metadata: titled('Van allen') })).status, 200)
    assert.equal((await service.delete(path)).status, 204)
    assertProblem(await get(path, { token: owner }), 'not_found')
  })

  it('of a token are deleted with it, except those that it shared', async () => {
    const { id, token } = await service.libretto.tokens.create({ name: 'leaving', scopes: ['read', 'write'] }, 'test')
    const [own, shared] = [await save('Eigen', {}, token), await save('Gedeeld', { private: false }, token)]
    const storedKeys = () => service.libretto.store.listStateKeys('saved search', [`owner "token:${id}"`])
    assert.deepEqual(await storedKeys(), [`owner "token:${id}"\n${own.id}`])
    assert.equal((await service.delete(`/tokens/${id}`)).status, 204)
    assert.deepEqual(await storedKeys(), [])
    assert.equal((await get(`/saved_searches/${shared.id}`, { token: colleague })).status, 200)
  })

  it('keep the filters of another program as they are', async () => {
    const definition = [{ type: 'text', key: ['elody:1|properties.title.value'], value: 'ham' }]
    const made = await save('Andere', { address: undefined, definition, type: 'saved_search' })
    assert.deepEqual([made.definition, made.address], [definition, undefined])
    const path = `/saved_searches/${made.id}`
    const moved = await patch(path, { address: '/find?q=lear' }, { token: owner })
    assert.deepEqual(moved.body.definition, [{ type: 'search', value: 'lear' }])
    const back = await patch(path, { definition }, { token: owner })
    assert.deepEqual([back.body.definition, back.body.address], [definition, undefined])
  })

  it('are refused without a title, with an address that is none, and beyond the limits', async () => {
    const refused: [object, string][] = [
      [{ address: '/find' }, '/metadata'],
      [{ metadata: titled('  '), address: '/find' }, '/metadata'],
      [{ metadata: titled('x') }, '/address'],
      [{ metadata: titled('x'), address: '/record/PR-1' }, '/address'],
      [{ metadata: titled('x'), address: 'https://elsewhere.example/find' }, '/address'],
      [{ metadata: titled('x'), address: '/find?nonsense=1' }, '/address'],
      [{ metadata: titled('x'), definition: [{ value: 'x'.repeat(20_000) }] }, '/definition']
    ]
    for (const [body, pointer] of refused) {
      const answer = await post('/saved_searches', body, { token: owner })
      assertProblem(answer, 'invalid')
      assert.equal(answer.body.errors[0].pointer, pointer, answer.text)
    }
    const long = { metadata: titled('x'.repeat(201)), address: '/find' }
    assertProblem(await post('/saved_searches', long), 'bad_request')
    // A token that cannot write puts nothing before colleagues.
    const draft = { metadata: titled('x'), address: '/find', private: false }
    assertProblem(await post('/saved_searches', draft, { token: reader }), 'forbidden')
  })
})

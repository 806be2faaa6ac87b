import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, metadata } from '../support/records/entities.ts'
import { changesOf, holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, countWrites, nested, pointersOf } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { call, create, get, patch, post, put } = service
const remove = (url: string, body: unknown) => call('DELETE', url, { body })

const aPlace = async (fields: Record<string, unknown> = {}) =>
  (await create(aVenue('x', { metadata: metadata({ name: 'x', ...fields }) }))).id

describe('GET /entities/{id}/metadata', () => {
  it('answers the list, with the ETag of the entity', async () => {
    const { id, _id } = await create(aPerson('A'))
    for (const name of [id, _id]) {
      const answer = await get(`/entities/${name}/metadata`)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, metadata({ name: 'A' }))
      assert.equal(answer.headers.etag, '"1"')
    }
  })

  it('answers 304 to whom has this version', async () => {
    const id = await aPlace()

    assert.equal((await get(`/entities/${id}/metadata`, { headers: { 'if-none-match': '"1"' } })).status, 304)
  })

  it('answers 404 for an unknown id', async () => {
    assertProblem(await get('/entities/unknown/metadata'), 'not_found')
  })
})

describe('POST /entities/{id}/metadata', () => {
  it('adds at the end, also values of a key that is there, and answers 201 with the whole list', async () => {
    const id = await aPlace({ note: 'a' })
    const answer = await post(`/entities/${id}/metadata`, metadata({ note: 'b', city: 'Gent' }))

    assert.equal(answer.status, 201)
    assert.equal(answer.headers.etag, '"2"')
    assert.deepEqual(answer.body, metadata({ name: 'x', note: ['a', 'b'], city: 'Gent' }))
    assert.deepEqual((await get(`/entities/${id}`)).body.metadata, answer.body)
  })

  it('takes one entry for a list of one', async () => {
    const id = await aPlace()

    assert.deepEqual((await post(`/entities/${id}/metadata`, { key: 'city', value: 'Gent' })).body.at(-1), {
      key: 'city',
      value: 'Gent'
    })
  })

  it('writes one change and keeps the version that was replaced', async () => {
    const id = await aPlace()

    const produced = await changesOf(service, async () => {
      const writes = await countWrites(service, () => post(`/entities/${id}/metadata`, metadata({ a: 1 })))
      assert.deepEqual(writes, { changes: 1, versions: 1 })
    })

    assert.deepEqual(produced, [['entity.updated', id, 2]])
  })
})

describe('PUT /entities/{id}/metadata', () => {
  it('replaces the whole list and answers 200 with it', async () => {
    const id = await aPlace({ note: 'a' })
    const answer = await put(`/entities/${id}/metadata`, metadata({ name: 'y', city: 'Gent' }))

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, metadata({ name: 'y', city: 'Gent' }))
  })

  it('leaves the relations alone', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aProduction({}, { relations: [{ key: venue.id, type: 'refVenues' }] }))
    await put(`/entities/${id}/metadata`, metadata({ title: 'y' }))

    assert.deepEqual((await get(`/entities/${id}/relations`)).body, [{ key: venue.id, type: 'refVenues' }])
  })
})

describe('PATCH /entities/{id}/metadata', () => {
  it('replaces entries of the same key and language in their place, adds new ones and keeps the rest', async () => {
    const id = await aPlace({ city: 'Gent', note: 'a' })
    const answer = await patch(`/entities/${id}/metadata`, metadata({ city: 'Brugge', phone: '1' }))

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, metadata({ name: 'x', city: 'Brugge', note: 'a', phone: '1' }))
  })
})

describe('DELETE /entities/{id}/metadata', () => {
  it('removes the entries named, by key', async () => {
    const id = await aPlace({ city: 'Gent', note: ['a', 'b'] })
    const answer = await remove(`/entities/${id}/metadata`, [{ key: 'note' }])

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, metadata({ name: 'x', city: 'Gent' }))
  })

  it('takes the whole entry, the bare key, or one of them alone', async () => {
    const id = await aPlace({ a: 1, b: 2, c: 3, d: 4 })
    await remove(`/entities/${id}/metadata`, [{ key: 'a', value: 1 }])
    await remove(`/entities/${id}/metadata`, ['b'])
    await remove(`/entities/${id}/metadata`, { key: 'c' })

    assert.deepEqual((await remove(`/entities/${id}/metadata`, '"d"')).body, metadata({ name: 'x' }))
  })

  it('removes one language where one is named, and all where none is', async () => {
    const entries = [
      { key: 'note', value: 'nl', lang: 'nl' },
      { key: 'note', value: 'en', lang: 'en' },
      { key: 'note', value: 'none' }
    ]
    const { id } = await create({ type: 'venue', metadata: [...metadata({ name: 'x' }), ...entries] })

    const one = await remove(`/entities/${id}/metadata`, [{ key: 'note', lang: 'nl' }])
    assert.deepEqual(one.body, [...metadata({ name: 'x' }), ...entries.slice(1)])
    assert.deepEqual((await remove(`/entities/${id}/metadata`, ['note'])).body, metadata({ name: 'x' }))
  })

  it('changes nothing when the key is not there', async () => {
    const id = await aPlace()
    const answer = await remove(`/entities/${id}/metadata`, ['nothing'])

    assert.equal(answer.headers.etag, '"1"')
  })

  it('refuses to remove what is required, and a request that names nothing', async () => {
    const id = await aPlace()

    assertProblem(await remove(`/entities/${id}/metadata`, ['name']), 'invalid')
    assertProblem(await call('DELETE', `/entities/${id}/metadata`), 'invalid')
  })

  it('puts the default back where a field has one', async () => {
    const { id } = await create(aProduction({ status: 'archived' }))
    const answer = await remove(`/entities/${id}/metadata`, ['status'])

    assert.ok(
      answer.body.some((entry: { key: string; value: string }) => entry.key === 'status' && entry.value === 'concept')
    )
  })
})

describe('Writing /entities/{id}/metadata', () => {
  for (const method of ['POST', 'PUT', 'PATCH']) {
    it(`with ${method} counts the entries that were sent, not those there are`, async () => {
      const id = await aPlace({ city: 'Gent', country: 'BE' })
      const body = [
        { key: 'name', value: 'y', lang: 'nl' },
        { key: 'note', value: 'x' },
        { key: 'capacity', value: 'many' }
      ]

      assert.deepEqual(pointersOf(await call(method, `/entities/${id}/metadata`, { body })), ['/2/value'])
    })
  }

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    it(`with ${method} answers 404 for an unknown id`, async () => {
      assertProblem(await call(method, '/entities/unknown/metadata', { body: [{ key: 'a', value: 1 }] }), 'not_found')
    })

    it(`with ${method} refuses a body that is no list of entries by its media type`, async () => {
      const id = await aPlace()
      for (const type of ['application/merge-patch+json', 'application/json-patch+json']) {
        const headers = { 'content-type': type }
        const answer = await call(method, `/entities/${id}/metadata`, { body: [{ key: 'a', value: 1 }], headers })
        assertProblem(answer, 'unsupported_media_type')
        if (method === 'PATCH') assert.equal(answer.headers['accept-patch'], 'application/json')
      }
    })

    it(`with ${method} refuses a list that is malformed, and names the place`, async () => {
      const id = await aPlace()
      for (const [body, pointer] of [
        ['5', ''],
        ['[5]', '/0'],
        ['[{"value":1}]', '/0/key'],
        ['[{"key":"a","value":"\\u0000"}]', '/0/value']
      ] as const) {
        const answer = await call(method, `/entities/${id}/metadata`, { body })
        assertProblem(answer, 'invalid')
        assert.ok(
          pointersOf(answer).includes(method === 'DELETE' && pointer === '' ? '/0' : pointer),
          `${body}: ${answer.text}`
        )
      }
      assert.ok(pointersOf(await call(method, `/entities/${id}/metadata`)).includes(''))
    })

    it(`with ${method} is refused when If-Match names another version`, async () => {
      const id = await aPlace()
      const body = [{ key: 'a', value: 1 }]

      assertProblem(
        await call(method, `/entities/${id}/metadata`, { body, headers: { 'if-match': '"7"' } }),
        'version_mismatch'
      )
      assert.equal((await get(`/entities/${id}`)).body.version, 1)
    })
  }

  it('holds values to the table of the type', async () => {
    const { id } = await create(aProduction())
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const answer = await call(method, `/entities/${id}/metadata`, { body: metadata({ title: 'x', duration: -1 }) })
      assertProblem(answer, 'invalid')
    }
  })

  it('takes only what can be sent back with the whole entity: 32 levels there are 31 here', async () => {
    const id = await aPlace()

    assert.equal((await post(`/entities/${id}/metadata`, [{ key: 'deep', value: nested(29) }])).status, 201)
    assertProblem(await post(`/entities/${id}/metadata`, [{ key: 'deep', value: nested(30) }]), 'invalid')
    const fetched = (await get(`/entities/${id}`)).body
    assert.equal((await put(`/entities/${id}`, fetched)).status, 200)
  })

  it('is also found under /elody/v1', async () => {
    const id = await aPlace()

    assert.equal((await patch(`/elody/v1/entities/${id}/metadata`, metadata({ city: 'Gent' }))).status, 200)
  })
})

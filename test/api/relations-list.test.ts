import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue, anExpression, aWork, relations } from '../support/records/entities.ts'
import { changesOf, holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, countWrites, pointersOf } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { call, create, get, patch, post, put } = service
const remove = (url: string, body: unknown) => call('DELETE', url, { body })

const [a, b, c] = [
  await create(aVenue('a', { id: 'VE-a', identifiers: ['urn:venue:a'] })),
  await create(aVenue('b', { id: 'VE-b' })),
  await create(aVenue('c', { id: 'VE-c' }))
]
const aShow = async (...venues: string[]) =>
  (await create(aProduction({}, { relations: relations({ refVenues: venues }) }))).id

describe('GET /entities/{id}/relations', () => {
  it('answers the list, with the ETag of the entity', async () => {
    const id = await aShow(a.id, b.id)
    const answer = await get(`/entities/${id}/relations`)

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, relations({ refVenues: [a.id, b.id] }))
    assert.equal(answer.headers.etag, '"1"')
  })

  it('answers an empty list where there are none, and 404 for an unknown id', async () => {
    assert.deepEqual((await get(`/entities/${a.id}/relations`)).body, [])
    assertProblem(await get('/entities/unknown/relations'), 'not_found')
  })
})

describe('POST /entities/{id}/relations', () => {
  it('adds at the end and answers 201 with the whole list', async () => {
    const id = await aShow(a.id)
    const answer = await post(`/entities/${id}/relations`, relations({ refVenues: b.id, refOther: a.id }))

    assert.equal(answer.status, 201)
    assert.equal(answer.headers.etag, '"2"')
    assert.deepEqual(answer.body, relations({ refVenues: [a.id, b.id], refOther: a.id }))
    assert.deepEqual((await get(`/entities/${id}`)).body.relations, answer.body)
  })

  it('replaces one that is there already, since (type, key) names it', async () => {
    const id = await aShow(a.id, b.id)
    const again = { key: a._id, type: 'refVenues', metadata: [{ key: 'room', value: 1 }] }

    assert.deepEqual((await post(`/entities/${id}/relations`, [again])).body, [
      { ...again, key: a.id },
      { key: b.id, type: 'refVenues' }
    ])
  })

  it('takes one relation for a list of one, and any identifier as its key', async () => {
    const id = await aShow()

    assert.deepEqual(
      (await post(`/entities/${id}/relations`, { key: 'urn:venue:a', type: 'refVenues' })).body,
      relations({ refVenues: a.id })
    )
  })

  it('writes one change and keeps the version that was replaced', async () => {
    const id = await aShow()

    const produced = await changesOf(service, async () => {
      const writes = await countWrites(service, () => post(`/entities/${id}/relations`, relations({ refVenues: a.id })))
      assert.deepEqual(writes, { changes: 1, versions: 1 })
    })

    assert.deepEqual(produced, [['entity.updated', id, 2]])
  })
})

describe('PUT /entities/{id}/relations', () => {
  it('replaces the whole list and answers 200 with it', async () => {
    const id = await aShow(a.id, b.id)
    const answer = await put(`/entities/${id}/relations`, relations({ refVenues: [c.id, a.id] }))

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, relations({ refVenues: [c.id, a.id] }))
  })

  it('empties the list with an empty one', async () => {
    const id = await aShow(a.id)

    assert.deepEqual((await put(`/entities/${id}/relations`, [])).body, [])
    assert.equal((await get(`/entities/${id}/relations`)).body.length, 0)
  })
})

describe('PATCH /entities/{id}/relations', () => {
  it('replaces those of the same (type, key) in their place, adds new ones and keeps the rest', async () => {
    const id = await aShow(a.id, b.id)
    const answer = await patch(`/entities/${id}/relations`, [
      { key: c.id, type: 'refVenues' },
      { key: 'urn:venue:a', type: 'refVenues', metadata: [{ key: 'room', value: 2 }] }
    ])

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, [
      { key: a.id, type: 'refVenues', metadata: [{ key: 'room', value: 2 }] },
      { key: b.id, type: 'refVenues' },
      { key: c.id, type: 'refVenues' }
    ])
  })
})

describe('DELETE /entities/{id}/relations', () => {
  it('removes those named by (type, key), whichever identifier the key is', async () => {
    const id = await aShow(a.id, b.id, c.id)
    const answer = await remove(`/entities/${id}/relations`, relations({ refVenues: ['urn:venue:a', c._id] }))

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, relations({ refVenues: b.id }))
  })

  it('keeps the relation to the same entity under another type', async () => {
    const id = await aShow(a.id)
    await post(`/entities/${id}/relations`, relations({ refOther: a.id }))

    assert.deepEqual(
      (await remove(`/entities/${id}/relations`, relations({ refVenues: a.id }))).body,
      relations({ refOther: a.id })
    )
  })

  it('changes nothing when there is no such relation', async () => {
    const id = await aShow(a.id)

    assert.equal((await remove(`/entities/${id}/relations`, relations({ refVenues: b.id }))).headers.etag, '"1"')
  })

  it('refuses to remove what the type needs', async () => {
    const work = await create(aWork())
    const { id } = await create(anExpression(work.id))
    const answer = await remove(`/entities/${id}/relations`, relations({ refWork: work.id }))

    assertProblem(answer, 'invalid')
    assert.match(answer.body.detail, /needs exactly 1 refWork/)
  })

  it('removes a relation to what does not exist', async () => {
    const { id } = await create(
      aProduction({}, { relations: relations({ refVenues: 'VE-lost' }) }),
      '?allow_dangling=1'
    )

    assert.deepEqual((await remove(`/entities/${id}/relations`, relations({ refVenues: 'VE-lost' }))).body, [])
  })
})

describe('Writing /entities/{id}/relations', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    it(`with ${method} answers 404 for an unknown id`, async () => {
      assertProblem(
        await call(method, '/entities/unknown/relations', { body: relations({ refVenues: a.id }) }),
        'not_found'
      )
    })

    if (method !== 'DELETE') {
      it(`with ${method} counts the relations that were sent, not those there are`, async () => {
        const id = await aShow()
        const { _id: venue } = await create(aVenue('other'))
        const body = relations({ refVenues: [venue, 'VE-nowhere', id] })
        const answer = await call(method, `/entities/${id}/relations`, { body })

        assertProblem(answer, 'invalid')
        assert.deepEqual(pointersOf(answer), ['/1/key', '/2/key'])
      })
    }

    it(`with ${method} refuses a list that is malformed, and names the place`, async () => {
      const id = await aShow()
      for (const [body, pointer] of [
        ['5', ''],
        ['[5]', '/0'],
        ['[{"key":"VE-a"}]', '/0/type'],
        ['[{"type":"refVenues"}]', '/0/key'],
        ['[{"key":"VE-a","type":"x"},{"key":"VE-a","type":"x"}]', '/1']
      ] as const) {
        const answer = await call(method, `/entities/${id}/relations`, { body })
        assertProblem(answer, 'invalid')
        assert.deepEqual(pointersOf(answer), [pointer], body)
      }
      assertProblem(await call(method, `/entities/${id}/relations`), 'invalid')
    })

    it(`with ${method} is refused when If-Match names another version`, async () => {
      const id = await aShow(a.id)
      const headers = { 'if-match': '"7"' }
      const answer = await call(method, `/entities/${id}/relations`, { body: relations({ refVenues: b.id }), headers })

      assertProblem(answer, 'version_mismatch')
    })
  }

  it('refuses targets that do not exist or are of another type, with their place', async () => {
    const id = await aShow(a.id)
    const work = await create(aWork())
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const missing = await call(method, `/entities/${id}/relations`, { body: relations({ refVenues: 'VE-nowhere' }) })
      assertProblem(missing, 'invalid')
      assert.match(missing.body.detail, /No entity with id "VE-nowhere"/)
      const wrong = await call(method, `/entities/${id}/relations`, { body: relations({ refVenues: work.id }) })
      assertProblem(wrong, 'invalid')
      assert.match(wrong.body.detail, /refVenues refers to venue/)
    }
  })

  it('shows at once in who points to the target', async () => {
    const venue = await create(aVenue())
    const id = await aShow()
    const count = async () => (await get(`/entities/${venue.id}/references`)).body.count

    await post(`/entities/${id}/relations`, relations({ refVenues: venue.id }))
    assert.equal(await count(), 1)
    await remove(`/entities/${id}/relations`, relations({ refVenues: venue.id }))
    assert.equal(await count(), 0)
  })
})

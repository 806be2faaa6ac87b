import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, aWork, metadata, relations } from '../support/records/entities.ts'
import { changesOf, holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, countWrites, fieldOf, keysOf, messagesOf, pointersOf } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { create, get, post, put } = service

describe('PUT /entities/{id}', () => {
  it('replaces the metadata and the relations as a whole and answers 200 with the entity', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aWork('Hamlet', { relations: relations({ refHome: venue.id }) }))
    const answer = await put(`/entities/${id}`, { metadata: metadata({ title: 'Macbeth', original_title: 'new' }) })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.etag, '"2"')
    assert.deepEqual(answer.body.metadata, metadata({ title: 'Macbeth', original_title: 'new' }))
    assert.deepEqual(answer.body.relations, [])
    assert.deepEqual(answer.body, (await get(`/entities/${id}`)).body)
  })

  it('raises the version by one, and stamps who changed it and when', async () => {
    const token = await service.tokenWith('read', 'write')
    const before = await create(aPerson())
    const { body } = await put(`/entities/${before.id}`, aPerson('Somebody else'), { token })

    assert.equal(body.version, 2)
    assert.deepEqual(body.audit.created, before.audit.created)
    assert.equal(body.audit.updated.by, 'token:test')
    assert.ok(body.audit.updated.at >= before.audit.updated.at)
  })

  it('writes one change and keeps the version that was replaced', async () => {
    const { id } = await create(aPerson())

    const produced = await changesOf(service, async () => {
      const writes = await countWrites(service, () => put(`/entities/${id}`, aPerson('B')))
      assert.deepEqual(writes, { changes: 1, versions: 1 })
    })

    assert.deepEqual(produced, [['entity.updated', id, 2]])
  })

  it('takes any identifier of the entity in its path', async () => {
    const { id, _id } = await create(aPerson('A', { identifiers: ['urn:put-me'] }))
    for (const [index, name] of [_id, 'urn:put-me', id].entries()) {
      const { body } = await put(`/entities/${encodeURIComponent(name)}`, aPerson(`Name ${index}`))
      assert.equal(body.id, id)
      assert.equal(fieldOf(body, 'name'), `Name ${index}`)
    }
  })

  it('keeps id, _id and type, and needs none of them in the body', async () => {
    const before = await create(aPerson())
    const { body } = await put(`/entities/${before.id}`, { metadata: metadata({ name: 'B' }) })

    assert.deepEqual([body.id, body._id, body.type], [before.id, before._id, 'person'])
  })

  it('takes a fetched entity back whole, edited', async () => {
    const venue = await create(aVenue())
    const given = aProduction(
      { subtitle: 'a' },
      {
        relations: [{ key: venue.id, type: 'refVenues', metadata: [{ key: 'room', value: 1 }] }],
        identifiers: ['urn:back']
      }
    )
    const { id } = await create(given)
    const fetched = (await get(`/entities/${id}`)).body
    const { body } = await put(`/entities/${id}`, {
      ...fetched,
      metadata: [...fetched.metadata, { key: 'duration', value: 1 }]
    })

    assert.deepEqual(
      { ...body, version: 0, audit: 0 },
      {
        ...fetched,
        metadata: [...fetched.metadata, { key: 'duration', value: 1 }],
        version: 0,
        audit: 0
      }
    )
  })

  it('takes back what a write answered, its warnings too', async () => {
    const { body } = await post('/entities', aProduction({ description: '<p onclick="x()">a</p>' }))
    assert.ok(body.warnings.length > 0)

    assert.equal((await put(`/entities/${body.id}`, body)).status, 200)
  })

  it('refuses another id or another type', async () => {
    const { id } = await create(aPerson())
    const answer = await put(`/entities/${id}`, { ...aPerson(), id: 'other', type: 'venue' })

    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/id', '/type'])
  })

  it('ignores what else the server owns, another _id included', async () => {
    const before = await create(aPerson())
    const { body } = await put(`/entities/${before.id}`, {
      ...aPerson('B'),
      _id: '0192f0c1-0000-7000-8000-0000000000ff',
      _key: 'x',
      version: 70,
      audit: {}
    })

    assert.equal(body._id, before._id)
    assert.equal(body.version, 2)
  })

  it('keeps the identifiers unless the body lists them, and then has exactly those', async () => {
    const { id, _id } = await create(aPerson('A', { identifiers: ['urn:one', 'urn:two'] }))

    const kept = await put(`/entities/${id}`, aPerson('B'))
    assert.deepEqual(kept.body.identifiers, [_id, id, 'urn:one', 'urn:two'])
    const replaced = await put(`/entities/${id}`, aPerson('B', { identifiers: ['urn:three', 'urn:two'] }))
    assert.deepEqual(replaced.body.identifiers, [_id, id, 'urn:three', 'urn:two'])
    assert.equal((await get('/entities/urn:one')).status, 404)
    assert.equal((await get('/entities/urn:three')).body.id, id)
  })

  it('frees an identifier that was taken away for another entity', async () => {
    const { id } = await create(aPerson('A', { identifiers: ['urn:moving'] }))
    await put(`/entities/${id}`, aPerson('A', { identifiers: [] }))

    assert.equal((await post('/entities', aPerson('B', { identifiers: ['urn:moving'] }))).status, 201)
  })

  it('answers 409 for an identifier of another entity, and changes nothing', async () => {
    await create(aPerson('A', { identifiers: ['urn:of-a'] }))
    const b = await create(aPerson('B'))
    const answer = await put(`/entities/${b.id}`, aPerson('B2', { identifiers: ['urn:of-a'] }))

    assertProblem(answer, 'identifier_taken')
    assert.deepEqual((await get(`/entities/${b.id}`)).body, b)
  })

  it('holds the whole to the rules of the type, and tells every error', async () => {
    const before = await create(aProduction())
    const answer = await put(`/entities/${before.id}`, {
      metadata: [{ key: 'duration', value: 'long' }],
      relations: relations({ refVenues: 'VE-nowhere' }),
      color: 'red'
    })

    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer).sort(), ['/color', '/metadata', '/metadata/0/value', '/relations/0/key'])
    assert.deepEqual((await get(`/entities/${before.id}`)).body, before)
  })

  it('gives defaults to declared fields that the body leaves out', async () => {
    const { id } = await create(aProduction({ status: 'archived', posters_status: 'complete' }))
    const { body } = await put(`/entities/${id}`, { metadata: metadata({ title: 'x' }) })

    assert.equal(fieldOf(body, 'status'), 'concept')
    assert.equal(fieldOf(body, 'posters_status'), 'status_to_be_determined')
  })

  it('does not hold a relation that was there already against the entity when its target is missing', async () => {
    const { id } = await create(
      aProduction({}, { relations: relations({ refVenues: 'VE-lost' }) }),
      '?allow_dangling=1'
    )
    const fetched = (await get(`/entities/${id}`)).body

    assert.equal((await put(`/entities/${id}`, { ...fetched, metadata: metadata({ title: 'new' }) })).status, 200)
    const answer = await put(`/entities/${id}`, {
      ...fetched,
      relations: relations({ refVenues: ['VE-lost', 'VE-also'] })
    })
    assertProblem(answer, 'invalid')
    assert.deepEqual(messagesOf(answer), ['No entity with id "VE-also"'])
  })

  it('replaces relations of both directions in the order given', async () => {
    const [a, b] = [await create(aVenue('a')), await create(aVenue('b'))]
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: [a.id, b.id] }) }))
    const { body } = await put(
      `/entities/${id}`,
      aProduction({}, { relations: relations({ refVenues: [b.id, a.id] }) })
    )

    assert.deepEqual(keysOf(body, 'refVenues'), [b.id, a.id])
    assert.equal(body.version, 2)
  })

  it('lets an entity point to itself', async () => {
    const { id } = await create(aWork())
    const { body } = await put(`/entities/${id}`, aWork('Hamlet', { relations: relations({ refRelatedWorks: id }) }))

    assert.deepEqual(keysOf(body, 'refRelatedWorks'), [id])
  })

  it('is found by its new values, and no longer by its old ones, at once', async () => {
    const { id } = await create(aPerson('Findable before'))
    await put(`/entities/${id}`, aPerson('Findable after'))
    const find = async (value: string) =>
      (await service.filter([{ type: 'text', key: 'properties.name.value', value }])).body.count

    assert.equal(await find('findable before'), 0)
    assert.equal(await find('findable after'), 1)
  })

  it('answers 404 for an unknown id, and creates nothing', async () => {
    const answer = await put('/entities/PERS-unknown', aPerson())

    assertProblem(answer, 'not_found')
    assert.match(answer.body.message, /^R0004 \| id:PERS-unknown - /)
    assert.equal((await get('/entities/PERS-unknown')).status, 404)
  })

  it('refuses a body that is no object', async () => {
    const { id } = await create(aPerson())
    for (const body of ['[]', '"text"', '5', 'null']) assertProblem(await put(`/entities/${id}`, body), 'invalid')
  })

  it('lets every one of many changes at the same time happen, one after the other', async () => {
    const { id } = await create(aPerson())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => put(`/entities/${id}`, aPerson(`Name ${index}`)))
    )

    assert.ok(answers.every(answer => answer.status === 200))
    const versions = answers.map(answer => answer.body.version).sort((one, other) => one - other)
    assert.deepEqual(
      versions,
      Array.from({ length: 20 }, (_, index) => index + 2)
    )
  })
})

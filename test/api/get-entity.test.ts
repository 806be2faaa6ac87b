import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aRecord, aVenue, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, get } = service

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('GET /entities/{id}', () => {
  it('answers one entity with exactly these members', async () => {
    const { id } = await create(aProduction())

    const answer = await get(`/entities/${id}`, { headers: { accept: 'application/json' } })

    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.deepEqual(Object.keys(answer.body).sort(), [
      '_id',
      '_key',
      'audit',
      'id',
      'identifiers',
      'metadata',
      'relations',
      'type',
      'version'
    ])
  })

  it('gives id as <prefix>-<code>, and _key the same', async () => {
    const { id } = await create(aProduction())
    const { body } = await get(`/entities/${id}`)

    assert.match(body.id, /^PR-[A-Z0-9]{9}$/)
    assert.equal(body._key, body.id)
  })

  it('gives _id as a UUID of version 7, so that it sorts by time', async () => {
    const first = await create(aProduction())
    await new Promise(resolve => setTimeout(resolve, 2))
    const second = await create(aProduction())

    assert.match(first._id, uuid)
    assert.ok(first._id < second._id)
  })

  it('is found by its UUID in capital letters too, by every path', async () => {
    const venue = await create(aVenue('Capital'))
    const person = await create(aPerson('x', { relations: relations({ refVenues: venue.id }) }))
    const capital = venue._id.toUpperCase()
    assert.equal((await get(`/entities/${capital}`)).body.id, venue.id)
    assert.deepEqual(
      (await get(`/entities?ids=${capital},${person._id.toUpperCase()}`)).body.map((each: { id: string }) => each.id),
      [venue.id, person.id]
    )
    assert.equal((await service.filter([{ type: 'id', value: capital }])).body.count, 1)
    const changed = await service.patch(`/entities/${capital}`, { metadata: metadata({ city: 'Gent' }) })
    assert.equal(changed.body.id, venue.id)
    const other = await create(aPerson('y', { relations: relations({ refVenues: capital }) }))
    assert.equal(other.relations[0]?.key, venue.id)
    assert.equal((await service.call('DELETE', `/entities/${capital}?references=detach`)).status, 204)
    assert.equal((await get(`/entities/${capital}`)).status, 404)
  })

  it('gives type, and metadata as an array of {key, value} in the order given', async () => {
    const given = [
      { key: 'title', value: 'Hamlet', lang: 'en' },
      { key: 'scrap', value: { pages: [1, 2.5, null, true] } },
      { key: 'title', value: 'Amleto', lang: 'it' },
      { key: 'scrap', value: '' }
    ]
    const { id } = await create({ type: 'person', metadata: [{ key: 'name', value: 'Anyone' }, ...given] })

    const { body } = await get(`/entities/${id}`)

    assert.equal(body.type, 'person')
    assert.deepEqual(body.metadata, [{ key: 'name', value: 'Anyone' }, ...given])
  })

  it('gives relations as an array of {key, type} in the order given, with their own metadata', async () => {
    const one = await create(aVenue('One'))
    const two = await create(aVenue('Two'))
    const given = [
      { key: two.id, type: 'refVenues' },
      { key: one.id, type: 'refVenues', metadata: metadata({ stage: 'main' }) },
      { key: two.id, type: 'refOrigins' }
    ]
    const { id } = await create(aProduction({}, { relations: given }))

    assert.deepEqual((await get(`/entities/${id}`)).body.relations, given)
  })

  it('gives as key of a relation an id that can be fetched', async () => {
    const venue = await create(aVenue('One', { identifiers: ['venue:fetched'] }))
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: 'venue:fetched' }) }))

    const [relation] = (await get(`/entities/${id}`)).body.relations

    assert.equal(relation.key, venue.id)
    assert.equal((await get(`/entities/${relation.key}`)).body._id, venue._id)
  })

  it('gives identifiers: the UUID, the id, then those the client added', async () => {
    const { id, _id } = await create(aPerson('Named', { identifiers: ['viaf:2', 'isni:1'] }))

    assert.deepEqual((await get(`/entities/${id}`)).body.identifiers, [_id, id, 'viaf:2', 'isni:1'])
  })

  it('gives audit: when and by whom it was created and last updated', async () => {
    const { tokens } = service.libretto
    const { token } = await tokens.create({ name: 'kiosk', scopes: ['read', 'write'] }, 'test')
    const before = new Date().toISOString()
    const { id } = await create(aPerson())
    await service.patch(`/entities/${id}`, { metadata: metadata({ life_dates: '1564-1616' }) }, { token })

    const { audit, version } = (await get(`/entities/${id}`)).body

    assert.equal(version, 2)
    assert.deepEqual(Object.keys(audit).sort(), ['created', 'updated'])
    assert.match(audit.created.at, instant)
    assert.match(audit.updated.at, instant)
    assert.ok(before <= audit.created.at && audit.created.at <= audit.updated.at)
    assert.equal(audit.updated.by, 'token:kiosk')
    assert.notEqual(audit.created.by, audit.updated.by)
  })

  for (const [type, prefix] of Object.entries({
    work_word: 'W',
    production: 'PR',
    person: 'PERS',
    venue: 'VE',
    company: 'CO',
    booking_agency: 'BA',
    season: 'SEA',
    genre: 'GEN',
    subject: 'SUBJ'
  })) {
    it(`gives a ${type} the prefix ${prefix}`, async () => {
      const { id } = await create(aRecord(type, { title: 'Name', name: 'Name' }))

      assert.match(id, new RegExp(`^${prefix}-[A-Z0-9]{9}$`))
    })
  }
})

describe('The path parameter of GET /entities/{id}', () => {
  it('is the human-readable id or the UUID, or any further identifier', async () => {
    const person = await create(aPerson('Known', { identifiers: ['test', 'urn:isni:0000000121032683'] }))
    const expected = (await get(`/entities/${person.id}`)).body

    for (const identifier of [person._id, 'test', 'urn:isni:0000000121032683']) {
      assert.deepEqual((await get(`/entities/${identifier}`)).body, expected, identifier)
    }
  })

  for (const identifier of [
    'R 53.5',
    'shelf/12/B',
    'a?b=c&d#e',
    '100%',
    'plus+sign',
    'Brontë 書 😀',
    "'; DROP TABLE entities; --",
    'wem',
    'filter',
    '__proto__',
    'x'.repeat(512),
    '書'.repeat(512)
  ]) {
    it(`may be ${identifier.length > 100 ? `512 times ${identifier[0]}` : identifier}`, async () => {
      const { id } = await create(aPerson('Oddly named', { identifiers: [identifier] }))

      const answer = await get(`/entities/${encodeURIComponent(identifier)}`)

      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.id, id)
    })
  }

  it('resolves in every path that takes an id', async () => {
    const work = await create(aRecord('work_word', { title: 'Named' }, {}, { identifiers: ['named work/1'] }))
    const path = '/entities/named%20work%2F1'

    assert.equal((await get(path)).body.id, work.id)
    assert.equal((await get(`${path}?resolve=1`)).body.id, work.id)
    assert.equal((await get(`${path}/tree`)).body.work.id, work.id)
    assert.equal((await get(`${path}/references`)).status, 200)
    assert.deepEqual((await get(`${path}/metadata`)).body, work.metadata)
    assert.deepEqual((await get(`${path}/relations`)).body, [])
    assert.equal((await service.patch(path, { metadata: metadata({ year: '1603' }) })).body.id, work.id)
    assert.equal((await service.put(path, aRecord('work_word', { title: 'Renamed' }))).body.id, work.id)
    assert.equal((await service.delete(path)).status, 204)
    assert.equal((await get(`/entities/${work.id}`)).status, 404)
  })

  it('keeps upper and lower case apart', async () => {
    const { id } = await create(aPerson())

    assert.equal((await get(`/entities/${id.toLowerCase()}`)).status, 404)
  })
})

describe('What GET /entities/{id} refuses', () => {
  it('answers 404 with the code R0004 for an unknown id', async () => {
    const answer = await get('/entities/PR-NOWHERE')

    assert.equal(answer.status, 404)
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    assert.deepEqual(answer.body, {
      type: '/problems/not-found',
      title: 'Not found',
      status: 404,
      detail: 'No entity with id "PR-NOWHERE"',
      instance: '/entities/PR-NOWHERE',
      code: 'not_found',
      message: 'R0004 | id:PR-NOWHERE - No entity with id "PR-NOWHERE"'
    })
  })

  it('answers 404 for one that was deleted, by each of its identifiers', async () => {
    const person = await create(aPerson('Gone', { identifiers: ['gone'] }))
    await service.delete(`/entities/${person.id}`)

    for (const identifier of [person.id, person._id, 'gone']) {
      assert.equal((await get(`/entities/${identifier}`)).status, 404)
    }
  })

  it('answers 404 for an identifier that was taken away', async () => {
    const person = await create(aPerson('Renamed', { identifiers: ['first-name'] }))
    assert.equal((await get('/entities/first-name')).status, 200)

    await service.put(`/entities/${person.id}`, aPerson('Renamed', { identifiers: ['second-name'] }))

    assert.equal((await get('/entities/first-name')).status, 404)
    assert.equal((await get('/entities/second-name')).body.id, person.id)
  })

  it('answers 400 to an address that is not well-formed', async () => {
    assert.equal((await get('/entities/%zz')).status, 400)
    assert.equal((await get('/entities/%ff')).status, 400)
  })

  it('answers 401 without a token', async () => {
    const { id } = await create(aPerson())

    assert.equal((await get(`/entities/${id}`, { token: undefined })).status, 401)
    assert.equal((await get('/entities/PR-NOWHERE', { token: undefined })).status, 401)
  })
})

describe('The ETag of GET /entities/{id}', () => {
  it('is the version in quotes', async () => {
    const { id } = await create(aPerson())
    assert.equal((await get(`/entities/${id}`)).headers.etag, '"1"')

    await service.patch(`/entities/${id}`, { metadata: metadata({ name: 'Changed' }) })

    assert.equal((await get(`/entities/${id}`)).headers.etag, '"2"')
  })

  it('gives 304 without a body to whoever has this version', async () => {
    const { id } = await create(aPerson())

    for (const known of ['"1"', '1', 'W/"1"', '"7", "1"', '*']) {
      const answer = await get(`/entities/${id}`, { headers: { 'if-none-match': known } })
      assert.equal(answer.status, 304, known)
      assert.equal(answer.text, '')
    }
    assert.equal((await get(`/entities/${id}`, { headers: { 'if-none-match': '"2"' } })).status, 200)
  })
})

describe('GET /entities/{id} after a write', () => {
  it('shows it at once, by every identifier', async () => {
    const person = await create(aPerson('Name 0', { identifiers: ['fresh'] }))
    for (let round = 1; round <= 30; round++) {
      await service.patch(`/entities/${person.id}`, { metadata: metadata({ name: `Name ${round}` }) })
      for (const identifier of [person.id, person._id, 'fresh']) {
        assert.equal((await get(`/entities/${identifier}`)).body.metadata[0].value, `Name ${round}`)
      }
    }
  })
})

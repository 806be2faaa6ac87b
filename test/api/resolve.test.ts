import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aRecord, aVenue, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post } = service

describe('GET /entities/{id}?resolve=1', () => {
  it('answers a production with its venue and company names in one call', async () => {
    const venue = await create(aVenue('Minard'))
    const company = await create(aRecord('company', { name: 'LOD' }))
    const { id } = await create(
      aProduction({}, { relations: relations({ refVenues: venue.id, refCompanies: company.id }) })
    )

    const { status, body } = await get(`/entities/${id}?resolve=1`)

    assert.equal(status, 200)
    assert.deepEqual(body.relations, [
      { key: venue.id, type: 'refVenues', label: 'venue', value: 'Minard' },
      { key: company.id, type: 'refCompanies', label: 'company', value: 'LOD' }
    ])
  })

  it('keeps everything else as GET /entities/{id} has it', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))

    const plain = (await get(`/entities/${id}`)).body
    const { relations: resolved, ...rest } = (await get(`/entities/${id}?resolve=1`)).body

    assert.equal(resolved.length, 1)
    assert.deepEqual({ ...rest, relations: plain.relations }, plain)
  })

  it('resolves each relation as WEM does: subject, person, language, zizo with its levels', async () => {
    const subject = await create(aRecord('subject', { name: 'Revenge' }))
    const person = await create(aRecord('person', { name: 'Shakespeare', life_dates: '1564-1616' }))
    const nobody = await create(aPerson('Anonymous'))
    const language = await create(aRecord('language', { name: 'English', code: 'eng' }))
    const top = await create(aRecord('zizo', { code: [['L']], title: 'Literature' }))
    const zizo = await create(aRecord('zizo', { code: [['L.1']], title: 'Theatre' }, { refParentZizo: top.id }))
    const work = await create(
      aRecord(
        'work_word',
        { title: 'Hamlet' },
        {
          refSubjects: subject.id,
          refAuthors: [person.id, nobody.id],
          refLanguages: language.id,
          refZizos: zizo.id
        }
      )
    )

    assert.deepEqual((await get(`/entities/${work.id}?resolve=1`)).body.relations, [
      { key: subject.id, type: 'refSubjects', label: 'nomen', value: 'Revenge' },
      { key: person.id, type: 'refAuthors', label: 'person', value: 'Shakespeare', life_dates: '1564-1616' },
      { key: nobody.id, type: 'refAuthors', label: 'person', value: 'Anonymous' },
      { key: language.id, type: 'refLanguages', label: 'language', value: 'English', code: 'eng' },
      {
        key: zizo.id,
        type: 'refZizos',
        label: 'zizo',
        code: ['L.1'],
        title: 'Theatre',
        levels: [
          { level: '1', title: 'Literature' },
          { level: '2', title: 'Theatre' }
        ]
      }
    ])
  })

  it('keeps two relations to one entity apart, each with its own metadata', async () => {
    const person = await create(aPerson('Claus, Hugo'))
    const { id } = await create(
      aProduction(
        {},
        {
          relations: [
            { key: person.id, type: 'refAuthors', metadata: metadata({ role: 'author' }) },
            { key: person.id, type: 'refDirectors', metadata: metadata({ role: 'director' }) }
          ]
        }
      )
    )

    assert.deepEqual((await get(`/entities/${id}?resolve=1`)).body.relations, [
      {
        key: person.id,
        type: 'refAuthors',
        label: 'person',
        value: 'Claus, Hugo',
        metadata: [{ key: 'role', value: 'author' }]
      },
      {
        key: person.id,
        type: 'refDirectors',
        label: 'person',
        value: 'Claus, Hugo',
        metadata: [{ key: 'role', value: 'director' }]
      }
    ])
  })

  it('shows the structural relations of an expression and a manifestation, since nothing else does here', async () => {
    const work = await create(aRecord('work_word', { title: 'Hamlet' }))
    const expression = await create(aRecord('expression_word', { title: 'Hamlet, in Dutch' }, { refWork: work.id }))

    assert.deepEqual((await get(`/entities/${expression.id}?resolve=1`)).body.relations, [
      { key: work.id, type: 'refWork', label: 'work_word', value: 'Hamlet' }
    ])
  })

  it('marks a missing entity', async () => {
    const { id } = await create(
      aProduction({}, { relations: relations({ refVenues: 'VE-NOWHERE' }) }),
      '?allow_dangling=1'
    )

    assert.deepEqual((await get(`/entities/${id}?resolve=1`)).body.relations, [
      { key: 'VE-NOWHERE', type: 'refVenues', label: 'missing' }
    ])
  })

  it('shows a new name at once', async () => {
    const venue = await create(aVenue('Old'))
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    await get(`/entities/${id}?resolve=1`)

    await service.patch(`/entities/${venue.id}`, { metadata: metadata({ name: 'New' }) })

    assert.equal((await get(`/entities/${id}?resolve=1`)).body.relations[0].value, 'New')
  })

  it('takes any identifier', async () => {
    const { id, _id } = await create(aProduction({}, { identifiers: ['resolve-me'] }))

    assert.equal((await get(`/entities/${_id}?resolve=1`)).body.id, id)
    assert.equal((await get('/entities/resolve-me?resolve=1')).body.id, id)
  })

  it('is off with 0, and refuses anything else', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))

    assert.deepEqual((await get(`/entities/${id}?resolve=0`)).body.relations, [{ key: venue.id, type: 'refVenues' }])
    assert.equal((await get(`/entities/${id}?resolve=yes`)).status, 400)
  })

  it('answers 404 for an unknown id, and 401 without a token', async () => {
    assert.equal((await get('/entities/PR-NOWHERE?resolve=1')).status, 404)
    assert.equal((await get('/entities/PR-NOWHERE?resolve=1', { token: undefined })).status, 401)
  })
})

describe('include=relations', () => {
  it('resolves the relations of every result of a list and of a filter, as resolve=1 does', async () => {
    const venue = await create(aVenue('Kaaitheater'))
    const shows = [1, 2, 3].map(n =>
      aProduction({ title: `Included ${n}` }, { relations: relations({ refVenues: venue.id }) })
    )
    const ids: string[] = []
    for (const show of shows) ids.push((await create(show)).id)
    const wanted = await Promise.all(ids.map(async id => (await get(`/entities/${id}?resolve=1`)).body))

    const list = await get(`/entities?ids=${ids.join(',')}&include=relations`)
    assert.deepEqual(list.body, wanted)
    const byFilter = await post('/entities/filter?include=relations&limit=2', [{ type: 'id', value: ids }])
    assert.deepEqual(byFilter.body.results, wanted.slice(0, 2))
    const rest = await post(byFilter.body.next, [{ type: 'id', value: ids }])
    assert.deepEqual(rest.body.results, wanted.slice(2))
  })

  it('shows a token nothing of records that it may not read', async () => {
    const venue = await create(aVenue('Hidden'))
    const show = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    const token = await service.tokenWith('read:production')
    const { body } = await get(`/entities?ids=${show.id}&include=relations`, { token })
    assert.deepEqual(body[0].relations, [])
  })

  it('is refused with more records than can be resolved at once, and for anything else', async () => {
    assertProblem(await get('/entities?include=relations&limit=201'), 'invalid')
    assertProblem(await get('/entities?include=everything'), 'bad_request')
  })
})

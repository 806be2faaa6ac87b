import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, aWork, idsOf, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, get } = service

const referencesTo = async (id: string, query = '') => {
  const answer = await get(`/entities/${encodeURIComponent(id)}/references${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

describe('GET /entities/{id}/references', () => {
  it('answers who points here, by which relation, in the order of creation', async () => {
    const person = await create(aPerson())
    const work = await create(aWork('Hamlet', { relations: relations({ refAuthors: person.id }) }))
    const show = await create(aProduction({}, { relations: relations({ refAuthors: person.id }) }))

    assert.deepEqual(await referencesTo(person.id), {
      count: 2,
      count_by_relation: { refAuthors: 2 },
      results: [
        { id: work.id, type: 'work_word', relation: 'refAuthors' },
        { id: show.id, type: 'production', relation: 'refAuthors' }
      ],
      skip: 0,
      limit: 20
    })
  })

  it('counts each relation type, whatever page is shown', async () => {
    const person = await create(aPerson())
    await create(aWork('Hamlet', { relations: relations({ refAuthors: person.id }) }))
    await create(aProduction({}, { relations: relations({ refAuthors: person.id, refPatrons: person.id }) }))
    const page = await referencesTo(person.id, '?limit=1')

    assert.equal(page.count, 3)
    assert.deepEqual(page.count_by_relation, { refAuthors: 2, refPatrons: 1 })
  })

  it('names an entity once for each relation by which it points here', async () => {
    const person = await create(aPerson())
    const show = await create(
      aProduction({}, { relations: relations({ refAuthors: person.id, refDirectors: person.id }) })
    )

    const { count, results } = await referencesTo(person.id)

    assert.equal(count, 2)
    assert.deepEqual(results, [
      { id: show.id, type: 'production', relation: 'refAuthors' },
      { id: show.id, type: 'production', relation: 'refDirectors' }
    ])
  })

  it('answers an empty page when nobody does', async () => {
    const { id } = await create(aPerson())

    assert.deepEqual(await referencesTo(id), {
      count: 0,
      count_by_relation: {},
      results: [],
      skip: 0,
      limit: 20
    })
  })

  it('takes any identifier', async () => {
    const venue = await create(aVenue('Named', { identifiers: ['named venue/1'] }))
    const show = await create(aProduction({}, { relations: relations({ refVenues: 'named venue/1' }) }))

    for (const identifier of [venue.id, venue._id, 'named venue/1']) {
      assert.deepEqual(idsOf(await referencesTo(identifier)), [show.id])
    }
  })

  it('finds those that pointed here before this existed', async () => {
    const show = await create(
      aProduction({}, { relations: relations({ refVenues: 'venue:later' }) }),
      '?allow_dangling=1'
    )
    const venue = await create(aVenue('Later', { identifiers: ['venue:later'] }))

    assert.deepEqual(idsOf(await referencesTo(venue.id)), [show.id])
  })

  it('narrows by type to relation types, one or a comma list', async () => {
    const person = await create(aPerson())
    const author = await create(aProduction({}, { relations: relations({ refAuthors: person.id }) }))
    const director = await create(aProduction({}, { relations: relations({ refDirectors: person.id }) }))
    await create(aProduction({}, { relations: relations({ refPatrons: person.id }) }))

    assert.deepEqual(idsOf(await referencesTo(person.id, '?type=refAuthors')), [author.id])
    assert.deepEqual(idsOf(await referencesTo(person.id, '?type=refDirectors,refAuthors')), [author.id, director.id])
    assert.equal((await referencesTo(person.id, '?type=refNothing')).count, 0)
    assert.deepEqual((await referencesTo(person.id, '?type=refDirectors,refAuthors&limit=1')).count_by_relation, {
      refAuthors: 1,
      refDirectors: 1
    })
  })

  it('is paged, with an exact count and next', async () => {
    const venue = await create(aVenue())
    const shows: string[] = []
    for (let index = 0; index < 7; index++)
      shows.push((await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))).id)

    const first = await referencesTo(venue.id, '?limit=3&type=refVenues')
    assert.deepEqual([first.count, first.skip, first.limit], [7, 0, 3])
    const second = (await get(first.next)).body
    const third = (await get(second.next)).body

    assert.deepEqual([...idsOf(first), ...idsOf(second), ...idsOf(third)], shows)
    assert.equal('next' in third, false)
    assert.equal('next' in (await referencesTo(venue.id, '?limit=7')), false)
    assert.deepEqual(idsOf(await referencesTo(venue.id, '?skip=5')), shows.slice(5))
    assert.deepEqual(await referencesTo(venue.id, '?limit=0'), {
      count: 7,
      count_by_relation: { refVenues: 7 },
      results: [],
      skip: 0,
      limit: 0
    })
  })

  it('follows what is written: a relation added, taken away, its entity deleted', async () => {
    const venue = await create(aVenue())
    const show = await create(aProduction())
    await service.patch(`/entities/${show.id}`, { relations: relations({ refVenues: venue.id }) })
    assert.deepEqual(idsOf(await referencesTo(venue.id)), [show.id])

    await service.put(`/entities/${show.id}`, aProduction())
    assert.equal((await referencesTo(venue.id)).count, 0)

    await service.patch(`/entities/${show.id}`, { relations: relations({ refVenues: venue.id }) })
    await service.delete(`/entities/${show.id}`)
    assert.equal((await referencesTo(venue.id)).count, 0)

    await service.post(`/entities/${show.id}/revert`, { version: 4 })
    assert.deepEqual((await referencesTo(venue.id)).count_by_relation, { refVenues: 1 })
  })

  it('leaves out those that the token may not read', async () => {
    const person = await create(aPerson())
    const work = await create(aWork('Hamlet', { relations: relations({ refAuthors: person.id }) }))
    await create(aProduction({}, { relations: relations({ refAuthors: person.id, refDirectors: person.id }) }))
    const token = await service.tokenWith('read:person', 'read:work')

    const { body } = await get(`/entities/${person.id}/references`, { token })

    assert.deepEqual(idsOf(body), [work.id])
    assert.equal(body.count, 1)
    assert.deepEqual(body.count_by_relation, { refAuthors: 1 })
  })

  for (const query of ['limit=1001', 'limit=-1', 'skip=-1']) {
    it(`answers 400 to ${query}`, async () => {
      const { id } = await create(aPerson())

      assert.equal((await get(`/entities/${id}/references?${query}`)).status, 400)
    })
  }

  it('answers 404 for an unknown id, and 401 without a token', async () => {
    assert.equal((await get('/entities/PERS-NOWHERE/references')).status, 404)
    assert.equal((await get('/entities/PERS-NOWHERE/references', { token: undefined })).status, 401)
  })
})

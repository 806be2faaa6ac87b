import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, filter, get, post, put } = service

const idsOf = async (filters: unknown) =>
  (await filter(filters)).body.results.map((each: { id: string }) => each.id) as string[]

describe('A UUID', () => {
  it('names the same record in either case, in paths, lists, filters, relations, history and feed', async () => {
    const venue = await create(aVenue('De Zaal'))
    const upper = venue._id.toUpperCase()
    assert.notEqual(upper, venue._id)
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: upper }) }))

    assert.equal((await get(`/entities/${upper}`)).body.id, venue.id)
    assert.deepEqual(
      (await get(`/entities?ids=${upper}`)).body.map((each: { id: string }) => each.id),
      [venue.id]
    )
    for (const match_exact of [true, false]) {
      const selection = { type: 'selection', value: [upper], match_exact }
      assert.deepEqual(await idsOf([{ ...selection, key: ['identifiers'] }]), [venue.id])
      assert.deepEqual(await idsOf([{ ...selection, key: ['_id'] }]), [venue.id])
    }
    const byRelation = { type: 'selection', key: ['properties.ref_venues.value'], value: [upper], match_exact: true }
    assert.deepEqual(await idsOf([byRelation]), [id])
    assert.deepEqual(await idsOf([{ ...byRelation, inner_exact_matches: { type: 'refVenues' } }]), [id])
    assert.deepEqual(await idsOf([{ ...byRelation, type: 'text', value: upper }]), [id])
    assert.equal((await get(`/entities/${upper}/history`)).body.id, venue.id)
    assert.equal((await get(`/changes?ids=${upper}`)).body.changes.length, 1)

    await service.delete(`/entities/${id}`)
    await service.delete(`/entities/${venue.id}`)
    assert.equal((await get(`/entities/${upper}/history`)).body.id, venue.id)
    assert.equal((await post(`/entities/${upper}/revert`, { version: 1 })).status, 200)
  })

  it('cannot become an identifier of a second record in another case', async () => {
    const { _id: uuid } = await create(aVenue('De eerste'))
    const upper = uuid.toUpperCase()
    assertProblem(await post('/entities', aVenue('De tweede', { identifiers: [upper] })), 'identifier_taken')
    assertProblem(await post('/entities', aVenue('De tweede', { id: upper })), 'identifier_taken')
    const other = await create(aVenue('De derde'))
    assertProblem(await service.patch(`/entities/${other.id}`, { identifiers: [upper] }), 'identifier_taken')
    const batch = [{ op: 'create', entity: aVenue('De vierde', { identifiers: [upper] }) }]
    for (const query of ['', '?atomic=1']) {
      const { body } = await post(`/entities/batch${query}`, batch)
      assert.equal((body[0]?.problem ?? body).code, 'identifier_taken', JSON.stringify(body))
    }
  })

  it('of a record that comes later is met by a relation in another case', async () => {
    const uuid = '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001'
    const { id } = await create(
      aProduction({}, { relations: relations({ refVenues: uuid.toUpperCase() }) }),
      '?allow_dangling=1'
    )
    await create({ ...aVenue('Later'), _id: uuid })
    const byName = { type: 'text', key: ['properties.ref_venues.name'], value: 'Later' }
    assert.deepEqual(await idsOf([byName]), [id])
  })
})

describe('An identifier', () => {
  it('is neither . nor .., which no path can name', async () => {
    for (const name of ['.', '..']) {
      assertProblem(await post('/entities', aVenue('Punt', { id: name })), 'invalid')
      assertProblem(await post('/entities', aVenue('Punt', { identifiers: [name] })), 'invalid')
      const { id } = await create(aVenue('Punt'))
      assertProblem(await put(`/entities/${id}`, aVenue('Punt', { identifiers: [name] })), 'invalid')
    }
  })
})

describe('A resolved record that was put back', () => {
  it('shows the names of today, in resolve=1 and include=relations', async () => {
    const venue = await create(aVenue('Oude naam'))
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    const { body: resolved } = await get(`/entities/${id}?resolve=1`)
    assert.equal(resolved.relations[0].value, 'Oude naam')
    assert.equal((await put(`/entities/${id}`, resolved)).status, 200)
    await service.patch(`/entities/${venue.id}`, { metadata: [{ key: 'name', value: 'Nieuwe naam' }] })

    const [relation] = (await get(`/entities/${id}?resolve=1`)).body.relations
    assert.deepEqual([relation.value, relation.label, relation.key], ['Nieuwe naam', 'venue', venue.id])
    const list = (await get(`/entities?ids=${id}&include=relations`)).body
    assert.equal(list[0].relations[0].value, 'Nieuwe naam')
  })

  it('shows the label of resolution, whatever label was written', async () => {
    const venue = await create(aVenue('De Zaal'))
    const written = [{ key: venue.id, type: 'refVenues', label: 'fout' }]
    const { id } = await create({ ...aProduction(), relations: written })
    assert.equal((await get(`/entities/${id}?resolve=1`)).body.relations[0].label, 'venue')
  })
})

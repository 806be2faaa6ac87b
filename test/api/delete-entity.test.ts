import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import {
  aPerson,
  aProduction,
  aVenue,
  aWork,
  anExpression,
  createBook,
  relations
} from '../support/records/entities.ts'
import { changesOf, holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, countRows, countWrites } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { create, get, post } = service
const remove = service.delete

describe('DELETE /entities/{id}', () => {
  it('answers 204 with no body, and the entity is gone', async () => {
    const { id, _id } = await create(aPerson('Gone soon', { identifiers: ['urn:gone'] }))
    const answer = await remove(`/entities/${id}`)

    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    for (const name of [id, _id, 'urn:gone']) assertProblem(await get(`/entities/${name}`), 'not_found')
    assert.equal((await service.filter([{ type: 'id', value: [id] }])).body.count, 0)
    assert.equal(
      (await service.filter([{ type: 'text', key: 'properties.name.value', value: 'gone soon' }])).body.count,
      0
    )
  })

  it('takes any identifier', async () => {
    for (const name of ['id', '_id', 'urn'] as const) {
      const entity = await create(aPerson('x', { identifiers: [`urn:delete-${name}`] }))
      const path = name === 'urn' ? `urn:delete-${name}` : entity[name]
      assert.equal((await remove(`/entities/${path}`)).status, 204)
    }
  })

  it('writes one change, keeps the last version and marks the deletion', async () => {
    const { id } = await create(aPerson())

    const produced = await changesOf(service, async () => {
      assert.deepEqual(await countWrites(service, () => remove(`/entities/${id}`)), { changes: 1, versions: 2 })
    })

    assert.deepEqual(produced, [['entity.deleted', id, 2]])
  })

  it('frees its identifiers', async () => {
    const { id } = await create(aPerson('x', { identifiers: ['urn:again'] }))
    await remove(`/entities/${id}`)

    assert.equal((await post('/entities', aPerson('y', { id, identifiers: ['urn:again'] }))).status, 201)
  })

  it('answers 404 for an unknown id, and for the second time', async () => {
    const { id } = await create(aPerson())
    await remove(`/entities/${id}`)

    assertProblem(await remove(`/entities/${id}`), 'not_found')
  })

  it('needs no body even where a client names a media type', async () => {
    const { id } = await create(aPerson())

    assert.equal((await remove(`/entities/${id}`, { headers: { 'content-type': 'application/json' } })).status, 204)
  })
})

describe('DELETE /entities/{id} of what others point to', () => {
  it('answers 409 and lists them, with the relation by which they point', async () => {
    const venue = await create(aVenue())
    const first = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    const second = await create(aWork('x', { relations: relations({ refHome: venue._id, refOther: venue.id }) }))
    const answer = await remove(`/entities/${venue.id}`)

    assertProblem(answer, 'still_referenced')
    assert.match(answer.body.message, new RegExp(`^W2005 \\| id:${venue.id} - `))
    assert.deepEqual(answer.body.references, [
      { id: first.id, type: 'production', relation: 'refVenues' },
      { id: second.id, type: 'work_word', relation: 'refHome' },
      { id: second.id, type: 'work_word', relation: 'refOther' }
    ])
    assert.equal((await get(`/entities/${venue.id}`)).status, 200)
  })

  it('lists the first twenty of many', async () => {
    const person = await create(aPerson())
    for (let index = 0; index < 25; index++)
      await create(aWork('x', { relations: relations({ refAuthors: person.id }) }))

    assert.equal((await remove(`/entities/${person.id}`)).body.references.length, 20)
  })

  it('does not count a relation to itself', async () => {
    const { id } = await create(aWork())
    await service.patch(`/entities/${id}`, { relations: relations({ refRelatedWorks: id }) })

    assert.equal((await remove(`/entities/${id}`)).status, 204)
  })

  it('takes those relations out of their records with ?references=detach, as one change of each', async () => {
    const [venue, other] = [await create(aVenue()), await create(aVenue())]
    const production = await create(
      aProduction({}, { relations: relations({ refVenues: [venue.id, other.id], refOwn: venue.id }) })
    )
    const work = await create(aWork('x', { relations: relations({ refHome: venue.id }) }))
    const produced = await changesOf(service, async () => {
      const writes = await countWrites(service, async () => {
        assert.equal((await remove(`/entities/${venue.id}?references=detach`)).status, 204)
      })
      assert.deepEqual(writes, { changes: 3, versions: 4 })
    })

    assert.deepEqual(produced, [
      ['entity.updated', production.id, 2],
      ['entity.updated', work.id, 2],
      ['entity.deleted', venue.id, 2]
    ])
    const after = (await get(`/entities/${production.id}`)).body
    assert.deepEqual(after.relations, relations({ refVenues: other.id }))
    assert.equal(after.version, 2)
    assert.deepEqual((await get(`/entities/${work.id}`)).body.relations, [])
    assert.equal((await get(`/entities/${venue.id}`)).status, 404)
  })

  it('answers 409 when detaching would take from others what they need, and changes nothing', async () => {
    const { work, expression } = await createBook(service)
    const before = await countRows(service, 'changes')
    const answer = await remove(`/entities/${work}?references=detach`)

    assertProblem(answer, 'still_referenced')
    assert.equal(answer.body.references[0].id, expression)
    assert.match(answer.body.references[0].message, /needs exactly 1 refWork/)
    assert.equal(await countRows(service, 'changes'), before)
  })

  it('detaches more records than fit into one question', async () => {
    const id = 'PERS-MUCH'
    const work = aWork('x', { relations: relations({ refAuthors: id }) })
    const written = [aPerson('Much written of', { id }), ...Array.from({ length: 1100 }, () => work)]
    // Not by a request: no answer tells of them.
    const { catalogue, operator } = service.libretto
    await catalogue.batches.writeAtomic(
      operator,
      written.map(entity => ({ op: 'create', entity }))
    )
    const selection = { type: 'selection', key: 'relations.refAuthors.key', value: id, match_exact: true }
    assert.equal((await service.filter([selection])).body.count, 1100)

    assert.equal((await remove(`/entities/${id}?references=detach`)).status, 204)
    assert.equal((await service.filter([selection])).body.count, 0)
  })

  it('refuses another value of references', async () => {
    const { id } = await create(aVenue())

    assertProblem(await remove(`/entities/${id}?references=all`), 'bad_request')
  })

  it('lets go what was bulk loaded with a relation to nothing', async () => {
    const work = await create(aWork())
    const { id } = await create(
      anExpression(work.id, 'x', { relations: relations({ refWork: work.id, refOther: 'nowhere' }) }),
      '?allow_dangling=1'
    )

    assert.equal((await remove(`/entities/${id}`)).status, 204)
    assert.equal((await remove(`/entities/${work.id}`)).status, 204)
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { mediaCategories } from '#domain/record-types/production.ts'
import { aProduction, aRecord, idsOf, metadata } from '../support/records/entities.ts'
import { changesAfter, endOfFeed } from '../support/records/changes.ts'
import { createMediafile, fieldOf } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const readiness = async (id: string) => (await service.get(`/entities/${id}/readiness`)).body
const all = (value: string) => Object.fromEntries(mediaCategories.map(category => [`${category}_status`, value]))
const posters = async (id: string) => fieldOf((await service.get(`/entities/${id}`)).body, 'posters_files')

describe('GET /entities/{id}/readiness', () => {
  it('holds what is declared against the files there are', async () => {
    const cases = [
      ['status_to_be_determined', 0, true, false],
      ['status_to_be_determined', 1, true, false],
      ['not_applicable', 0, true, true],
      ['not_applicable', 1, false, false],
      ['follows_later', 0, true, false],
      ['follows_later', 1, false, false],
      ['partially', 0, false, false],
      ['partially', 1, true, false],
      ['complete', 0, false, false],
      ['complete', 1, true, true]
    ] as const
    for (const [declared, files, agrees, done] of cases) {
      const { id } = await service.create(aProduction({ posters_status: declared }))
      if (files > 0) await createMediafile(service, Buffer.from('x'), 'posters', id)
      const { categories } = await readiness(id)
      assert.deepEqual(categories[0], { category: 'posters', declared, files, agrees, done })
    }
  })

  it('says why it cannot be published, as the refusal does', async () => {
    const { id } = await service.create(aProduction())
    const { publishable, missing, missing_fields } = await readiness(id)
    assert.deepEqual(missing_fields, ['description_short'])
    const refused = await service.patch(`/entities/${id}`, { metadata: metadata({ status: 'published' }) })
    assertProblem(refused, 'invalid')
    assert.equal(publishable, false)
    assert.deepEqual(
      missing,
      refused.body.errors.map((each: { message: string }) => each.message)
    )
    await service.patch(`/entities/${id}`, { metadata: metadata({ description_short: 'x' }) })
    assert.equal((await readiness(id)).publishable, true)
    assert.equal((await service.patch(`/entities/${id}`, { metadata: metadata({ status: 'published' }) })).status, 200)
  })

  it('is for records that have media', async () => {
    const { id } = await service.create(aRecord('venue', { name: 'x' }))
    assertProblem(await service.get(`/entities/${id}/readiness`), 'not_found')
  })
})

describe('A filter of type readiness', () => {
  it('finds what the readiness says, and follows it at once', async () => {
    const { id } = await service.create(aProduction(all('not_applicable')))
    const stateOf = async () => {
      const found = []
      for (const value of ['ready', 'incomplete', 'contradictory']) {
        const { body } = await service.filter([
          { type: 'readiness', value },
          { type: 'id', value: id }
        ])
        if (idsOf(body).length > 0) found.push(value)
      }
      assert.deepEqual(found, [(await readiness(id)).state])
      return found[0]
    }
    assert.equal(await stateOf(), 'ready')
    const { mediafile } = await createMediafile(service, Buffer.from('x'), 'trailer', id)
    assert.equal(await stateOf(), 'contradictory')
    await service.patch(`/entities/${id}`, { metadata: metadata({ trailer_status: 'complete' }) })
    assert.equal(await stateOf(), 'ready')
    await service.delete(`/mediafiles/${mediafile}`)
    assert.equal(await stateOf(), 'contradictory')
    await service.patch(`/entities/${id}`, { metadata: metadata({ trailer_status: 'follows_later' }) })
    assert.equal(await stateOf(), 'incomplete')
  })

  it('refuses other values', async () => {
    assertProblem(await service.post('/entities/filter', [{ type: 'readiness', value: 'soon' }]), 'invalid_filter')
  })
})

describe('How many files a production has', () => {
  it('is kept with whatever changes it, and told as a change of the production', async () => {
    const one = (await service.create(aProduction())).id
    const other = (await service.create(aProduction())).id
    const since = await endOfFeed(service)
    const { mediafile } = await createMediafile(service, Buffer.from('x'), 'posters', one)
    assert.equal(await posters(one), 1)
    await service.patch(`/entities/${mediafile}`, { metadata: metadata({ title: 'Nothing to count' }) })
    await service.put(`/entities/${mediafile}/relations`, [{ key: other, type: 'refProductions' }])
    assert.deepEqual([await posters(one), await posters(other)], [undefined, 1])
    await service.patch(`/entities/${mediafile}`, { metadata: metadata({ mediafile_type: 'rider' }) })
    assert.equal(await posters(other), undefined)
    await service.post(`/entities/${mediafile}/revert`, { version: 1 })
    assert.equal(await posters(one), 1)
    await service.delete(`/mediafiles/${mediafile}`)
    assert.equal(await posters(one), undefined)
    const told = (await changesAfter(service, since)).filter(each => each.subject === one).length
    assert.equal(told, 4)
  })

  it('does not count a file that has no bytes yet, and counts one that is elsewhere', async () => {
    const { id } = await service.create(aProduction())
    await service.post(`/entities/${id}/mediafiles`, { mediafile_type: 'posters' })
    assert.equal(await posters(id), undefined)
    await service.post(`/entities/${id}/mediafiles`, {
      mediafile_type: 'posters',
      external_url: 'https://example.org/a'
    })
    assert.equal(await posters(id), 1)
  })

  it('is right however many add and remove at once', async () => {
    const { id } = await service.create(aProduction())
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createMediafile(service, Buffer.from(`f${index}`), 'posters', id))
    )
    assert.equal(await posters(id), 8)
    await Promise.all(made.slice(0, 5).map(({ mediafile }) => service.delete(`/mediafiles/${mediafile}`)))
    assert.equal(await posters(id), 3)
  })

  it('is not for a client to say', async () => {
    const { id } = await service.create(aProduction({ posters_files: 7 }))
    assert.equal(await posters(id), undefined)
    await createMediafile(service, Buffer.from('x'), 'posters', id)
    const { body } = await service.put(`/entities/${id}`, aProduction({ posters_files: 9 }))
    assert.equal(fieldOf(body, 'posters_files'), 1)
  })

  it('counts what was there before the production', async () => {
    const file = aRecord(
      'mediafile',
      { mediafile_type: 'posters', external_url: 'https://example.org/c' },
      { refProductions: 'PR-AFTERWARDS' }
    )
    await service.create(file, '?allow_dangling=1')
    await service.create(aProduction({}, { id: 'PR-AFTERWARDS' }))
    assert.equal(await posters('PR-AFTERWARDS'), 1)
  })

  it('counts what is created together', async () => {
    const answer = await service.post('/entities/batch?atomic=1', [
      { op: 'create', entity: aProduction({}, { id: 'PR-TOGETHER' }) },
      {
        op: 'create',
        entity: aRecord(
          'mediafile',
          { mediafile_type: 'posters', external_url: 'https://example.org/b' },
          { refProductions: 'PR-TOGETHER' }
        )
      }
    ])
    assert.equal(answer.status, 200, answer.text)
    assert.equal(await posters('PR-TOGETHER'), 1)
  })
})

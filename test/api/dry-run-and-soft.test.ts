import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, metadata, relations } from '../support/records/entities.ts'
import { holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, countRows, jsonPatch } from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { call, create, get, patch, post, put } = service

/** Does something, and fails when it left a trace. */
const without = async (work: () => Promise<void>) => {
  const rows = () => Promise.all((['entities', 'changes', 'versions'] as const).map(table => countRows(service, table)))
  const before = await rows()
  await work()
  assert.deepEqual(await rows(), before)
}

describe('?dry_run=1', () => {
  it('answers what POST would create, with 200, and creates nothing', async () => {
    await without(async () => {
      const answer = await post('/entities?dry_run=1', aPerson('x', { id: 'PERS-dry', identifiers: ['urn:dry'] }))
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.location, undefined)
      assert.equal(answer.body.id, 'PERS-dry')
      assert.equal(answer.body.version, 1)
      assert.ok(answer.body.identifiers.includes('urn:dry'))
    })
    assertProblem(await get('/entities/PERS-dry'), 'not_found')
    assertProblem(await get('/entities/urn:dry'), 'not_found')
  })

  it('answers what PUT and PATCH would make of the entity, and changes nothing', async () => {
    const before = await create(aPerson('A'))
    await without(async () => {
      const replaced = await put(`/entities/${before.id}?dry_run=1`, aPerson('B'))
      assert.equal(replaced.status, 200)
      assert.equal(replaced.body.version, 2)
      assert.deepEqual(replaced.body.metadata, metadata({ name: 'B' }))
      const patched = await patch(`/entities/${before.id}?dry_run=1`, { metadata: metadata({ name: 'C' }) })
      assert.deepEqual(patched.body.metadata, metadata({ name: 'C' }))
      const operations = [{ op: 'replace', path: '/metadata/0/value', value: 'D' }]
      assert.deepEqual(
        (await patch(`/entities/${before.id}?dry_run=1`, operations, jsonPatch)).body.metadata,
        metadata({ name: 'D' })
      )
    })
    assert.deepEqual((await get(`/entities/${before.id}`)).body, before)
  })

  it('answers what the lists would be, and changes nothing', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aPerson('A'))
    await without(async () => {
      assert.deepEqual(
        (await post(`/entities/${id}/metadata?dry_run=1`, metadata({ a: 1 }))).body,
        metadata({ name: 'A', a: 1 })
      )
      const related = await put(`/entities/${id}/relations?dry_run=1`, relations({ refHome: venue.id }))
      assert.deepEqual(related.body, relations({ refHome: venue.id }))
    })
    assert.deepEqual((await get(`/entities/${id}/relations`)).body, [])
  })

  it('answers 204 to a DELETE that would pass, and deletes nothing', async () => {
    const { id } = await create(aPerson())
    await without(async () => {
      assert.equal((await call('DELETE', `/entities/${id}?dry_run=1`)).status, 204)
    })
    assert.equal((await get(`/entities/${id}`)).status, 200)
  })

  it('detaches nothing', async () => {
    const venue = await create(aVenue())
    const production = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    await without(async () => {
      assert.equal((await call('DELETE', `/entities/${venue.id}?dry_run=1&references=detach`)).status, 204)
    })
    assert.deepEqual((await get(`/entities/${production.id}`)).body, production)
  })

  it('refuses all that would be refused', async () => {
    const { id } = await create(aPerson('A', { identifiers: ['urn:dry-taken'] }))
    const venue = await create(aVenue())
    await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    await without(async () => {
      assertProblem(await post('/entities?dry_run=1', aPerson('')), 'invalid')
      assertProblem(
        await post('/entities?dry_run=1', aPerson('x', { identifiers: ['urn:dry-taken'] })),
        'identifier_taken'
      )
      assertProblem(
        await post('/entities?dry_run=1', aProduction({}, { relations: relations({ refVenues: 'VE-no' }) })),
        'invalid'
      )
      assertProblem(await put(`/entities/${id}?dry_run=1`, {}), 'invalid')
      assertProblem(
        await put(`/entities/${id}?dry_run=1`, aPerson(), { headers: { 'if-match': '"9"' } }),
        'version_mismatch'
      )
      assertProblem(await put('/entities/unknown?dry_run=1', aPerson()), 'not_found')
      assertProblem(await call('DELETE', `/entities/${venue.id}?dry_run=1`), 'still_referenced')
    })
  })

  it('tells warnings too', async () => {
    const answer = await post('/entities?dry_run=1', aProduction({ description: '<script>x</script>' }))

    assert.equal(answer.body.warnings.length, 1)
  })

  it('takes 0 and 1, nothing else', async () => {
    for (const value of ['2', 'true', 'yes', '-1', '01x']) {
      assertProblem(await post(`/entities?dry_run=${value}`, aPerson()), 'bad_request')
    }
    assert.equal((await post('/entities?dry_run=0', aPerson())).status, 201)
    assert.equal((await post('/entities?dry_run=', aPerson())).status, 201)
  })
})

describe('?soft=1', () => {
  it('answers the JSON text "good" to whoever may do it, and does nothing', async () => {
    const { id } = await create(aPerson())
    await without(async () => {
      const asked = [
        await post('/entities?soft=1', { type: 'person' }),
        await put(`/entities/${id}?soft=1`, {}),
        await patch(`/entities/${id}?soft=1`, {}),
        await call('DELETE', `/entities/${id}?soft=1`),
        await patch(`/entities/${id}/metadata?soft=1`, []),
        await post(`/entities/${id}/relations?soft=1`, []),
        await call('DELETE', `/entities/${id}/metadata?soft=1`, { body: [] })
      ]
      for (const answer of asked) {
        assert.equal(answer.status, 200)
        assert.equal(answer.text, '"good"')
        assert.match(String(answer.headers['content-type']), /^application\/json/)
      }
    })
  })

  it('does not look at the body', async () => {
    const { id } = await create(aPerson())

    assert.equal((await put(`/entities/${id}?soft=1`, { metadata: 5 })).text, '"good"')
    assert.equal((await post('/entities?soft=1', {})).text, '"good"')
  })

  it('answers 403 to whoever may not', async () => {
    const { id } = await create(aPerson())
    const token = await service.tokenWith('read', 'write:venue')
    const reader = await service.tokenWith('read')

    assertProblem(await post('/entities?soft=1', { type: 'person' }, { token }), 'forbidden')
    assertProblem(await put(`/entities/${id}?soft=1`, {}, { token }), 'forbidden')
    assertProblem(await patch(`/entities/${id}?soft=1`, {}, { token }), 'forbidden')
    assertProblem(await call('DELETE', `/entities/${id}?soft=1`, { token }), 'forbidden')
    assertProblem(await patch(`/entities/${id}/relations?soft=1`, [], { token }), 'forbidden')
    assertProblem(await post('/entities?soft=1', {}, { token: reader }), 'forbidden')
    assert.equal((await post('/entities?soft=1', { type: 'venue' }, { token })).text, '"good"')
  })

  it('answers 404 for what does not exist, and for what the token cannot see', async () => {
    const { id } = await create(aPerson())
    const token = await service.tokenWith('read:venue', 'write:venue', 'delete:venue')

    assertProblem(await put('/entities/unknown?soft=1', {}), 'not_found')
    assertProblem(await put(`/entities/${id}?soft=1`, {}, { token }), 'not_found')
    assertProblem(await call('DELETE', `/entities/${id}?soft=1`, { token }), 'not_found')
  })

  it('answers "good" for no type that does not exist, and for none that the token may not use', async () => {
    const ofType = (name: string) => [
      (token?: string) => call('GET', `/entities?type=${name}&soft=1`, { ...(token ? { token } : {}) }),
      (token?: string) =>
        post('/entities/filter?soft=1', [{ type: 'type', value: name }], { ...(token ? { token } : {}) }),
      (token?: string) => put('/entities?soft=1', [{ type: name }], { ...(token ? { token } : {}) }),
      (token?: string) => post('/entities?soft=1', { type: name }, { ...(token ? { token } : {}) })
    ]
    const token = await service.tokenWith('read:venue', 'write:venue')
    for (const send of ofType('nothing')) assertProblem(await send(), 'invalid')
    for (const send of ofType('person')) assertProblem(await send(token), 'forbidden')
    for (const send of ofType('venue')) assert.equal((await send(token)).text, '"good"')
  })
})

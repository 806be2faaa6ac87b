import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, aWork, idsOf, metadata, relations } from '../support/records/entities.ts'
import { changesOf } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, fieldOf, keysOf, pointersOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post, put, patch } = service

const revert = (id: string, version: unknown, options: Parameters<typeof post>[2] = {}, query = '') =>
  post(`/entities/${id}/revert${query}`, { version }, options)

const rename = (id: string, name: string) => patch(`/entities/${id}`, { metadata: metadata({ name }) })

describe('POST /entities/{id}/revert', () => {
  it('makes an entity again what it was, as a new version', async () => {
    const role = [{ key: 'role', value: 'author' }]
    const author = await create(aPerson())
    const first = await create(
      aWork('First', {
        metadata: [
          { key: 'title', value: 'First', lang: 'nl' },
          { key: 'note', value: { deep: [1, null] } }
        ],
        relations: [{ key: author.id, type: 'refAuthors', metadata: role }],
        identifiers: ['urn:revert:first']
      })
    )
    await put(`/entities/${first.id}`, { ...aWork('Second'), identifiers: ['urn:revert:second'] })

    const produced = await changesOf(service, async () => {
      const answer = await revert(first.id, 1)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.etag, '"3"')
      assert.deepEqual(answer.body, { ...first, version: 3, audit: answer.body.audit })
      assert.deepEqual(answer.body.audit.created, first.audit.created)
      assert.deepEqual((await get(`/entities/${first.id}`)).body, answer.body)
    })

    assert.deepEqual(produced, [['entity.updated', first.id, 3]])
    assert.equal((await get('/entities/urn:revert:first')).status, 200)
    assertProblem(await get('/entities/urn:revert:second'), 'not_found')
  })

  it('forgets nothing: what was reverted can be brought back in the same way', async () => {
    const { id } = await create(aVenue('One'))
    await rename(id, 'Two')
    await revert(id, 1)

    const { body } = await revert(id, 2)

    assert.equal(fieldOf(body, 'name'), 'Two')
    assert.equal(body.version, 4)
    assert.equal((await get(`/entities/${id}/history`)).body.count, 4)
  })

  it('writes nothing when the entity is what it was already', async () => {
    const { id } = await create(aVenue('Same'))

    assert.deepEqual(
      await changesOf(service, async () => {
        const answer = await revert(id, 1)
        assert.equal(answer.status, 200)
        assert.equal(answer.body.version, 1)
      }),
      []
    )
  })

  it('names who reverted it', async () => {
    const { id } = await create(aVenue('One'))
    await rename(id, 'Two')
    const { token } = await service.libretto.tokens.create({ name: 'ann', scopes: ['read', 'write'] }, 'test')

    assert.equal((await revert(id, 1, { token })).body.audit.updated.by, 'token:ann')
  })

  it('refuses a version that is not there', async () => {
    const { id } = await create(aVenue())

    assert.deepEqual(
      await changesOf(service, async () => {
        assertProblem(await revert(id, 2), 'not_found')
        assertProblem(await revert('VE-never', 1), 'not_found')
      }),
      []
    )
  })

  it('refuses to revert to a deletion, and says so', async () => {
    const { id } = await create(aVenue())
    await service.delete(`/entities/${id}`)
    await revert(id, 1)

    const answer = await revert(id, 2)

    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/version'])
    assert.match(answer.body.detail, /deletion/)
  })

  for (const body of [
    {},
    { version: 0 },
    { version: '1' },
    { version: 1.5 },
    { version: null },
    [],
    'x',
    { version: 1, x: 2 }
  ]) {
    it(`refuses the body ${JSON.stringify(body)}`, async () => {
      const { id } = await create(aVenue())
      const answer = await post(`/entities/${id}/revert`, body)

      assert.equal(answer.status, 400, answer.text)
    })
  }

  it('leaves out relations to what is gone since, and names them in its warnings, also when it is repeated', async () => {
    const [stays, goes] = [await create(aVenue()), await create(aVenue())]
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: [stays.id, goes.id] }) }))
    await service.delete(`/entities/${goes.id}?references=detach`)
    await put(`/entities/${id}/relations`, [])

    const once = { headers: { 'idempotency-key': 'revert-without-gone' } }
    const answer = await revert(id, 1, once)

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(keysOf(answer.body, 'refVenues'), [stays.id])
    const [warning] = answer.body.warnings
    assert.deepEqual([warning.pointer, warning.code, warning.value], ['/relations', 'missing_target', goes.id])
    assert.deepEqual((await revert(id, 1, once)).body.warnings, answer.body.warnings)
  })

  it('is refused where a relation to what is gone is one that the record needs', async () => {
    const production = await create(aProduction({}))
    const other = await create(aProduction({}))
    const show = { type: 'performance', metadata: metadata({ start: '2026-11-14T20:00:00Z' }) }
    const { id } = await create({ ...show, relations: relations({ refProduction: production.id }) } as never)
    await put(`/entities/${id}/relations`, relations({ refProduction: other.id }))
    await service.delete(`/entities/${production.id}`)

    const answer = await revert(id, 1)

    assertProblem(answer, 'invalid')
    assert.match(answer.text, /refProduction/)
  })

  it('refuses an identifier that another entity has since', async () => {
    const { id } = await create(aVenue('One', { identifiers: ['urn:revert:moved'] }))
    await put(`/entities/${id}`, { ...aVenue('One'), identifiers: [] })
    await create(aVenue('Other', { identifiers: ['urn:revert:moved'] }))

    assert.deepEqual(await changesOf(service, async () => assertProblem(await revert(id, 1), 'identifier_taken')), [])
  })

  it('keeps the names that came with a merge, so that old ids go on to resolve', async () => {
    const survivor = await create(aVenue('Survivor'))
    const victim = await create(aVenue('Victim', { identifiers: ['urn:revert:victim'] }))
    await rename(survivor.id, 'Renamed')
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })

    const produced = await changesOf(service, async () => {
      assert.equal(fieldOf((await revert(survivor.id, 1)).body, 'name'), 'Survivor')
    })

    assert.deepEqual(produced, [['entity.updated', survivor.id, 4]])
    for (const identifier of victim.identifiers)
      assert.equal((await get(`/entities/${identifier}`)).body.id, survivor.id, identifier)
  })

  it('joins relations whose targets were merged since, also of a deleted record', async () => {
    const [kept, merged] = [await create(aPerson('Kept')), await create(aPerson('Merged'))]
    const authors = [merged.id, kept.id].map(key => ({ key, type: 'refAuthors' }))
    const changed = await create(aWork('Changed', { relations: authors }))
    const deleted = await create(aWork('Deleted', { relations: authors }))
    await put(`/entities/${changed.id}`, aWork('Changed'))
    await service.delete(`/entities/${deleted.id}`)
    assert.equal((await post(`/entities/${kept.id}/merge`, { victim_id: merged.id })).status, 200)

    for (const { id } of [changed, deleted]) {
      const answer = await revert(id, 1)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(keysOf(answer.body, 'refAuthors'), [kept.id])
    }
  })

  it('validates and answers what would happen with dry_run=1, and writes nothing', async () => {
    const { id } = await create(aVenue('One'))
    await rename(id, 'Two')
    const deleted = await create(aVenue('Deleted'))
    await service.delete(`/entities/${deleted.id}`)

    assert.deepEqual(
      await changesOf(service, async () => {
        assert.equal(fieldOf((await revert(id, 1, {}, '?dry_run=1')).body, 'name'), 'One')
        assert.equal((await revert(deleted.id, 1, {}, '?dry_run=1')).body.version, 3)
        assertProblem(await revert(id, 9, {}, '?dry_run=1'), 'not_found')
      }),
      []
    )
    assert.equal(fieldOf((await get(`/entities/${id}`)).body, 'name'), 'Two')
    assertProblem(await get(`/entities/${deleted.id}`), 'not_found')
  })

  it('answers "good" with soft=1 when the caller may do it, and does not do it', async () => {
    const { id } = await create(aVenue('One'))
    await rename(id, 'Two')

    assert.deepEqual(
      await changesOf(service, async () => {
        const answer = await revert(id, 1, {}, '?soft=1')
        assert.deepEqual([answer.status, answer.body], [200, 'good'])
        assertProblem(await revert(id, 1, { token: await service.tokenWith('read') }, '?soft=1'), 'forbidden')
      }),
      []
    )
  })
})

describe('POST /entities/{id}/revert: a deleted entity', () => {
  it('comes back with its id, its UUID, its identifiers and its creation, and its versions go on', async () => {
    const first = await create(aVenue('Back', { identifiers: ['urn:revert:back'] }))
    await service.delete(`/entities/${first.id}`)

    const produced = await changesOf(service, async () => {
      const answer = await revert(first.id, 1)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.etag, '"3"')
      assert.deepEqual(answer.body, { ...first, version: 3, audit: answer.body.audit })
      assert.deepEqual(answer.body.audit.created, first.audit.created)
      assert.ok(answer.body.audit.updated.at >= first.audit.created.at)
    })

    assert.deepEqual(produced, [['entity.created', first.id, 3]])
    for (const identifier of first.identifiers)
      assert.equal((await get(`/entities/${identifier}`)).body.version, 3, identifier)
  })

  it('is found again by lists, filters and whoever points to it', async () => {
    const venue = await create(aVenue('Wiederkehr'))
    const production = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    const filters = [{ type: 'text', key: ['properties.name.value'], value: 'wiederk*' }]
    await service.delete(`/entities/${production.id}`)
    await service.delete(`/entities/${venue.id}`)
    assert.equal((await service.filter(filters)).body.count, 0)

    const produced = await changesOf(service, async () => {
      assert.equal((await revert(venue.id, 1)).status, 200)
      assert.equal((await revert(production.id, 1)).status, 200)
    })

    assert.deepEqual(produced, [
      ['entity.created', venue.id, 3],
      ['entity.created', production.id, 3]
    ])
    assert.deepEqual(idsOf((await service.filter(filters)).body), [venue.id])
    assert.deepEqual(idsOf((await get(`/entities/${venue.id}/references`)).body), [production.id])
    assert.deepEqual(keysOf((await get(`/entities/${production.id}`)).body, 'refVenues'), [venue.id])
  })

  it('stands in the order of creation where it stood before', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await create({ type: 'season', metadata: metadata({ name }) })).id)
    await service.delete(`/entities/${ids[1]}`)
    await revert(String(ids[1]), 1)

    for (const orderBy of ['date_created', 'date_created,id'])
      assert.deepEqual(idsOf((await get(`/entities?type=season&order_by=${orderBy}`)).body), ids, orderBy)
  })

  it('can be found by its UUID and by any identifier it had', async () => {
    for (const name of ['_id', 'urn'] as const) {
      const entity = await create(aVenue('x', { identifiers: [`urn:revert:by-${name}`] }))
      await service.delete(`/entities/${entity.id}`)

      assert.equal((await revert(name === 'urn' ? `urn:revert:by-${name}` : entity._id, 1)).body.id, entity.id)
    }
  })

  it('can go back to any version it had', async () => {
    const { id } = await create(aVenue('One'))
    await rename(id, 'Two')
    await service.delete(`/entities/${id}`)

    assert.equal(fieldOf((await revert(id, 1)).body, 'name'), 'One')
    await service.delete(`/entities/${id}`)
    assert.equal(fieldOf((await revert(id, 2)).body, 'name'), 'Two')
    assert.deepEqual(
      (await get(`/entities/${id}/history`)).body.results.map((each: { kind: string }) => each.kind),
      ['restored', 'deleted', 'restored', 'deleted', 'updated', 'created']
    )
  })

  it('is refused when its id is another’s since', async () => {
    const first = await create(aVenue('First', { id: 'VE-revert-taken' }))
    await service.delete('/entities/VE-revert-taken')
    await create(aVenue('Second', { id: 'VE-revert-taken' }))

    assert.deepEqual(
      await changesOf(service, async () => assertProblem(await revert(first._id, 1), 'identifier_taken')),
      []
    )
  })

  it('comes back without relations to what was deleted or purged since, and says so in answer and history', async () => {
    const [stays, goes, purged] = [await create(aVenue()), await create(aVenue()), await create(aVenue())]
    const related = relations({ refVenues: [stays.id, goes.id, purged.id] })
    const { id } = await create(aProduction({}, { relations: related }))
    await service.delete(`/entities/${id}`)
    for (const venue of [goes, purged]) await service.delete(`/entities/${venue.id}`)
    assert.equal((await service.delete(`/entities/${purged.id}?purge=1`)).status, 204)

    const answer = await revert(id, 1)

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(keysOf(answer.body, 'refVenues'), [stays.id])
    const left = answer.body.warnings.map(({ code, value }: Record<string, string>) => [code, value])
    const gone = [goes.id, purged.id]
    assert.deepEqual(
      left,
      gone.map(key => ['missing_target', key])
    )
    for (const limit of [1, 2, 10]) {
      const [restored] = (await get(`/entities/${id}/history?limit=${limit}`)).body.results
      const lost = restored.changes.filter((each: Record<string, unknown>) => each.after === null)
      assert.deepEqual(
        lost.map(({ field, type, key }: Record<string, string>) => [field, type, key]),
        gone.map(key => ['relation', 'refVenues', key])
      )
    }
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  it('is refused when it was merged into another: that is taken back with unmerge', async () => {
    const survivor = await create(aVenue('Survivor'))
    const victim = await create(aVenue('Victim'))
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })
    await service.delete(`/entities/${survivor.id}`)

    assert.deepEqual(
      await changesOf(service, async () => {
        const answer = await revert(victim.id, 1)
        assert.equal(answer.status, 409)
        assert.equal(answer.body.merged_into, survivor.id)
      }),
      []
    )
  })

  it('comes back once, however many ask at the same time', async () => {
    const { id } = await create(aVenue('Once'))
    await service.delete(`/entities/${id}`)

    const produced = await changesOf(service, async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => revert(id, 1)))
      assert.ok(answers.some(answer => answer.status === 200))
      for (const { status } of answers) assert.ok([200, 412].includes(status), String(status))
    })

    assert.deepEqual(produced, [['entity.created', id, 3]])
  })
})

describe('POST /entities/{id}/revert: If-Match', () => {
  it('reverts the version that is named, and answers 412 for another', async () => {
    const { id } = await create(aVenue('One'))
    await rename(id, 'Two')

    assert.deepEqual(
      await changesOf(service, async () => {
        const answer = await revert(id, 1, { headers: { 'if-match': '"1"' } })
        assertProblem(answer, 'version_mismatch')
        assert.equal(answer.body.current_version, 2)
      }),
      []
    )
    assert.deepEqual(await changesOf(service, () => revert(id, 1, { headers: { 'if-match': '"2"' } })), [
      ['entity.updated', id, 3]
    ])
  })

  it('takes the version of the deletion for one that is deleted', async () => {
    const { id } = await create(aVenue('One'))
    await service.delete(`/entities/${id}`)

    assert.deepEqual(
      await changesOf(service, async () =>
        assertProblem(await revert(id, 1, { headers: { 'if-match': '"1"' } }), 'version_mismatch')
      ),
      []
    )
    assert.deepEqual(await changesOf(service, () => revert(id, 1, { headers: { 'if-match': '"2"' } })), [
      ['entity.created', id, 3]
    ])
  })
})

describe('POST /entities/{id}/revert: what a token may do', () => {
  it('needs the scope to write the type', async () => {
    const { id } = await create(aVenue('One'))
    await rename(id, 'Two')
    const deleted = await create(aVenue('Deleted'))
    await service.delete(`/entities/${deleted.id}`)

    assert.deepEqual(
      await changesOf(service, async () => {
        for (const scopes of [['read'], ['read', 'write:person'], ['read', 'delete']]) {
          const token = await service.tokenWith(...scopes)
          assertProblem(await revert(id, 1, { token }), 'forbidden')
          assertProblem(await revert(deleted.id, 1, { token }), 'forbidden')
        }
      }),
      []
    )
  })

  it('does not tell of an entity that the token may neither read nor write', async () => {
    const { id } = await create(aVenue('One'))
    await service.delete(`/entities/${id}`)
    const token = await service.tokenWith('read:person', 'write:person')

    for (const version of [1, 2, 3]) assertProblem(await revert(id, version, { token }), 'not_found')
  })

  it('keeps relations that the token may not see, and brings them back too', async () => {
    const [venue, other] = [await create(aVenue()), await create(aVenue())]
    const genre = await create({ type: 'genre', metadata: metadata({ name: 'drama' }) })
    const { id } = await create(aProduction({ title: 'One' }, { relations: relations({ refVenues: venue.id }) }))
    await put(
      `/entities/${id}`,
      aProduction({ title: 'Two' }, { relations: relations({ refVenues: other.id, refGenres: genre.id }) })
    )
    const token = await service.tokenWith('read:production', 'write:production', 'read:genre')

    const answer = await revert(id, 1, { token })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.relations, [])
    assert.deepEqual((await get(`/entities/${id}`)).body.relations, relations({ refVenues: other.id }))

    await service.delete(`/entities/${id}`)
    const back = await revert(id, 2, { token })
    assert.equal(back.status, 200, back.text)
    assert.deepEqual(back.body.relations, relations({ refGenres: genre.id }))
    assert.deepEqual(
      (await get(`/entities/${id}`)).body.relations,
      relations({ refVenues: other.id, refGenres: genre.id })
    )
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, aWork, metadata, relations } from '../support/records/entities.ts'
import { changesOf } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post, put, patch } = service

const historyOf = async (id: string, query = '', token?: string) => {
  const answer = await get(`/entities/${encodeURIComponent(id)}/history${query}`, token === undefined ? {} : { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Returns the changes of the newest version. */
const lastChanges = async (id: string) => (await historyOf(id, '?limit=1')).results[0].changes

const versionsOf = (history: { results: { version: number }[] }) => history.results.map(each => each.version)
const kindsOf = (history: { results: { kind: string }[] }) => history.results.map(each => each.kind)

const tokenNamed = async (name: string, ...scopes: string[]) =>
  (await service.libretto.tokens.create({ name, scopes }, 'test')).token

describe('GET /entities/{id}/history', () => {
  it('tells every version, newest first, with who and when', async () => {
    const ann = await tokenNamed('ann', 'read', 'write')
    const bob = await tokenNamed('bob', 'read', 'write')
    const created = (await post('/entities', aVenue('One'), { token: ann })).body
    const updated = (await patch(`/entities/${created.id}`, { metadata: metadata({ name: 'Two' }) }, { token: bob }))
      .body

    assert.deepEqual(await historyOf(created.id), {
      id: created.id,
      type: 'venue',
      count: 2,
      results: [
        {
          version: 2,
          kind: 'updated',
          at: updated.audit.updated.at,
          by: 'token:bob',
          changes: [{ field: 'metadata', key: 'name', before: ['One'], after: ['Two'] }]
        },
        {
          version: 1,
          kind: 'created',
          at: created.audit.created.at,
          by: 'token:ann',
          changes: [{ field: 'metadata', key: 'name', before: [], after: ['One'] }]
        }
      ],
      skip: 0,
      limit: 20
    })
  })

  it('is found by the id, the UUID and every other identifier', async () => {
    const { id, _id } = await create(aVenue('De Roma', { identifiers: ['urn:history:roma'] }))

    for (const identifier of [id, _id, 'urn:history:roma']) assert.equal((await historyOf(identifier)).id, id)
    assert.equal((await get(`/elody/v1/entities/${id}/history`)).body.count, 1)
  })

  it('tells of a deletion, and goes on to answer for what is deleted', async () => {
    const { id, _id } = await create(aVenue())
    const eve = await tokenNamed('eve', 'read', 'delete')
    await service.delete(`/entities/${id}`, { token: eve })

    const history = await historyOf(id)

    assert.deepEqual(versionsOf(history), [2, 1])
    assert.deepEqual(kindsOf(history), ['deleted', 'created'])
    assert.equal(history.results[0].by, 'token:eve')
    assert.deepEqual(history.results[0].changes, [])
    assert.deepEqual(await historyOf(_id), history)
  })

  it('tells that a deleted entity came back, with everything it holds since', async () => {
    const { id } = await create(aVenue('De Roma'))
    await service.delete(`/entities/${id}`)
    await post(`/entities/${id}/revert`, { version: 1 })

    const history = await historyOf(id)

    assert.deepEqual(kindsOf(history), ['restored', 'deleted', 'created'])
    assert.deepEqual(history.results[0].changes, [{ field: 'metadata', key: 'name', before: [], after: ['De Roma'] }])
  })

  it('tells that an entity was merged into another, and that the merge was taken back', async () => {
    const survivor = await create(aVenue())
    const victim = await create(aVenue())
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })
    assert.equal((await historyOf(victim.id)).id, survivor.id)
    await post(`/entities/${survivor.id}/unmerge`, {})

    const history = await historyOf(victim.id)

    assert.deepEqual(kindsOf(history), ['restored', 'merged', 'created'])
    assert.equal(history.results[1].merged_into, survivor.id)
    assert.deepEqual(kindsOf(await historyOf(survivor.id)), ['updated', 'updated', 'created'])
  })

  it('keeps one entity apart from an earlier one that had the same id', async () => {
    const first = await create(aVenue('First', { id: 'VE-again' }))
    await service.delete('/entities/VE-again')
    const second = await create(aVenue('Second', { id: 'VE-again' }))

    assert.deepEqual(kindsOf(await historyOf('VE-again')), ['created'])
    assert.deepEqual(kindsOf(await historyOf(second._id)), ['created'])
    assert.deepEqual(kindsOf(await historyOf(first._id)), ['deleted', 'created'])
  })

  it('has no entry for a change that changed nothing', async () => {
    const { id } = await create(aVenue('Same'))
    await patch(`/entities/${id}`, { metadata: metadata({ name: 'Same' }) })

    assert.equal((await historyOf(id)).count, 1)
  })

  it('answers 404 for an entity that never was', async () => {
    assertProblem(await get('/entities/VE-never/history'), 'not_found')
  })

  it('changes nothing', async () => {
    const { id } = await create(aVenue())

    assert.deepEqual(await changesOf(service, () => historyOf(id)), [])
  })
})

describe('GET /entities/{id}/history: pages', () => {
  it('gives pages that can be followed to the end, each version compared with the one before it', async () => {
    const { id } = await create(aVenue('0'))
    for (let count = 1; count <= 6; count++)
      await patch(`/entities/${id}`, { metadata: metadata({ name: `${count}` }) })

    const seen: unknown[] = []
    let url: string | undefined = `/entities/${id}/history?limit=3`
    while (url !== undefined) {
      const { body } = await get(url)
      assert.equal(body.count, 7)
      seen.push(...body.results.map((each: { changes: { before: string[]; after: string[] }[] }) => each.changes[0]))
      url = body.next
    }

    assert.deepEqual(
      seen,
      [6, 5, 4, 3, 2, 1, 0].map(count => ({
        field: 'metadata',
        key: 'name',
        before: count === 0 ? [] : [`${count - 1}`],
        after: [`${count}`]
      }))
    )
  })

  it('says what it skipped, and has no next page at the end', async () => {
    const { id } = await create(aVenue('0'))
    await patch(`/entities/${id}`, { metadata: metadata({ name: '1' }) })

    const history = await historyOf(id, '?skip=1&limit=5')

    assert.deepEqual(versionsOf(history), [1])
    assert.deepEqual([history.skip, history.limit, history.next], [1, 5, undefined])
    assert.deepEqual((await historyOf(id, '?skip=9')).results, [])
  })

  it('gives only the count with limit=0', async () => {
    const { id } = await create(aVenue())
    const history = await historyOf(id, '?limit=0')

    assert.deepEqual([history.count, history.results, history.next], [1, [], undefined])
  })

  for (const query of ['?limit=-1', '?limit=1001', '?limit=x', '?skip=-1', '?skip=1.5']) {
    it(`refuses ${query}`, async () => {
      const { id } = await create(aVenue())

      assertProblem(await get(`/entities/${id}/history${query}`), 'bad_request')
    })
  }
})

describe('GET /entities/{id}/history: what a version changed', () => {
  it('tells each metadata key that was added, changed or removed, and no other', async () => {
    const { id } = await create(
      aVenue('De Roma', { metadata: metadata({ name: 'De Roma', city: 'Antwerpen', phone: '1' }) })
    )
    await put(`/entities/${id}`, {
      type: 'venue',
      metadata: metadata({ name: 'De Roma', city: 'Borgerhout', website: 'https://example.org' })
    })

    assert.deepEqual(await lastChanges(id), [
      { field: 'metadata', key: 'city', before: ['Antwerpen'], after: ['Borgerhout'] },
      { field: 'metadata', key: 'phone', before: ['1'], after: [] },
      { field: 'metadata', key: 'website', before: [], after: ['https://example.org'] }
    ])
  })

  it('tells all values of a key that is repeated, and values of any kind', async () => {
    const { id } = await create(aVenue('x', { metadata: metadata({ name: 'x', note: ['a', 'b'], capacity: 10 }) }))
    await patch(`/entities/${id}`, { metadata: [...metadata({ note: ['b', 'c', { deep: [1] }], capacity: 11 })] })

    assert.deepEqual(await lastChanges(id), [
      { field: 'metadata', key: 'note', before: ['a', 'b'], after: ['b', 'c', { deep: [1] }] },
      { field: 'metadata', key: 'capacity', before: [10], after: [11] }
    ])
  })

  it('tells one language from another', async () => {
    const name = [
      { key: 'name', value: 'Brussel', lang: 'nl' },
      { key: 'name', value: 'Bruxelles', lang: 'fr' }
    ]
    const { id } = await create(aVenue('', { metadata: name }))
    await patch(`/entities/${id}`, { metadata: [{ key: 'name', value: 'Bruxelles-ville', lang: 'fr' }] })

    assert.deepEqual(await lastChanges(id), [
      { field: 'metadata', key: 'name', lang: 'fr', before: ['Bruxelles'], after: ['Bruxelles-ville'] }
    ])
  })

  it('tells each relation that was added or removed, whole', async () => {
    const [first, second] = [await create(aVenue()), await create(aVenue())]
    const role = [{ key: 'role', value: 'premiere' }]
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: first.id }) }))
    await put(`/entities/${id}/relations`, [{ key: second.id, type: 'refVenues', metadata: role }])

    assert.deepEqual(await lastChanges(id), [
      {
        field: 'relation',
        type: 'refVenues',
        key: first.id,
        before: { key: first.id, type: 'refVenues' },
        after: null
      },
      {
        field: 'relation',
        type: 'refVenues',
        key: second.id,
        before: null,
        after: { key: second.id, type: 'refVenues', metadata: role }
      }
    ])
  })

  it('tells when only the metadata of a relation changed', async () => {
    const author = await create(aPerson())
    const as = (role: string) => [{ key: author.id, type: 'refAuthors', metadata: [{ key: 'role', value: role }] }]
    const { id } = await create(aWork('Hamlet', { relations: as('author') }))
    await patch(`/entities/${id}`, { relations: as('translator') })

    assert.deepEqual(await lastChanges(id), [
      { field: 'relation', type: 'refAuthors', key: author.id, before: as('author')[0], after: as('translator')[0] }
    ])
  })

  it('tells one relation type from another to the same entity', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    await patch(`/entities/${id}`, { relations: relations({ refRehearsedAt: venue.id }) })

    assert.deepEqual(await lastChanges(id), [
      {
        field: 'relation',
        type: 'refRehearsedAt',
        key: venue.id,
        before: null,
        after: { key: venue.id, type: 'refRehearsedAt' }
      }
    ])
  })

  it('tells identifiers that came and went', async () => {
    const { id } = await create(aVenue('x', { identifiers: ['urn:history:a', 'urn:history:b'] }))
    await put(`/entities/${id}`, { ...aVenue('x'), identifiers: ['urn:history:b', 'urn:history:c'] })

    assert.deepEqual(await lastChanges(id), [
      { field: 'identifier', before: 'urn:history:a', after: null },
      { field: 'identifier', before: null, after: 'urn:history:c' }
    ])
  })

  it('tells when only the order changed: of metadata, of relations, of identifiers', async () => {
    const [one, two] = [await create(aVenue()), await create(aVenue())]
    const given = {
      ...aProduction({ subtitle: 'x', status: 'concept' }),
      relations: relations({ refVenues: [one.id, two.id] }),
      identifiers: ['urn:history:1', 'urn:history:2']
    }
    const { id } = await create(given)
    const stored = (await get(`/entities/${id}`)).body

    await put(`/entities/${id}`, { ...stored, metadata: stored.metadata.toReversed() })
    assert.deepEqual(await lastChanges(id), [{ field: 'order', of: 'metadata' }])

    await put(`/entities/${id}/relations`, stored.relations.toReversed())
    assert.deepEqual(await lastChanges(id), [{ field: 'order', of: 'relations' }])

    await patch(
      `/entities/${id}`,
      { identifiers: ['urn:history:2', 'urn:history:1'] },
      { headers: { 'content-type': 'application/merge-patch+json' } }
    )
    assert.deepEqual(await lastChanges(id), [{ field: 'order', of: 'identifiers' }])
  })
})

describe('GET /entities/{id}/history: what a token may see', () => {
  it('does not exist for a token that may not read the type, also when it is deleted', async () => {
    const token = await service.tokenWith('read:person')
    const { id } = await create(aVenue())
    assertProblem(await get(`/entities/${id}/history`, { token }), 'not_found')

    await service.delete(`/entities/${id}`)
    assertProblem(await get(`/entities/${id}/history`, { token }), 'not_found')
  })

  it('is refused to a token that may read nothing', async () => {
    const { id } = await create(aVenue())

    assertProblem(await get(`/entities/${id}/history`, { token: await service.tokenWith('write') }), 'forbidden')
    assertProblem(await get(`/entities/${id}/history`, { token: undefined }), 'unauthenticated')
  })

  it('leaves out relations to types that a token may not read', async () => {
    const venue = await create(aVenue())
    const genre = await create({ type: 'genre', metadata: metadata({ name: 'drama' }) })
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id, refGenres: genre.id }) }))
    await put(`/entities/${id}/relations`, relations({ refGenres: genre.id }))

    const token = await service.tokenWith('read:production', 'read:genre')
    const history = await historyOf(id, '', token)

    assert.deepEqual(
      history.results.map((each: { changes: { field: string; type?: string }[] }) =>
        each.changes.filter(change => change.field !== 'metadata').map(change => change.type)
      ),
      [[], ['refGenres']]
    )
    assert.doesNotMatch(JSON.stringify(history), new RegExp(venue.id))
  })

  it('leaves them out also when what they pointed to was deleted since', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    await service.delete(`/entities/${venue.id}?references=detach`)

    const history = await historyOf(id, '', await service.tokenWith('read:production'))

    assert.equal(history.count, 2)
    assert.doesNotMatch(JSON.stringify(history), new RegExp(venue.id))
  })
})

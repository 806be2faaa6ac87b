import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { aProduction, aVenue, metadata, relations } from '../support/records/entities.ts'
import { changesOf } from '../support/records/changes.ts'
import { type Answer, start } from '../support/services/start.ts'
import { assertProblem, fieldOf, keysOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, patch, put } = service

const read = async (id: string): Promise<Entity> => (await get(`/entities/${id}`)).body

/**
 * A change made by somebody who has seen version 1, who asks to have it joined with what others did
 * since.
 */
const joining = (contentType = 'application/json', prefer: string | undefined = 'merge') => ({
  headers: {
    'if-match': '"1"',
    'content-type': contentType,
    ...(prefer === undefined ? {} : { prefer })
  }
})

/** A venue whose city somebody else changed since version 1: name "Old", city "Gent", phone "1". */
const editedVenue = async () => {
  const base = await create(aVenue('', { metadata: metadata({ name: 'Old', city: 'Brussel', phone: '1' }) }))
  await patch(`/entities/${base.id}`, { metadata: metadata({ city: 'Gent' }) })
  return base
}

const positionOf = (entity: Entity, key: string) => entity.metadata.findIndex(entry => entry.key === key)

/** Each way to set one field of an entity as it was at version 1. */
const ways: Readonly<Record<string, (base: Entity, key: string, value: string, prefer?: string) => Promise<Answer>>> = {
  'PATCH with lists': (base, key, value, prefer = 'merge') =>
    patch(`/entities/${base.id}`, { metadata: [{ key, value }] }, joining(undefined, prefer)),
  'PATCH with a merge patch': (base, key, value, prefer = 'merge') =>
    patch(
      `/entities/${base.id}`,
      { metadata: base.metadata.with(positionOf(base, key), { key, value }) },
      joining('application/merge-patch+json', prefer)
    ),
  'PATCH with a JSON Patch': (base, key, value, prefer = 'merge') =>
    patch(
      `/entities/${base.id}`,
      [
        { op: 'test', path: `/metadata/${positionOf(base, key)}/key`, value: key },
        { op: 'replace', path: `/metadata/${positionOf(base, key)}/value`, value }
      ],
      joining('application/json-patch+json', prefer)
    ),
  PUT: (base, key, value, prefer = 'merge') =>
    put(
      `/entities/${base.id}`,
      { ...base, metadata: base.metadata.with(positionOf(base, key), { key, value }) },
      joining(undefined, prefer)
    ),
  'PATCH of the metadata list': (base, key, value, prefer = 'merge') =>
    patch(`/entities/${base.id}/metadata`, [{ key, value }], joining(undefined, prefer))
}

for (const [way, set] of Object.entries(ways)) {
  describe(`Prefer: merge, ${way}`, () => {
    it('joins changes of different fields', async () => {
      const base = await editedVenue()

      const produced = await changesOf(service, async () => {
        const answer = await set(base, 'name', 'New')
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.headers.etag, '"3"')
      })

      assert.deepEqual(produced, [['entity.updated', base.id, 3]])
      assert.deepEqual((await read(base.id)).metadata, metadata({ name: 'New', city: 'Gent', phone: '1' }))
    })

    it('answers 412 with the fields in conflict when the same field was changed to something else', async () => {
      const base = await editedVenue()

      assert.deepEqual(
        await changesOf(service, async () => {
          const answer = await set(base, 'city', 'Brugge')
          assertProblem(answer, 'version_mismatch')
          assert.equal(answer.body.current_version, 2)
          assert.deepEqual(answer.body.conflicts, [
            { field: 'metadata', key: 'city', before: ['Brussel'], after: ['Brugge'] }
          ])
        }),
        []
      )
      assert.equal(fieldOf(await read(base.id), 'city'), 'Gent')
    })

    it('agrees when both made the same change, and writes nothing', async () => {
      const base = await editedVenue()

      assert.deepEqual(
        await changesOf(service, async () => {
          const answer = await set(base, 'city', 'Gent')
          assert.equal(answer.status, 200, answer.text)
          assert.equal(answer.headers.etag, '"2"')
        }),
        []
      )
    })

    it('answers 412 without it, also when the fields differ', async () => {
      const base = await editedVenue()

      assert.deepEqual(
        await changesOf(service, async () => {
          const answer = await set(base, 'name', 'New', 'return=representation')
          assertProblem(answer, 'version_mismatch')
          assert.deepEqual(answer.body.conflicts, [])
          assert.deepEqual(
            (await set(base, 'city', 'Brugge', 'return=representation')).body.conflicts.map(
              (each: { key: string }) => each.key
            ),
            ['city']
          )
        }),
        []
      )
    })
  })
}

describe('Prefer: merge', () => {
  it('joins over many versions, each field by itself', async () => {
    const base = await create(aVenue('', { metadata: metadata({ name: 'Old', city: 'a', phone: 'a', email: 'a' }) }))
    for (const value of ['b', 'c', 'd']) await patch(`/entities/${base.id}`, { metadata: metadata({ city: value }) })
    await patch(`/entities/${base.id}`, { metadata: metadata({ phone: 'b' }) })

    const answer = await patch(`/entities/${base.id}`, { metadata: metadata({ email: 'z' }) }, joining())

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.metadata, metadata({ name: 'Old', city: 'd', phone: 'b', email: 'z' }))
  })

  it('takes one language for another field than the next', async () => {
    const name = (nl: string, fr: string) => [
      { key: 'name', value: nl, lang: 'nl' },
      { key: 'name', value: fr, lang: 'fr' }
    ]
    const base = await create(aVenue('', { metadata: name('Gent', 'Gand') }))
    await patch(`/entities/${base.id}`, { metadata: [{ key: 'name', value: 'Gent!', lang: 'nl' }] })

    const joined = await patch(
      `/entities/${base.id}`,
      { metadata: [{ key: 'name', value: 'Gand!', lang: 'fr' }] },
      joining()
    )
    assert.deepEqual(joined.body.metadata, name('Gent!', 'Gand!'))

    const conflict = await patch(
      `/entities/${base.id}`,
      { metadata: [{ key: 'name', value: 'x', lang: 'nl' }] },
      joining()
    )
    assert.deepEqual(conflict.body.conflicts, [
      { field: 'metadata', key: 'name', lang: 'nl', before: ['Gent'], after: ['x'] }
    ])
  })

  it('joins relations: each (type, key) is a field, also when one side removed it', async () => {
    const ids: string[] = []
    for (let count = 0; count < 4; count++) ids.push((await create(aVenue())).id)
    const [a, b, c, d] = ids as [string, string, string, string]
    const base = await create(aProduction({}, { relations: relations({ refVenues: [a, b] }) }))
    await put(`/entities/${base.id}/relations`, relations({ refVenues: [b, c] }))

    const answer = await put(
      `/entities/${base.id}`,
      { ...base, relations: relations({ refVenues: [a, d] }) },
      joining()
    )

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(keysOf(answer.body, 'refVenues'), [c, d])
  })

  it('finds the conflict when both changed the metadata of a relation, or one changed what the other removed', async () => {
    const venue = await create(aVenue())
    const as = (role: string) => [{ key: venue.id, type: 'refVenues', metadata: [{ key: 'role', value: role }] }]
    const base = await create(aProduction({}, { relations: as('old') }))
    await patch(`/entities/${base.id}`, { relations: as('theirs') })

    const changed = await patch(`/entities/${base.id}`, { relations: as('mine') }, joining())
    const removed = await put(`/entities/${base.id}`, { ...base, relations: [] }, joining())

    for (const [answer, after] of [
      [changed, as('mine')[0]],
      [removed, null]
    ] as const) {
      assertProblem(answer, 'version_mismatch')
      assert.deepEqual(answer.body.conflicts, [
        { field: 'relation', type: 'refVenues', key: venue.id, before: as('old')[0], after }
      ])
    }
  })

  it('joins identifiers', async () => {
    const base = await create(aVenue('x', { identifiers: ['urn:join:a'] }))
    await patch(`/entities/${base.id}`, { identifiers: ['urn:join:b'] })

    const answer = await patch(`/entities/${base.id}`, { identifiers: ['urn:join:c'] }, joining())

    assert.deepEqual(answer.body.identifiers.slice(2), ['urn:join:a', 'urn:join:b', 'urn:join:c'])
  })

  it('checks the whole of what comes out', async () => {
    const base = await create(aProduction({ title: 'x', status: 'concept', description_short: 'y' }))
    await patch(
      `/entities/${base.id}`,
      { metadata: base.metadata.filter(entry => entry.key !== 'description_short') },
      { headers: { 'content-type': 'application/merge-patch+json' } }
    )

    assert.deepEqual(
      await changesOf(service, async () =>
        assertProblem(
          await patch(`/entities/${base.id}`, { metadata: metadata({ status: 'published' }) }, joining()),
          'invalid'
        )
      ),
      []
    )
  })

  it('answers 412 for a version that never was, one of several, a weak tag, or an entity that is gone', async () => {
    const base = await editedVenue()
    const body = { metadata: metadata({ name: 'New' }) }
    for (const tag of ['"9"', '"7", "8"', 'W/"1"', '"x"']) {
      const answer = await patch(`/entities/${base.id}`, body, { headers: { 'if-match': tag, prefer: 'merge' } })
      assertProblem(answer, 'version_mismatch')
    }
    await service.delete(`/entities/${base.id}`)

    assertProblem(await patch(`/entities/${base.id}`, body, joining()), 'not_found')
  })

  it('does as usual when the version named is the one there is, or none is named', async () => {
    const { id } = await create(aVenue('One'))
    const body = (name: string) => ({ metadata: metadata({ name }) })

    assert.equal((await patch(`/entities/${id}`, body('Two'), joining())).status, 200)
    assert.equal((await patch(`/entities/${id}`, body('Three'), { headers: { prefer: 'merge' } })).status, 200)
  })

  it('is heard among other preferences', async () => {
    const base = await editedVenue()
    const answer = await patch(
      `/entities/${base.id}`,
      { metadata: metadata({ name: 'New' }) },
      joining(undefined, 'return=representation, Merge')
    )

    assert.equal(answer.status, 200)
  })

  it('says what would come out with dry_run=1', async () => {
    const base = await editedVenue()

    assert.deepEqual(
      await changesOf(service, async () => {
        const answer = await patch(`/entities/${base.id}?dry_run=1`, { metadata: metadata({ name: 'New' }) }, joining())
        assert.deepEqual(answer.body.metadata, metadata({ name: 'New', city: 'Gent', phone: '1' }))
      }),
      []
    )
  })

  it('reads positions in a JSON Patch as the token saw them, and names no relation that it may not see', async () => {
    const genre = async () => (await create({ type: 'genre', metadata: metadata({ name: 'x' }) })).id
    const [venue, other] = [await create(aVenue()), await create(aVenue())]
    const [first, second] = [await genre(), await genre()]
    const base = await create(
      aProduction({}, { relations: relations({ refVenues: venue.id, refGenres: [first, second] }) })
    )
    await put(`/entities/${base.id}/relations`, relations({ refVenues: other.id, refGenres: [first, second] }))
    const token = await service.tokenWith('read:production', 'write:production', 'read:genre')

    const answer = await patch(`/entities/${base.id}`, [{ op: 'remove', path: '/relations/0' }], {
      ...joining('application/json-patch+json'),
      token
    })

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.relations, relations({ refGenres: second }))
    const whole = await read(base.id)
    assert.deepEqual(keysOf(whole, 'refVenues'), [other.id])
    assert.deepEqual(keysOf(whole, 'refGenres'), [second])
  })

  it('loses nothing when many who saw the same version change different fields at once', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `field_${index}`)
    const base = await create(aVenue('x'))

    const produced = await changesOf(service, async () => {
      const answers = await Promise.all(
        keys.map(key => patch(`/entities/${base.id}`, { metadata: metadata({ [key]: 'mine' }) }, joining()))
      )
      for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    })

    assert.deepEqual(
      produced,
      keys.map((_, index) => ['entity.updated', base.id, index + 2])
    )
    const entity = await read(base.id)
    for (const key of keys) assert.equal(fieldOf(entity, key), 'mine')
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import {
  anExpression,
  aPerson,
  aProduction,
  aRecord,
  aVenue,
  aWork,
  createBook,
  idsOf,
  metadata,
  relations
} from '../support/records/entities.ts'
import { changesAfter, changesOf, endOfFeed } from '../support/records/changes.ts'
import { type RequestOptions, start } from '../support/services/start.ts'
import {
  assertProblem,
  createOneOfEach,
  fieldOf,
  keysOf,
  pointersOf,
  smallest
} from '../support/records/write-cases.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'

const service = await start({ after })
const { create, get, post, put, patch } = service

const merge = (survivor: string, victim: unknown, more: object = {}, options: RequestOptions = {}, query = '') =>
  post(`/entities/${survivor}/merge${query}`, { victim_id: victim, ...more }, options)
const unmerge = (survivor: string, body: unknown = {}, options: RequestOptions = {}, query = '') =>
  post(`/entities/${survivor}/unmerge${query}`, body, options)

const read = async (id: string): Promise<Entity> => {
  const answer = await get(`/entities/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/**
 * The parts of an entity that a client decides. Undoing a merge restores exactly these; versions
 * and the time of the change continue.
 */
const heldBy = ({ version, audit, warnings, ...held }: Entity & { readonly warnings?: unknown }) => ({
  ...held,
  created: audit.created
})

const venuePair = async () => [await create(aVenue('Survivor')), await create(aVenue('Victim'))] as const

describe('POST /entities/{id}/merge', () => {
  it('answers who survived, who did not, and how many references point elsewhere now', async () => {
    const [survivor, victim] = await venuePair()
    const productions: Entity[] = []
    for (const title of ['one', 'two'])
      productions.push(await create(aProduction({ title }, { relations: relations({ refVenues: victim.id }) })))

    const produced = await changesOf(service, async () => {
      const answer = await merge(survivor.id, victim.id)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, { survivor_id: survivor.id, victim_id: victim.id, repointed_references: 2 })
    })

    assert.deepEqual(produced, [
      ['entity.merged', victim.id, 2],
      ['entity.updated', survivor.id, 2],
      ...productions.map(({ id }) => ['entity.updated', id, 2])
    ])
    for (const { id } of productions) assert.deepEqual(keysOf(await read(id), 'refVenues'), [survivor.id])
  })

  it('tells of the victim that it was merged, and into what', async () => {
    const [survivor, victim] = await venuePair()
    const since = await endOfFeed(service)
    await merge(survivor.id, victim.id)

    const [event] = await changesAfter(service, since)

    assert.equal(event?.type, 'entity.merged')
    assert.deepEqual([event.data.id, event.data._id, event.data.type], [victim.id, victim._id, 'venue'])
    assert.equal(event.data.merged_into, survivor.id)
    assert.equal(event.data.entity, undefined)
  })

  it('points every reference to the survivor, under each relation type, in its place and with its own metadata', async () => {
    const [survivor, victim] = [await create(aPerson('Survivor')), await create(aPerson('Victim'))]
    const [before, behind] = [await create(aPerson('Before')), await create(aPerson('Behind'))]
    const role = (name: string) => [{ key: 'role', value: name }]
    const { id } = await create(
      aWork('Hamlet', {
        relations: [
          { key: before.id, type: 'refAuthors' },
          { key: victim.id, type: 'refAuthors', metadata: role('author') },
          { key: behind.id, type: 'refAuthors' },
          { key: victim.id, type: 'refOwners', metadata: role('owner') }
        ]
      })
    )

    const produced = await changesOf(service, () => merge(survivor.id, victim.id))

    assert.deepEqual(produced, [
      ['entity.merged', victim.id, 2],
      ['entity.updated', survivor.id, 2],
      ['entity.updated', id, 2]
    ])
    assert.deepEqual((await read(id)).relations, [
      { key: before.id, type: 'refAuthors' },
      { key: survivor.id, type: 'refAuthors', metadata: role('author') },
      { key: behind.id, type: 'refAuthors' },
      { key: survivor.id, type: 'refOwners', metadata: role('owner') }
    ])
  })

  it('makes one of two references that become the same', async () => {
    const [survivor, victim] = await venuePair()
    const role = [{ key: 'role', value: 'first' }]
    const given = [
      { key: victim.id, type: 'refVenues', metadata: role },
      { key: survivor.id, type: 'refVenues' }
    ]
    const { id } = await create(aProduction({}, { relations: given }))

    const produced = await changesOf(service, () => merge(survivor.id, victim.id))

    assert.equal(produced.length, 3)
    assert.deepEqual((await read(id)).relations, [{ key: survivor.id, type: 'refVenues', metadata: role }])
    assert.equal((await get(`/entities/${survivor.id}/references`)).body.count, 1)
  })

  it('re-points those that name the victim by another of its identifiers', async () => {
    const id = 'PR-merge-dangling'
    await create(
      aProduction({}, { id, relations: relations({ refVenues: 'urn:merge:dangling' }) }),
      '?allow_dangling=1'
    )
    const survivor = await create(aVenue('Survivor'))
    const victim = await create(aVenue('Victim', { identifiers: ['urn:merge:dangling'] }))

    const answer = await merge(survivor.id, victim.id)

    assert.equal(answer.body.repointed_references, 1)
    assert.deepEqual(keysOf(await read(id), 'refVenues'), [survivor.id])
  })

  it('gives the survivor every identifier of the victim, so that old ids resolve in every path', async () => {
    const survivor = await create(aVenue('Survivor', { identifiers: ['urn:merge:s'] }))
    const victim = await create(aVenue('Victim', { identifiers: ['urn:merge:v'] }))
    const other = await create(aVenue('Other'))
    await merge(survivor.id, victim.id)

    assert.deepEqual((await read(survivor.id)).identifiers, [...survivor.identifiers, ...victim.identifiers])
    for (const identifier of victim.identifiers) {
      const url = `/entities/${identifier}`
      assert.equal((await get(url)).body.id, survivor.id, identifier)
      assert.equal((await get(`${url}?resolve=1`)).body.id, survivor.id)
      assert.equal((await get(`${url}/history`)).body.id, survivor.id)
      assert.equal((await get(`${url}/references`)).status, 200)
      assert.deepEqual((await get(`${url}/metadata`)).body, metadata({ name: 'Survivor' }))
      assert.deepEqual(idsOf((await get(`/entities?ids=${identifier}`)).body), [survivor.id])
      assert.deepEqual(idsOf((await service.filter([{ type: 'id', value: identifier }])).body), [survivor.id])
      const pointing = await create(aProduction({}, { relations: relations({ refVenues: identifier }) }))
      assert.deepEqual(keysOf(pointing, 'refVenues'), [survivor.id])
      assertProblem(await post('/entities', aVenue('x', { identifiers: [identifier] })), 'identifier_taken')
      assert.equal((await patch(url, { metadata: metadata({ name: 'Survivor' }) })).body.id, survivor.id)
      assertProblem(await merge(other.id, 'VE-never'), 'not_found')
    }
  })

  it('leads a WEM and a tree by the old ids to the survivors', async () => {
    const [one, two] = [await createBook(service), await createBook(service, { work: { fields: { title: 'Other' } } })]
    for (const level of ['work', 'expression', 'manifestation'] as const) {
      const answer = await merge(one[level], two[level])
      assert.equal(answer.status, 200, answer.text)
    }

    const wem = await get(`/entities/wem/${two.manifestation}`)
    assert.equal(wem.status, 200, wem.text)
    assert.deepEqual(wem.body, (await get(`/entities/wem/${one.manifestation}`)).body)
    assert.equal(wem.body.work.metadata.title.value, 'Hamlet')
    assert.equal((await get(`/entities/${two.work}/tree`)).body.count, 1)
  })

  it('shows the survivor in answers that showed the victim, at once', async () => {
    const [survivor, victim] = [await create(aPerson('Survivor')), await create(aPerson('Victim'))]
    const book = await createBook(service, { work: { relations: relations({ refAuthors: victim.id }) } })
    const url = `/entities/wem/${book.manifestation}`
    const { headers } = await get(url)
    await merge(survivor.id, victim.id)

    const wem = await get(url, { headers: { 'if-none-match': String(headers.etag) } })

    assert.equal(wem.status, 200)
    assert.deepEqual(Object.keys(wem.body.work.relations), [survivor.id])
  })

  it('keeps the survivor’s metadata and relations where the caller chooses none', async () => {
    const genre = await create(aRecord('genre', { name: 'drama' }))
    const survivor = await create(aProduction({ title: 'Survivor' }, { relations: relations({ refGenres: genre.id }) }))
    const venue = await create(aVenue())
    const victim = await create(
      aProduction({ title: 'Victim', subtitle: 'x' }, { relations: relations({ refVenues: venue.id }) })
    )
    await merge(survivor.id, victim.id)

    const merged = await read(survivor.id)
    assert.deepEqual(merged.metadata, survivor.metadata)
    assert.deepEqual(merged.relations, survivor.relations)
    assert.deepEqual(merged.audit.created, survivor.audit.created)
  })

  it('takes metadata and relations that the caller chooses', async () => {
    const [survivor, victim] = [await create(aPerson('Survivor')), await create(aPerson('Victim'))]
    const place = await create(aRecord('place', { name: 'Stratford' }))
    const chosen = {
      metadata: [...metadata({ name: 'Both', life_dates: '1564-1616' }), { key: 'note', value: 'x', lang: 'nl' }],
      relations: relations({ refBirthPlace: place._id })
    }

    const produced = await changesOf(service, () => merge(survivor.id, victim.id, chosen))

    assert.deepEqual(produced, [
      ['entity.merged', victim.id, 2],
      ['entity.updated', survivor.id, 2]
    ])
    const merged = await read(survivor.id)
    assert.deepEqual(merged.metadata, chosen.metadata)
    assert.deepEqual(merged.relations, relations({ refBirthPlace: place.id }))
  })

  it('refuses choices that do not fit the record type, with every fault, and does nothing', async () => {
    const [survivor, victim] = await venuePair()

    assert.deepEqual(
      await changesOf(service, async () => {
        const answer = await merge(survivor.id, victim.id, {
          metadata: metadata({ capacity: 'many' }),
          relations: relations({ refSeen: 'VE-never' })
        })
        assertProblem(answer, 'invalid')
        assert.deepEqual(pointersOf(answer).toSorted(), ['/metadata', '/metadata/0/value', '/relations/0/key'])
      }),
      []
    )
  })

  it('refuses other members, each by its pointer', async () => {
    const [survivor, victim] = await venuePair()
    assert.deepEqual(pointersOf(await merge(survivor.id, victim.id, { 'a/b': 1 })), ['/a~1b'])
  })

  it('leaves no reference from one of the two to the other, nor to itself', async () => {
    const survivor = await create(aWork('Survivor', { id: 'W-merge-s' }))
    const victim = await create(aWork('Victim', { relations: relations({ refRelatedWorks: survivor.id }) }))
    await put(`/entities/${survivor.id}`, aWork('Survivor', { relations: relations({ refRelatedWorks: victim.id }) }))

    const produced = await changesOf(service, async () => {
      assert.equal((await merge(survivor.id, victim.id)).body.repointed_references, 0)
    })

    assert.deepEqual(produced, [
      ['entity.merged', victim.id, 2],
      ['entity.updated', survivor.id, 3]
    ])
    assert.deepEqual((await read(survivor.id)).relations, [])
    assert.equal((await get(`/entities/${survivor.id}/references`)).body.count, 0)
  })

  it('works for every type', async t => {
    const own = await start(t)
    const targets = await createOneOfEach(own)
    for (const recordType of builtInRecordTypes) {
      const survivor = await own.create(smallest(recordType, targets))
      const victim = await own.create(smallest(recordType, targets))
      const merged = await own.post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })
      assert.equal(merged.status, 200, merged.text)
      assert.equal((await own.get(`/entities/${victim.id}`)).body.id, survivor.id)
      const unmerged = await own.post(`/entities/${survivor.id}/unmerge`, {})
      assert.equal(unmerged.status, 200, unmerged.text)
      assert.deepEqual(heldBy((await own.get(`/entities/${victim.id}`)).body), heldBy(victim))
      assert.deepEqual(heldBy((await own.get(`/entities/${survivor.id}`)).body), heldBy(survivor))
    }
  })

  it('merges subtypes of one family, and refuses those of different families', async () => {
    const word = await create(aWork('Word'))
    const music = await create(aWork('Music', { type: 'work_music' }))
    const expression = await create(anExpression(word.id))
    const venue = await create(aVenue())

    assert.deepEqual(
      await changesOf(service, async () => {
        for (const [survivor, victim] of [
          [word.id, expression.id],
          [expression.id, word.id],
          [word.id, venue.id]
        ] as const) {
          const answer = await merge(survivor, victim)
          assertProblem(answer, 'invalid')
          assert.deepEqual(pointersOf(answer), ['/victim_id'])
        }
      }),
      []
    )
    assert.equal((await merge(word.id, music.id)).status, 200)
  })

  it('refuses to merge an entity into itself, by whichever names', async () => {
    const { id, _id, identifiers } = await create(aVenue('x', { identifiers: ['urn:merge:self'] }))

    assert.deepEqual(
      await changesOf(service, async () => {
        for (const one of identifiers)
          for (const other of [id, _id]) {
            const answer = await merge(one, other)
            assertProblem(answer, 'invalid')
            assert.deepEqual(pointersOf(answer), ['/victim_id'])
          }
      }),
      []
    )
  })

  it('does not merge twice', async () => {
    const [survivor, victim] = await venuePair()
    await merge(survivor.id, victim.id)

    assert.deepEqual(
      await changesOf(service, async () => assertProblem(await merge(survivor.id, victim.id), 'invalid')),
      []
    )
  })

  for (const body of [
    {},
    { victim_id: 1 },
    { victim_id: null },
    [],
    '"x"',
    { victim_id: 'x', other: 1 },
    { victim_id: 'x', metadata: 1 }
  ]) {
    it(`refuses the body ${JSON.stringify(body)}`, async () => {
      const { id } = await create(aVenue())

      assert.deepEqual(
        await changesOf(service, async () => assert.equal((await post(`/entities/${id}/merge`, body)).status, 400)),
        []
      )
    })
  }

  it('answers 404 for a survivor or a victim that is not there', async () => {
    const { id } = await create(aVenue())

    assertProblem(await merge('VE-never', id), 'not_found')
    assertProblem(await merge(id, 'VE-never'), 'not_found')
  })

  it('says what would happen with dry_run=1 and "good" with soft=1, and does nothing', async () => {
    const [survivor, victim] = await venuePair()
    await create(aProduction({}, { relations: relations({ refVenues: victim.id }) }))

    assert.deepEqual(
      await changesOf(service, async () => {
        const dry = await merge(survivor.id, victim.id, {}, {}, '?dry_run=1')
        assert.deepEqual(dry.body, { survivor_id: survivor.id, victim_id: victim.id, repointed_references: 1 })
        assert.equal((await merge(survivor.id, victim.id, {}, {}, '?soft=1')).body, 'good')
      }),
      []
    )
    assert.deepEqual(await read(victim.id), victim)
    assertProblem(await unmerge(survivor.id), 'not_found')
  })

  it('checks If-Match against the survivor', async () => {
    const [survivor, victim] = await venuePair()

    assert.deepEqual(
      await changesOf(service, async () => {
        const answer = await merge(survivor.id, victim.id, {}, { headers: { 'if-match': '"2"' } })
        assertProblem(answer, 'version_mismatch')
        assert.equal(answer.body.current_version, 1)
      }),
      []
    )
    assert.equal((await merge(survivor.id, victim.id, {}, { headers: { 'if-match': '"1"' } })).status, 200)
  })

  it('needs to write both, to delete the victim, and to write everything that points to it', async () => {
    const [survivor, victim] = await venuePair()
    await create(aProduction({}, { relations: relations({ refVenues: victim.id }) }))
    const refusals: [string[], 'forbidden' | 'not_found'][] = [
      [['read'], 'forbidden'],
      [['read', 'write'], 'forbidden'],
      [['read', 'delete'], 'forbidden'],
      [['read', 'write:venue', 'delete:venue'], 'forbidden'],
      [['read:person', 'write:person', 'delete:person'], 'not_found']
    ]

    assert.deepEqual(
      await changesOf(service, async () => {
        for (const [scopes, code] of refusals)
          assertProblem(await merge(survivor.id, victim.id, {}, { token: await service.tokenWith(...scopes) }), code)
      }),
      []
    )
    const token = await service.tokenWith('read', 'write:venue', 'delete:venue', 'write:production')
    assert.equal((await merge(survivor.id, victim.id, {}, { token })).status, 200)
  })

  it('keeps relations of the survivor that the token may not see, whatever the caller chooses', async () => {
    const agency = await create(aRecord('booking_agency', { name: 'Agency' }))
    const survivor = await create(aVenue('Survivor', { relations: relations({ refAgency: agency.id }) }))
    const victim = await create(aVenue('Victim'))
    const token = await service.tokenWith('read:venue', 'write:venue', 'delete:venue')

    const answer = await merge(survivor.id, victim.id, { relations: [] }, { token })

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(keysOf(await read(survivor.id), 'refAgency'), [agency.id])
  })

  it('loses no reference that is made at the same time', async () => {
    const [survivor, victim] = await venuePair()
    const production = (title: string) => aProduction({ title }, { relations: relations({ refVenues: victim.id }) })

    const [merged, ...written] = await Promise.all([
      merge(survivor.id, victim.id),
      ...Array.from({ length: 10 }, (_, index) => post('/entities', production(`at once ${index}`)))
    ])

    assert.equal(merged?.status, 200, merged?.text)
    for (const { status, body } of written) {
      assert.equal(status, 201)
      assert.deepEqual(keysOf(await read(body.id), 'refVenues'), [survivor.id])
    }
    const { count } = (await get(`/entities/${survivor.id}/references`)).body
    assert.equal(count, written.length)
  })
})

describe('GET /entities/{id}/references after a merge', () => {
  it('counts what pointed to either, by relation type', async () => {
    const [survivor, victim] = [await create(aPerson('Survivor')), await create(aPerson('Victim'))]
    await create(aWork('one', { relations: relations({ refAuthors: survivor.id }) }))
    await create(aWork('two', { relations: relations({ refAuthors: victim.id, refOwners: victim.id }) }))
    await create(aWork('three', { relations: relations({ refOwners: [survivor.id, victim.id] }) }))
    await merge(survivor.id, victim.id)

    for (const id of [survivor.id, victim.id]) {
      const { body } = await get(`/entities/${id}/references`)
      assert.equal(body.count, 4)
      assert.deepEqual(body.count_by_relation, { refAuthors: 2, refOwners: 2 })
    }
  })
})

describe('POST /entities/{id}/unmerge', () => {
  it('restores a relation to a record that was merged since as it was; linked data and Dublin Core name the survivor', async () => {
    const [other, gone] = [await create(aVenue('Other house')), await create(aVenue('House that went'))]
    const survivor = await create(aProduction({ title: 'Survivor' }))
    const victim = await create(aProduction({ title: 'Victim' }, { relations: relations({ refVenues: gone.id }) }))
    await merge(survivor.id, victim.id)
    await merge(other.id, gone.id)

    assert.equal((await unmerge(survivor.id)).status, 200)

    assert.deepEqual(keysOf(await read(victim.id), 'refVenues'), [gone.id])
    const [triples, dublinCore] = await Promise.all(
      ['ntriples', 'dc'].map(async format => (await get(`/entities/${victim.id}?format=${format}`)).text)
    )
    assert.match(triples ?? '', new RegExp(`/entities/${other.id}>`))
    assert.doesNotMatch(triples ?? '', new RegExp(`/entities/${gone.id}>`))
    assert.match(dublinCore ?? '', /Other house/)
    // The end of the other merge leads there again.
    assert.equal((await unmerge(other.id)).status, 200)
    assert.equal((await read(String(keysOf(await read(victim.id), 'refVenues')[0]))).id, gone.id)
  })

  it('brings back both records and every reference exactly', async () => {
    const author = await create(aPerson('Author'))
    const survivor = await create(
      aWork('Survivor', { relations: relations({ refAuthors: author.id }), identifiers: ['urn:unmerge:s'] })
    )
    const victim = await create(
      aWork('Victim', {
        metadata: [...metadata({ title: 'Victim', note: ['a', 'b'] }), { key: 'note', value: 'c', lang: 'nl' }],
        relations: relations({ refAuthors: author.id, refRelatedWorks: survivor.id }),
        identifiers: ['urn:unmerge:v']
      })
    )
    await patch(`/entities/${survivor.id}`, { relations: relations({ refRelatedWorks: victim.id }) })
    const both = await create(
      aWork('Both', {
        relations: [
          { key: victim.id, type: 'refRelatedWorks', metadata: [{ key: 'role', value: 'victim' }] },
          { key: survivor.id, type: 'refRelatedWorks', metadata: [{ key: 'role', value: 'survivor' }] }
        ]
      })
    )
    const expression = await create(anExpression(victim.id))
    const ids = [survivor.id, victim.id, both.id, expression.id, author.id]
    const before = await Promise.all(ids.map(read))
    await merge(survivor.id, victim.id, { metadata: metadata({ title: 'Chosen' }), relations: [] })

    const produced = await changesOf(service, async () => {
      const answer = await unmerge(survivor.id)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, { survivor_id: survivor.id, victim_id: victim.id, restored_references: 2 })
    })

    assert.deepEqual((await Promise.all(ids.map(read))).map(heldBy), before.map(heldBy))
    assert.deepEqual(
      produced.toSorted(byId),
      [
        ['entity.updated', survivor.id, 4],
        ['entity.updated', both.id, 3],
        ['entity.updated', expression.id, 3],
        ['entity.created', victim.id, 3]
      ].toSorted(byId)
    )
    for (const identifier of victim.identifiers) assert.equal((await read(identifier)).id, victim.id)
    for (const identifier of survivor.identifiers) assert.equal((await read(identifier)).id, survivor.id)
  })

  it('lists the victim again where it stood', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await create(aRecord('season', { name }))).id)
    await merge(String(ids[2]), String(ids[0]))
    assert.deepEqual(idsOf((await get('/entities?type=season')).body), ids.slice(1))
    await unmerge(String(ids[2]))

    assert.deepEqual(idsOf((await get('/entities?type=season')).body), ids)
  })

  it('keeps what was edited since, and takes back only what the merge did', async () => {
    const [survivor, victim] = await venuePair()
    const [kept, added] = [await create(aVenue('Kept')), await create(aVenue('Added'))]
    const { id } = await create(
      aProduction({ title: 'Old' }, { relations: relations({ refVenues: [victim.id, kept.id] }) })
    )
    await merge(survivor.id, victim.id, { metadata: metadata({ name: 'Merged', city: 'Gent' }) })
    await patch(`/entities/${survivor.id}`, {
      metadata: metadata({ phone: 'edited' }),
      identifiers: ['urn:unmerge:edited']
    })
    await patch(`/entities/${id}`, {
      metadata: metadata({ title: 'New' }),
      relations: relations({ refVenues: added.id })
    })

    const produced = await changesOf(service, () => unmerge(survivor.id))

    assert.deepEqual(
      produced.toSorted(byId),
      [
        ['entity.updated', survivor.id, 4],
        ['entity.updated', id, 4],
        ['entity.created', victim.id, 3]
      ].toSorted(byId)
    )
    const production = await read(id)
    assert.equal(fieldOf(production, 'title'), 'New')
    assert.deepEqual(keysOf(production, 'refVenues'), [victim.id, kept.id, added.id])
    const back = await read(survivor.id)
    assert.deepEqual(back.metadata, metadata({ name: 'Survivor', phone: 'edited' }))
    assert.deepEqual(back.identifiers, [...survivor.identifiers, 'urn:unmerge:edited'])
    assert.deepEqual(heldBy(await read(victim.id)), heldBy(victim))
  })

  it('does not bring back relations to records that were deleted or purged since, and names them', async () => {
    const [survivor, victim] = [await create(aProduction({})), await create(aProduction({}))]
    const venues = [await create(aVenue()), await create(aVenue()), await create(aVenue())]
    const [stays, goes, purged] = venues.map(({ id }) => id)
    await put(`/entities/${victim.id}/relations`, relations({ refVenues: venues.map(({ id }) => id) }))
    await merge(survivor.id, victim.id)
    for (const id of [goes, purged]) await service.delete(`/entities/${id}`)
    assert.equal((await service.delete(`/entities/${purged}?purge=1`)).status, 204)

    for (const query of ['?dry_run=1', '']) {
      const { status, text, body } = await post(`/entities/${survivor.id}/unmerge${query}`, {})
      assert.equal(status, 200, text)
      assert.deepEqual(
        body.warnings.map(({ code, value }: Record<string, string>) => [code, value]),
        [goes, purged].map(key => ['missing_target', key])
      )
    }

    assert.deepEqual(
      (await read(victim.id)).relations.map(each => each.key),
      [stays]
    )
    const [restored] = (await service.get(`/entities/${victim.id}/history`)).body.results
    const lost = restored.changes.filter((each: Record<string, unknown>) => each.after === null)
    assert.deepEqual(
      lost.map(({ key }: Record<string, string>) => key),
      [goes, purged]
    )
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  it('does not bring back a reference that was taken out since, nor a record that was deleted', async () => {
    const [survivor, victim] = await venuePair()
    const pointing = () => create(aProduction({}, { relations: relations({ refVenues: victim.id }) }))
    const [removed, deleted] = [await pointing(), await pointing()]
    await merge(survivor.id, victim.id)
    await put(`/entities/${removed.id}/relations`, [])
    await service.delete(`/entities/${deleted.id}`)

    const produced = await changesOf(service, async () => {
      assert.equal((await unmerge(survivor.id)).body.restored_references, 0)
    })

    assert.deepEqual(produced, [
      ['entity.updated', survivor.id, 3],
      ['entity.created', victim.id, 3]
    ])
    assert.deepEqual((await read(removed.id)).relations, [])
  })

  it('takes back the newest merge, or the one of the victim that is named, in any order', async () => {
    const survivor = await create(aVenue('Survivor'))
    const victims = [await create(aVenue('First')), await create(aVenue('Second')), await create(aVenue('Third'))]
    const [first, second, third] = victims.map(({ id }) => id) as [string, string, string]
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: [third, first, second] }) }))
    for (const victim of victims) await merge(survivor.id, victim.id)
    assert.deepEqual(keysOf(await read(id), 'refVenues'), [survivor.id])

    assert.equal((await unmerge(survivor.id, { victim_id: second })).body.victim_id, second)
    assert.deepEqual(keysOf(await read(id), 'refVenues').toSorted(), [survivor.id, second].toSorted())
    assert.equal((await unmerge(survivor.id)).body.victim_id, third)
    assert.equal((await unmerge(survivor.id, { victim_id: first })).body.victim_id, first)

    assert.deepEqual(keysOf(await read(id), 'refVenues'), [third, first, second])
    assert.deepEqual(heldBy(await read(survivor.id)), heldBy(survivor))
    for (const victim of victims) assert.deepEqual(heldBy(await read(victim.id)), heldBy(victim))
  })

  it('takes back a chain from its end: C was merged into B, B into A', async () => {
    const [a, b, c] = [await create(aVenue('A')), await create(aVenue('B')), await create(aVenue('C'))]
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: c.id }) }))
    await merge(b.id, c.id)
    await merge(a.id, b.id)
    for (const each of [b, c]) for (const name of each.identifiers) assert.equal((await read(name)).id, a.id)
    assert.deepEqual(keysOf(await read(id), 'refVenues'), [a.id])
    assertProblem(await unmerge(a.id, { victim_id: c.id }), 'not_found')

    await unmerge(a.id)
    assert.equal((await read(c.id)).id, b.id)
    assert.deepEqual(keysOf(await read(id), 'refVenues'), [b.id])
    await unmerge(b.id)

    assert.deepEqual(keysOf(await read(id), 'refVenues'), [c.id])
    for (const each of [a, b, c]) assert.deepEqual(heldBy(await read(each.id)), heldBy(each))
  })

  it('takes a merge back once', async () => {
    const [survivor, victim] = await venuePair()
    await merge(survivor.id, victim.id)
    await unmerge(survivor.id)

    assert.deepEqual(
      await changesOf(service, async () => {
        assertProblem(await unmerge(survivor.id), 'not_found')
        assertProblem(await unmerge(survivor.id, { victim_id: victim.id }), 'not_found')
      }),
      []
    )
  })

  it('happens once when several ask at the same time', async () => {
    const [survivor, victim] = await venuePair()
    await merge(survivor.id, victim.id)

    const produced = await changesOf(service, async () => {
      const statuses = (await Promise.all(Array.from({ length: 4 }, () => unmerge(survivor.id)))).map(
        each => each.status
      )
      assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404])
    })

    assert.equal(produced.length, 2)
  })

  it('can be merged again after it was taken back', async () => {
    const [survivor, victim] = await venuePair()
    await merge(survivor.id, victim.id)
    await unmerge(survivor.id)

    const produced = await changesOf(service, () => merge(survivor.id, victim.id))

    assert.deepEqual(produced, [
      ['entity.merged', victim.id, 4],
      ['entity.updated', survivor.id, 4]
    ])
    assert.equal((await unmerge(survivor.id)).status, 200)
    assert.deepEqual(heldBy(await read(victim.id)), heldBy(victim))
  })

  it('takes an empty body, refuses other members, and answers 404 for what is not there or was never merged', async () => {
    const [survivor, victim] = await venuePair()
    assertProblem(await unmerge(survivor.id), 'not_found')
    assertProblem(await unmerge('VE-never'), 'not_found')
    await merge(survivor.id, victim.id)

    for (const body of [{ victim: victim.id }, { victim_id: 1 }, []])
      assertProblem(await unmerge(survivor.id, body), 'invalid')
    assert.deepEqual(pointersOf(await unmerge(survivor.id, { 'a/b': 1 })), ['/a~1b'])
    assert.equal((await service.call('POST', `/entities/${survivor.id}/unmerge`)).status, 200)
  })

  it('says what would happen with dry_run=1 and "good" with soft=1, and does nothing', async () => {
    const [survivor, victim] = await venuePair()
    await merge(survivor.id, victim.id)

    assert.deepEqual(
      await changesOf(service, async () => {
        const dry = await unmerge(survivor.id, {}, {}, '?dry_run=1')
        assert.deepEqual(dry.body, { survivor_id: survivor.id, victim_id: victim.id, restored_references: 0 })
        assert.equal((await unmerge(survivor.id, {}, {}, '?soft=1')).body, 'good')
      }),
      []
    )
    assert.equal((await read(victim.id)).id, survivor.id)
  })

  it('checks If-Match against the survivor', async () => {
    const [survivor, victim] = await venuePair()
    await merge(survivor.id, victim.id)

    assert.deepEqual(
      await changesOf(service, async () =>
        assertProblem(await unmerge(survivor.id, {}, { headers: { 'if-match': '"1"' } }), 'version_mismatch')
      ),
      []
    )
    assert.equal((await unmerge(survivor.id, {}, { headers: { 'if-match': '"2"' } })).status, 200)
  })

  it('needs to write everything that the merge had changed', async () => {
    const [survivor, victim] = await venuePair()
    await create(aProduction({}, { relations: relations({ refVenues: victim.id }) }))
    await merge(survivor.id, victim.id)

    assert.deepEqual(
      await changesOf(service, async () => {
        for (const scopes of [['read'], ['read', 'write:venue'], ['read', 'write:production']])
          assertProblem(await unmerge(survivor.id, {}, { token: await service.tokenWith(...scopes) }), 'forbidden')
      }),
      []
    )
    const token = await service.tokenWith('read', 'write:venue', 'write:production')
    assert.equal((await unmerge(survivor.id, {}, { token })).status, 200)
  })

  it('is refused when a name of the victim is another’s since', async () => {
    const survivor = await create(aVenue('Survivor'))
    const victim = await create(aVenue('Victim', { identifiers: ['urn:unmerge:taken'] }))
    await merge(survivor.id, victim.id)
    const merged = await read(survivor.id)
    await put(`/entities/${survivor.id}`, { ...merged, identifiers: merged.identifiers.slice(0, -1) })
    await create(aVenue('Other', { identifiers: ['urn:unmerge:taken'] }))

    assert.deepEqual(
      await changesOf(service, async () => assertProblem(await unmerge(survivor.id), 'identifier_taken')),
      []
    )
  })

  it('works after the survivor was deleted and brought back', async () => {
    const [survivor, victim] = await venuePair()
    await merge(survivor.id, victim.id)
    await service.delete(`/entities/${survivor.id}`)
    assertProblem(await unmerge(survivor.id), 'not_found')
    await post(`/entities/${survivor.id}/revert`, { version: 2 })

    assert.equal((await unmerge(survivor.id)).status, 200)
    assert.deepEqual(heldBy(await read(victim.id)), heldBy(victim))
    assert.deepEqual(heldBy(await read(survivor.id)), heldBy(survivor))
  })
})

function byId(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[1]) < String(other[1]) ? -1 : 1
}

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

import type { ChangeEvent } from '#domain/events/change-event.ts'
import {
  aManifestation,
  anExpression,
  aPerson,
  aProduction,
  aVenue,
  aWork,
  metadata,
  relations
} from '../support/records/entities.ts'
import { changesAfter, changesOf, endOfFeed, moment, nameOf } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, pointersOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post, patch } = service

const page = async (query: string, token?: string) => {
  const answer = await get(`/changes${query}`, token === undefined ? {} : { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { changes: ChangeEvent[]; cursor: string; more: boolean }
}

/** A token for a service of its own, and everything it hears of. */
const heardBy = async (token: string, since: string, query = '') =>
  (await page(`?since=${since}${query}`, token)).changes

/**
 * The requirements of CloudEvents 1.0 for an event in JSON: the four required attributes, the forms
 * of the optional ones, and names of lower-case letters and digits only.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 */
const cloudEvent = {
  type: 'object',
  required: ['id', 'source', 'specversion', 'type'],
  properties: {
    id: { type: 'string', minLength: 1 },
    source: { type: 'string', format: 'uri-reference', minLength: 1 },
    specversion: { const: '1.0' },
    type: { type: 'string', minLength: 1 },
    datacontenttype: { type: 'string', pattern: '^[a-z]+/[a-z0-9.+-]+$' },
    dataschema: { type: 'string', format: 'uri', minLength: 1 },
    subject: { type: 'string', minLength: 1 },
    time: { type: 'string', format: 'date-time', minLength: 1 },
    data: {},
    data_base64: { type: 'string' }
  },
  propertyNames: { anyOf: [{ pattern: '^[a-z0-9]{1,20}$' }, { enum: ['datacontenttype', 'data_base64'] }] },
  not: { required: ['data', 'data_base64'] }
}

describe('GET /changes', () => {
  it('tells everything that was done, in order, each once', async t => {
    const own = await start(t)
    const venue = await own.create(aVenue('One'))
    const production = await own.create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    await own.patch(`/entities/${venue.id}`, { metadata: metadata({ name: 'Two' }) })
    await own.patch(`/entities/${venue.id}`, { metadata: metadata({ name: 'Two' }) })
    await own.put(`/entities/${production.id}/relations`, [])
    await own.delete(`/entities/${venue.id}`)
    await own.post(`/entities/${venue.id}/revert`, { version: 1 })
    const other = await own.create(aVenue('Other'))
    await own.post(`/entities/${venue.id}/merge`, { victim_id: other.id })

    const { body } = await own.get('/changes')

    assert.deepEqual(body.changes.map(nameOf), [
      ['entity.created', venue.id, 1],
      ['entity.created', production.id, 1],
      ['entity.updated', venue.id, 2],
      ['entity.updated', production.id, 2],
      ['entity.deleted', venue.id, 3],
      ['entity.created', venue.id, 4],
      ['entity.created', other.id, 1],
      ['entity.merged', other.id, 2],
      ['entity.updated', venue.id, 5]
    ])
    assert.equal(body.more, false)
    assert.equal(body.cursor, body.changes.at(-1).id)
  })

  it('gives each change as a CloudEvent with the entity as the change left it', async () => {
    const since = await endOfFeed(service)
    const created = await create(aVenue('One', { identifiers: ['urn:changes:one'] }))
    const updated = (await patch(`/entities/${created.id}`, { metadata: metadata({ name: 'Two' }) })).body
    await service.delete(`/entities/${created.id}`)

    const [first, second, third] = await changesAfter(service, since)

    const common = { specversion: '1.0', source: '/entities', subject: created.id, datacontenttype: 'application/json' }
    const about = { id: created.id, _id: created._id, type: 'venue', by: 'token:admin' }
    assert.deepEqual(first, {
      ...common,
      id: first?.id,
      type: 'entity.created',
      time: created.audit.created.at,
      data: { ...about, version: 1, entity: created }
    })
    assert.deepEqual(second, {
      ...common,
      id: second?.id,
      type: 'entity.updated',
      time: updated.audit.updated.at,
      data: { ...about, version: 2, entity: updated }
    })
    assert.deepEqual(third, {
      ...common,
      id: third?.id,
      type: 'entity.deleted',
      time: third?.time,
      data: { ...about, version: 3 }
    })
    assert.equal(new Set([first?.id, second?.id, third?.id]).size, 3)
  })

  it('keeps to the rules of CloudEvents 1.0, for every kind of change', async () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
    formats.default(ajv)
    const validate = ajv.compile(cloudEvent)
    const [survivor, victim] = [await create(aVenue('Survivor')), await create(aVenue('Victim'))]
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })
    await service.delete(`/entities/${survivor.id}`)

    const events = await changesAfter(service)

    assert.deepEqual([...new Set(events.map(event => event.type))].toSorted(), [
      'entity.created',
      'entity.deleted',
      'entity.merged',
      'entity.updated'
    ])
    for (const event of events) assert.ok(validate(event), ajv.errorsText(validate.errors))
    assert.equal(new Set(events.map(event => `${event.source} ${event.id}`)).size, events.length)
  })

  it('names the public address as the source where there is one', async t => {
    const own = await start(t, { PUBLIC_URL: 'https://catalogue.example.org' })
    await own.create(aVenue())

    assert.equal((await own.get('/changes')).body.changes[0].source, 'https://catalogue.example.org/entities')
  })

  it('goes on after any event, and says when there is no more', async () => {
    const since = await endOfFeed(service)
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push((await create(aVenue(`${count}`))).id)

    const first = await page(`?since=${since}&limit=2`)
    assert.deepEqual(
      first.changes.map(event => event.subject),
      ids.slice(0, 2)
    )
    assert.equal(first.more, true)
    assert.equal(first.cursor, first.changes[1]?.id)
    const second = await page(`?since=${first.changes[0]?.id}&limit=1000`)
    assert.deepEqual(
      second.changes.map(event => event.subject),
      ids.slice(1)
    )
    assert.equal(second.more, false)
    assert.deepEqual(await page(`?since=${second.cursor}`), { changes: [], cursor: second.cursor, more: false })
  })

  it('starts at the beginning without a cursor, 100 at a time', async t => {
    const own = await start(t)
    assert.deepEqual((await own.get('/changes')).body.changes, [])
    const lines = Array.from({ length: 101 }, (_, index) => ({ op: 'create', ...aVenue(`${index}`) }))
    await own.post('/entities/batch?atomic=1', lines)

    const { body } = await own.get('/changes')

    assert.equal(body.changes.length, 100)
    assert.equal(body.more, true)
    assert.deepEqual((await own.get('/changes?since=')).body, body)
    assert.equal((await own.get(`/changes?since=${body.cursor}`)).body.changes.length, 1)
  })

  it('gives an empty feed a cursor that can be gone on from', async t => {
    const own = await start(t)
    const { cursor } = (await own.get('/changes')).body
    const { id } = await own.create(aVenue())

    assert.deepEqual((await own.get(`/changes?since=${cursor}`)).body.changes.map(nameOf), [['entity.created', id, 1]])
  })

  it('tells every change exactly once to one who reads pages while others write', async () => {
    const since = await endOfFeed(service)
    let isWriting = true
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        const ids: string[] = []
        for (let count = 0; count < 40; count++) {
          const answer = await post('/entities', aVenue(`${writer} ${count}`))
          ids.push(answer.body.id)
          if (count % 3 === 0) await patch(`/entities/${answer.body.id}`, { metadata: metadata({ city: 'x' }) })
          if (count % 5 === 0) await service.delete(`/entities/${answer.body.id}`)
        }
      })
    ).finally(() => {
      isWriting = false
    })

    const seen: ChangeEvent[] = []
    let cursor = since
    for (let more = true; more || isWriting; ) {
      const read = await page(`?since=${cursor}&limit=7`)
      seen.push(...read.changes)
      cursor = read.cursor
      more = read.more
    }
    await writing
    seen.push(...(await page(`?since=${cursor}&limit=1000`)).changes)

    assert.deepEqual(seen.map(nameOf), (await changesAfter(service, since)).map(nameOf))
    assert.equal(seen.length, 4 * (40 + 14 + 8))
    assert.equal(new Set(seen.map(event => event.id)).size, seen.length)
    const versions = new Map<string, number>()
    for (const { subject, data } of seen) {
      assert.equal(data.version, (versions.get(subject) ?? 0) + 1)
      versions.set(subject, data.version)
    }
  })

  it('does not tell of dry runs, refusals and changes of nothing', async () => {
    const { id } = await create(aVenue('Same'))

    assert.deepEqual(
      await changesOf(service, async () => {
        await post('/entities?dry_run=1', aVenue())
        await post('/entities', { type: 'venue' })
        await patch(`/entities/${id}`, { metadata: metadata({ name: 'Same' }) })
        await service.delete('/entities/VE-never')
      }),
      []
    )
  })

  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', `types=${'x'.repeat(2001)}`]) {
    it(`refuses ${query.slice(0, 20)}`, async () => {
      assertProblem(await get(`/changes?${query}`), 'bad_request')
    })
  }
})

describe('GET /changes?types=', () => {
  it('tells of entity types, umbrellas and kinds of change, or several at once', async () => {
    const since = await endOfFeed(service)
    const work = await create(aWork())
    const expression = await create(anExpression(work.id))
    const manifestation = await create(aManifestation(expression.id))
    const person = await create(aPerson())
    await patch(`/entities/${person.id}`, { metadata: metadata({ name: 'x' }) })
    await service.delete(`/entities/${person.id}`)
    await service.delete(`/entities/${manifestation.id}`)
    const heard = async (types: string) =>
      (await page(`?since=${since}&types=${types}`)).changes.map(({ type, subject }) => [type.slice(7), subject])

    assert.deepEqual(await heard('work'), [['created', work.id]])
    assert.deepEqual(await heard('expression_word'), [['created', expression.id]])
    assert.deepEqual(await heard('manifestation'), [
      ['created', manifestation.id],
      ['deleted', manifestation.id]
    ])
    assert.deepEqual(await heard('work_word,expression'), [
      ['created', work.id],
      ['created', expression.id]
    ])
    assert.deepEqual(await heard('entity.deleted'), [
      ['deleted', person.id],
      ['deleted', manifestation.id]
    ])
    assert.deepEqual(await heard('entity.deleted,entity.updated,person'), [
      ['updated', person.id],
      ['deleted', person.id]
    ])
    assert.deepEqual(await heard('entity.merged'), [])
  })

  it('moves the cursor past what was not asked for', async () => {
    const since = await endOfFeed(service)
    for (let count = 0; count < 3; count++) await create(aVenue())

    const { changes, cursor, more } = await page(`?since=${since}&types=person`)

    assert.deepEqual(changes, [])
    assert.equal(more, false)
    assert.equal(cursor, await endOfFeed(service))
  })

  for (const types of ['nonsense', 'entity.nonsense', 'venue,nonsense', 'entity.']) {
    it(`refuses types=${types}`, async () => {
      const answer = await get(`/changes?types=${types}`)

      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['types'])
    })
  }
})

describe('GET /changes?ids=', () => {
  it('tells of the entities named, by any identifier, deleted ones included', async () => {
    const since = await endOfFeed(service)
    const one = await create(aVenue('One', { identifiers: ['urn:changes:by-name'] }))
    const two = await create(aVenue('Two'))
    await create(aVenue('Three'))
    await patch(`/entities/${one.id}`, { metadata: metadata({ name: 'One!' }) })
    const heard = async (ids: string) => (await page(`?since=${since}&ids=${ids}`)).changes.map(nameOf)
    const ofOne = [
      ['entity.created', one.id, 1],
      ['entity.updated', one.id, 2]
    ]

    for (const identifier of one.identifiers) assert.deepEqual(await heard(identifier), ofOne, identifier)
    assert.deepEqual(await heard(`${one.id},${two._id}`), [ofOne[0], ['entity.created', two.id, 1], ofOne[1]])
    await service.delete(`/entities/${one.id}`)
    for (const identifier of one.identifiers)
      assert.deepEqual(await heard(identifier), [...ofOne, ['entity.deleted', one.id, 3]], identifier)
    assert.deepEqual(await heard('VE-never'), [])
    assert.deepEqual(await heard(''), [])
    assert.deepEqual(
      (await page(`?since=${since}&ids=${one.id}&types=entity.deleted`)).changes.map(event => event.type),
      ['entity.deleted']
    )
  })

  it('tells of a merge by the ids of both', async () => {
    const [survivor, victim] = [await create(aVenue('Survivor')), await create(aVenue('Victim'))]
    const since = await endOfFeed(service)
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })

    assert.deepEqual((await page(`?since=${since}&ids=${survivor.id}`)).changes.map(nameOf), [
      ['entity.updated', survivor.id, 2]
    ])
    const { changes } = await page(`?since=${since}&ids=${victim.id}`)
    assert.deepEqual(changes.map(nameOf), [
      ['entity.merged', victim.id, 2],
      ['entity.updated', survivor.id, 2]
    ])
    assert.deepEqual(
      changes.map(({ data }) => data.merged_into),
      [survivor.id, undefined]
    )
  })
})

describe('GET /changes: what a token may see', () => {
  it('tells of the types it may read, deletions and merges included, and of no others', async () => {
    const since = await endOfFeed(service)
    const token = await service.tokenWith('read:person', 'read:work')
    const person = await create(aPerson('Seen'))
    const venue = await create(aVenue('Not seen'))
    await service.delete(`/entities/${venue.id}`)
    const other = await create(aPerson('Merged'))
    await post(`/entities/${person.id}/merge`, { victim_id: other.id })
    await service.delete(`/entities/${person.id}`)

    const heard = await heardBy(token, since)

    assert.deepEqual(heard.map(nameOf), [
      ['entity.created', person.id, 1],
      ['entity.created', other.id, 1],
      ['entity.merged', other.id, 2],
      ['entity.updated', person.id, 2],
      ['entity.deleted', person.id, 3]
    ])
    assert.deepEqual(await heardBy(token, since, '&types=venue'), [])
    assert.deepEqual(await heardBy(token, since, `&ids=${venue.id}`), [])
  })

  it('leaves out relations to types it may not read, also when what they point to is deleted since', async () => {
    const [venue, gone] = [await create(aVenue()), await create(aVenue())]
    const genre = await create({ type: 'genre', metadata: metadata({ name: 'drama' }) })
    const since = await endOfFeed(service)
    await create(aProduction({}, { relations: relations({ refVenues: [venue.id, gone.id], refGenres: genre.id }) }))
    await service.delete(`/entities/${gone.id}?references=detach`)

    const heard = await heardBy(await service.tokenWith('read:production', 'read:genre'), since)

    assert.deepEqual(
      heard.map(event => event.data.entity?.relations),
      [relations({ refGenres: genre.id }), relations({ refGenres: genre.id })]
    )
  })

  it('does not name what a record was merged into when it may not read that', async () => {
    const survivor = await create(aWork('Survivor', { type: 'work_music' }))
    const victim = await create(aWork('Victim'))
    const since = await endOfFeed(service)
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })

    const [event] = await heardBy(await service.tokenWith('read:work_word'), since)

    assert.equal(event?.type, 'entity.merged')
    assert.equal(event.data.merged_into, undefined)
  })

  it('is refused without a token, and to one that may read nothing', async () => {
    assertProblem(await get('/changes', { token: undefined }), 'unauthenticated')
    assertProblem(await get('/changes', { token: await service.tokenWith('write') }), 'forbidden')
  })
})

describe('GET /changes: cursors that cannot be gone on from', () => {
  for (const since of [
    'nonsense',
    '0',
    '-1',
    '0123456789abcdef',
    '0123456789abcdef-',
    '0123456789abcdef-1x',
    'x'.repeat(90)
  ]) {
    it(`refuses since=${since.slice(0, 20)}`, async () => {
      const answer = await get(`/changes?since=${since}`)

      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['since'])
    })
  }

  /** A 410 must say where to go on after everything has been read again. */
  const assertExpired = async (own: typeof service, since: string) => {
    const answer = await own.get(`/changes?since=${since}`)
    assertProblem(answer, 'cursor_expired')
    assert.equal(answer.body.restart_cursor, await endOfFeed(own))
    return answer.body.restart_cursor as string
  }

  it('answers 410 to a cursor of another catalogue', async t => {
    const [one, other] = [await start(t), await start(t)]
    await one.create(aVenue())
    await other.create(aVenue())
    await other.create(aVenue())

    await assertExpired(other, await endOfFeed(one))
  })

  it('answers 410 to a cursor that lies ahead, as after a backup was brought back', async t => {
    const own = await start(t)
    await own.create(aVenue())
    const ahead = (await endOfFeed(own)).replace(/\d+$/, '99')

    const restart = await assertExpired(own, ahead)

    const { id } = await own.create(aVenue())
    assert.deepEqual((await own.get(`/changes?since=${restart}`)).body.changes.map(nameOf), [['entity.created', id, 1]])
  })

  it('answers 410 to a cursor older than what is kept, and goes on from there to the end', async t => {
    const own = await start(t)
    const start0 = await endOfFeed(own)
    await own.create(aVenue('1'))
    const old = await endOfFeed(own)
    await own.create(aVenue('2'))
    const last = await endOfFeed(own)
    const then = await moment()
    const kept = await own.create(aVenue('3'))
    assert.equal(await own.libretto.store.deleteChanges(then), 2)

    await assertExpired(own, start0)
    const restart = await assertExpired(own, old)
    assert.deepEqual((await own.get(`/changes?since=${last}`)).body.changes.map(nameOf), [
      ['entity.created', kept.id, 1]
    ])
    assert.deepEqual((await own.get('/changes')).body.changes.map(nameOf), [['entity.created', kept.id, 1]])
    assert.deepEqual((await own.get(`/changes?since=${restart}`)).body.changes, [])
  })

  it('leaves a catalogue that is sound and not new when changes were forgotten', async t => {
    const own = await start(t)
    await own.create(aVenue('1'))
    await own.libretto.store.deleteChanges(await moment())

    assert.deepEqual(await own.libretto.store.check(), { ok: true, entities: 1, problems: [], notices: [] })
    assert.equal(await own.libretto.store.isNew(), false)
  })

  it('goes on from the newest when everything was forgotten', async t => {
    const own = await start(t)
    await own.create(aVenue('1'))
    const old = await endOfFeed(own)
    await own.create(aVenue('2'))
    const newest = await endOfFeed(own)
    await own.libretto.store.deleteChanges(await moment())

    await assertExpired(own, old)
    assert.deepEqual((await own.get(`/changes?since=${newest}`)).body.changes, [])
    const { cursor, changes } = (await own.get('/changes')).body
    assert.deepEqual([changes, cursor], [[], newest])
    const { id } = await own.create(aVenue('3'))
    assert.deepEqual((await own.get(`/changes?since=${newest}`)).body.changes.map(nameOf), [['entity.created', id, 1]])
  })
})

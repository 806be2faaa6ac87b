import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { aProduction, aVenue, createBook, metadata, relations } from '../support/records/entities.ts'
import { start, temporaryFolder } from '../support/services/start.ts'
import { assertProblem, fieldOf, messagesOf } from '../support/records/write-cases.ts'

/** Writes a model file and starts a service with it. */
const startWith = (t: TestContext, model: unknown) => {
  const file = join(temporaryFolder(t), 'model.json')
  writeFileSync(file, typeof model === 'string' ? model : JSON.stringify(model))
  return start(t, { MODEL: file })
}

const festival = {
  type: 'festival',
  idPrefix: 'FEST',
  description: 'A festival',
  nameField: 'name',
  fields: {
    name: { kind: 'text', required: true },
    edition: { kind: 'number', min: 1, max: 100 },
    mood: { kind: 'choice', of: ['calm', 'loud'], default: 'calm', readAs: { noisy: 'loud' } },
    about: { kind: 'html', maxLength: 20 },
    opens: { kind: 'date' },
    isbn_of_booklet: { kind: 'isbn' }
  },
  relations: { refVenues: { to: ['venue'], max: 2 }, refWorks: { to: ['work'], min: 1 } },
  resolvedAs: { value: 'name', edition: 'edition' },
  relationLabel: 'feast',
  needs: [{ field: 'mood', is: 'loud', fields: ['about'] }]
}

describe('MODEL=file.json', () => {
  it('adds a type with its id prefix, fields, relations and rules', async t => {
    const { create, post } = await startWith(t, { types: [festival] })
    const work = await create({ type: 'work_word', metadata: metadata({ title: 'x' }) })
    const given = {
      type: 'festival',
      metadata: metadata({ name: 'Zomer' }),
      relations: relations({ refWorks: work.id })
    }

    const entity = await create(given)
    assert.match(entity.id, /^FEST-[A-Z0-9]{9}$/)
    assert.equal(fieldOf(entity, 'mood'), 'calm')
    const send = (fields: Record<string, unknown>) =>
      post('/entities', { ...given, metadata: metadata({ name: 'x', ...fields }) })
    assert.equal(fieldOf((await send({ mood: 'noisy', about: 'x' })).body, 'mood'), 'loud')
    for (const fields of [
      { edition: 0 },
      { edition: 101 },
      { mood: 'sad' },
      { mood: 'loud' },
      { about: 'x'.repeat(21) },
      { opens: 'soon' },
      { name: '' }
    ]) {
      assertProblem(await send(fields), 'invalid')
    }
    assert.equal((await send({ isbn_of_booklet: '123' })).body.warnings.length, 1)
    assertProblem(await post('/entities', { ...given, relations: [] }), 'invalid')
  })

  it('adds fields and relations to a built-in type, and replaces those of the same name', async t => {
    const { create, post } = await startWith(t, {
      types: [
        {
          type: 'production',
          fields: {
            surtitles: { kind: 'boolean' },
            duration: { kind: 'minutes', min: 10 },
            subtitle: { kind: 'text', required: true }
          },
          relations: { refFestivals: { to: ['festival'] } }
        },
        { ...festival, relations: {} }
      ]
    })
    const made = await create({ type: 'festival', metadata: metadata({ name: 'Zomer' }) })
    const { id } = await create(
      aProduction({ subtitle: 's', surtitles: true }, { relations: relations({ refFestivals: made.id }) })
    )

    assert.match(id, /^PR-/)
    assertProblem(await post('/entities', aProduction({ subtitle: 's', surtitles: 'yes' })), 'invalid')
    assertProblem(await post('/entities', aProduction({ subtitle: 's', duration: 5 })), 'invalid')
    assert.deepEqual(messagesOf(await post('/entities', aProduction())), ['"subtitle" is required for a production'])
    assertProblem(await post('/entities', aProduction({ subtitle: 's', status: 'finished' })), 'invalid')
  })

  it('lets the new type be listed, filtered, scoped, resolved and documented like any other', async t => {
    const service = await startWith(t, { types: [{ ...festival, relations: {} }] })
    const { create, get, post } = service
    const made = await create({ type: 'festival', metadata: metadata({ name: 'Zomer', edition: 3 }) })
    const { manifestation } = await createBook(service, { work: { relations: relations({ refFestival: made.id }) } })

    assert.equal((await get('/entities?type=festival')).body.length, 1)
    assert.equal((await service.filter([{ type: 'type', value: 'festival' }])).body.count, 1)
    const token = (await post('/tokens', { name: 'x', scopes: ['read:festival'] })).body.token
    assert.equal((await get('/entities', { token })).body.length, 1)
    const wem = (await get(`/entities/wem/${manifestation}`)).body
    assert.deepEqual(wem.work.relations[made.id], { type: 'refFestival', label: 'feast', value: 'Zomer', edition: 3 })
    assert.ok('festival_record' in (await get('/openapi.json')).body.components.schemas)
  })

  it('may put a new type under an umbrella', async t => {
    const service = await startWith(t, {
      types: [
        {
          type: 'manifestation_game',
          umbrella: 'manifestation',
          idPrefix: 'M',
          nameField: 'title',
          fields: { title: { kind: 'text', required: true } },
          relations: { refExpressions: { to: ['expression'], min: 1 } }
        }
      ]
    })
    const { manifestation } = await createBook(service, { manifestation: { type: 'manifestation_game' } })

    assert.equal((await service.get('/entities?type=manifestation')).body.length, 1)
    assert.equal((await service.get(`/entities/wem/${manifestation}`)).body.manifestation.type, 'manifestation_game')
  })

  it('may make a new type a part of productions, which is hidden and deleted with its production', async t => {
    const item = { ...festival, type: 'prop', idPrefix: 'PR', relations: { refProduction: { to: ['production'] } } }
    const service = await startWith(t, { types: [{ ...item, needs: [], partOf: 'refProduction' }] })
    const token = await service.tokenWith('read:production:published', 'read:prop')
    const ids: string[] = []
    for (const status of ['published', 'concept']) {
      const { id } = await service.create(aProduction({ title: 'x', status, description_short: 'x' }))
      const part = { type: 'prop', metadata: metadata({ name: 'x' }), relations: relations({ refProduction: id }) }
      ids.push((await service.create(part)).id)
      const { status: answer } = await service.get(`/entities/${ids.at(-1)}`, { token })
      assert.equal(answer, status === 'published' ? 200 : 404)
      assert.equal((await service.delete(`/entities/${id}?references=delete_parts`)).status, 200)
      assert.equal((await service.get(`/entities/${ids.at(-1)}`)).status, 404)
    }
  })

  it('leaves everything as it is when it lists no types', async t => {
    const { create } = await startWith(t, { types: [] })

    assert.match((await create(aVenue())).id, /^VE-/)
  })
})

const good = { type: 'a', idPrefix: 'A', nameField: 'name', fields: { name: { kind: 'text' } }, relations: {} }
const publicationFaults: readonly (readonly [string, unknown, RegExp])[] = [
  [
    'when a moment of publication is no field',
    { types: [{ ...good, publication: { from: 'x', until: 'name' } }] },
    /\/types\/0\/publication\/from: no field "x"/
  ],
  [
    'when moments of publication have another form',
    { types: [{ ...good, publication: 'name' }] },
    /\/types\/0\/publication: must be/
  ],
  ['when the status is no field', { types: [{ ...good, statusField: 'x' }] }, /\/types\/0\/statusField: no field "x"/],
  [
    'when a part is shown with no field',
    { types: [{ ...good, shownWith: ['x'] }] },
    /\/types\/0\/shownWith: no field "x"/
  ],
  [
    'when a rule of readiness has another form',
    { types: [{ ...good, readiness: [null, { name: 'x' }] }] },
    /\/types\/0\/readiness: must be a list/
  ],
  [
    'when a rule of readiness asks for readiness',
    { types: [{ ...good, readiness: [{ name: 'x', filters: [{ type: 'readiness', value: 'ready' }] }] }] },
    /\/types\/0\/readiness: .*no filter of which is a readiness/
  ],
  [
    'when a filter of a rule cannot be read',
    { types: [{ ...good, readiness: [{ name: 'x', filters: [{ type: 'text', key: 'y', value: '*' }] }] }] },
    /a rule of "readiness" has a filter that cannot be read: Not a field path: "y"/
  ]
]

describe('A model file with faults stops the start', () => {
  const faults: readonly (readonly [string, unknown, RegExp])[] = [
    ['when it cannot be read as JSON', '{', /MODEL: ".*model\.json" cannot be read: .*JSON/],
    ['when it is no object', [], /must be an object with a list under "types"/],
    ['when it has no types', {}, /must be an object with a list under "types"/],
    ['when a type is no object', { types: ['x'] }, /\/types\/0: must be an object/],
    ['when a type has no name', { types: [{ ...good, type: undefined }] }, /\/types\/0\/type: must be a name/],
    ['when a type has a bad name', { types: [{ ...good, type: 'My Type' }] }, /\/types\/0\/type: must be a name/],
    [
      'when a new type has no prefix',
      { types: [{ ...good, idPrefix: undefined }] },
      /\/types\/0\/idPrefix: a new type needs one/
    ],
    [
      'when a prefix is no good',
      { types: [{ ...good, idPrefix: 'a-b' }] },
      /\/types\/0\/idPrefix: must be 1 to 8 letters/
    ],
    [
      'when a new type has no name field',
      { types: [{ ...good, nameField: undefined }] },
      /\/types\/0\/nameField: a new type needs one/
    ],
    [
      'when the name field is none of its fields',
      { types: [{ ...good, nameField: 'x' }] },
      /\/types\/0\/nameField: no field "x"/
    ],
    ['when a member is unknown', { types: [{ ...good, colour: 1 }] }, /\/types\/0\/colour: unknown member/],
    [
      'when a kind is unknown',
      { types: [{ ...good, fields: { name: { kind: 'txt' } } }] },
      /\/types\/0\/fields\/name\/kind: must be one of/
    ],
    ['when a field has no kind', { types: [{ ...good, fields: { name: {} } }] }, /\/types\/0\/fields\/name\/kind/],
    [
      'when a field is no object',
      { types: [{ ...good, fields: { name: 'text' } }] },
      /\/types\/0\/fields\/name: must be an object/
    ],
    [
      'when a field has an unknown member',
      { types: [{ ...good, fields: { name: { kind: 'text', length: 5 } } }] },
      /\/types\/0\/fields\/name\/length: unknown member/
    ],
    [
      'when a choice has no values',
      { types: [{ ...good, fields: { name: { kind: 'choice' } } }] },
      /\/types\/0\/fields\/name\/of: a choice needs/
    ],
    [
      'when a limit is no number',
      { types: [{ ...good, fields: { name: { kind: 'text', maxLength: '5' } } }] },
      /\/types\/0\/fields\/name\/maxLength: must be a number/
    ],
    [
      'when required is no truth value',
      { types: [{ ...good, fields: { name: { kind: 'text', required: 1 } } }] },
      /\/types\/0\/fields\/name\/required/
    ],
    ['when fields are a list', { types: [{ ...good, fields: [] }] }, /\/types\/0\/fields: must be an object/],
    [
      'when a relation points to an unknown type',
      { types: [{ ...good, relations: { refX: { to: ['nothing'] } } }] },
      /\/types\/0\/relations\/refX\/to: no type "nothing"/
    ],
    [
      'when a relation points nowhere',
      { types: [{ ...good, relations: { refX: {} } }] },
      /\/types\/0\/relations\/refX\/to: must list/
    ],
    [
      'when a bound is no whole number',
      { types: [{ ...good, relations: { refX: { to: ['venue'], max: 1.5 } } }] },
      /\/types\/0\/relations\/refX\/max/
    ],
    [
      'when it climbs by no relation',
      { types: [{ ...good, climbsBy: 'refX' }] },
      /\/types\/0\/climbsBy: no relation "refX"/
    ],
    [
      'when it is a part by no relation',
      { types: [{ ...good, partOf: 'refX' }] },
      /\/types\/0\/partOf: no relation "refX"/
    ],
    ...publicationFaults,
    [
      'when needs have another form',
      { types: [{ ...good, needs: [{ field: 'name' }] }] },
      /\/types\/0\/needs: must be a list/
    ],
    [
      'when a facet has no place',
      { types: [{ ...good, fields: { name: { kind: 'text', facet: { isOpen: 1 } } } }] },
      /\/fields\/name\/facet\/order: must be a number\n.*\/facet\/isOpen: must be true or false/
    ],
    [
      'when a facet is no object',
      { types: [{ ...good, relations: { refX: { to: ['venue'], facet: 5 } } }] },
      /\/relations\/refX\/facet: must be an object/
    ],
    ['when resolvedAs has another form', { types: [{ ...good, resolvedAs: ['name'] }] }, /\/types\/0\/resolvedAs/]
  ]
  for (const [sentence, model, message] of faults) {
    it(`${sentence}, with its place`, async t => {
      await assert.rejects(startWith(t, model), message)
    })
  }

  it('when there are more facets than a search counts', async t => {
    const fields = Object.fromEntries(
      Array.from({ length: 9 }, (_, order) => [`x${order}`, { kind: 'text', facet: { order } }])
    )
    await assert.rejects(
      startWith(t, { types: [{ type: 'venue', fields }] }),
      /facets with the built-in ones; at most 23/
    )
  })

  it('lists all of them at once', async t => {
    const model = {
      types: [
        { ...good, colour: 1 },
        { ...good, type: 'b', idPrefix: '?' },
        { type: 'venue', fields: { x: { kind: 'y' } } }
      ]
    }

    await assert.rejects(startWith(t, model), (error: Error) => {
      assert.deepEqual(
        error.message
          .split('\n')
          .slice(1)
          .map(line => line.trim().split(':')[0]),
        ['/types/0/colour', '/types/1/idPrefix', '/types/2/fields/x/kind']
      )
      return true
    })
  })

  it('when there is no such file', async t => {
    await assert.rejects(
      start(t, { MODEL: join(temporaryFolder(t), 'nothing.json') }),
      /MODEL: ".*nothing\.json" cannot be read/
    )
  })
})

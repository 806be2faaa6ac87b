import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'

import { aPerson, aProduction, aVenue, createBook, idsOf, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, filter, get, post } = service

const manifestationTypes = [
  'manifestation_map',
  'manifestation_music',
  'manifestation_serial',
  'manifestation_footage',
  'manifestation_mixed_material',
  'manifestation_word',
  'manifestation_computer_file'
]
const manifestations: Record<string, string> = {}
for (const type of manifestationTypes) {
  manifestations[type] = (await createBook(service, { manifestation: { type } })).manifestation
}
const listening = await createBook(service, { expression: { type: 'listening' } })
const venue = await create(aVenue('De Schouwburg', { identifiers: ['venue:schouwburg'] }))
const production = await create(
  aProduction({ title: 'Hamlet' }, { relations: relations({ refVenues: venue.id }), identifiers: ['show:hamlet'] })
)

const found = async (filters: unknown, query = '?limit=1000') => idsOf((await filter(filters, query)).body)

describe('POST /entities/filter', () => {
  it('answers count, results, skip and limit', async () => {
    const { status, body, headers } = await filter([{ type: 'type', value: 'production' }])

    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.deepEqual(Object.keys(body).sort(), ['count', 'limit', 'results', 'skip'])
    assert.deepEqual({ ...body, results: body.results.length }, { count: 1, results: 1, skip: 0, limit: 20 })
  })

  it('gives whole entities, as GET /entities/{id} does', async () => {
    const { body } = await filter([{ type: 'type', value: 'production' }])

    assert.deepEqual(body.results, [(await get(`/entities/${production.id}`)).body])
  })

  it('matches everything with no filter at all', async () => {
    const { body } = await filter([], '?limit=1000')

    assert.equal(body.count, body.results.length)
    assert.equal(body.count, Number((await get('/entities?limit=0')).headers['x-total-count']))
    assert.ok(body.count > 20)
  })

  it('matches with no filter only what the token may read', async () => {
    const token = await service.tokenWith('read:venue')

    const { body } = await post('/entities/filter', [], { token })

    assert.deepEqual(idsOf(body), [venue.id])
    assert.equal(body.count, 1)
  })

  it('combines all filters with AND', async () => {
    const title = (value: string) => ({ type: 'text', key: ['catalog:1|properties.title.value'], value })

    assert.deepEqual(await found([{ type: 'type', value: 'production' }, title('hamlet')]), [production.id])
    assert.deepEqual(await found([{ type: 'type', value: 'production' }, title('macbeth')]), [])
    assert.deepEqual(await found([{ type: 'type', value: 'venue' }, title('hamlet')]), [])
  })

  it('finds what was written a moment ago, and not what is no longer so', async () => {
    const mine = [{ type: 'text', key: 'properties.name.value', value: 'Fresh paint' }]
    for (let round = 0; round < 20; round++) {
      const { id } = await create(aPerson('Fresh paint'))
      assert.deepEqual(await found(mine), [id])
      await service.patch(`/entities/${id}`, { metadata: metadata({ name: 'Dry paint' }) })
      assert.deepEqual(await found(mine), [])
    }
  })

  it('answers 401 without a token', async () => {
    assert.equal((await post('/entities/filter', [], { token: undefined })).status, 401)
  })

  it('answers 415 to a body that is not JSON by its Content-Type', async () => {
    const answer = await post('/entities/filter', '[]', { headers: { 'content-type': 'text/plain' } })

    assert.equal(answer.status, 415)
  })
})

describe('A filter of type "type"', () => {
  it('restricts to one entity type', async () => {
    assert.deepEqual(await found([{ type: 'type', value: 'production' }]), [production.id])
    assert.deepEqual(await found([{ type: 'type', value: 'venue' }]), [venue.id])
  })

  for (const type of manifestationTypes) {
    it(`takes ${type} as an exact value`, async () => {
      if (type === 'manifestation_word') {
        const { body } = await filter([{ type: 'type', value: type }])
        assert.ok(body.results.every((entity: { type: string }) => entity.type === type))
        assert.ok(idsOf(body).includes(String(manifestations[type])))
      } else assert.deepEqual(await found([{ type: 'type', value: type }]), [manifestations[type]])
    })
  }

  it('takes an array of types', async () => {
    assert.deepEqual(await found([{ type: 'type', value: ['production', 'venue'] }]), [venue.id, production.id])
  })

  it('takes an umbrella for all its subtypes', async () => {
    assert.equal((await found([{ type: 'type', value: 'manifestation' }])).length, 8)
    assert.equal((await found([{ type: 'type', value: 'work' }])).length, 8)
    assert.ok((await found([{ type: 'type', value: 'expression' }])).includes(listening.expression))
    assert.equal((await found([{ type: 'type', value: ['work', 'production'] }])).length, 9)
  })

  it('takes the bare names of expressions of existing clients', async () => {
    assert.deepEqual(await found([{ type: 'type', value: 'listening' }]), [listening.expression])
    assert.deepEqual(await found([{ type: 'type', value: 'reading' }]), [])
  })

  it('matches nothing for a type that does not exist, and for an empty array', async () => {
    assert.deepEqual(await found([{ type: 'type', value: 'asset' }]), [])
    assert.deepEqual(await found([{ type: 'type', value: [] }]), [])
    assert.deepEqual(await found([{ type: 'type', value: ['asset', 'venue'] }]), [venue.id])
  })

  it('is negated by match_not', async () => {
    const { body } = await filter([{ type: 'type', value: 'manifestation', match_not: true }], '?limit=1000')

    assert.ok(body.count > 0)
    assert.ok(body.results.every((entity: { type: string }) => !entity.type.startsWith('manifestation')))
  })
})

describe('A selection on the key type', () => {
  it('finds the seven manifestation types when all are listed', async () => {
    const filters = [{ type: 'selection', key: 'type', value: manifestationTypes, match_exact: true }]

    assert.equal((await found(filters)).length, 8)
  })

  for (const type of manifestationTypes.filter(each => each !== 'manifestation_word')) {
    it(`finds only ${type} when that is listed`, async () => {
      const filters = [{ type: 'selection', key: ['type'], value: [type], match_exact: true }]

      assert.deepEqual(await found(filters), [manifestations[type]])
    })
  }

  it('needs every wanted subtype listed: an umbrella is not an exact type', async () => {
    const exact = (value: unknown) => found([{ type: 'selection', key: 'type', value, match_exact: true }])
    const sixAndUmbrella = ['manifestation', ...manifestationTypes.slice(1)]

    assert.deepEqual(await exact('manifestation'), [])
    assert.equal((await exact(sixAndUmbrella)).includes(String(manifestations.manifestation_map)), false)
    assert.equal((await exact(sixAndUmbrella)).length, 7)
  })

  it('without match_exact finds types that contain the value', async () => {
    assert.equal((await found([{ type: 'selection', key: 'type', value: 'manifestation' }])).length, 8)
    assert.deepEqual(await found([{ type: 'selection', key: 'type', value: 'Venu' }]), [venue.id])
  })
})

describe('A filter of type "id"', () => {
  it('finds by any identifier: the id, the UUID, and those a client added', async () => {
    for (const value of [production.id, production._id, 'show:hamlet']) {
      assert.deepEqual(await found([{ type: 'id', value }]), [production.id])
    }
  })

  it('takes an array, and gives each entity once', async () => {
    const value = ['show:hamlet', production._id, 'venue:schouwburg', 'NOBODY']

    assert.deepEqual(await found([{ type: 'id', value }]), [venue.id, production.id])
  })

  it('matches nothing for an empty array, and everything else with match_not', async () => {
    assert.deepEqual(await found([{ type: 'id', value: [] }]), [])
    const others = await found([{ type: 'id', value: [production.id], match_not: true }])
    assert.equal(others.includes(production.id), false)
    assert.equal(others.length, (await filter([])).body.count - 1)
  })

  it('needs no key', async () => {
    assert.equal((await post('/entities/filter', [{ type: 'id', value: 'x' }])).status, 200)
  })
})

/** Filter bodies of our own in every form that the clients of existing services send. */
const existingClientFilters = JSON.parse(
  readFileSync(new URL('../fixtures/filters/existing-clients.json', import.meta.url), 'utf8')
) as readonly { readonly section: string; readonly filters: unknown; readonly isUnderstood?: boolean }[]

describe('The filters of existing clients', () => {
  for (const { section, filters, isUnderstood = false } of existingClientFilters) {
    it(`are ${isUnderstood ? 'answered' : 'answered or refused with a reason'}: ${section}`, async () => {
      const { status, body } = await post('/entities/filter', filters)

      if (status === 200) assert.equal(body.count, body.results.length)
      else {
        assert.equal(isUnderstood, false)
        assert.equal(status, 400)
        assert.ok(body.errors.length > 0)
        for (const { pointer } of body.errors) assert.match(pointer, /^\/\d+\//)
      }
    })
  }
})

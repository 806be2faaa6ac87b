import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue, metadata } from '../support/records/entities.ts'
import { type Answer, start } from '../support/services/start.ts'

/* Names that no record type declares and no record has: typing errors, or names of elsewhere. */

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read:venue' })
const { get, post } = service
await service.create(aVenue('De Zaal'))
const { id: production } = await service.create(aProduction({ price_group: 'A' }))

const faultsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((each: { pointer: string; message: string }) => `${each.pointer} ${each.message}`)
]
const find = (filters: unknown, query = '') => post(`/entities/filter${query}`, filters)

describe('An unknown name that is similar to a known one is refused', () => {
  it('in an order', async () => {
    const expected = [400, 'order_by No record has the metadata key "titel"; did you mean "title"?']
    for (const url of ['/entities?order_by=titel', '/entities?envelope=1&order_by=id,titel&asc=0'])
      assert.deepEqual(faultsOf(await get(url)), expected, url)
    assert.deepEqual(faultsOf(await find([], '?order_by=properties.titel.value')), expected)
    assert.deepEqual(faultsOf(await get('/mediafiles?order_by=titel')), expected)
    assert.equal((await get('/entities?order_by=xyzzy')).status, 400)
  })

  it('in a column of a table', async () => {
    const expected = [
      400,
      'columns No record has the metadata key "titel"; did you mean "title"?',
      'columns No record has the relation "refSeason"; did you mean "refSeasons"?'
    ]
    const columns = 'columns=id,titel,refSeason,price_group'
    const headers = { accept: 'text/csv' }
    assert.deepEqual(faultsOf(await get(`/export?format=csv&${columns}`)), expected)
    assert.deepEqual(faultsOf(await post(`/export?format=csv&${columns}`, [])), expected)
    assert.deepEqual(faultsOf(await get(`/entities?${columns}`, { headers })), expected)
    assert.deepEqual(faultsOf(await post(`/entities/filter?${columns}`, [], { headers })), expected)
    assert.equal((await get('/export?format=csv&columns=xyzzy')).status, 400)
    // One that a record has, though no type declares it.
    assert.equal((await get('/export?format=csv&columns=id,price_group')).status, 200)
    assert.equal((await get('/entities?columns=id,refSeasons,price_group', { headers })).status, 200)
  })

  it('in a facet', async () => {
    assert.deepEqual(
      faultsOf(await find([], '?facets=type,properties.ref_season.value,properties.ref_works.ref_autors.name')),
      [
        400,
        'facets No record has the relation "refSeason"; did you mean "refSeasons"?',
        'facets No record has the relation "refAutors"; did you mean "refAuthors"?'
      ]
    )
    assert.equal((await get('/entities?envelope=1&facets=properties.xyzzy.value')).status, 400)
  })

  it('in a filter, as a key, a relation or a type, wherever it is', async () => {
    assert.deepEqual(
      faultsOf(
        await find([
          { type: 'text', key: ['properties.title.value', 'catalog:1|properties.titel.value'], value: '*' },
          {
            type: 'type',
            value: ['production', 'prodction'],
            or: [{ type: 'selection', key: 'properties.ref_season.value', value: 'x' }]
          }
        ])
      ),
      [
        400,
        '/0/key/1 No record has the metadata key "titel"; did you mean "title"?',
        '/1/value Unknown type "prodction"; did you mean "production"?',
        '/1/or/0/key No record has the relation "refSeason"; did you mean "refSeasons"?'
      ]
    )
    const typo = [{ type: 'text', key: 'properties.titel.value', value: 'x' }]
    for (const url of ['/export', '/export?format=csv', '/entities/filter_v2', '/mediafiles/filter'])
      assert.equal((await post(url, typo)).body.code, 'invalid_filter', url)
    assert.deepEqual(faultsOf(await get('/entities?type=prodction')), [
      400,
      'type Unknown type "prodction"; did you mean "production"?'
    ])
  })
})

describe('An unknown name that is similar to none', () => {
  it('finds nothing in a filter, and the answer has a warning', async () => {
    const { status, body } = await find([
      { type: 'type', value: 'IotDevice' },
      { type: 'text', key: 'catalog:1|properties.belongs_to.value', value: 'x' }
    ])
    assert.deepEqual([status, body.count, body.results], [200, 0, []])
    assert.deepEqual(body.warnings, [
      { pointer: '/0/value', message: 'Unknown type "IotDevice"' },
      { pointer: '/1/key', message: 'No record has the metadata key "belongs_to"' }
    ])
  })
})

describe('A name that no record type declares', () => {
  it('is known while a record has it that the caller may read', async () => {
    const byPrice = [{ type: 'text', key: 'properties.price_group.value', value: 'A' }]
    const { body } = await find(byPrice, '?order_by=price_group&facets=properties.price_group.value')
    assert.deepEqual([body.count, body.warnings], [1, undefined])
    assert.deepEqual(body.facets['properties.price_group.value'], [{ value: 'A', count: 1 }])
    const visitor = await get('/entities?order_by=price_group', { token: undefined })
    assert.equal(visitor.status, 400)

    await service.patch(`/entities/${production}`, { metadata: metadata({ price_grade: 'B' }) })
    assert.equal((await get('/entities?order_by=price_grade')).status, 200)
    await service.put(`/entities/${production}`, aProduction())
    assert.equal((await get('/entities?order_by=price_grade')).status, 400)
  })

  it('is stored with a warning, once and for the one who writes it first', async () => {
    const given = {
      type: 'venue',
      metadata: metadata({ name: 'Zaal', price: '12', surtitles: 'nl' }),
      relations: [{ type: 'refParentVenue', key: (await service.create(aVenue('Huis'))).id }]
    }
    const warned = [
      '/metadata/1/key A venue has no field "price"; it is stored as typed',
      '/metadata/2/key A venue has no field "surtitles"; it is stored as typed',
      '/relations/0/type A venue has no relation "refParentVenue"; it is stored as typed'
    ]
    const told = (warnings: { pointer: string; message: string }[] = []) =>
      warnings.map(({ pointer, message }) => `${pointer} ${message}`)
    const made = await post('/entities', given)
    assert.deepEqual(told(made.body.warnings), warned)
    assert.deepEqual((await service.put(`/entities/${made.body.id}`, given)).body.warnings, undefined)
    const [line] = (await post('/entities/batch', [{ op: 'create', entity: given }])).body
    assert.deepEqual([line.status, told(line.warnings)], [201, warned])
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aRecord, idsOf, metadata } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, filter } = service

const names: Record<string, string> = {}
const add = async (name: string, record: Record<string, unknown>) => {
  names[(await create(record)).id] = name
}
/** The names of the records that a filter finds, in the order of creation. */
const found = async (type: string, key: string, value: unknown, members: Record<string, unknown> = {}) => {
  const { body } = await filter([{ type, key: [key], value, ...members }], '?limit=1000')
  return idsOf(body).map(id => names[id] ?? id)
}

for (const day of ['2026-01-31', '2026-02-01', '2026-02-02'])
  await add(day, aProduction({ premiere_date: day, opening: day }))
for (const moment of [
  '2026-02-01T00:00:00Z',
  '2026-02-01T19:30:00+01:00',
  '2026-02-01T23:59:59.999Z',
  '2026-02-02T00:30:00+01:00'
]) {
  await add(moment, aRecord('person', { name: moment, seen: moment }))
}
await add('undated', aProduction())
// Before the first test, which runs while this file is still read.
for (const [name, capacity] of [
  ['below', -5],
  ['zero', 0],
  ['half', 0.5],
  ['ninety', 90],
  ['hundred', 100]
] as const) {
  await add(name, aRecord('genre', { name, score: capacity }))
}
await add('text', aRecord('genre', { name: 'text', score: '95' }))
await add('none', aRecord('genre', { name: 'none' }))
await add('words', aRecord('genre', { name: 'words', score: 'many' }))
await add('yes', aRecord('place', { name: 'yes', open: true }))
await add('no', aRecord('place', { name: 'no', open: false }))
await add('unknown', aRecord('place', { name: 'unknown' }))

describe('A date filter', () => {
  const premiere = (value: unknown, members = {}) =>
    found('date', 'catalog:1|properties.premiere_date.value', value, members)
  const seen = (value: unknown, members = {}) => found('date', 'properties.seen.value', value, members)

  it('with a date means that whole UTC day', async () => {
    assert.deepEqual(await premiere('2026-02-01'), ['2026-02-01'])
    assert.deepEqual(await seen('2026-02-01'), [
      '2026-02-01T00:00:00Z',
      '2026-02-01T19:30:00+01:00',
      '2026-02-01T23:59:59.999Z',
      '2026-02-02T00:30:00+01:00'
    ])
    assert.deepEqual(await seen('2026-02-02'), [])
  })

  it('with a date-time means that instant, whatever the zone', async () => {
    assert.deepEqual(await seen('2026-02-01T18:30:00Z'), ['2026-02-01T19:30:00+01:00'])
    assert.deepEqual(await seen('2026-02-01T13:30:00-05:00'), ['2026-02-01T19:30:00+01:00'])
    assert.deepEqual(await seen('2026-02-01T18:30:00.001Z'), [])
  })

  it('reads a date-time without a zone as UTC', async () => {
    assert.deepEqual(await seen('2026-02-01T18:30:00'), ['2026-02-01T19:30:00+01:00'])
  })

  it('with min finds from that on', async () => {
    assert.deepEqual(await premiere({ min: '2026-02-01' }), ['2026-02-01', '2026-02-02'])
    assert.deepEqual(await seen({ min: '2026-02-01T23:30:00Z' }), [
      '2026-02-01T23:59:59.999Z',
      '2026-02-02T00:30:00+01:00'
    ])
  })

  it('with max finds up to that, a bare date including its day', async () => {
    assert.deepEqual(await premiere({ max: '2026-02-01' }), ['2026-01-31', '2026-02-01'])
    assert.equal((await seen({ max: '2026-02-01' })).length, 4)
    assert.deepEqual(await seen({ max: '2026-02-01T00:00:00Z' }), ['2026-02-01T00:00:00Z'])
  })

  it('with both finds what is between, the bounds included', async () => {
    assert.deepEqual(await premiere({ min: '2026-01-31', max: '2026-02-01' }), ['2026-01-31', '2026-02-01'])
    assert.deepEqual(await premiere({ min: '2026-02-01', max: '2026-02-01', included: true }), ['2026-02-01'])
  })

  it('with included false leaves the bounds out, a bare date with its whole day', async () => {
    assert.deepEqual(await premiere({ min: '2026-01-31', max: '2026-02-02', included: false }), ['2026-02-01'])
    assert.deepEqual(await seen({ min: '2026-02-01', included: false }), [])
    assert.deepEqual(await seen({ max: '2026-02-01', included: false }), [])
    assert.deepEqual(await seen({ max: '2026-02-01T18:30:00Z', included: false }), ['2026-02-01T00:00:00Z'])
  })

  it('with a range in which nothing is left finds nothing', async () => {
    assert.deepEqual(await premiere({ min: '2026-02-01', max: '2026-02-01', included: false }), [])
  })

  it('looks at undeclared fields too', async () => {
    assert.deepEqual(await found('date', 'metadata.opening.value', { min: '2026-02-02' }), ['2026-02-02'])
  })

  it('finds no record without the field, and those with match_not', async () => {
    assert.deepEqual(await premiere({ min: '1000-01-01' }), ['2026-01-31', '2026-02-01', '2026-02-02'])
    assert.ok((await premiere({ min: '1000-01-01' }, { match_not: true })).includes('undated'))
    assert.equal((await premiere({ min: '2026-02-01' }, { match_not: true })).includes('2026-02-02'), false)
  })

  it('finds any of several values of a repeated field', async () => {
    await add('festival', aRecord('season', { name: 'Festival', held: ['2020-06-01', '2024-06-01'] }))

    assert.deepEqual(await found('date', 'properties.held.value', { min: '2024-01-01' }), ['festival'])
    assert.deepEqual(await found('date', 'properties.held.value', '2020-06-01'), ['festival'])
  })

  it('synchronises: what was changed since a moment', async () => {
    // After everything that was written, by the stamps it has: a clock may be set back.
    const [newest] = (await service.get('/entities?order_by=date_updated&asc=0&limit=1')).body
    const start = new Date(Date.parse(newest.audit.updated.at) + 1).toISOString()
    while (Date.now() <= Date.parse(start)) await new Promise(resolve => setTimeout(resolve, 2))
    const [first] = Object.keys(names)
    await service.patch(`/entities/${first}`, { metadata: metadata({ subtitle: 'Changed' }) })
    await add('new', aProduction({ title: 'New' }))

    assert.deepEqual(await found('date', 'catalog:1|audit.updated.at', { min: start }), ['2026-01-31', 'new'])
    assert.deepEqual(await found('date', 'date_updated', { min: start }), ['2026-01-31', 'new'])
    assert.deepEqual(await found('date', 'audit.created.at', { min: start }), ['new'])
    assert.deepEqual(await found('date', 'date_created', { min: start }), ['new'])
    assert.equal((await found('date', 'audit.updated.at', { max: start })).includes('new'), false)
  })

  it('finds a record by the very instant it was written', async () => {
    const { id, audit } = await create(aRecord('company', { name: 'On time' }))
    names[id] = 'on time'

    assert.ok((await found('date', 'audit.created.at', audit.created.at)).includes('on time'))
    assert.ok(
      (await found('date', 'audit.created.at', { min: audit.created.at, max: audit.created.at })).includes('on time')
    )
    assert.equal(
      (await found('date', 'audit.created.at', { min: audit.created.at, included: false })).includes('on time'),
      false
    )
  })
})

describe('A number filter', () => {
  const score = (value: unknown, members = {}) => found('number', 'catalog:1|properties.score.value', value, members)

  it('with a number finds fields that are that number', async () => {
    assert.deepEqual(await score(90), ['ninety'])
    assert.deepEqual(await score(0), ['zero'])
    assert.deepEqual(await score(0.5), ['half'])
    assert.deepEqual(await score(-5), ['below'])
    assert.deepEqual(await score(91), [])
  })

  it('with min finds from that on, and 0 is a bound like any other', async () => {
    assert.deepEqual(await score({ min: 90 }), ['ninety', 'hundred', 'text'])
    assert.deepEqual(await score({ min: 0 }), ['zero', 'half', 'ninety', 'hundred', 'text'])
  })

  it('with max finds up to that, and 0 is a bound like any other', async () => {
    assert.deepEqual(await score({ max: 0 }), ['below', 'zero'])
    assert.deepEqual(await score({ max: 0.5 }), ['below', 'zero', 'half'])
  })

  it('with both finds what is between, the bounds included', async () => {
    assert.deepEqual(await score({ min: 0, max: 90 }), ['zero', 'half', 'ninety'])
    assert.deepEqual(await score({ min: 90, max: 90, included: true }), ['ninety'])
  })

  it('with included false leaves the bounds out', async () => {
    assert.deepEqual(await score({ min: 0, max: 100, included: false }), ['half', 'ninety', 'text'])
    assert.deepEqual(await score({ max: 0, included: false }), ['below'])
    assert.deepEqual(await score({ min: 90, max: 90, included: false }), [])
  })

  it('finds a number that was stored as text', async () => {
    assert.deepEqual(await score(95), ['text'])
  })

  it('finds no record without a number, and those with match_not', async () => {
    const all = await score({ min: -1e9, max: 1e9 })
    assert.deepEqual(all, ['below', 'zero', 'half', 'ninety', 'hundred', 'text'])
    const others = await score({ min: -1e9, max: 1e9 }, { match_not: true })
    assert.ok(others.includes('none') && others.includes('words'))
    assert.equal(others.includes('zero'), false)
  })

  it('finds the duration of a production', async () => {
    await add('long', aProduction({ title: 'Long', duration: 240 }))

    assert.deepEqual(await found('number', 'properties.duration.value', { min: 200 }), ['long'])
  })

  it('two of them on one key both count', async () => {
    const key = 'properties.score.value'
    const { body } = await filter([
      { type: 'number', key, value: { min: 0 } },
      { type: 'number', key, value: { max: 50 } }
    ])

    assert.deepEqual(
      idsOf(body).map(id => names[id]),
      ['zero', 'half']
    )
  })
})

describe('A boolean filter', () => {
  const open = async (value: unknown, members = {}) => {
    const filters = [
      { type: 'type', value: 'place' },
      { type: 'boolean', key: 'catalog:1|properties.open.value', value, ...members }
    ]
    return idsOf((await filter(filters)).body).map(id => names[id])
  }

  it('with true finds what is true', async () => {
    assert.deepEqual(await open(true), ['yes'])
  })

  it('with false finds what is false, and what has no value', async () => {
    assert.deepEqual(await open(false), ['no', 'unknown'])
  })

  it('is negated by match_not', async () => {
    assert.deepEqual(await open(true, { match_not: true }), ['no', 'unknown'])
    assert.deepEqual(await open(false, { match_not: true }), ['yes'])
  })
})

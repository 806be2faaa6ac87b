import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, idsOf } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

// The largest questions that are allowed must be answered on a busy machine too.
const service = await start({ after })
const { create, filter } = service

const names: Record<string, string> = {}
for (const [name, fields] of Object.entries({
  hamlet: { title: 'Hamlet', age_category: '12+', duration: 180, subtitle: 'Prince' },
  macbeth: { title: 'Macbeth', age_category: '16+', duration: 120 },
  tempest: { title: 'The Tempest', age_category: '12+', duration: 90 },
  lear: { title: 'King Lear', age_category: '16+', duration: 180, subtitle: 'Hamlet of old age' }
})) {
  names[(await create(aProduction(fields))).id] = name
}

const found = async (...filters: unknown[]) => idsOf((await filter(filters)).body).map(id => names[id])
const text = (field: string, value: string, members = {}) => ({
  type: 'text',
  key: `properties.${field}.value`,
  value,
  ...members
})
const age = (value: string, members = {}) => ({
  type: 'selection',
  key: ['properties.age_category.value'],
  value,
  match_exact: true,
  ...members
})

describe('Several filters', () => {
  it('are combined with AND', async () => {
    assert.deepEqual(await found(age('12+'), text('title', 'm')), ['hamlet', 'tempest'])
    assert.deepEqual(await found(age('12+'), text('title', 'm'), text('title', 'the')), ['tempest'])
  })

  it('on one key both count', async () => {
    assert.deepEqual(await found(text('title', 'm'), text('title', 'b')), ['macbeth'])
    assert.deepEqual(await found(age('12+'), age('16+')), [])
  })
})

describe('Several keys of one filter', () => {
  it('are alternatives: any of them may match', async () => {
    const key = ['catalog:1|properties.title.value', 'catalog:1|properties.subtitle.value']

    assert.deepEqual(await found({ type: 'text', key, value: 'hamlet' }), ['hamlet', 'lear'])
    assert.deepEqual(await found({ type: 'selection', key, value: ['Prince', 'Macbeth'], match_exact: true }), [
      'hamlet',
      'macbeth'
    ])
  })

  it('are all denied by match_not', async () => {
    const key = ['properties.title.value', 'properties.subtitle.value']

    assert.deepEqual(await found({ type: 'text', key, value: 'hamlet', match_not: true }), ['macbeth', 'tempest'])
  })

  it('may be 16', async () => {
    const key = [
      ...Array.from({ length: 15 }, (_, index) => `properties.field_${index}.value`),
      'properties.title.value'
    ]

    assert.deepEqual(await found({ type: 'text', key, value: 'lear' }), ['lear'])
  })
})

describe('match_not', () => {
  it('true turns a filter into its opposite', async () => {
    assert.deepEqual(await found(age('12+', { match_not: true })), ['macbeth', 'lear'])
  })

  it('false changes nothing', async () => {
    assert.deepEqual(await found(age('12+', { match_not: false })), ['hamlet', 'tempest'])
  })

  it('is combined with other filters', async () => {
    assert.deepEqual(await found(age('12+', { match_not: true }), text('title', 'mac*', { match_not: true })), ['lear'])
  })
})

describe('or', () => {
  it('finds what this filter finds, or any of those', async () => {
    assert.deepEqual(await found(text('title', 'macbeth', { or: [text('title', 'tempest'), text('title', 'king')] })), [
      'macbeth',
      'tempest',
      'lear'
    ])
  })

  it('is combined with the other filters by AND', async () => {
    assert.deepEqual(await found(age('16+'), text('title', 'macbeth', { or: [text('title', 'tempest')] })), ['macbeth'])
  })

  it('is not touched by match_not of the filter it belongs to', async () => {
    const filters = text('title', 'e', { match_not: true, or: [text('title', 'hamlet')] })

    assert.deepEqual(await found(filters), ['hamlet'])
  })

  it('may hold filters of other types, negated ones, and further or', async () => {
    const inner = {
      type: 'number',
      key: 'properties.duration.value',
      value: 90,
      or: [age('12+', { match_not: true, or: [text('subtitle', 'prince')] })]
    }

    assert.deepEqual(await found(text('title', 'nothing', { or: [inner] })), ['hamlet', 'macbeth', 'tempest', 'lear'])
  })

  it('may be empty', async () => {
    assert.deepEqual(await found(text('title', 'macbeth', { or: [] })), ['macbeth'])
  })

  it('may be nested to a depth of 5', async () => {
    const nest = (depth: number): Record<string, unknown> =>
      depth === 1 ? text('title', 'macbeth') : text('title', 'nothing', { or: [nest(depth - 1)] })

    assert.deepEqual(await found(nest(5)), ['macbeth'])
  })
})

describe('operator "or"', () => {
  const or = { operator: 'or' }

  it('makes one group of all that carry it: one of them must match', async () => {
    assert.deepEqual(await found(text('title', 'macbeth', or), text('title', 'tempest', or)), ['macbeth', 'tempest'])
  })

  it('leaves the other filters as they are', async () => {
    assert.deepEqual(await found(text('title', 'macbeth', or), age('16+'), text('title', 'tempest', or)), ['macbeth'])
    assert.deepEqual(await found(age('16+'), text('title', 'hamlet', or), age('12+', or)), [])
  })

  it('on a single filter has no effect', async () => {
    assert.deepEqual(await found(age('16+'), text('title', 'macbeth', or)), ['macbeth'])
    assert.deepEqual(await found(text('title', 'macbeth', or)), ['macbeth'])
  })

  it('works with match_not and with or', async () => {
    assert.deepEqual(await found(age('12+', { ...or, match_not: true }), text('title', 'hamlet', or)), [
      'hamlet',
      'macbeth',
      'lear'
    ])
    assert.deepEqual(
      await found(text('title', 'hamlet', { ...or, or: [text('title', 'king')] }), text('title', 'tempest', or)),
      ['hamlet', 'tempest', 'lear']
    )
  })
})

describe('64 filters', () => {
  it('are answered, with AND and with OR', async () => {
    const sixtyFour = Array.from({ length: 63 }, () => text('title', 'a'))

    assert.deepEqual(await found(...sixtyFour, age('12+')), ['hamlet'])
    const alternatives = Array.from({ length: 63 }, (_, index) => text('title', `nothing ${index}`, { operator: 'or' }))
    assert.deepEqual(await found(...alternatives, text('title', 'lear', { operator: 'or' })), ['lear'])
  })

  it('of 16 keys each are answered', async () => {
    const key = [
      ...Array.from({ length: 15 }, (_, index) => `properties.field_${index}.value`),
      'properties.title.value'
    ]
    const each = { type: 'text', key, value: 'e' }

    assert.deepEqual(await found(...Array.from({ length: 64 }, () => each)), ['hamlet', 'macbeth', 'tempest', 'lear'])
  })
})

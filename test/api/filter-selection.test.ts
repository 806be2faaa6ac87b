import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aRecord, idsOf } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

// The largest questions that are allowed must be answered on a busy machine too.
const service = await start({ after })
const { create, filter } = service

const ids: Record<string, string> = {}
for (const [name, fields] of Object.entries({
  hamlet: { title: 'Hamlet', age_category: '12+', duration: 180, tags: ['Tragedy', 'Classic'] },
  lower: { title: 'hamlet', age_category: '16+', duration: 90.5, tags: 'Parody' },
  cafe: { title: 'Café Müller', age_category: 'all', is_classic: true },
  star: { title: 'Star * here' }
})) {
  ids[name] = (await create(aProduction(fields))).id
}

/** The names of the records that a selection finds, in the order of creation. */
const found = async (field: string, value: unknown, members: Record<string, unknown> = {}) => {
  const selection = { type: 'selection', key: [`catalog:1|properties.${field}.value`], value, ...members }
  const { body } = await filter([{ type: 'type', value: 'production' }, selection])
  return idsOf(body).map(id => Object.keys(ids).find(name => ids[name] === id))
}
const exactly = { match_exact: true }

describe('A selection with match_exact true', () => {
  it('finds fields that equal the value as stored', async () => {
    assert.deepEqual(await found('title', 'Hamlet', exactly), ['hamlet'])
    assert.deepEqual(await found('title', 'hamlet', exactly), ['lower'])
    assert.deepEqual(await found('title', 'Haml', exactly), [])
    assert.deepEqual(await found('title', 'Cafe Muller', exactly), [])
    assert.deepEqual(await found('title', 'Café Müller', exactly), ['cafe'])
  })

  it('finds any of an array of values', async () => {
    assert.deepEqual(await found('title', ['Café Müller', 'Hamlet', 'Macbeth'], exactly), ['hamlet', 'cafe'])
  })

  it('finds any of several values of a repeated field', async () => {
    assert.deepEqual(await found('tags', 'Classic', exactly), ['hamlet'])
    assert.deepEqual(await found('tags', ['Parody', 'Classic'], exactly), ['hamlet', 'lower'])
  })

  it('takes a star inside a value as it is', async () => {
    assert.deepEqual(await found('title', 'Star * here', exactly), ['star'])
    assert.deepEqual(await found('title', 'Ham*', exactly), [])
  })

  it('finds numbers and booleans by how they read, given as text or as they are', async () => {
    assert.deepEqual(await found('duration', '180', exactly), ['hamlet'])
    assert.deepEqual(await found('duration', [90.5, 12], exactly), ['lower'])
    assert.deepEqual(await found('is_classic', 'true', exactly), ['cafe'])
    assert.deepEqual(await found('is_classic', true, exactly), ['cafe'])
  })

  it('finds a value of 512 characters', async () => {
    const note = 'n'.repeat(512)
    const { id } = await create(aRecord('person', { name: 'Noted', note }))
    const byNote = async (value: string) =>
      idsOf((await filter([{ type: 'selection', key: 'properties.note.value', value, match_exact: true }])).body)

    assert.deepEqual(await byNote(note), [id])
    assert.deepEqual(await byNote(note.slice(1)), [])
  })
})

describe('A selection with match_exact false or absent', () => {
  for (const members of [{}, { match_exact: false }]) {
    it(`finds fields that contain one of the values, folded: ${JSON.stringify(members)}`, async () => {
      assert.deepEqual(await found('title', 'HAMLE', members), ['hamlet', 'lower'])
      assert.deepEqual(await found('title', ['muller', 'zzz'], members), ['cafe'])
      assert.deepEqual(await found('tags', 'rag', members), ['hamlet'])
      assert.deepEqual(await found('age_category', '6+', members), ['lower'])
    })
  }

  it('takes a star inside a value as it is', async () => {
    assert.deepEqual(await found('title', '* h'), ['star'])
    assert.deepEqual(await found('title', 'Ham*'), [])
  })
})

describe('A selection', () => {
  it('of "*" finds records that have a value, exact or not', async () => {
    assert.deepEqual(await found('tags', '*', exactly), ['hamlet', 'lower'])
    assert.deepEqual(await found('tags', '*'), ['hamlet', 'lower'])
    assert.deepEqual(await found('tags', ['*'], exactly), ['hamlet', 'lower'])
  })

  it('of "" finds records that have none, exact or not', async () => {
    assert.deepEqual(await found('tags', '', exactly), ['cafe', 'star'])
    assert.deepEqual(await found('tags', ''), ['cafe', 'star'])
  })

  it('takes "" beside other values', async () => {
    assert.deepEqual(await found('tags', ['Parody', ''], exactly), ['lower', 'cafe', 'star'])
    assert.deepEqual(await found('tags', ['paro', ''], {}), ['lower', 'cafe', 'star'])
  })

  it('of an empty array matches nothing', async () => {
    assert.deepEqual(await found('title', [], exactly), [])
    assert.deepEqual(await found('title', []), [])
  })

  it('is negated by match_not', async () => {
    assert.deepEqual(await found('title', 'Hamlet', { match_exact: true, match_not: true }), ['lower', 'cafe', 'star'])
    assert.deepEqual(await found('tags', 'Classic', { match_exact: true, match_not: true }), ['lower', 'cafe', 'star'])
    assert.deepEqual(await found('title', [], { match_not: true }), ['hamlet', 'lower', 'cafe', 'star'])
  })

  it('takes 1000 values', async () => {
    const values = Array.from({ length: 999 }, (_, index) => `Value ${index}`)

    assert.deepEqual(await found('title', [...values, 'Hamlet'], exactly), ['hamlet'])
    assert.deepEqual(await found('title', [...values, 'amle']), ['hamlet', 'lower'])
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aRecord, idsOf } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, filter } = service

const key = ['catalog:1|properties.title.value']
const titles = [
  'Hamlet',
  'The Tragedy of Hamlet, Prince of Denmark',
  'HAMLETMACHINE',
  'Café Lehmitz',
  'Cafe Society',
  'Brontë',
  '100% Shakespeare',
  'under_score',
  'back\\slash',
  'a "quoted" title',
  "l'Avare",
  'Straße nach Øst',
  'Ω'
]
for (const title of titles) await create(aProduction({ title }))
const untitled = await create(aRecord('person', { name: 'Nobody' }))

/** The titles that a text filter finds, in the order of creation. */
const found = async (value: string, members: Record<string, unknown> = {}) => {
  const { body } = await filter([
    { type: 'type', value: 'production' },
    { type: 'text', key, value, ...members }
  ])
  return body.results.map(
    (entity: { metadata: { key: string; value: unknown }[] }) =>
      entity.metadata.find(entry => entry.key === 'title')?.value
  )
}

describe('A text filter without *', () => {
  it('finds fields that contain the value', async () => {
    assert.deepEqual(await found('amle'), ['Hamlet', 'The Tragedy of Hamlet, Prince of Denmark', 'HAMLETMACHINE'])
    assert.deepEqual(await found('Prince of'), ['The Tragedy of Hamlet, Prince of Denmark'])
    assert.deepEqual(await found('Macbeth'), [])
  })

  it('folds case', async () => {
    assert.deepEqual(await found('hAMLETm'), ['HAMLETMACHINE'])
  })

  it('folds diacritics, in the field and in the value', async () => {
    assert.deepEqual(await found('cafe'), ['Café Lehmitz', 'Cafe Society'])
    assert.deepEqual(await found('CAFÉ'), ['Café Lehmitz', 'Cafe Society'])
    assert.deepEqual(await found('bronte'), ['Brontë'])
    assert.deepEqual(await found('Bronte\u0308'), ['Brontë'])
    assert.deepEqual(await found('strasse'), ['Straße nach Øst'])
    assert.deepEqual(await found('ost'), ['Straße nach Øst'])
  })

  it('finds one and two characters as well as more', async () => {
    assert.deepEqual(await found('ω'), ['Ω'])
    assert.deepEqual(await found('mi'), ['Café Lehmitz'])
  })

  for (const [value, title] of [
    ['0% s', '100% Shakespeare'],
    ['r_s', 'under_score'],
    ['k\\s', 'back\\slash'],
    ['"quoted"', 'a "quoted" title'],
    ["l'a", "l'Avare"]
  ] as const) {
    it(`takes every other character as it is: ${value}`, async () => {
      assert.deepEqual(await found(value), [title])
    })
  }

  it('ties to the ends of the field with ^ and $, and reads no other regular expressions', async () => {
    assert.deepEqual(await found('^Hamlet$'), ['Hamlet'])
    assert.deepEqual(await found('H.mlet'), [])
  })
})

describe('A text filter with *', () => {
  it('finds fields that begin with: Ham*', async () => {
    assert.deepEqual(await found('Ham*'), ['Hamlet', 'HAMLETMACHINE'])
  })

  it('finds fields that end with: *let', async () => {
    assert.deepEqual(await found('*let'), ['Hamlet'])
  })

  it('finds fields that contain: *aml*', async () => {
    assert.deepEqual(await found('*aml*'), ['Hamlet', 'The Tragedy of Hamlet, Prince of Denmark', 'HAMLETMACHINE'])
  })

  it('matches the whole field, * standing for any run of characters, none included', async () => {
    assert.deepEqual(await found('H*t'), ['Hamlet'])
    assert.deepEqual(await found('Ham*let'), ['Hamlet'])
    assert.deepEqual(await found('the*hamlet*denmark'), ['The Tragedy of Hamlet, Prince of Denmark'])
    assert.deepEqual(await found('amlet*'), [])
    assert.deepEqual(await found('hamlet*hamlet'), [])
    assert.deepEqual(await found('Ham**let'), ['Hamlet'])
  })

  it('folds case and diacritics', async () => {
    assert.deepEqual(await found('CAFE*'), ['Café Lehmitz', 'Cafe Society'])
    assert.deepEqual(await found('*É l*'), ['Café Lehmitz'])
  })

  it('takes % and _ and \\ as they are', async () => {
    assert.deepEqual(await found('1%*'), [])
    assert.deepEqual(await found('100%*'), ['100% Shakespeare'])
    assert.deepEqual(await found('under_*'), ['under_score'])
    assert.deepEqual(await found('unde_*'), [])
    assert.deepEqual(await found('*\\*'), ['back\\slash'])
  })
})

describe('A text filter with "*" or "" alone', () => {
  const onName = (value: string, members: Record<string, unknown> = {}) =>
    filter([{ type: 'text', key: 'properties.name.value', value, ...members }], '?limit=100')

  it('"*" finds records that have a value', async () => {
    assert.deepEqual(idsOf((await onName('*')).body), [untitled.id])
    assert.equal((await found('*')).length, titles.length)
  })

  it('"" finds records that have none', async () => {
    assert.equal((await onName('')).body.count, titles.length)
    assert.deepEqual(await found(''), [])
  })

  it('count an empty value as none', async () => {
    const empty = await create(aRecord('season', { name: 'Season', note: '' }))
    const onNote = async (value: string) =>
      idsOf(
        (
          await filter([
            { type: 'type', value: 'season' },
            { type: 'text', key: 'metadata.note.value', value }
          ])
        ).body
      )

    assert.deepEqual(await onNote('*'), [])
    assert.deepEqual(await onNote(''), [empty.id])
  })
})

describe('A text filter', () => {
  it('is negated by match_not', async () => {
    assert.equal((await found('hamlet', { match_not: true })).length, titles.length - 3)
    assert.deepEqual((await found('*', { match_not: true })).length, 0)
  })

  it('with match_exact true finds the field that equals the value as stored', async () => {
    assert.deepEqual(await found('Hamlet', { match_exact: true }), ['Hamlet'])
    assert.deepEqual(await found('hamlet', { match_exact: true }), [])
  })

  it('finds any of several values of a repeated field', async () => {
    const { id } = await create(aRecord('person', { name: 'Dodgson', alias: ['Lewis Carroll', 'Charles'] }))
    const byAlias = async (value: string) =>
      idsOf((await filter([{ type: 'text', key: 'properties.alias.value', value }])).body)

    assert.deepEqual(await byAlias('carroll'), [id])
    assert.deepEqual(await byAlias('Char*'), [id])
  })

  it('finds the words of long texts to their end', async () => {
    const long = `${'lorem ipsum '.repeat(3000)}the very end`
    const { id } = await create(aRecord('person', { name: 'Long', biography: long }))
    const byBiography = async (value: string) =>
      idsOf((await filter([{ type: 'text', key: 'properties.biography.value', value }])).body)

    assert.deepEqual(await byBiography('very end'), [id])
    assert.deepEqual(await byBiography('*the very end'), [id])
    assert.deepEqual(await byBiography('lorem*end'), [id])
    assert.deepEqual(await byBiography('*very'), [])
  })

  it('finds numbers by how they read', async () => {
    const { id } = await create(aProduction({ title: 'Long evening', duration: 245 }))

    assert.deepEqual(idsOf((await filter([{ type: 'text', key: 'properties.duration.value', value: '24*' }])).body), [
      id
    ])
  })
})

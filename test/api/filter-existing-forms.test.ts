import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aProduction, aVenue, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { pointersOf } from '../support/records/write-cases.ts'

/* The filter objects that clients of the other platform send. */

const service = await start({ after })
const { create, post } = service
const venue = await create(aVenue('Hamletzaal'))
const author = await create({ type: 'person', metadata: metadata({ name: 'Couperus, Louis' }) })
const work = await create({
  type: 'work_word',
  metadata: metadata({ title: 'Eline Vere' }),
  relations: relations({ refAuthors: author.id })
})
const hamlet = await create(aProduction({ title: 'Hamlet', duration: 90, premiere_date: '2026-11-14' }))
const other = await create(aProduction({ title: 'Prins Hamlet van Elsinore', status: 'archived' }))
const poster = await create({ type: 'mediafile', metadata: metadata({ mediafile_type: 'poster', title: 'A poster' }) })

const title = 'catalog:1|properties.title.value'
const send = (...filters: object[]) => post('/entities/filter', filters)
const found = async (...filters: object[]) => {
  const { status, body, text } = await send(...filters)
  assert.equal(status, 200, text)
  return body.results.map((each: { id: string }) => each.id)
}

describe('A filter of an existing client', () => {
  it('is restricted by item_types', async () => {
    const filter = { type: 'text', key: ['properties.title.value', 'properties.name.value'], value: 'hamlet' }
    assert.deepEqual(await found(filter), [venue.id, hamlet.id, other.id])
    assert.deepEqual(await found({ ...filter, item_types: ['venue'] }), [venue.id])
    assert.deepEqual(await found({ ...filter, item_types: [] }), [venue.id, hamlet.id, other.id])
    assert.deepEqual(await found({ ...filter, item_types: ['no_such_type'] }), [])
    const without = await found({ ...filter, item_types: ['production'], match_not: true })
    assert.deepEqual(without, [])
  })

  it('ties a text to the ends of the field with ^ and $, and trims it', async () => {
    assert.deepEqual(await found({ type: 'text', key: title, value: '^ham' }), [hamlet.id])
    assert.deepEqual(await found({ type: 'text', key: title, value: 'elsinore$' }), [other.id])
    assert.deepEqual(await found({ type: 'text', key: title, value: '^hamlet$' }), [hamlet.id])
    assert.deepEqual(await found({ type: 'text', key: title, value: ' hamlet ' }), [hamlet.id, other.id])
    assert.deepEqual(await found({ type: 'text', key: title, value: '^prins*nore$' }), [other.id])
  })

  it('asks for any date, number or truth with "*", and for none with ""', async () => {
    const type = { type: 'type', value: 'production' }
    for (const [kind, key] of [
      ['date', 'properties.premiere_date.value'],
      ['number', 'properties.duration.value'],
      ['boolean', 'properties.premiere_date.value']
    ] as const) {
      assert.deepEqual(await found(type, { type: kind, key, value: '*' }), [hamlet.id], kind)
      assert.deepEqual(await found(type, { type: kind, key, value: '' }), [other.id], kind)
    }
  })

  it('may leave members empty', async () => {
    const filter = { type: 'text', key: title, value: '^hamlet$' }
    const empty = { match_exact: null, parent_key: '', aggregation: '', distinct_by: '', operator: null, or: null }
    assert.deepEqual(await found({ ...filter, ...empty, __typename: 'AdvancedFilterInput' }), [hamlet.id])
  })

  it('names a field without a path, and a related record by its name under "key"', async () => {
    const archived = { type: 'selection', key: 'status', value: ['archived'], match_exact: true }
    assert.deepEqual(await found(archived), [other.id])
    assert.deepEqual(await found({ ...archived, key: 'podiumnet:1|status' }), [other.id])
    assert.deepEqual(await found({ type: 'text', key: 'properties.ref_authors.key', value: 'couperus' }), [work.id])
    assert.deepEqual(pointersOf(await send({ type: 'text', key: 'no_such_field', value: 'x' })), ['/0/key'])
    assert.deepEqual(pointersOf(await send({ type: 'text', key: 'properties.title.key', value: 'x' })), ['/0/key'])
  })

  it('looks at the names of records when it has no key', async () => {
    assert.deepEqual(await found({ type: 'text', value: '^couperus' }), [author.id])
    assert.deepEqual(await found({ type: 'selection', value: ['Hamlet'], match_exact: true }), [hamlet.id])
    assert.deepEqual(pointersOf(await send({ type: 'date', value: '2026-11-14' })), ['/0/key'])
  })

  it('finds a choice by each of its spellings', async () => {
    const filter = { type: 'selection', key: ['podiumnet:1|properties.mediafile_type.value'], match_exact: true }
    assert.deepEqual(await found({ ...filter, value: 'poster' }), [poster.id])
    assert.deepEqual(await found({ ...filter, value: 'posters' }), [poster.id])
  })

  it('gets the values of its field as options with provide_value_options_for_key', async () => {
    const options = { provide_value_options_for_key: true, distinct_by: 'properties.status.value' }
    const { body } = await send(
      { type: 'type', value: 'production' },
      { type: 'text', key: 'properties.status.value', value: '*', ...options }
    )
    assert.deepEqual(body, {
      count: 2,
      results: [
        { label: 'archived', value: 'archived' },
        { label: 'concept', value: 'concept' }
      ],
      skip: 0,
      limit: 20
    })
  })
})

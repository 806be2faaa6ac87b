import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { createRecordModel } from '../../web/src/data/record-model.ts'
import { filtersOf } from '#domain/find/find-filters.ts'
import { findAddress, readFindState } from '#domain/find/find-state.ts'
import { createBook } from '../support/records/entities.ts'
import { start, temporaryFolder } from '../support/services/start.ts'

/* The table of a field says whether it is a facet, searched and shown; pages need nothing else. */

const model = {
  types: [
    { type: 'work_word', fields: { mood: { kind: 'text', repeatable: true, facet: { order: 35 } } } },
    { type: 'work_word', fields: { from: { kind: 'text', facet: { order: 36, isForStaff: true } } } },
    { type: 'work_word', fields: { shelf_hint: { kind: 'text', isSearched: false, isInternal: true } } },
    { type: 'production', relations: { refVenues: { to: ['venue', 'library'] } } }
  ]
}
const file = join(temporaryFolder({ after }), 'model.json')
writeFileSync(file, JSON.stringify(model))
const service = await start({ after }, { MODEL: file, ANONYMOUS_ACCESS: 'read' })
const book = await createBook(service, {
  work: { fields: { title: 'Storm', mood: 'dark, 100% wet', from: 'Gent', shelf_hint: 'mezzanine' } },
  manifestation: { fields: { title: 'Storm' } }
})
await createBook(service, { work: { fields: { title: 'Storm again', mood: 'light' } } })

const staff = createRecordModel((await service.get('/record-types')).body.record_types, 'UTC')
const page = async (path: string) => (await service.get(path, { token: undefined })).text

describe('The facets', () => {
  it('are declared once each, and each in a place of its own', () => {
    const declared = builtInRecordTypes.flatMap(({ umbrella, type, fields, relations }) =>
      Object.entries({ ...fields, ...relations }).flatMap(([name, { facet }]) =>
        facet ? [`${umbrella ?? type} ${name} ${facet.order}`] : []
      )
    )
    const once = [...new Set(declared)].map(each => each.split(' '))
    for (const part of [1, 2]) {
      const parts = once.map(each => each[part])
      assert.deepEqual(parts, [...new Set(parts)])
    }
  })

  it('of staff and of readers are the same in the same order, less those for staff', async () => {
    const { facets } = createModel(builtInRecordTypes)
    const forStaff = staff.facets.map(({ name }) => name).filter(name => !['mood', 'from'].includes(name))
    assert.deepEqual(
      forStaff,
      facets.map(({ name }) => name)
    )
    assert.deepEqual(
      facets.flatMap(({ name, isForStaff }) => (isForStaff ? [name] : [])),
      []
    )
  })

  it('of a model file are in their place, and one that is declared anew stays', () => {
    const names = staff.facets.map(({ name }) => name)
    assert.deepEqual(names.slice(names.indexOf('refAuthors'), names.indexOf('refSubjects')), [
      'refAuthors',
      'mood',
      'from'
    ])
    assert.ok(names.includes('refVenues'))
  })

  it('narrow the public results, whatever signs a value has', async () => {
    const all = await page('/find?q=storm')
    assert.match(all, /<summary>Mood<\/summary>/)
    assert.doesNotMatch(all, /<summary>From<\/summary>/)
    const [, link = ''] = /<a href="([^"]*)" rel="nofollow"><span dir="auto">dark, 100% wet/.exec(all) ?? []
    const narrowed = await page(link.replaceAll('&amp;', '&'))
    assert.match(narrowed, />1 result</)
    assert.match(narrowed, /aria-current="true"><span dir="auto">dark, 100% wet/)
    assert.match(narrowed, new RegExp(`/record/${book.work}`))
  })

  it('survive in the address of a search of the page', async () => {
    const chosen = { mood: ['dark, 100% wet', 'light'], from: ['Gent'], refLibrary: ['LIB-1'] }
    const address = findAddress({ facets: chosen })
    const state = readFindState(new URL(address, 'http://localhost').searchParams, staff)
    assert.deepEqual(state.facets, chosen)
    assert.equal(state.from, '')
    assert.match(address, /libraries=LIB-1/)
    const narrowed = { ...state, facets: { ...state.facets, refLibrary: [], from: [] } }
    const { body } = await service.filter(filtersOf(narrowed, staff))
    // Two works, each with its text and its edition.
    assert.equal(body.count, 6)
  })
})

describe('A field', () => {
  it('is searched and shown to readers, unless its table says otherwise', async () => {
    const countOf = async (value: string) => (await service.filter([{ type: 'search', value }])).body.count
    assert.deepEqual([await countOf('wet'), await countOf('mezzanine'), await countOf('"mezzanine"')], [3, 0, 0])
    const shown = await page(`/record/${book.work}`)
    assert.match(shown, /dark, 100% wet/)
    assert.doesNotMatch(shown, /mezzanine/)
    const filter = { type: 'selection', key: 'properties.shelf_hint.value', value: ['mezzanine'], match_exact: true }
    assert.equal((await service.filter([filter])).body.count, 1)
  })
})

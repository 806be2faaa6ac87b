import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createBook, metadata, relations } from '../support/records/entities.ts'
import { createRecordModel } from '../../web/src/data/record-model.ts'
import { start } from '../support/services/start.ts'

/* Publications are found by the items that libraries hold of them, in every search for readers. */

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })
const library = async (name: string, code: string) =>
  service.create({ type: 'library', metadata: metadata({ name, code }) })
const ghent = await library('Bibliotheek De Krook', 'BE-GHENT')
const leuven = await library('Tweebronnen', 'BE-LEUVEN')
const copy = async (title: string, at: string, shelfMark: string, barcode: string) => {
  const book = await createBook(service, { work: { fields: { title } }, manifestation: { fields: { title } } })
  await service.create({
    type: 'item',
    metadata: metadata({ shelf_mark: shelfMark, barcode }),
    relations: relations({ refManifestation: book.manifestation, refLibrary: at })
  })
  return book
}
await copy('The lighthouse', ghent.id, 'ROM 839.3 LIGH', '03105551234')
await copy('The harbour', leuven.id, 'VERH 12 B', '03109998877')
await copy('The harbour wall', ghent.id, 'ROM 839.3 HARB', '03105559999')

const page = async (path: string) => (await service.get(path, { token: undefined })).text
const resultsIn = (text: string) => /<ol class="results"[\s\S]*?<\/ol>/.exec(text)?.[0] ?? ''

describe('An item', () => {
  it('leads readers to its publication, by its shelf mark and by its barcode', async () => {
    for (const text of ['ROM 839.3 LIGH', 'rom ligh', '03105551234']) {
      const found = await page(`/find?q=${encodeURIComponent(text)}`)
      assert.match(found, /1 result</, text)
      assert.match(resultsIn(found), /The lighthouse/)
    }
    assert.match(await page('/find?q=03105551234&type=manifestation'), /1 result</)
    assert.match(await page('/find?q=00000000000'), /No records found/)
    assert.equal((await service.get('/find?q=rom+839.3&cursor=none', { token: undefined })).status, 400)
  })

  it('narrows the results of readers to a library, which they can choose', async () => {
    const found = await page('/find?q=harbour')
    assert.match(found, /libraries=LIB-[^"]*"[^>]*><span[^>]*>Bibliotheek De Krook<\/span><\/a> <span[^>]*>1</)
    const there = await page(`/find?q=harbour&by=refLibrary:${ghent.id}`)
    assert.match(there, /1 result</)
    assert.match(resultsIn(there), /The harbour wall/)
    assert.match(await page(`/find?q=lighthouse&by=refLibrary:${leuven.id}`), /Without the filter/)
  })

  it('is counted for its work and its publication by the facet of libraries of the page', async () => {
    const { record_types } = (await service.get('/record-types')).body
    const facet = createRecordModel(record_types, 'UTC').facets.find(({ name }) => name === 'refLibrary')
    const path = facet?.ofWhole?.path ?? ''
    const countsOf = async (query: string, type: string) => {
      const filters = [{ type: 'type', value: type }]
      const { facets } = (await service.filter(filters, `?limit=0&facets=${path}${query}`)).body
      return Object.fromEntries(
        facets[path].map(({ value, count }: { value: string; count: number }) => [value, count])
      )
    }
    const expected = { [ghent.id]: 2, [leuven.id]: 1 }
    assert.deepEqual(await countsOf('', 'manifestation'), expected)
    assert.deepEqual(await countsOf('&group_by=work', '*'), expected)
    assert.deepEqual(facet?.ofWhole?.types.includes('manifestation_word'), true)
  })

  it('is found by SRU: by shelf mark, barcode and library, which explain lists', async () => {
    const count = async (query: string) =>
      /numberOfRecords>(\d+)</.exec((await service.get(`/sru?query=${encodeURIComponent(query)}`)).text)?.[1]
    for (const [query, expected] of [
      ['item.shelfMark="ROM 839.3 LIGH"', '1'],
      ['item.shelfMark=ROM', '2'],
      ['item.barcode=03109998877', '1'],
      ['barcode=03109998877', '1'],
      ['item.library=krook', '2'],
      ['item.library="BE-LEUVEN"', '1'],
      ['dc.title=harbour and item.library=krook', '1'],
      ['item.barcode=1', '0']
    ] as const)
      assert.equal(await count(query), expected, query)
    const explain = (await service.get('/sru')).text
    for (const name of ['shelfMark', 'barcode', 'library'])
      assert.match(explain, new RegExp(`<name set="item">${name}</name>`))
  })

  it('narrows filters to a library, and facets count by it', async () => {
    const key = 'referring.ref_manifestation.ref_library.value'
    const { body } = await service.filter(
      [
        { type: 'search', value: 'harbour' },
        { type: 'selection', key, value: [ghent.id], match_exact: true }
      ],
      `?facets=${key}`
    )
    assert.equal(body.count, 1)
    assert.deepEqual(body.facets[key], [{ value: ghent.id, label: 'Bibliotheek De Krook', count: 1 }])
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { aPerson, aProduction, createBook, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

/* A search that finds nothing offers others that find something. */

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read:manifestation,read:work,read:expression,read:person' })
const mann = await service.create(aPerson('Mann, Thomas'))
const book = (title: string, isbn?: string, more: Record<string, string> = {}) =>
  createBook(service, {
    work: { fields: { title }, relations: relations({ refAuthors: mann.id }) },
    manifestation: { fields: { title, ...(isbn === undefined ? {} : { isbn }), ...more } }
  })
await book('Der Zauberberg', '978-90-9758-160-9', { year_of_publication: '1924' })
await book('Buddenbrooks. Roman', '978-90-9711-408-1')
await book('Königliche Hoheit in Hardcover')
await service.create(aProduction({ title: 'Geheimnisvoll' }))

const search = (value: string) => ({ type: 'search', value })
const manifestations = { type: 'type', value: 'manifestation' }

interface Offer {
  readonly kind: string
  readonly left_out: readonly unknown[]
  readonly changed?: readonly { readonly from: string; readonly to: string }[]
  readonly query: readonly unknown[]
  readonly count: number
}

/** The offers for a search; each is sent as it was given and must find what it promises. */
async function offersFor(filters: readonly unknown[], query = ''): Promise<readonly Offer[]> {
  const { body } = await service.filter(filters, query)
  assert.equal(body.count, 0)
  const offers: readonly Offer[] = body.instead ?? []
  for (const offer of offers) {
    const again = await service.filter(offer.query, query)
    assert.equal(again.body.count, offer.count, JSON.stringify(offer))
    assert.equal('instead' in again.body, false)
  }
  return offers
}

const titlesIn = async ({ query }: Pick<Offer, 'query'>) =>
  ((await service.filter(query)).body.results as Entity[]).flatMap(({ metadata }) =>
    metadata.flatMap(({ key, value }) => (key === 'title' ? [value] : []))
  )

describe('A search that finds nothing', () => {
  it('is offered without the words that no record has', async () => {
    const [offer, ...others] = await offersFor([search('zauberberg xyzzyq'), manifestations])
    assert.deepEqual(others, [])
    assert.deepEqual(offer, {
      kind: 'words',
      left_out: ['xyzzyq'],
      changed: [],
      query: [search('zauberberg'), manifestations],
      count: 1
    })
  })

  it('is offered with fewer words where each word alone is in some record', async () => {
    for (const text of ['zauberberg roman hardcover', 'thomas mann der zauberberg roman hardcover']) {
      const offers = await offersFor([search(text), manifestations])
      assert.ok(offers.length > 0, text)
      for (const { kind } of offers) assert.equal(kind, 'words')
      const titles = (await Promise.all(offers.map(titlesIn))).flat()
      assert.ok(titles.includes('Der Zauberberg'), `${text}: ${JSON.stringify(offers)}`)
    }
    const [one] = await offersFor([search('buddenbrooks roman hoheit'), manifestations])
    assert.deepEqual(one?.left_out, ['hoheit'])
  })

  it('is offered in another spelling where a search does not tolerate so many typos', async () => {
    const [offer] = await offersFor([search('hoeyt königliche'), manifestations])
    assert.deepEqual(
      [offer?.kind, offer?.changed, offer?.query],
      ['spelling', [{ from: 'hoeyt', to: 'hoheit' }], [search('hoheit königliche'), manifestations]]
    )
  })

  it('is offered without each filter that keeps it from finding', async () => {
    const ofYear = { type: 'number', key: 'properties.year_of_publication.value', value: { min: 2000 } }
    const offers = await offersFor([search('zauberberg'), ofYear, manifestations])
    assert.deepEqual(offers, [
      { kind: 'filter', left_out: [ofYear], query: [search('zauberberg'), manifestations], count: 1 }
    ])
    const grouped = await offersFor([search('zauberberg'), { type: 'type', value: 'production' }], '?group_by=work')
    assert.deepEqual(
      grouped.map(({ kind, count }) => [kind, count]),
      [['filter', 1]]
    )
  })

  it('by an ISBN with a mistake says so, and is offered the nearest existing ones', async () => {
    const right = '9789097581609'
    for (const [typed, message] of [
      ['978-90-9758-160', /10 or 13 digits/],
      ['9789097581608', /digit is wrong/],
      ['9789097851609', /digit is wrong/],
      ['978-90-9758-106-9', /digit is wrong/],
      ['909758160', /10 or 13 digits/],
      ['90-9758-106-5', /digit is wrong/],
      ['isbn 97890975816091', /10 or 13 digits/]
    ] as const) {
      const { body } = await service.filter([search(typed)])
      assert.equal(body.count, 0, typed)
      const [warning] = body.warnings
      assert.deepEqual([warning.pointer, warning.code], ['/0/value', 'isbn'])
      assert.match(warning.message, message)
      assert.deepEqual(
        body.instead?.map(({ kind, query, count }: Offer) => [kind, query, count]),
        [['isbn', [search(right)], 1]],
        typed
      )
      assert.equal((await service.filter(body.instead[0].query)).body.count, 1)
    }
    const { body } = await service.filter([search('9780000000003')])
    assert.equal(body.warnings[0].code, 'isbn')
    assert.equal('instead' in body, false)
  })

  it('offers nothing where nothing can be found, on later pages, for facets alone and for other filters', async () => {
    assert.deepEqual(await offersFor([search('xyzzyq')]), [])
    assert.deepEqual(await offersFor([search('xyzzyq OR qyzzyx')]), [])
    for (const query of ['?limit=0', '?skip=10'])
      assert.equal('instead' in (await service.filter([search('zauberberg xyzzyq')], query)).body, false)
    for (const filters of [
      [{ type: 'text', key: 'properties.title.value', value: 'xyzzyq' }, manifestations],
      [
        { ...search('zauberberg xyzzyq'), match_not: true },
        { type: 'type', value: 'venue' }
      ]
    ])
      assert.equal('instead' in (await service.filter(filters)).body, false)
  })

  it('offers no word of a record that the caller may not read', async () => {
    const text = 'geheimnisvol zauberberg'
    const { text: page } = await service.get(`/find?q=${encodeURIComponent('geheymnisvol zauberberg')}`, {
      token: undefined
    })
    assert.doesNotMatch(page, /geheimnisvoll/)
    assert.match((await service.get(`/find?q=${encodeURIComponent(text)}`, { token: undefined })).text, /zauberberg/)
  })
})

describe('The page of a search that finds nothing', () => {
  const page = async (path: string, language = 'en') =>
    (await service.get(path, { token: undefined, headers: { 'accept-language': language } })).text

  it('links to the other searches, without script, with what each leaves out and finds', async () => {
    const text = await page('/find?q=zauberberg+xyzzyq')
    assert.match(text, /Try instead/)
    assert.match(text, /<a href="\/find\?q=zauberberg" rel="nofollow">Without “xyzzyq”<\/a> <span[^>]*>1 result</)
    assert.match(await page('/find?q=zauberberg+xyzzyq', 'nl'), /Zonder “xyzzyq”/)
    const narrowed = await page(`/find?q=zauberberg&by=refAuthors:${mann.id},refPublishers:PUB-1`)
    assert.match(narrowed, /href="\/find\?q=zauberberg&amp;authors=[^"]*" rel="nofollow">Without the filter/)
    assert.match(await page('/find?q=9789097581608'), /looks like an ISBN[\s\S]*href="\/find\?q=9789097581609"/)
  })
})

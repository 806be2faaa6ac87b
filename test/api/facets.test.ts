import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { start, type TestService } from '../support/services/start.ts'

const genre = (id: string, name: string) => ({ id, type: 'genre', metadata: [{ key: 'name', value: name }] })

const show = (id: string, title: string, genres: readonly string[], more: Record<string, unknown>[] = []) => ({
  id,
  type: 'production',
  metadata: [{ key: 'title', value: title }, ...more],
  relations: genres.map(key => ({ type: 'refGenres', key }))
})

async function fill(service: TestService) {
  await service.create(genre('GEN-1', 'Drama'))
  await service.create(genre('GEN-2', 'Komedie'))
  await service.create(
    show(
      'PR-1',
      'Een',
      ['GEN-1'],
      [
        { key: 'tags', value: ['rood', 'blauw', 'rood'] },
        { key: 'tags', value: 'groen', lang: 'nl' }
      ]
    )
  )
  await service.create(show('PR-2', 'Twee', ['GEN-1', 'GEN-2'], [{ key: 'tags', value: 'blauw' }]))
  await service.create(show('PR-3', 'Drie', [], [{ key: 'size', value: 12 }]))
}

const facets = async (service: TestService, paths: string, filters: unknown[] = [], more = '') => {
  const { body } = await service.filter(filters, `?limit=0&facets=${encodeURIComponent(paths)}${more}`)
  return body.facets
}

describe('facets', () => {
  it('count the types, the values and the related records of all matches, the most frequent first', async t => {
    const service = await start(t)
    await fill(service)
    assert.deepEqual(await facets(service, 'type,properties.ref_genres.value,properties.tags.value'), {
      type: [
        { value: 'production', count: 3 },
        { value: 'genre', count: 2 }
      ],
      'properties.ref_genres.value': [
        { value: 'GEN-1', label: 'Drama', count: 2 },
        { value: 'GEN-2', label: 'Komedie', count: 1 }
      ],
      // Every element counts, each record once for each; equals are in the order of their values.
      'properties.tags.value': [
        { value: 'blauw', count: 2 },
        { value: 'groen', count: 1 },
        { value: 'rood', count: 1 }
      ]
    })
    assert.deepEqual(await facets(service, 'catalog:1|properties.ref_genres.name,metadata.size.value'), {
      'catalog:1|properties.ref_genres.name': [
        { value: 'Drama', count: 2 },
        { value: 'Komedie', count: 1 }
      ],
      'metadata.size.value': [{ value: '12', count: 1 }]
    })
  })

  it('are of what matches, whatever the page, and of a search too', async t => {
    const service = await start(t)
    await fill(service)
    const search = [{ type: 'search', value: 'komedie' }]
    assert.deepEqual(await facets(service, 'type', search), {
      type: [
        { value: 'genre', count: 1 },
        { value: 'production', count: 1 }
      ]
    })
    const page = await service.filter(search, '?limit=1&facets=type')
    assert.equal(page.body.results.length, 1)
    assert.equal(page.body.facets.type.length, 2)
    const next = await service.post(page.body.next, search)
    assert.deepEqual(next.body.facets, page.body.facets)
    assert.deepEqual(await facets(service, 'type', [{ type: 'id', value: 'none' }]), { type: [] })
  })

  it('give as many values as facet_limit says, 20 by default', async t => {
    const service = await start(t)
    for (let number = 10; number < 35; number++)
      await service.create({ type: 'genre', metadata: [{ key: 'name', value: `g${number}` }] })
    assert.equal((await facets(service, 'properties.name.value'))['properties.name.value'].length, 20)
    assert.deepEqual(await facets(service, 'properties.name.value', [], '&facet_limit=2'), {
      'properties.name.value': [
        { value: 'g10', count: 1 },
        { value: 'g11', count: 1 }
      ]
    })
  })

  it('count a record once that points to another by several of its names, among all records and among some', async t => {
    const service = await start(t)
    await fill(service)
    const { body: drama } = await service.get('/entities/GEN-1')
    // Before there is what they name, nobody can tell that two names are one.
    const early = show('PR-4', 'Vier', [drama._id, 'GEN-3', 'opera'], [{ key: 'size', value: 12 }])
    await service.create(early, '?allow_dangling=1')
    await service.create({ ...genre('GEN-3', 'Opera'), identifiers: ['opera'] })
    await service.create(show('PR-5', 'Vijf', ['opera']))
    // Enough other records that values of few records are found by another algorithm.
    for (let number = 0; number < 30; number++) await service.create(genre(`GEN-more-${number}`, 'Meer'))
    await service.create({ ...genre('GEN-4', 'Los'), relations: [{ type: 'refParents', key: 'GEN-1' }] })
    const expected = {
      'properties.ref_genres.value': [
        { value: 'GEN-1', label: 'Drama', count: 3 },
        { value: 'GEN-3', label: 'Opera', count: 2 },
        { value: 'GEN-2', label: 'Komedie', count: 1 }
      ],
      'properties.size.value': [{ value: '12', count: 2 }],
      'properties.duration.value': []
    }
    const paths = Object.keys(expected).join()
    assert.deepEqual(await facets(service, paths), expected)
    assert.deepEqual(await facets(service, paths, [{ type: 'type', value: 'production' }]), expected)
    // Also when it was asked before, and something was written since.
    await service.create(show('PR-6', 'Zes', [], [{ key: 'size', value: 13 }]))
    assert.equal((await facets(service, paths))['properties.size.value'].length, 2)
    assert.deepEqual((await facets(service, 'properties.ref_parents.value'))['properties.ref_parents.value'], [
      { value: 'GEN-1', label: 'Drama', count: 1 }
    ])
    const [first] = (await facets(service, 'identifiers', [], '&facet_limit=1')).identifiers
    assert.equal(first.count, 1)
  })

  it('stand in the envelope of GET /entities', async t => {
    const service = await start(t)
    await fill(service)
    const { body } = await service.get(
      '/entities?type=production&envelope=1&facets=properties.ref_genres.value&limit=1'
    )
    assert.deepEqual(body.facets['properties.ref_genres.value'][0], { value: 'GEN-1', label: 'Drama', count: 2 })
    assert.match(body.next, /facets=properties.ref_genres.value/)
    assert.equal((await service.get('/entities?facets=type')).status, 400)
  })

  it('count an ISBN once, as it is stored', async t => {
    const service = await start(t)
    await service.create(
      {
        type: 'manifestation_word',
        metadata: [
          { key: 'title', value: 'Ubik' },
          { key: 'isbn', value: '080442957X' }
        ],
        relations: [{ type: 'refExpressions', key: 'E-later' }]
      },
      '?allow_dangling=1'
    )
    assert.deepEqual(await facets(service, 'properties.isbn.value,relations.refExpressions.key'), {
      'properties.isbn.value': [{ value: '080442957X', count: 1 }],
      'relations.refExpressions.key': [{ value: 'E-later', count: 1 }]
    })
  })

  it('refuse what is no path, too many of them, and a limit out of bounds', async t => {
    const service = await start(t)
    for (const query of [
      'facets=title',
      'facets=metadata.a%00b.value',
      `facets=${Array.from({ length: 17 }, (_, number) => `metadata.k${number}.value`).join()}`,
      'facets=type&facet_limit=0',
      'facets=type&facet_limit=1001'
    ]) {
      const answer = await service.post(`/entities/filter?${query}`, [])
      assert.equal(answer.status, 400, query)
    }
  })

  it('know nothing of types that the token may not read', async t => {
    const service = await start(t)
    await fill(service)
    const token = await service.tokenWith('read:production')
    const { body } = await service.post(
      '/entities/filter?facets=type,properties.ref_genres.value,properties.ref_genres.name',
      [],
      { token }
    )
    assert.deepEqual(body.facets, {
      type: [{ value: 'production', count: 3 }],
      'properties.ref_genres.value': [],
      'properties.ref_genres.name': []
    })
  })
})

describe('highlights', () => {
  it('show the words of each result that were searched for', async t => {
    const service = await start(t)
    await service.create({ id: 'PERS-1', type: 'person', metadata: [{ key: 'name', value: 'Woolf, Virginia' }] })
    await service.create({
      id: 'PR-1',
      type: 'production',
      metadata: [
        { key: 'title', value: 'Orlandó, een leven' },
        {
          key: 'description',
          value: `<p>${'Vooraf. '.repeat(40)}<b>Orlando</b> &amp; co ${'Achteraf. '.repeat(40)}</p>`
        }
      ],
      relations: [{ type: 'refAuthors', key: 'PERS-1' }]
    })
    const { body } = await service.filter([{ type: 'search', value: 'orlan woolf' }], '?highlight=1')
    const [title, description, author] = body.highlights['PR-1']
    assert.deepEqual(title, { key: 'title', parts: [{ text: 'Orlandó', hit: true }, { text: ', een leven' }] })
    assert.equal(description.key, 'description')
    assert.deepEqual(description.parts[1], { text: 'Orlando', hit: true })
    assert.match(description.parts[2].text, /^ & co Achteraf/)
    const length = description.parts.map((part: { text: string }) => part.text).join('').length
    assert.ok(length <= 300, String(length))
    assert.deepEqual(author, {
      key: 'refAuthors',
      id: 'PERS-1',
      parts: [{ text: 'Woolf', hit: true }, { text: ', Virginia' }]
    })
    const oneOfEach = { type: 'search', value: 'orlan woolf', distinct_by: 'properties.title.value' }
    const distinct = await service.filter([oneOfEach], '?highlight=1')
    assert.deepEqual(distinct.body.highlights, body.highlights)
  })

  it('show what a typo led to, and an ISBN in the form it is stored in', async t => {
    const service = await start(t)
    await service.create(
      {
        id: 'M-1',
        type: 'manifestation_word',
        metadata: [
          { key: 'title', value: 'Ubik en andere verhalen' },
          { key: 'isbn', value: '0-8044-2957-X' }
        ],
        relations: [{ type: 'refExpressions', key: 'E-later' }]
      },
      '?allow_dangling=1'
    )
    const typo = await service.filter([{ type: 'search', value: 'verhaeln' }], '?highlight=1')
    assert.deepEqual(typo.body.highlights, {
      'M-1': [{ key: 'title', parts: [{ text: 'Ubik en andere ' }, { text: 'verhalen', hit: true }] }]
    })
    const isbn = await service.filter([{ type: 'search', value: '9780804429573' }], '?highlight=1')
    assert.deepEqual(isbn.body.highlights, { 'M-1': [{ key: 'isbn', parts: [{ text: '0-8044-2957-X', hit: true }] }] })
  })

  it('leave out the names of what the token may not read', async t => {
    const service = await start(t)
    await service.create({ id: 'PERS-1', type: 'person', metadata: [{ key: 'name', value: 'Orlando Woolf' }] })
    await service.create({
      id: 'PR-1',
      type: 'production',
      metadata: [{ key: 'title', value: 'Orlando' }],
      relations: [{ type: 'refAuthors', key: 'PERS-1' }]
    })
    const token = await service.tokenWith('read:production')
    const { body } = await service.post('/entities/filter?highlight=1', [{ type: 'search', value: 'orlando' }], {
      token
    })
    assert.deepEqual(body.highlights, { 'PR-1': [{ key: 'title', parts: [{ text: 'Orlando', hit: true }] }] })
  })
})

describe('facets over several relations', () => {
  it('count the records, or the names, at the end of up to four relations', async t => {
    const service = await start(t)
    const person = (id: string, name: string) => ({ id, type: 'person', metadata: [{ key: 'name', value: name }] })
    await service.create(person('PER-1', 'Claus, Hugo'))
    await service.create(person('PER-2', 'Lanoye, Tom'))
    const work = (id: string, authors: readonly string[]) => ({
      id,
      type: 'work_word',
      metadata: [{ key: 'title', value: id }],
      relations: authors.map(key => ({ type: 'refAuthors', key }))
    })
    await service.create(work('W-1', ['PER-1']))
    await service.create(work('W-2', ['PER-1', 'PER-2']))
    const ofWorks = (id: string, works: readonly string[]) => ({
      id,
      type: 'production',
      metadata: [{ key: 'title', value: id }],
      relations: works.map(key => ({ type: 'refWorks', key }))
    })
    await service.create(ofWorks('PR-A', ['W-1', 'W-2']))
    await service.create(ofWorks('PR-B', ['W-2']))
    await service.create(ofWorks('PR-C', []))
    const byId = 'properties.ref_works.ref_authors.value'
    const byName = 'properties.ref_works.ref_authors.name'
    assert.deepEqual(await facets(service, `${byId},${byName}`), {
      [byId]: [
        { value: 'PER-1', label: 'Claus, Hugo', count: 2 },
        { value: 'PER-2', label: 'Lanoye, Tom', count: 2 }
      ],
      [byName]: [
        { value: 'Claus, Hugo', count: 2 },
        { value: 'Lanoye, Tom', count: 2 }
      ]
    })
    await service.create({ type: 'performance', ...start8, relations: [{ type: 'refProduction', key: 'PR-B' }] })
    const ofShow = 'properties.ref_production.ref_works.ref_authors.name'
    assert.deepEqual((await facets(service, ofShow))[ofShow], [
      { value: 'Claus, Hugo', count: 1 },
      { value: 'Lanoye, Tom', count: 1 }
    ])
    // Options of a menu are counted in the same way.
    const { body } = await service.filter([
      { type: 'text', key: byName, value: '*', provide_value_options_for_key: true }
    ])
    assert.deepEqual(
      body.results.map((each: { value: string }) => each.value),
      ['Claus, Hugo', 'Lanoye, Tom']
    )
    // A reader who may not read works reaches nobody through them.
    const token = await service.tokenWith('read:production', 'read:person')
    const seen = await service.post(`/entities/filter?limit=0&facets=${byId}`, [], { token })
    assert.deepEqual(seen.body.facets[byId], [])
  })

  it('are refused over more relations, and where order and columns cannot follow them', async t => {
    const { get } = await start(t)
    const far = `properties.${'ref_parent.'.repeat(5)}value`
    assert.equal((await get(`/entities?envelope=1&facets=${far}`)).status, 400)
    assert.equal((await get('/entities?order_by=properties.ref_works.ref_authors.name')).status, 400)
    assert.equal((await get('/export?format=csv&columns=properties.ref_works.ref_authors.name')).status, 400)
  })
})

const start8 = { metadata: [{ key: 'start', value: '2026-01-16T20:00:00Z' }] }

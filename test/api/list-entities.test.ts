import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import {
  aPerson,
  aProduction,
  aRecord,
  aVenue,
  createBook,
  idsOf,
  metadata,
  valuesIn
} from '../support/records/entities.ts'
import { membersOfEntity } from '../support/records/write-cases.ts'
import { start, type TestService } from '../support/services/start.ts'

const service = await start({ after })
const { create, get } = service

/** A few records of one type each, so that the tests of this file do not see each other's. */
const createMany = async (type: string, count: number, fields: (index: number) => Record<string, unknown>) => {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await create(aRecord(type, fields(index)))).id)
  return ids
}

const seasons = await createMany('season', 25, index => ({ name: `Season ${index}` }))

/** The address that a `Link` header names for a relation. */
const linkTo = (header: unknown, rel: string) =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(header ?? ''))?.[1] ?? undefined

describe('GET /entities', () => {
  it('answers a JSON array of entities', async () => {
    const answer = await get('/entities')

    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.ok(Array.isArray(answer.body))
  })

  it('gives each item the whole shape of an entity, with _key its id', async () => {
    const venue = await create(aVenue())
    const given = aProduction({}, { relations: [{ key: venue.id, type: 'refVenues' }], identifiers: ['listed-1'] })
    const { id } = await create(given)

    const [item] = (await get('/entities?ids=listed-1')).body

    assert.deepEqual(item, (await get(`/entities/${id}`)).body)
    assert.equal(item._key, id)
    assert.equal(Object.keys(item).join(' '), membersOfEntity)
  })

  it('gives a _key that GET /entities/wem/{manifestation_id} takes', async () => {
    await createBook(service)

    const items = (await get('/entities?type=manifestation')).body

    for (const item of items) assert.equal((await get(`/entities/wem/${item._key}`)).status, 200)
  })

  it('answers an empty array when there is nothing', async () => {
    const answer = await get('/entities?type=performance')

    assert.deepEqual(answer.body, [])
    assert.equal(Number(answer.headers['x-total-count']), 0)
    assert.equal(answer.headers.link, undefined)
  })

  it('answers 401 without a token', async () => {
    assert.equal((await get('/entities', { token: undefined })).status, 401)
  })

  it('finds what was written a moment ago, and not what was deleted', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await create(aRecord('company', { name: `Fresh ${round}` }))
      assert.deepEqual(idsOf((await get('/entities?type=company')).body), [id])
      await service.patch(`/entities/${id}`, { metadata: metadata({ name: `Changed ${round}` }) })
      assert.deepEqual(valuesIn((await get('/entities?type=company')).body, 'name'), [`Changed ${round}`])
      await service.delete(`/entities/${id}`)
      assert.deepEqual((await get('/entities?type=company')).body, [])
    }
  })

  it('takes parameters it does not know, as existing clients send them', async () => {
    assert.equal((await get('/entities?type=season&exact_count=1&history=0')).status, 200)
  })
})

describe('skip and limit of GET /entities', () => {
  it('are 0 and 20 where they are left out', async () => {
    assert.deepEqual(idsOf((await get('/entities?type=season')).body), seasons.slice(0, 20))
    const { skip, limit } = (await get('/entities?type=season&envelope=1')).body
    assert.deepEqual({ skip, limit }, { skip: 0, limit: 20 })
  })

  it('are 0 and 20 where they are empty', async () => {
    assert.deepEqual(idsOf((await get('/entities?type=season&skip=&limit=')).body), seasons.slice(0, 20))
  })

  it('choose the page', async () => {
    assert.deepEqual(idsOf((await get('/entities?type=season&skip=5&limit=3')).body), seasons.slice(5, 8))
    assert.deepEqual(idsOf((await get('/entities?type=season&skip=23&limit=10')).body), seasons.slice(23))
    assert.deepEqual(idsOf((await get('/entities?type=season&skip=100')).body), [])
  })

  it('give only the count with limit 0', async () => {
    const answer = await get('/entities?type=season&limit=0')

    assert.deepEqual(answer.body, [])
    assert.equal(Number(answer.headers['x-total-count']), 25)
    assert.equal(answer.headers.link, undefined)
  })

  it('allow a limit of 1000', async () => {
    assert.deepEqual(idsOf((await get('/entities?type=season&limit=1000')).body), seasons)
  })

  for (const [name, value] of [
    ['limit', '1001'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['limit', '1e2'],
    ['limit', '0x10'],
    ['skip', '-1'],
    ['skip', '0.5'],
    ['skip', 'all'],
    ['skip', '99999999999999999999'],
    ['asc', '2'],
    ['asc', '-1'],
    ['asc', 'true'],
    ['envelope', 'yes']
  ] as const) {
    it(`answers 400 to ${name}=${value}`, async () => {
      const answer = await get(`/entities?${name}=${value}`)

      assert.equal(answer.status, 400)
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
      assert.equal(answer.body.errors[0].pointer, name)
    })
  }

  it('answer 400 with every bad parameter at once, and to one given twice', async () => {
    const { status, body } = await get('/entities?limit=-1&skip=-1&asc=7')

    assert.equal(status, 400)
    assert.deepEqual(body.errors.map((error: { pointer: string }) => error.pointer).sort(), ['asc', 'limit', 'skip'])
    assert.equal((await get('/entities?limit=1&limit=2')).status, 400)
  })
})

describe('type of GET /entities', () => {
  const subtypes = ['map', 'music', 'serial', 'footage', 'mixed_material', 'word', 'computer_file']

  it('gives the entities of one type', async () => {
    const { manifestation } = await createBook(service, { manifestation: { type: 'manifestation_map' } })

    assert.deepEqual(idsOf((await get('/entities?type=manifestation_map')).body), [manifestation])
  })

  it('takes manifestation for all its seven subtypes, and work and expression likewise', async t => {
    const own = await start(t)
    const books = []
    for (const material of subtypes) {
      books.push(
        await createBook(own, {
          work: { type: `work_${material}` },
          expression: { type: `expression_${material}` },
          manifestation: { type: `manifestation_${material}` }
        })
      )
    }

    for (const umbrella of ['work', 'expression', 'manifestation'] as const) {
      const answer = await own.get(`/entities?type=${umbrella}`)
      assert.deepEqual(
        idsOf(answer.body),
        books.map(book => book[umbrella])
      )
      assert.equal(Number(answer.headers['x-total-count']), 7)
    }
  })

  for (const way of ['reading', 'listening', 'watching', 'playing', 'orienting', 'easy_reading']) {
    it(`counts ${way} among the expressions, and takes it by its own name`, async () => {
      const { expression } = await createBook(service, { expression: { type: way } })

      assert.deepEqual(idsOf((await get(`/entities?type=${way}`)).body), [expression])
      assert.ok(idsOf((await get('/entities?type=expression&limit=1000')).body).includes(expression))
    })
  }

  it('takes a comma list of types and umbrellas', async t => {
    const own = await start(t)
    const { work, manifestation } = await createBook(own)
    const person = await own.create(aPerson())

    assert.deepEqual(idsOf((await own.get('/entities?type=person,work_word')).body), [work, person.id])
    assert.deepEqual(idsOf((await own.get('/entities?type=manifestation,person')).body), [manifestation, person.id])
    assert.deepEqual(idsOf((await own.get('/entities?type=work,work_word')).body), [work])
  })

  it('gives everything where it is left out or empty', async t => {
    const own = await start(t)
    await createBook(own)
    await own.create(aPerson())

    assert.equal((await own.get('/entities')).body.length, 4)
    assert.equal((await own.get('/entities?type=')).body.length, 4)
  })

  it('answers 400 to a type that does not exist, naming each', async () => {
    const answer = await get('/entities?type=person,painting,sculpture')

    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body.errors, [
      { pointer: 'type', message: 'Unknown type "painting"' },
      { pointer: 'type', message: 'Unknown type "sculpture"' }
    ])
  })
})

describe('ids of GET /entities', () => {
  it('gives the entities with these identifiers, whichever kind, and leaves out unknown ones', async () => {
    const one = await create(aPerson('One', { identifiers: ['viaf:1'] }))
    const two = await create(aPerson('Two'))
    const three = await create(aPerson('Three'))

    const { body } = await get(`/entities?ids=${three.id},NOBODY,viaf:1,${two._id}`)

    assert.deepEqual(idsOf(body), [one.id, two.id, three.id])
  })

  it('gives an entity once that is named twice', async () => {
    const { id, _id } = await create(aPerson('Twice'))

    assert.deepEqual(idsOf((await get(`/entities?ids=${id},${_id},${id}`)).body), [id])
  })

  it('is combined with type', async () => {
    const person = await create(aPerson('Narrowed'))
    const venue = await create(aVenue('Narrowed'))

    assert.deepEqual(idsOf((await get(`/entities?type=venue&ids=${person.id},${venue.id}`)).body), [venue.id])
  })
})

describe('order_by and asc of GET /entities', () => {
  /**
   * Records with these values of `rank`, in the order of creation; undefined for a record without
   * it.
   */
  const withRanks = async (t: Parameters<typeof start>[0], ranks: readonly unknown[], key = 'rank') => {
    const own = await start(t)
    for (const [index, rank] of ranks.entries()) {
      await own.create(aRecord('place', { name: `Place ${index}`, ...(rank === undefined ? {} : { [key]: rank }) }))
    }
    return own
  }
  const ranksIn = async (own: TestService, query: string, key = 'rank') =>
    valuesIn((await own.get(`/entities?${query}`)).body, key)
  const namesIn = (own: TestService, query: string) => ranksIn(own, query, 'name')

  it('sort by creation, the oldest first, where they are left out or empty', async () => {
    assert.deepEqual(idsOf((await get('/entities?type=season&limit=1000')).body), seasons)
    assert.deepEqual(idsOf((await get('/entities?type=season&limit=1000&order_by=&asc=')).body), seasons)
    assert.deepEqual(idsOf((await get('/entities?type=season&limit=1000&order_by=date_created&asc=1')).body), seasons)
  })

  it('sort the newest first with asc=0', async () => {
    const { body } = await get('/entities?type=season&limit=1000&order_by=date_created&asc=0')

    assert.deepEqual(idsOf(body), seasons.toReversed())
    assert.deepEqual(idsOf((await get('/entities?type=season&limit=1000&asc=0')).body), seasons.toReversed())
  })

  it('sort by date_updated: the last change', async t => {
    const own = await withRanks(t, [1, 2, 3])
    const [first] = idsOf((await own.get('/entities?type=place')).body)
    await own.patch(`/entities/${first}`, { metadata: metadata({ rank: 10 }) })

    assert.deepEqual(await ranksIn(own, 'order_by=date_updated&asc=1'), [2, 3, 10])
    assert.deepEqual(await ranksIn(own, 'order_by=date_updated&asc=0'), [10, 3, 2])
    assert.deepEqual(await ranksIn(own, 'order_by=date_created&asc=1'), [10, 2, 3])
  })

  it('sort by id', async t => {
    const own = await start(t)
    for (const id of ['PL-C', 'PL-A', 'PL-B']) await own.create(aRecord('place', { name: id }, {}, { id }))

    assert.deepEqual(idsOf((await own.get('/entities?order_by=id')).body), ['PL-A', 'PL-B', 'PL-C'])
    assert.deepEqual(idsOf((await own.get('/entities?order_by=id&asc=0')).body), ['PL-C', 'PL-B', 'PL-A'])
  })

  it('sort by type', async t => {
    const own = await start(t)
    const venue = await own.create(aVenue())
    const person = await own.create(aPerson())
    const place = await own.create(aRecord('place', { name: 'Elsinore' }))

    assert.deepEqual(idsOf((await own.get('/entities?order_by=type')).body), [person.id, place.id, venue.id])
    assert.deepEqual(idsOf((await own.get('/entities?order_by=type&asc=0')).body), [venue.id, place.id, person.id])
  })

  it('sort numbers as numbers', async t => {
    const own = await withRanks(t, [10, 9, -3, 0, 2.5, 1e21, -0.5])
    const sorted = [-3, -0.5, 0, 2.5, 9, 10, 1e21]

    assert.deepEqual(await ranksIn(own, 'order_by=rank'), sorted)
    assert.deepEqual(await ranksIn(own, 'order_by=rank&asc=0'), sorted.toReversed())
  })

  it('sort years as numbers, whether they were stored as numbers or as text', async t => {
    const own = await start(t)
    for (const year of [1990, '1989', 900, '90', 2026])
      await own.create(aRecord('work_word', { title: 'Annals', year }))

    assert.deepEqual(await ranksIn(own, 'order_by=year', 'year'), ['90', 900, '1989', 1990, 2026])
    assert.deepEqual(await ranksIn(own, 'order_by=year&asc=0', 'year'), [2026, 1990, '1989', 900, '90'])
  })

  it('sort dates as dates, whatever their zones', async t => {
    const dates = ['2026-01-01T00:30:00+02:00', '2025-12-31', '2025-12-31T23:00:00Z', '2026-01-01', '0999-05-01']
    const own = await withRanks(t, dates)
    const sorted = ['0999-05-01', '2025-12-31', '2026-01-01T00:30:00+02:00', '2025-12-31T23:00:00Z', '2026-01-01']

    assert.deepEqual(await ranksIn(own, 'order_by=rank'), sorted)
    assert.deepEqual(await ranksIn(own, 'order_by=rank&asc=0'), sorted.toReversed())
  })

  it('sort a declared date field as dates', async t => {
    const own = await start(t)
    for (const premiere_date of ['2026-03-01', '2025-11-20', '2026-02-01'])
      await own.create(aProduction({ premiere_date }))

    assert.deepEqual(await ranksIn(own, 'order_by=premiere_date', 'premiere_date'), [
      '2025-11-20',
      '2026-02-01',
      '2026-03-01'
    ])
  })

  it('sort text folded: case and diacritics do not count', async t => {
    const own = await withRanks(t, ['zebra', 'Édith', 'apple', 'eduard', 'Zadie', 'Ångström', 'EDGAR', 'Øyvind'])
    const sorted = ['Ångström', 'apple', 'EDGAR', 'Édith', 'eduard', 'Øyvind', 'Zadie', 'zebra']

    assert.deepEqual(await ranksIn(own, 'order_by=rank'), sorted)
    assert.deepEqual(await ranksIn(own, 'order_by=rank&asc=0'), sorted.toReversed())
  })

  it('put records without the key last in both directions', async t => {
    const own = await withRanks(t, [undefined, 2, undefined, 1, '', null])

    assert.deepEqual(await namesIn(own, 'order_by=rank&asc=1'), [
      'Place 3',
      'Place 1',
      'Place 0',
      'Place 2',
      'Place 4',
      'Place 5'
    ])
    assert.deepEqual(await namesIn(own, 'order_by=rank&asc=0'), [
      'Place 1',
      'Place 3',
      'Place 0',
      'Place 2',
      'Place 4',
      'Place 5'
    ])
  })

  it('page through records with and without the key by skip', async t => {
    const own = await withRanks(t, [undefined, 2, undefined, 1, undefined, 3])
    const whole = await namesIn(own, 'order_by=rank')

    for (let skip = 0; skip <= 6; skip++) {
      assert.deepEqual(await namesIn(own, `order_by=rank&limit=2&skip=${skip}`), whole.slice(skip, skip + 2))
    }
  })

  it('break ties by the order of creation, in both directions', async t => {
    const own = await withRanks(t, ['b', 'a', 'B', 'a', 'b'])

    const ascending = ['Place 1', 'Place 3', 'Place 0', 'Place 2', 'Place 4']
    const descending = ['Place 0', 'Place 2', 'Place 4', 'Place 1', 'Place 3']
    assert.deepEqual(await namesIn(own, 'order_by=rank'), ascending)
    assert.deepEqual(await namesIn(own, 'order_by=rank&asc=0'), descending)
  })

  it('sort by the first of several values', async t => {
    const own = await start(t)
    await own.create(aRecord('place', { name: 'One', rank: ['m', 'a'] }))
    await own.create(aRecord('place', { name: 'Two', rank: ['b', 'z'] }))

    assert.deepEqual(await namesIn(own, 'order_by=rank'), ['Two', 'One'])
  })

  it('take a comma list, looked at in turn', async t => {
    const own = await start(t)
    for (const [name, city, seats] of [
      ['One', 'Gent', 300],
      ['Two', 'Antwerp', 90],
      ['Three', 'Gent', 100],
      ['Four', 'Antwerp', undefined],
      ['Five', undefined, 5]
    ] as const) {
      await own.create(aRecord('venue', { name, ...(city && { city }), ...(seats && { capacity: seats }) }))
    }

    assert.deepEqual(await namesIn(own, 'order_by=city,capacity'), ['Two', 'Four', 'Three', 'One', 'Five'])
    assert.deepEqual(await namesIn(own, 'order_by=city,capacity&asc=0'), ['One', 'Three', 'Two', 'Four', 'Five'])
    assert.deepEqual(await namesIn(own, 'order_by=city,name'), ['Four', 'Two', 'One', 'Three', 'Five'])
    assert.deepEqual(await namesIn(own, 'order_by=city,date_created&asc=0'), ['Three', 'One', 'Four', 'Two', 'Five'])
  })

  it('take a field path as filters do', async t => {
    const own = await withRanks(t, [3, 1, 2])

    assert.deepEqual(await ranksIn(own, 'order_by=properties.rank.value'), [1, 2, 3])
    assert.deepEqual(
      await ranksIn(own, `order_by=${encodeURIComponent('catalog:1|properties.rank.value')}&asc=0`),
      [3, 2, 1]
    )
    assert.deepEqual(await ranksIn(own, 'order_by=audit.created.at&asc=0'), [2, 1, 3])
  })

  it('answer 400 to what cannot be sorted by', async () => {
    const answer = await get('/entities?order_by=properties.ref_venues.value')

    assert.equal(answer.status, 400)
    assert.equal(answer.body.errors[0].pointer, 'order_by')
  })
})

describe('The pages beside a page of GET /entities', () => {
  it('are told by X-Total-Count, which is exact, and Link', async () => {
    const answer = await get('/entities?type=season&limit=10&skip=10')

    assert.equal(Number(answer.headers['x-total-count']), 25)
    const next = linkTo(answer.headers.link, 'next')
    const previous = linkTo(answer.headers.link, 'prev')
    assert.deepEqual(idsOf((await get(String(next))).body), seasons.slice(20))
    assert.deepEqual(idsOf((await get(String(previous))).body), seasons.slice(0, 10))
  })

  it('are relative addresses of the same path', async () => {
    const answer = await get('/entities?type=season&limit=10&skip=10')

    assert.match(String(linkTo(answer.headers.link, 'next')), /^\/entities\?/)
    assert.match(String(linkTo(answer.headers.link, 'prev')), /^\/entities\?/)
  })

  it('have no prev at the beginning and no next at the end', async () => {
    const first = await get('/entities?type=season&limit=10')
    assert.equal(linkTo(first.headers.link, 'prev'), undefined)
    assert.notEqual(linkTo(first.headers.link, 'next'), undefined)

    const last = await get('/entities?type=season&limit=10&skip=20')
    assert.equal(linkTo(last.headers.link, 'next'), undefined)
    assert.notEqual(linkTo(last.headers.link, 'prev'), undefined)

    const exact = await get('/entities?type=season&limit=25')
    assert.equal(exact.headers.link, undefined)
  })

  it('keep type, ids, order and limit', async () => {
    const query = `type=season&ids=${seasons.slice(0, 9).join()}&order_by=name&asc=0&limit=4`
    const all = [...seasons.slice(0, 9)].reverse()

    const seen: string[] = []
    let url: string | undefined = `/entities?${query}`
    while (url !== undefined) {
      const answer: Awaited<ReturnType<typeof get>> = await get(url)
      assert.equal(Number(answer.headers['x-total-count']), 9)
      seen.push(...idsOf(answer.body))
      url = linkTo(answer.headers.link, 'next')
    }

    assert.deepEqual(seen, all)
  })

  for (const order of ['', 'order_by=date_created&asc=0', 'order_by=date_updated', 'order_by=name', 'order_by=id']) {
    it(`lead to the end and back to the beginning${order === '' ? '' : `, with ${order}`}`, async () => {
      const whole = idsOf((await get(`/entities?type=season&limit=1000&${order}`)).body)
      const pages: string[][] = []
      let answer = await get(`/entities?type=season&limit=7&${order}`)
      for (;;) {
        pages.push(idsOf(answer.body))
        const next = linkTo(answer.headers.link, 'next')
        if (next === undefined) break
        answer = await get(next)
      }
      assert.deepEqual(pages.flat(), whole)
      assert.equal(pages.length, 4)

      for (const page of pages.toReversed()) {
        assert.deepEqual(idsOf(answer.body), page)
        const previous = linkTo(answer.headers.link, 'prev')
        if (previous !== undefined) answer = await get(previous)
      }
      assert.equal(linkTo(answer.headers.link, 'prev'), undefined)
    })
  }
})

describe('envelope=1 of GET /entities', () => {
  it('answers the object of the filter instead of an array', async () => {
    const { body } = await get('/entities?type=season&limit=10&envelope=1')

    assert.deepEqual(Object.keys(body).sort(), ['count', 'limit', 'next', 'results', 'skip'])
    assert.equal(body.count, 25)
    assert.equal(body.skip, 0)
    assert.equal(body.limit, 10)
    assert.deepEqual(idsOf(body), seasons.slice(0, 10))
  })

  it('has next and previous that answer envelopes too', async () => {
    const first = (await get('/entities?type=season&limit=10&envelope=1')).body
    const second = (await get(first.next)).body
    const third = (await get(second.next)).body

    assert.deepEqual([second.skip, second.count, third.skip], [10, 25, 20])
    assert.deepEqual(idsOf(second), seasons.slice(10, 20))
    assert.deepEqual(idsOf(third), seasons.slice(20))
    assert.equal('next' in third, false)
    assert.deepEqual(idsOf((await get(third.previous)).body), seasons.slice(10, 20))
    assert.equal('previous' in first, false)
  })

  it('is off with 0', async () => {
    assert.ok(Array.isArray((await get('/entities?envelope=0')).body))
  })
})

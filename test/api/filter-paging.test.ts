import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aRecord, idsOf, metadata, valuesIn } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, filter, post } = service

const body = [{ type: 'type', value: 'place' }]
const places: string[] = []
for (let index = 0; index < 45; index++) {
  // Every third has no rank, and many share one: the hard cases of an order.
  const fields = { name: `Place ${index}`, ...(index % 3 === 0 ? {} : { rank: index % 5 }) }
  places.push((await create(aRecord('place', fields))).id)
}

interface Page {
  readonly results: readonly { readonly id: string }[]
  readonly count: number
  readonly skip: number
  readonly limit: number
  readonly next?: string
  readonly previous?: string
}
const follow = async (url: string, filters: unknown = body): Promise<Page> => {
  const answer = await post(url, filters)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** All ids that following `next` to the end gives. */
const walk = async (url: string) => {
  const seen: string[] = []
  for (let page = await follow(url); ; page = await follow(page.next)) {
    seen.push(...idsOf(page))
    if (page.next === undefined) return seen
  }
}

describe('A page of POST /entities/filter', () => {
  it('has skip 0 and limit 20 where they are left out', async () => {
    const page = await follow('/entities/filter')

    assert.deepEqual([page.count, page.skip, page.limit, page.results.length], [45, 0, 20, 20])
    assert.deepEqual(idsOf(page), places.slice(0, 20))
  })

  it('says the skip and limit that were used', async () => {
    const page = await follow('/entities/filter?skip=40&limit=30')

    assert.deepEqual([page.count, page.skip, page.limit], [45, 40, 30])
    assert.deepEqual(idsOf(page), places.slice(40))
  })

  it('has only the count with limit 0', async () => {
    const page = await follow('/entities/filter?limit=0')

    assert.deepEqual(page, { count: 45, results: [], skip: 0, limit: 0 })
  })

  it('may have 1000 results', async () => {
    assert.deepEqual(idsOf(await follow('/entities/filter?limit=1000')), places)
  })

  it('has an exact count, on every page and beyond the last', async () => {
    for (const skip of [0, 20, 40, 45, 1000]) assert.equal((await follow(`/entities/filter?skip=${skip}`)).count, 45)
    const ranked = [...body, { type: 'number', key: 'properties.rank.value', value: { min: 3 } }]
    const whole = await follow('/entities/filter?limit=1000', ranked)
    assert.equal(whole.count, whole.results.length)
    assert.equal((await follow('/entities/filter?limit=2', ranked)).count, whole.count)
  })

  it('is empty beyond the last', async () => {
    const page = await follow('/entities/filter?skip=45')

    assert.deepEqual(page.results, [])
    assert.equal('next' in page, false)
  })

  it('takes order_by and asc', async () => {
    assert.deepEqual(
      idsOf(await follow('/entities/filter?order_by=date_created&asc=0&limit=1000')),
      places.toReversed()
    )
    const ranks = valuesIn((await filter(body, '?order_by=rank&asc=0&limit=1000')).body, 'rank')
    assert.deepEqual(ranks, [
      ...ranks.filter(rank => rank !== undefined).toSorted((one, other) => Number(other) - Number(one)),
      ...ranks.filter(rank => rank === undefined)
    ])
    assert.equal(ranks.filter(rank => rank === undefined).length, 15)
  })

  it('takes an empty order_by as none', async () => {
    assert.deepEqual(idsOf(await follow('/entities/filter?order_by=&limit=1000')), places)
  })
})

describe('next', () => {
  it('is there only when there are more', async () => {
    assert.equal('next' in (await follow('/entities/filter?limit=44')), true)
    assert.equal('next' in (await follow('/entities/filter?limit=45')), false)
    assert.equal('next' in (await follow('/entities/filter?skip=25')), false)
    assert.equal('next' in (await follow('/entities/filter?skip=24')), true)
  })

  it('is a relative URL: the path, the limit, the order and a cursor', async () => {
    const { next } = await follow('/entities/filter?limit=7&order_by=rank&asc=0')

    const url = new URL(String(next), 'http://catalogue.example')
    assert.equal(url.pathname, '/entities/filter')
    assert.match(String(next), /^\//)
    assert.equal(url.searchParams.get('limit'), '7')
    assert.equal(url.searchParams.get('order_by'), 'rank')
    assert.equal(url.searchParams.get('asc'), '0')
    assert.ok(url.searchParams.get('cursor'))
  })

  it('says how far it has come', async () => {
    const first = await follow('/entities/filter?limit=20')
    const second = await follow(String(first.next))
    const third = await follow(String(second.next))

    assert.deepEqual([first.skip, second.skip, third.skip], [0, 20, 40])
    assert.deepEqual([first.count, second.count, third.count], [45, 45, 45])
  })

  it('goes on from a page that was asked for with skip', async () => {
    const page = await follow('/entities/filter?skip=10&limit=10')

    assert.deepEqual(idsOf(await follow(String(page.next))), places.slice(20, 30))
  })

  const orders = [
    '',
    'asc=0',
    'order_by=date_updated',
    'order_by=date_updated&asc=0',
    'order_by=id',
    'order_by=id&asc=0',
    'order_by=type',
    'order_by=name',
    'order_by=rank',
    'order_by=rank&asc=0',
    'order_by=rank,name',
    'order_by=rank,name&asc=0',
    'order_by=rank,date_created&asc=0',
    'order_by=duration'
  ]
  for (const order of orders) {
    it(`followed to the end gives the whole${order && `, with ${order}`}`, async () => {
      const whole = idsOf(await follow(`/entities/filter?limit=1000&${order}`))

      assert.equal(new Set(whole).size, 45)
      assert.deepEqual(await walk(`/entities/filter?limit=7&${order}`), whole)
    })
  }

  for (const order of ['asc=0', 'order_by=rank&asc=0', 'order_by=rank,name']) {
    it(`followed one at a time gives the whole, with ${order}`, async () => {
      const whole = idsOf(await follow(`/entities/filter?limit=1000&${order}`))

      assert.deepEqual(await walk(`/entities/filter?limit=1&${order}`), whole)
    })
  }
})

describe('previous', () => {
  it('is there only where skip is above 0', async () => {
    assert.equal('previous' in (await follow('/entities/filter')), false)
    assert.equal('previous' in (await follow('/entities/filter?skip=1')), true)
  })

  it('gives the page before', async () => {
    const page = await follow('/entities/filter?skip=20&limit=10')

    const before = await follow(String(page.previous))
    assert.deepEqual(idsOf(before), places.slice(10, 20))
    assert.equal(before.skip, 10)
    assert.deepEqual(idsOf(await follow(String(before.next))), places.slice(20, 30))
  })

  it('gives what there is when less than a page is before', async () => {
    const page = await follow('/entities/filter?skip=3&limit=10')

    const before = await follow(String(page.previous))
    assert.deepEqual(idsOf(before), places.slice(0, 3))
    assert.equal(before.skip, 0)
    assert.equal('previous' in before, false)
  })

  for (const order of ['', 'asc=0', 'order_by=rank', 'order_by=rank&asc=0', 'order_by=rank,name', 'order_by=id']) {
    it(`followed from the last page gives the whole backwards${order && `, with ${order}`}`, async () => {
      const whole = idsOf(await follow(`/entities/filter?limit=1000&${order}`))
      let page = await follow(`/entities/filter?skip=40&limit=8&${order}`)
      let seen = idsOf(page)
      while (page.previous !== undefined) {
        page = await follow(page.previous)
        seen = [...idsOf(page), ...seen]
      }

      assert.deepEqual(seen, whole)
    })
  }
})

describe('Following next while others write', () => {
  /** Records of a type of their own, a third without rank. */
  const records = async (t: Parameters<typeof start>[0], count: number) => {
    const own = await start(t)
    const make = (index: number) =>
      own.create(aRecord('genre', { name: `Genre ${index % 7}`, ...(index % 3 === 0 ? {} : { rank: index % 4 }) }))
    const ids = idsOf(await Promise.all(Array.from({ length: count }, (_, index) => make(index))))
    const ask = async (url: string): Promise<Page> => (await own.post(url, [{ type: 'type', value: 'genre' }])).body
    return { own, ids, make, ask }
  }

  for (const order of ['', 'asc=0', 'order_by=name', 'order_by=rank&asc=0', 'order_by=rank,name', 'order_by=id']) {
    it(`visits every record that stays exactly once${order && `, with ${order}`}`, async t => {
      const { own, ids, make, ask } = await records(t, 40)
      const deleted = new Set<string>()
      const seen: string[] = []
      let round = 0
      for (let page = await ask(`/entities/filter?limit=6&${order}`); ; page = await ask(page.next)) {
        seen.push(...idsOf(page))
        if (page.next === undefined) break
        round++
        // One more, one less that was seen, one less that was not, and one changed in what is not
        // sorted by.
        await make(round * 5)
        const visited = seen.find(id => !deleted.has(id))
        const unseen = ids.findLast(id => !seen.includes(id) && !deleted.has(id))
        for (const id of [visited, unseen]) {
          if (id === undefined) continue
          deleted.add(id)
          assert.equal((await own.delete(`/entities/${id}`)).status, 204)
        }
        const other = ids.find(id => !deleted.has(id))
        await own.patch(`/entities/${other}`, { metadata: metadata({ note: `round ${round}` }) })
      }

      assert.equal(new Set(seen).size, seen.length, 'none twice')
      const stayed = ids.filter(id => !deleted.has(id))
      assert.deepEqual(
        stayed.filter(id => !seen.includes(id)),
        [],
        'none left out'
      )
    })
  }

  it('visits every record exactly once while eight writers never stop', async t => {
    const { own, ids, make, ask } = await records(t, 60)
    let isOver = false
    const writer = async (number: number) => {
      for (let round = 0; !isOver; round++) {
        const { id } = await make(number + round)
        await own.patch(`/entities/${id}`, { metadata: metadata({ note: `${round}` }) })
        await own.patch(`/entities/${ids[(number * 7 + round) % ids.length]}`, {
          metadata: metadata({ note: `${number} ${round}` })
        })
        await own.delete(`/entities/${id}`)
      }
    }
    const writers = Array.from({ length: 8 }, (_, number) => writer(number))

    const walks = []
    for (const order of ['', 'order_by=rank', 'order_by=name&asc=0']) {
      const seen: string[] = []
      let page = await ask(`/entities/filter?limit=5&${order}`)
      seen.push(...idsOf(page))
      // Writers may keep adding to the end: a walk is over when it has seen all that was there
      // before it began.
      for (let pages = 0; page.next !== undefined && pages < 200; pages++) {
        page = await ask(page.next)
        seen.push(...idsOf(page))
        if (ids.every(id => seen.includes(id))) break
      }
      walks.push({ order, seen })
    }
    isOver = true
    await Promise.all(writers)

    for (const { order, seen } of walks) {
      assert.equal(new Set(seen).size, seen.length, `none twice ${order}`)
      assert.deepEqual(
        ids.filter(id => !seen.includes(id)),
        [],
        `none left out ${order}`
      )
    }
  })
})

describe('A cursor', () => {
  for (const [what, cursor] of [
    ['is no cursor', 'nonsense'],
    ['is JSON but not of ours', Buffer.from('{"a":1}').toString('base64url')],
    ['has a negative skip', Buffer.from('[[],1,0,-1]').toString('base64url')],
    ['has too many values', Buffer.from('[["x"],1,0,0]').toString('base64url')],
    ['is empty', '']
  ] as const) {
    it(`that ${what} is answered with 400`, async () => {
      const answer = await post(`/entities/filter?cursor=${cursor}`, body)

      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].pointer, 'cursor')
    })
  }

  it('of another order is answered with 400', async () => {
    const { next } = await follow('/entities/filter?limit=7&order_by=rank,name')
    const cursor = new URL(String(next), 'http://catalogue.example').searchParams.get('cursor')

    assert.equal((await post(`/entities/filter?cursor=${cursor}&order_by=name`, body)).status, 400)
  })

  it('whose record was deleted still leads on', async () => {
    const filters = [{ type: 'type', value: 'season' }]
    const ids: string[] = []
    for (let index = 0; index < 6; index++) ids.push((await create(aRecord('season', { name: `Season ${index}` }))).id)
    const page = await follow('/entities/filter?limit=3&order_by=name', filters)

    await service.delete(`/entities/${ids[2]}`)

    assert.deepEqual(idsOf(await follow(String(page.next), filters)), ids.slice(3))
  })
})

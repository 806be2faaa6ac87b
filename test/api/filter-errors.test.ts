import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { until } from '../support/services/receiver.ts'
import { aRecord } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

// The largest questions that are allowed must be answered on a busy machine too.
const service = await start({ after })
const { post } = service

const key = ['catalog:1|properties.title.value']
const text = (value: unknown, members = {}) => ({ type: 'text', key, value, ...members })
const good = text('Hamlet')

interface Fault {
  readonly pointer: string
  readonly message: string
}
const refused = async (filters: unknown) => {
  const answer = await post('/entities/filter', JSON.stringify(filters))
  assert.equal(answer.status, 400, answer.text)
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
  return answer.body
}
const pointers = (body: { errors: Fault[] }) => body.errors.map(error => error.pointer)

describe('POST /entities/filter answers 400, with the JSON pointer, to', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['a body that is an object', good, ''],
    ['a body that is a string', 'Hamlet', ''],
    ['a body that is null', null, ''],
    ['a filter that is no object', [good, 'Hamlet'], '/1'],
    ['a filter that is null', [null], '/0'],
    ['a filter without a type', [{ key, value: 'x' }], '/0/type'],
    ['a filter whose type is no string', [{ type: 7, key, value: 'x' }], '/0/type'],
    ['an unknown filter type', [good, { type: 'shape', key, value: {} }], '/1/type'],
    ['a filter type called like a member of every object', [{ type: 'constructor', key, value: 'x' }], '/0/type'],
    ['a length that is no range', [text('*', { length: 'long' })], '/0/length'],
    [
      'a length of a relation',
      [{ type: 'text', key: 'relations.refVenues.key', value: '*', length: { min: 1 } }],
      '/0/length'
    ],
    ['a length of a number', [{ type: 'number', key, value: 1, length: { min: 1 } }], '/0/length'],
    ['a rule of readiness that the model has not', [{ type: 'readiness', key: 'x', value: 'ready' }], '/0/key'],
    ['a missing value', [good, { type: 'text', key }], '/1/value'],
    ['a missing value of a type filter', [{ type: 'type' }], '/0/value'],
    ['a missing key of a date', [{ type: 'date', value: '2026-01-01' }], '/0/key'],
    ['a missing key of a number', [{ type: 'number', key: null, value: 1 }], '/0/key'],
    ['a key that is a number', [{ type: 'text', key: 5, value: 'x' }], '/0/key'],
    ['a key that is no path', [{ type: 'text', key: 'technical', value: 'x' }], '/0/key'],
    ['one bad key among good ones', [{ type: 'text', key: [...key, 'titel'], value: 'x' }], '/0/key/1'],
    ['a path without its end', [{ type: 'text', key: ['catalog:1|properties.titel'], value: 'x' }], '/0/key/0'],
    ['a path without a name', [{ type: 'text', key: ['properties..value'], value: 'x' }], '/0/key/0'],
    ['a prefix without its number', [{ type: 'text', key: 'catalog:|properties.title.value', value: 'x' }], '/0/key'],
    ['a prefix without a name', [{ type: 'text', key: ':1|properties.title.value', value: 'x' }], '/0/key'],
    ['two prefixes', [{ type: 'text', key: 'a:1|b:1|properties.title.value', value: 'x' }], '/0/key'],
    [
      'a path of more than 512 characters',
      [{ type: 'text', key: `properties.${'a'.repeat(512)}.value`, value: 'x' }],
      '/0/key'
    ],
    ['a text filter with a number', [text(5)], '/0/value'],
    ['a text filter with an array', [text(['Hamlet'])], '/0/value'],
    ['a text filter with null', [text(null)], '/0/value'],
    ['a selection with null', [{ type: 'selection', key, value: null }], '/0/value'],
    ['a selection with an object among its values', [{ type: 'selection', key, value: ['x', {}] }], '/0/value/1'],
    ['a type filter with an object', [{ type: 'type', value: {} }], '/0/value'],
    ['an id filter with null among its values', [{ type: 'id', value: ['x', null] }], '/0/value/1'],
    ['a date that is none', [{ type: 'date', key, value: 'yesterday' }], '/0/value'],
    ['the 30th of February', [{ type: 'date', key, value: '2026-02-30' }], '/0/value'],
    ['a date that is a number', [{ type: 'date', key, value: 2026 }], '/0/value'],
    ['a bad min of a date', [{ type: 'date', key, value: { min: '01/02/2026' } }], '/0/value/min'],
    ['a bad max of a date', [{ type: 'date', key, value: { max: 5 } }], '/0/value/max'],
    [
      'a date whose min is after its max',
      [{ type: 'date', key, value: { min: '2026-02-02', max: '2026-02-01' } }],
      '/0/value'
    ],
    ['a range of dates without bounds', [{ type: 'date', key, value: {} }], '/0/value'],
    ['a range with an unknown member', [{ type: 'date', key, value: { from: '2026-01-01' } }], '/0/value/from'],
    ['a number that is text', [{ type: 'number', key, value: '90' }], '/0/value'],
    ['a bad min of a number', [{ type: 'number', key, value: { min: '0' } }], '/0/value/min'],
    ['a bad max of a number', [{ type: 'number', key, value: { max: true } }], '/0/value/max'],
    ['a number whose min is greater than its max', [{ type: 'number', key, value: { min: 1, max: 0 } }], '/0/value'],
    ['a range of numbers without bounds', [{ type: 'number', key, value: { included: true } }], '/0/value'],
    [
      'an included that is neither true nor false',
      [{ type: 'number', key, value: { min: 1, included: 'yes' } }],
      '/0/value/included'
    ],
    ['a boolean that is text', [{ type: 'boolean', key, value: 'true' }], '/0/value'],
    [
      'a date filter on a relation',
      [{ type: 'date', key: 'properties.ref_venues.value', value: '2026-01-01' }],
      '/0/key'
    ],
    ['a number filter on the type', [{ type: 'number', key: ['type'], value: 1 }], '/0/key/0'],
    ['a boolean filter on who it was', [{ type: 'boolean', key: 'audit.created.by', value: true }], '/0/key'],
    ['a match_exact that is neither true nor false', [text('x', { match_exact: 'yes' })], '/0/match_exact'],
    ['a match_not that is neither true nor false', [text('x', { match_not: 1 })], '/0/match_not'],
    ['an unknown operator', [text('x', { operator: 'xor' })], '/0/operator'],
    ['an or that is no array', [text('x', { or: good })], '/0/or'],
    ['a fault inside or', [good, text('x', { or: [good, text(5)] })], '/1/or/1/value'],
    ['an unknown member', [text('x', { pattern: true })], '/0/pattern'],
    ['an unknown member with a slash and a tilde', [text('x', { 'a/b~c': 1 })], '/0/a~1b~0c'],
    ['a value with the NUL character', [text('a\0b')], '/0/value'],
    ['a value with half a surrogate pair', [{ type: 'selection', key, value: ['\ud800'] }], '/0/value/0'],
    ['a key with the NUL character', [{ type: 'text', key: 'properties.a\0b.value', value: 'x' }], '/0/key']
  ]
  for (const [what, filters, pointer] of cases) {
    it(what, async () => {
      const body = await refused(filters)

      assert.deepEqual(pointers(body), [pointer])
      assert.match(body.type, /^\/problems\/(invalid|unknown)-filter/)
      assert.equal(body.status, 400)
      assert.ok(body.errors[0].message.length > 0)
    })
  }

  it('every fault at once', async () => {
    const body = await refused([
      text(5),
      { type: 'nonsense', key, value: 1 },
      { type: 'date', key, value: { min: 'x' } }
    ])

    assert.deepEqual(pointers(body), ['/0/value', '/1/type', '/2/value/min'])
  })
})

describe('The problem of a bad filter', () => {
  it('has the code R6002 in its message when the filter type is unknown', async () => {
    const body = await refused([{ type: 'regex', key, value: 'x' }])

    assert.equal(body.type, '/problems/unknown-filter-type')
    assert.equal(body.code, 'unknown_filter_type')
    assert.match(body.message, /^R6002 \| type:regex - /)
  })

  it('is of the type invalid-filter otherwise', async () => {
    const body = await refused([text(5)])

    assert.equal(body.type, '/problems/invalid-filter')
    assert.equal(body.code, 'invalid_filter')
  })

  it('is malformed-json for a body that is not JSON, or empty', async () => {
    for (const body of ['[{"type":', '', '[]]', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])]) {
      const answer = await post('/entities/filter', body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.type, '/problems/malformed-json')
    }
  })
})

describe('The limits of POST /entities/filter', () => {
  const accepted = async (filters: unknown) => {
    const answer = await post('/entities/filter', filters)
    assert.equal(answer.status, 200, answer.text.slice(0, 300))
  }
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))

  it('are 64 filters', async () => {
    await accepted(times(64, () => good))
    assert.deepEqual(pointers(await refused(times(65, () => good))), [''])
  })

  it('are 64 filters in all, those inside or counted', async () => {
    await accepted([text('x', { or: times(63, () => good) })])
    assert.deepEqual(pointers(await refused([text('x', { or: times(64, () => good) })])), ['/0/or'])
  })

  it('are 16 keys each', async () => {
    const keys = (count: number) => times(count, index => `properties.field_${index}.value`)

    await accepted([{ type: 'text', key: keys(16), value: 'x' }])
    assert.deepEqual(pointers(await refused([{ type: 'text', key: keys(17), value: 'x' }])), ['/0/key'])
  })

  it('are a nesting of 5', async () => {
    const nest = (depth: number): unknown => (depth === 1 ? good : text('x', { or: [nest(depth - 1)] }))

    await accepted([nest(5)])
    assert.deepEqual(pointers(await refused([nest(6)])), ['/0/or/0/or/0/or/0/or/0/or'])
    assert.equal((await post('/entities/filter', [nest(14)])).status, 400)
  })

  for (const type of ['selection', 'id', 'type']) {
    it(`are 1000 values in the array of a filter of type ${type}`, async () => {
      const values = (count: number) => times(count, index => `value ${index}`)
      const filter = (count: number) => ({ type, ...(type === 'selection' ? { key } : {}), value: values(count) })

      await accepted([filter(1000)])
      assert.deepEqual(pointers(await refused([filter(1001)])), ['/0/value'])
    })
  }

  it('are 1000 values with match_exact too', async () => {
    await accepted([{ type: 'selection', key, value: times(1000, index => `v${index}`), match_exact: true }])
  })

  it('are 1000 values in each of 64 filters', async () => {
    const selection = { type: 'selection', key, value: times(1000, index => `v${index}`), operator: 'or' }

    await accepted(times(64, () => ({ ...selection, match_exact: true })))
    await accepted(times(64, () => selection))
  })

  it('are 512 characters in a value, counted as characters', async () => {
    for (const letter of ['a', 'é', '😀']) {
      await accepted([text(letter.repeat(512))])
      await accepted([{ type: 'selection', key, value: [letter.repeat(512)] }])
      assert.deepEqual(pointers(await refused([text(letter.repeat(513))])), ['/0/value'])
      const selection = { type: 'selection', key, value: ['x', letter.repeat(513)] }
      assert.deepEqual(pointers(await refused([selection])), ['/0/value/1'])
    }
  })

  it('are 32 stars in a text value', async () => {
    await accepted([text('a*'.repeat(32))])
    assert.deepEqual(pointers(await refused([text('a*'.repeat(33))])), ['/0/value'])
    assert.deepEqual(pointers(await refused([text('*'.repeat(33))])), ['/0/value'])
  })

  for (const query of ['limit=1001', 'limit=-1', 'skip=-1', 'skip=x', 'asc=3', 'limit=1.5', 'limit=1&limit=2']) {
    it(`are those of the list for ${query}`, async () => {
      const answer = await post(`/entities/filter?${query}`, [])

      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].pointer, query.split('=')[0])
    })
  }
})

describe('A query that passes its deadline', () => {
  it('is stopped: 503 with its own problem type and Retry-After', async t => {
    const slow = await start(t, { QUERY_DEADLINE: '20' })
    const untilAnswered = () => until(async () => (await slow.get('/entities?limit=1')).status === 200)
    const endless = Array.from({ length: 64 }, (_, at) => ({
      type: 'text',
      key: 'properties.scribbles.value',
      value: `${'*a*b'.repeat(15)}*c${at}`,
      operator: 'or'
    }))

    // A quick machine needs more to be slow.
    let answer = await slow.post('/entities/filter', endless)
    for (let round = 0; round < 20 && answer.status === 200; round++) {
      const records = Array.from({ length: 500 }, (_, at) =>
        aRecord('person', { name: 'Slow', scribbles: `${round} ${at} ${'ab'.repeat(200)}` })
      )
      assert.equal(
        (
          await slow.post(
            '/entities/batch',
            records.map(each => ({ op: 'create', ...each }))
          )
        ).status,
        200
      )
      await untilAnswered()
      answer = await slow.post('/entities/filter', endless)
    }

    assertProblem(answer, 'query_timeout')
    assert.equal(answer.status, 503)
    assert.ok(Number(answer.headers['retry-after']) > 0)
    // Reader threads may still be starting, or busy with a query whose client has gone.
    await untilAnswered()
  })
})

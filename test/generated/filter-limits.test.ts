import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { start } from '../support/services/start.ts'

/*
 * The limits of one query (docs/interface/access.md, "Limits"), each at its edge: a query at the
 * limit is answered, and one above it is refused with 400. Several limits together make filters of
 * thousands of terms, which the service must answer too.
 */

describe('a filter at its limits', async () => {
  const service = await start({ after })
  const long = 'ﷺ'.repeat(500)
  for (const title of ['Hamlet', 'x600y', long]) {
    await service.create({ type: 'production', metadata: [{ key: 'title', value: title }] })
  }
  const title = 'properties.title.value'
  const text = (value: string, key: unknown = title) => ({ type: 'text', key, value })
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))
  const nested = (depth: number): object => ({
    ...text('no'),
    ...(depth > 1 ? { or: [nested(depth - 1)] } : { value: 'ham' })
  })

  const limits: readonly [what: string, most: number, make: (count: number) => unknown, found: number][] = [
    ['filters', 64, count => many(count, () => text('Hamlet')), 1],
    [
      'keys',
      16,
      count => [
        text(
          'hamlet',
          many(count, index => (index === 15 ? title : `properties.k${index}.value`))
        )
      ],
      1
    ],
    ['levels', 5, count => [nested(count)], 1],
    ['values', 1000, count => [{ type: 'selection', key: title, value: many(count, index => `x${index}y`) }], 1],
    [
      'exact values',
      1000,
      count => [{ type: 'selection', key: title, value: many(count, index => `x${index}y`), match_exact: true }],
      1
    ],
    ['ids', 1000, count => [{ type: 'id', value: many(count, index => `x${index}y`) }], 0],
    ['types', 1000, count => [{ type: 'type', value: many(count, () => 'production') }], 3],
    ['characters', 512, count => [text('x'.repeat(count))], 0],
    ['characters of a text that folding makes longer', 512, count => [text(`*${'ﷺ'.repeat(count - 1)}`)], 0],
    ['stars', 32, count => [text(`Hamlet${'*x'.repeat(count)}`)], 0]
  ]
  for (const [what, most, make, found] of limits) {
    it(`takes ${most} ${what} and refuses one more`, async () => {
      const good = await service.post('/entities/filter', make(most))
      assert.equal(good.status, 200, good.text)
      assert.equal(good.body.count, found)
      const bad = await service.post('/entities/filter', make(most + 1))
      assert.equal(bad.status, 400, bad.text)
    })
  }

  it('finds a text that folding makes much longer, by a pattern too', async () => {
    for (const value of [long, `*${long}`, `${long}*`, `*${long}*`, `${'ﷺ'.repeat(100)}*${'ﷺ'.repeat(100)}`]) {
      const { body } = await service.filter([text(value)])
      assert.equal(body.count, 1, value.replaceAll('ﷺ', ''))
    }
  })

  const paths = [title, 'properties.ref_venues.name', 'identifiers']
  for (const path of paths) {
    it(`answers when every bound is reached at once at "${path}"`, async () => {
      const keys = many(16, () => path)
      const full = [
        many(64, () => text(many(32, index => `ab${index}`).join('*'), keys)),
        many(64, () => text(`*${many(31, index => `ab${index}`).join('*')}`, keys)),
        many(64, () => ({ type: 'selection', key: keys, value: ['a', 'abcd', '*', ''], match_not: true })),
        many(3, () => ({ type: 'selection', key: keys, value: many(1000, index => `value ${index}`) })),
        many(3, () => ({
          type: 'selection',
          key: keys,
          value: many(1000, index => `value ${index}`),
          match_exact: true
        })),
        many(12, () => ({ ...nested(5), key: keys, operator: 'or' }))
      ]
      for (const filters of full) {
        const answer = await service.post(
          '/entities/filter?order_by=title,subtitle,id,type,name,city,isbn,edition',
          filters
        )
        assert.equal(answer.status, 200, answer.text)
      }
    })
  }
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'

import type { Entity, Json } from '#domain/entity/entity.ts'
import { howMany, repeatable, seed } from '../support/records/chance.ts'
import { anyText } from '../support/records/generators.ts'
import { start } from '../support/services/start.ts'

/*
 * Undeclared metadata is stored and returned unchanged; values that a database cannot store are
 * refused.
 */

const values = howMany({ quick: 1000, short: 5000, long: 500_000, onPostgres: 2000 })
const valuesEach = 50
/** The value of an entry stands three levels down in the body of a create. */
const maxValueDepth = 32 - 3

describe('metadata that no type declares', async () => {
  const service = await start({ after })

  it('comes back as it was sent, whatever JSON it is', () =>
    repeatable(async () => {
      const list = fc.array(aJsonValue, { minLength: valuesEach, maxLength: valuesEach, size: 'max' })
      const sent = { values: 0 }
      await fc.assert(
        fc.asyncProperty(list, fc.array(anyText, { maxLength: 3 }), async (some, keys) => {
          sent.values += some.length
          const metadata = [
            { key: 'title', value: 'x' },
            ...some.map((value, index) => ({ key: keyAt(keys, index), value }))
          ]
          const made = await service.post('/entities', { type: 'title', metadata })
          assert.equal(made.status, 201, made.text)
          const { id } = made.body as Entity
          const answers = await Promise.all([
            service.get(`/entities/${id}`),
            service.get(`/entities/${id}/metadata`),
            service.filter([{ type: 'id', value: id }])
          ])
          const [got, listed, found] = answers.map(answer => answer.body)
          for (const back of [made.body.metadata, got.metadata, listed, found.results[0].metadata]) {
            isSame(back, metadata)
          }
          assert.equal((await service.delete(`/entities/${id}`)).status, 204)
        }),
        { seed, numRuns: Math.ceil(values / valuesEach), includeErrorInReport: true }
      )
      console.log(`${sent.values} values (SEED=${seed})`)
    }))

  it('may be as deep as 32 levels with all that is around it', async () => {
    const deep = (levels: number): Json =>
      levels === 0 ? 'x' : levels % 2 ? [deep(levels - 1)] : { a: deep(levels - 1) }
    const create = (value: Json) =>
      service.post('/entities', {
        type: 'title',
        metadata: [
          { key: 'title', value: 'x' },
          { key: 'deep', value }
        ]
      })
    const made = await create(deep(maxValueDepth))
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.metadata[1].value, deep(maxValueDepth))
    assert.equal((await create(deep(maxValueDepth + 1))).status, 400)
    assert.equal((await create(deep(200))).status, 400)
  })

  const refused: readonly [what: string, json: string][] = [
    ['NUL in a text', '"a\\u0000b"'],
    ['NUL in the name of a member', '{"a\\u0000b":1}'],
    ['NUL deep down', '[[{"a":["\\u0000"]}]]'],
    ['the first half of a surrogate pair', '"\\ud83d"'],
    ['the second half of a surrogate pair', '"\\ude00"'],
    ['the halves of a surrogate pair the wrong way round', '"\\ude00\\ud83d"'],
    ['half a surrogate pair in the name of a member', '{"\\ud800":1}'],
    ['a number without end', '1e999'],
    ['a number without end below nothing', '-1e999'],
    ['a number without end in an array', '[0,1e400]'],
    ['NaN', 'NaN'],
    ['Infinity', '-Infinity'],
    ['great depth', '['.repeat(40) + ']'.repeat(40)],
    ['very great depth', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['a member called __proto__', '{"__proto__":1}'],
    ['a member called __proto__, escaped', '{"\\u005f_proto__":1}']
  ]
  for (const [what, json] of refused) {
    it(`is refused with 400 when it holds ${what}`, async () => {
      const entry = (key: string) => `{"key":${key},"value":${json}}`
      const bodies = [
        `{"type":"title","metadata":[{"key":"title","value":"x"},${entry('"y"')}]}`,
        `{"type":"title","metadata":[{"key":"title","value":"x"}],"relations":[{"key":"x","type":"y","metadata":[${entry('"y"')}]}]}`
      ]
      for (const body of bodies) {
        const answer = await service.post('/entities?allow_dangling=1', body)
        assert.equal(answer.status, 400, answer.text)
        assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
      }
      const { id } = await service.create({ type: 'title', metadata: [{ key: 'title', value: 'x' }] })
      for (const [method, path, body] of [
        ['PUT', `/entities/${id}`, bodies[0] ?? ''],
        ['PATCH', `/entities/${id}`, `{"metadata":[${entry('"y"')}]}`],
        ['POST', `/entities/${id}/metadata`, `[${entry('"y"')}]`],
        ['PUT', `/entities/${id}/metadata`, `[{"key":"title","value":"x"},${entry('"y"')}]`],
        ['PATCH', `/entities/${id}/metadata`, `[${entry('"y"')}]`]
      ] as const) {
        assert.equal((await service.call(method, path, { body })).status, 400, `${method} ${path}`)
      }
      for (const media of ['application/merge-patch+json', 'application/json-patch+json']) {
        const body = media.includes('merge')
          ? `{"metadata":[{"key":"title","value":"x"},${entry('"y"')}]}`
          : `[{"op":"add","path":"/metadata/-","value":${entry('"y"')}}]`
        const answer = await service.call('PATCH', `/entities/${id}`, { body, headers: { 'content-type': media } })
        assert.equal(answer.status, 400, `${media} ${answer.text}`)
      }
      assert.equal((await service.get(`/entities/${id}`)).body.version, 1, 'nothing was written')
    })
  }

  it('is refused in a key too', async () => {
    for (const key of ['"a\\u0000"', '"\\ud800"', '""', '1', 'null', JSON.stringify('x'.repeat(513))]) {
      const answer = await service.post(
        '/entities',
        `{"type":"title","metadata":[{"key":"title","value":"x"},{"key":${key},"value":1}]}`
      )
      assert.equal(answer.status, 400, key)
    }
  })
})

/** Any JSON that may be stored: odd text, odd numbers, deep, wide. */
const aJsonValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(0, 1e-300, 5e-324, 1.7976931348623157e308, 2 ** 53, -(2 ** 53), 0.1, 1e21, 123456789.125),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText.filter(isMember), tie('value'), { maxKeys: 4 })
  )
})).value

/** This name is refused, since JavaScript takes it for something else. */
function isMember(name: string): boolean {
  return name !== '__proto__'
}

function keyAt(keys: readonly string[], index: number): string {
  const key = keys[index]
  return key === undefined || key === '' || key === 'title' || key === 'subtitle' ? `key ${index}` : key
}

/** Entry by entry, so that a failure shows the one that is another. */
function isSame(back: readonly unknown[], sent: readonly unknown[]) {
  assert.equal(back.length, sent.length)
  for (const [index, entry] of sent.entries()) {
    assert.deepEqual(
      back[index],
      comparable(entry),
      `${JSON.stringify(entry)} came back as ${JSON.stringify(back[index])}`
    )
  }
}

/** JSON has one nothing: -0 and 0 are written the same way. */
const comparable = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown

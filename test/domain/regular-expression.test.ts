import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import {
  readRegularExpression,
  RegularExpressionFault,
  regularExpressionTest,
  writeRegularExpression
} from '#domain/filter/regular-expression.ts'
import { howMany, seed } from '../support/records/chance.ts'

const character = fc.constantFrom('a', 'b', 'B', '1', '-', ' ', 'é', '\n', '文')

/** Expressions of the subset, as text. */
const expression: fc.Arbitrary<string> = fc.letrec<{ one: string; several: string }>(tie => ({
  one: fc.oneof(
    { depthSize: 'small' },
    character,
    fc.constantFrom('.', '\\d', '\\w', '[ab]', '[^a1]', '[a-z]', '[\\d-]', '[]a]'),
    tie('several').map(each => `(${each})`),
    fc.tuple(tie('several'), tie('several')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('one'), fc.constantFrom('?', '*', '+', '{2}', '{0,2}', '{1,}'))
      .map(([one, quantifier]) => `(${one})${quantifier}`)
  ),
  several: fc.array(tie('one'), { maxLength: 3 }).map(each => each.join(''))
})).several

const anchored = fc
  .tuple(fc.boolean(), expression, fc.boolean())
  .map(([atStart, body, atEnd]) => `${atStart ? '^' : ''}${body}${atEnd ? '$' : ''}`)

describe('A regular expression of a filter', () => {
  it('is true of the texts that the engine of JavaScript says, also as it is written for a database', () => {
    const texts = fc.array(character, { maxLength: 8 }).map(each => each.join(''))
    let tried = 0
    fc.assert(
      fc.property(anchored, texts, (source, text) => {
        const parsed = readWithin(source)
        if (!parsed) return
        tried++
        const expected = new RegExp(source.replaceAll('[]a]', '[\\]a]'), 'su').test(text)
        assert.equal(regularExpressionTest(parsed)(text), expected, `${source} on ${JSON.stringify(text)}`)
        const written = writeRegularExpression(parsed).replace(/\\U0*([0-9a-f]+)/g, '\\u{$1}')
        assert.equal(new RegExp(written, 'su').test(text), expected, written)
      }),
      { seed, includeErrorInReport: true, numRuns: howMany({ short: 3000, long: 100_000, onPostgres: 0 }) }
    )
    assert.ok(tried > 1000)
  })

  it('counts characters, not halves of them', () => {
    const test = regularExpressionTest(readRegularExpression('^.[𝄞-𝄢]$'))
    assert.deepEqual(['𝄞𝄡', '𝄞', 'a𝄢', '𝄡a'].map(test), [true, false, true, false])
  })

  it('takes time in proportion to the text, where others take for ever', () => {
    const test = regularExpressionTest(readRegularExpression('^(a+)+$'))
    const started = performance.now()
    assert.equal(test(`${'a'.repeat(500)}b`), false)
    assert.equal(test('a'.repeat(500)), true)
    assert.ok(performance.now() - started < 5000)
  })

  it('is refused with a sentence where it is none, or none of the subset', () => {
    const faults: readonly [source: string, words: RegExp][] = [
      ['(a', /not closed/],
      ['a)', /not opened/],
      ['[a', /not closed/],
      ['[z-a]', /reversed/],
      ['*a', /nothing to repeat/],
      ['a{5,2}', /reversed/],
      ['a{101}', /at most 100/],
      ['a{x}', /must begin a quantifier/],
      ['a+?', /after a quantifier/],
      ['(?=a)', /only \(\?:/],
      ['(a)\\1', /\\1 is not supported/],
      ['\\bword', /\\b is not supported/],
      ['a\\', /at the end/],
      ['a^b', /beginning/],
      ['^a|b$', /parentheses/],
      ['((((((((((a))))))))))', /groups within/],
      [`(${'(a{100}){100}'})`, /too large/],
      ['a'.repeat(201), /at most 200 characters/]
    ]
    for (const [source, words] of faults)
      assert.throws(
        () => readRegularExpression(source),
        (error: Error) => error instanceof RegularExpressionFault && words.test(error.message),
        source
      )
  })
})

/** Undefined for one that is larger than is allowed. */
function readWithin(source: string) {
  try {
    return readRegularExpression(source)
  } catch (error) {
    if (error instanceof RegularExpressionFault && /too large|at most|groups within|parentheses/.test(error.message))
      return undefined
    throw error
  }
}

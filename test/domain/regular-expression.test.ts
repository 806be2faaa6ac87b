import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import { RegularExpressionFault, regularExpressionTest } from '#domain/filter/regular-expression.ts'
import { foldText } from '#domain/values/fold.ts'
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
  it('is true of the texts that the engine of JavaScript says', () => {
    const texts = fc.array(character, { maxLength: 8 }).map(each => each.join(''))
    let tried = 0
    fc.assert(
      fc.property(anchored, texts, (source, text) => {
        const test = testWithin(source)
        if (!test) return
        tried++
        const expected = new RegExp(source.replaceAll('[]a]', '[\\]a]'), 'su').test(text)
        assert.equal(test(text), expected, `${source} on ${JSON.stringify(text)}`)
      }),
      { seed, includeErrorInReport: true, numRuns: howMany({ short: 3000, long: 100_000, onPostgres: 0 }) }
    )
    assert.ok(tried > 1000)
  })

  it('counts characters, not halves of them', () => {
    const test = regularExpressionTest('^.[𝄞-𝄢]$')
    assert.deepEqual(['𝄞𝄡', '𝄞', 'a𝄢', '𝄡a'].map(test), [true, false, true, false])
  })

  it('takes time in proportion to the text, where others take for ever', () => {
    for (const source of ['^(a+)+$', '(a|aa)+$', '(.*.*)*[0-9]$', '(a|b)*a[ab]{100}[cd]']) {
      const test = regularExpressionTest(source)
      assert.equal(test('ab'.repeat(50_000)), false, source)
    }
  })

  it('is folded character by character, and its escapes are not', () => {
    const folded = (source: string) => regularExpressionTest(source, foldText)
    const cases: readonly [source: string, text: string, isMet: boolean][] = [
      ['^Été$', 'été', true],
      ['^STRASSE$', 'straße', true],
      ['^straße?$', 'strasse', true],
      ['^stra(ß)+e$', 'strassse', false],
      ['^[É-G]x$', 'fx', true],
      ['^\\D$', 'a', true],
      ['^\\D$', '1', false],
      ['^\\pL$', 'é', true],
      ['^\\p{Greek}$', 'Ω', true]
    ]
    for (const [source, text, isMet] of cases) assert.equal(folded(source)(foldText(text)), isMet, `${source} ${text}`)
    assert.throws(() => folded('[ß]'), RegularExpressionFault)
  })

  it('is refused with a sentence where it is none, or none of the subset', () => {
    const faults: readonly [source: string, words: RegExp][] = [
      ['(a', /missing closing \)/],
      ['a)', /unexpected \)/],
      ['[a', /missing closing \]/],
      ['[z-a]', /character class range/],
      ['*a', /missing argument/],
      ['a{5,2}', /repeat count/],
      ['(?=a)', /unsupported/],
      ['(a)\\1', /escape sequence/],
      ['a\\', /trailing backslash/],
      ['(a{100}){100}', /repeat count/],
      ['(a{30}b{30}){10}(a{30}b{30}){10}', /too large/],
      ['a'.repeat(201), /at most 200 characters/]
    ]
    for (const [source, words] of faults)
      assert.throws(
        () => regularExpressionTest(source),
        (error: Error) => error instanceof RegularExpressionFault && words.test(error.message),
        source
      )
  })
})

/** Undefined for one that is larger than is allowed. */
function testWithin(source: string) {
  try {
    return regularExpressionTest(source)
  } catch (error) {
    if (error instanceof RegularExpressionFault && /too large|at most|repeat count/.test(error.message))
      return undefined
    throw error
  }
}

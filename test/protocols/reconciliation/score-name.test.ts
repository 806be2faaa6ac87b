import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { scoreName } from '#protocols/reconciliation/score-name.ts'
import { howMany } from '../../support/chance.ts'

describe('The score of a name', () => {
  it('is 100 for the same words, whatever case, marks and punctuation, and for a name turned round at its comma', () => {
    for (const [asked, name] of [
      ['Hamlet', 'Hamlet'],
      ['HAMLET!', 'hamlet'],
      ['Emily Bronte', 'Emily Brontë'],
      ['William Shakespeare', 'Shakespeare, William'],
      ['Shakespeare, William', 'William Shakespeare'],
      ['Hamlet: prins van Denemarken', 'Hamlet, prins van Denemarken']
    ] as const)
      assert.equal(scoreName(asked, name), 100, `${asked} / ${name}`)
  })

  it('is less for what is nearly so, and least for what is not', () => {
    const scores = [
      scoreName('William Shakespeare', 'Shakespeare, William'),
      scoreName('Denemarken van prins', 'Prins van Denemarken'),
      scoreName('Wiliam Shakespeare', 'Shakespeare, William'),
      scoreName('W. Shakespeare', 'Shakespeare, William'),
      scoreName('Shakespeare', 'Shakespeare, William'),
      scoreName('Christopher Marlowe', 'Shakespeare, William')
    ]

    assert.deepEqual(
      scores,
      scores.toSorted((one, other) => other - one)
    )
    assert.equal(new Set(scores).size, scores.length)
    assert.equal(scores.at(-1), 0)
  })

  it('is never 100 for words that differ', () => {
    for (const [asked, name] of [
      ['Jan de Vries', 'Vries, Jan van'],
      ['Hamlet', 'Hamlet en Ophelia'],
      ['Hendrik', 'Hendrika'],
      ['1984', '1985'],
      ['W. Shakespeare', 'William Shakespeare']
    ] as const)
      assert.ok(scoreName(asked, name) < 95, `${asked} / ${name}: ${scoreName(asked, name)}`)
  })

  it('is from 0 to 100, the same both ways round, and the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const score = scoreName(one, other)
        assert.ok(score >= 0 && score <= 100)
        assert.equal(scoreName(other, one), score)
      }),
      { numRuns: howMany({ short: 500, long: 20_000, onPostgres: 500 }) }
    )
  })
})

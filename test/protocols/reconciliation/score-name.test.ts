import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { countEdits, scoreName } from '#protocols/reconciliation/score-name.ts'
import { howMany } from '../../support/records/chance.ts'

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

  it('costs little for the longest names, whatever they are made of', () => {
    const names = (letter: string) => [
      // Each of these letters is four words of Arabic when it is folded.
      `${letter}${'\ufdfa'.repeat(999)}`,
      ...[1, 2, 3, 5, 8, 20, 40].map(length =>
        Array.from({ length: Math.floor(1000 / (length + 1)) }, (_, at) =>
          at.toString(36).padStart(length, letter).slice(-length)
        ).join(' ')
      )
    ]
    const used = (work: () => void, times: number) => {
      for (let warming = 0; warming < times; warming++) work()
      const before = process.threadCpuUsage()
      for (let time = 0; time < times; time++) work()
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / times
    }
    const usual = used(() => scoreName('Wiliam Shakespeare', 'Shakespeare, William'), 5_000)
    const others = names('b')
    for (const [at, name] of names('a').entries()) {
      const share = used(() => scoreName(name, others[at] ?? ''), 40) / usual
      assert.ok(share < 4_000, `${name.slice(0, 20)}… costs ${Math.round(share)} times as much as a usual name`)
    }
  })

  it('counts edits as a table of all of them does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 })
    fc.assert(
      fc.property(word, word, fc.nat(6), (one, other, max) => {
        const [short, long] = one.length <= other.length ? [one, other] : [other, one]
        if (long.length - short.length > max) return
        const edits = allEdits(short, long)
        const counted = countEdits(short, long, max)
        if (edits <= max) assert.equal(counted, edits)
        else assert.ok(counted > max)
      }),
      { numRuns: howMany({ quick: 600, short: 2_000, long: 50_000, onPostgres: 2_000 }) }
    )
  })
})

function allEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, to) => to)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [to, otherLetter] of [...other].entries())
      next.push(
        Math.min(
          (row[to] as number) + (letter === otherLetter ? 0 : 1),
          (row[to + 1] as number) + 1,
          (next[to] as number) + 1
        )
      )
    row = next
  }
  return row[other.length] as number
}

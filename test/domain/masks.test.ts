import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { fitsRuns, toRuns } from '#domain/filter/masks.ts'
import type { MaskPiece } from '#domain/search/word-text.ts'
import { howMany, seed } from '../support/records/chance.ts'

describe('texts with masks', () => {
  it('fit as the same regular expression does', () => {
    const text = (lengths: { readonly minLength?: number; readonly maxLength: number }) =>
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u{1f3ad}', '\n'), ...lengths })
    const piece: fc.Arbitrary<MaskPiece> = fc.oneof(
      fc.record({ text: text({ minLength: 1, maxLength: 3 }) }),
      fc.record({ mask: fc.constantFrom('any' as const, 'one' as const) })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), text({ maxLength: 9 }), (pieces, whole) => {
        const source = pieces.map(each => ('text' in each ? each.text : each.mask === 'any' ? '.*' : '.')).join('')
        assert.equal(fitsRuns(whole, toRuns(pieces)), new RegExp(`^${source}$`, 'su').test(whole))
      }),
      { numRuns: howMany({ quick: 800, short: 5000, long: 500_000, onPostgres: 0 }), seed }
    )
  })

  it('are tried on a long text in a moment, whatever their masks are', () => {
    const masks: MaskPiece[] = Array.from({ length: 16 }, (_, at) => ({ mask: at % 2 === 0 ? 'any' : 'one' }))
    const runs = toRuns([...masks, { text: 'z' }])
    assert.equal(fitsRuns('a'.repeat(20_000), runs), false)
    assert.equal(fitsRuns(`${'a'.repeat(20_000)}z`, runs), true)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readDate } from '#domain/values/dates.ts'

describe('readDate', () => {
  it('reads a day as all its instants', () => {
    const midnight = Date.UTC(2026, 1, 1)
    assert.deepEqual(readDate('2026-02-01'), { first: midnight, last: midnight + 86_399_999, isDay: true })
  })

  it('reads a moment in its zone, and in UTC without one', () => {
    const instants = ['2026-02-01T19:30:00+01:00', '2026-02-01T18:30:00Z', '2026-02-01 18:30', '2026-02-01T18:30:00,0']
    for (const text of instants) {
      const instant = Date.UTC(2026, 1, 1, 18, 30)
      assert.deepEqual(readDate(text), { first: instant, last: instant, isDay: false }, text)
    }
    assert.equal(readDate('2026-02-01T00:00:00.1239-0130')?.first, Date.UTC(2026, 1, 1, 1, 30, 0, 123))
  })

  it('knows the calendar, also before the year 100', () => {
    assert.equal(readDate('2024-02-29')?.isDay, true)
    assert.equal(new Date(readDate('0042-03-15')?.first ?? 0).getUTCFullYear(), 42)
    for (const text of ['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-01-00'])
      assert.equal(readDate(text), undefined, text)
  })

  it('refuses other text', () => {
    const texts = [
      '',
      '2026',
      '2026-2-1',
      '1 February 2026',
      '2026-02-01T24:00',
      '2026-02-01T10:60',
      '2026-02-01T10:00+24:00'
    ]
    for (const text of texts) assert.equal(readDate(text), undefined, text)
  })
})

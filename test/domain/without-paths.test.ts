import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { everything, type Filter, nothing } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import { withoutPaths } from '#domain/filter/without-paths.ts'

describe('a filter without hidden paths', () => {
  const path = { kind: 'metadata', key: 'note' } as const
  const isHidden = (each: FilterPath) => each.kind === 'metadata' && each.key === 'note'
  const shown: Filter = { kind: 'types', types: ['work'] }
  const cases: readonly [what: string, filter: Filter, seen: Filter][] = [
    ['a field with a value', { kind: 'field', path, test: { kind: 'present' } }, nothing],
    ['a field without a value', { kind: 'field', path, test: { kind: 'absent' } }, everything],
    ['an entry', { kind: 'entry', path, test: { kind: 'present' }, members: {} }, nothing],
    ['one or more values', { kind: 'count', of: path, min: 1, max: undefined }, nothing],
    ['at most one value', { kind: 'count', of: path, min: 0, max: 1 }, everything],
    ['the first with a value', { kind: 'first_of', path, of: shown }, nothing]
  ]
  for (const [what, filter, seen] of cases)
    it(`finds what it would find if no record had values there: ${what}`, () => {
      const around = (of: Filter): Filter => ({
        kind: 'all',
        of: [shown, { kind: 'not', of: { kind: 'related', type: 'refWork', of } }]
      })
      const referring = (of: Filter): Filter => ({
        kind: 'count',
        of: { kind: 'incoming', type: 'refWork', of },
        min: 1,
        max: undefined
      })
      assert.deepEqual(withoutPaths(around(filter), isHidden), around(seen))
      assert.deepEqual(withoutPaths(referring(filter), isHidden), referring(seen))
    })
})

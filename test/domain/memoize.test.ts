import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { memoize } from '#domain/memoize.ts'

describe('A function with a cache', () => {
  it('finds each result once, also where it is undefined', () => {
    const asked: string[] = []
    const length = memoize(10, text => {
      asked.push(text)
      return text === '' ? undefined : text.length
    })
    assert.deepEqual(['a', '', 'a', '', 'bc'].map(length), [1, undefined, 1, undefined, 2])
    assert.deepEqual(asked, ['a', '', 'bc'])
  })

  it('keeps the latest results, and forgets older ones', () => {
    const asked: string[] = []
    const same = memoize(2, text => {
      asked.push(text)
      return text
    })
    for (const text of ['a', 'b', 'c', 'b', 'd', 'e', 'a']) same(text)
    assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e', 'a'])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { removeMetadata, mergeMetadata, mergeRelations } from '#domain/editing/merge-lists.ts'
import { idsInOrder, isIdentifier, newId } from '#domain/entity/ids.ts'
import { memoize } from '#domain/memoize.ts'
import { countTypos, typosAllowed } from '#domain/search/typos.ts'
import { readIsbn } from '#domain/values/isbn.ts'

describe('ISBNs', () => {
  it('compare as 13 digits, whatever the form and the hyphens', () => {
    for (const text of ['0-306-40615-2', '0306406152', '978-0-306-40615-7', '9780306406157'])
      assert.deepEqual([readIsbn(text)?.comparable, readIsbn(text)?.checkDigitIsRight], ['9780306406157', true], text)
    assert.equal(readIsbn('9780306406158')?.checkDigitIsRight, false)
    assert.equal(readIsbn('Hamlet'), undefined)
  })
})

describe('ids', () => {
  it('have the prefix and nine characters', () => {
    assert.equal(
      newId('PR', () => 0),
      'PR-AAAAAAAAA'
    )
    assert.match(
      newId('PR', bound => bound - 1),
      /^PR-[0-9A-Z]{9}$/
    )
  })

  it('made together follow each other', () => {
    const next = idsInOrder(bound => Math.floor(bound / 2))
    const ids = Array.from({ length: 5 }, () => next('VE'))
    assert.deepEqual(ids, [...new Set(ids)].sort())
  })

  it('beside them may be any text of 1 to 512 characters without controls', () => {
    assert.deepEqual(['urn:x', '', 'a\nb', 'x'.repeat(10_000)].map(isIdentifier), [true, false, false, false])
  })
})

describe('lists', () => {
  it('are merged by key and language, and by type and key, in their order', () => {
    const existing = [
      { key: 'title', value: 'a' },
      { key: 'note', value: 'b' }
    ]
    assert.deepEqual(
      mergeMetadata(existing, [
        { key: 'title', value: 'c' },
        { key: 'title', value: 'd', lang: 'nl' }
      ]),
      [
        { key: 'title', value: 'c' },
        { key: 'note', value: 'b' },
        { key: 'title', value: 'd', lang: 'nl' }
      ]
    )
    const relation = { type: 'refVenues', key: 'VE-1' }
    const withNote = { ...relation, metadata: [{ key: 'note', value: 'x' }] }
    assert.deepEqual(mergeRelations([relation], [withNote]), [withNote])
  })

  it('lose a key in every language when it is named without one', () => {
    const existing = [
      { key: 'title', value: 'a' },
      { key: 'title', value: 'b', lang: 'nl' }
    ]
    assert.deepEqual(removeMetadata(existing, [{ key: 'title' }]), [])
    assert.deepEqual(removeMetadata(existing, [{ key: 'title', lang: 'nl' }]), [{ key: 'title', value: 'a' }])
  })
})

describe('typos', () => {
  it('are an additional, a missing, a different or two exchanged letters', () => {
    for (const other of ['hamlett', 'hamet', 'hanlet', 'halmet']) assert.equal(countTypos('hamlet', other, 2), 1, other)
    assert.equal(countTypos('hamlet', 'hamlet', 2), 0)
    assert.equal(countTypos('hamlet', 'othello', 2), undefined)
  })

  it('are allowed in longer words, and never beside digits', () => {
    assert.deepEqual(['ham', 'haml', 'hamletto', '1984abcd'].map(typosAllowed), [0, 1, 2, 0])
  })
})

describe('memoize', () => {
  it('computes a result once, and forgets the oldest', () => {
    let calls = 0
    const upper = memoize(2, text => {
      calls++
      return text.toUpperCase()
    })
    assert.deepEqual(['a', 'a', 'b', 'a'].map(upper), ['A', 'A', 'B', 'A'])
    assert.equal(calls, 2)
    for (const text of ['c', 'd', 'e', 'f', 'a']) upper(text)
    assert.equal(calls, 7)
  })
})

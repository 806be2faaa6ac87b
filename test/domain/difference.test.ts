import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { findDifferences, mergeChanges } from '#domain/editing/difference.ts'

interface Parts {
  readonly metadata?: readonly { readonly key: string; readonly value: string; readonly lang?: string }[]
  readonly relations?: readonly { readonly key: string; readonly type: string }[]
  readonly otherIdentifiers?: readonly string[]
}

const content = (parts: Parts) => ({ metadata: [], relations: [], otherIdentifiers: [], ...parts })
const entry = (key: string, value: string) => ({ key, value })
const relation = (type: string, key: string) => ({ type, key })

describe('findDifferences', () => {
  it('finds nothing between equal contents', () => {
    const one = content({ metadata: [entry('title', 'Hamlet')], relations: [relation('refVenues', 'VE-1')] })
    assert.deepEqual(findDifferences(one, structuredClone(one)), [])
  })

  it('lists everything as new without an earlier content', () => {
    const after = content({ metadata: [entry('title', 'Hamlet')], otherIdentifiers: ['urn:x'] })
    assert.deepEqual(findDifferences(undefined, after), [
      { field: 'metadata', key: 'title', before: [], after: ['Hamlet'] },
      { field: 'identifier', before: null, after: 'urn:x' }
    ])
  })

  it('tells languages apart, and names relations by type and key', () => {
    const before = content({
      metadata: [
        { key: 'title', value: 'Hamlet', lang: 'en' },
        { key: 'title', value: 'Amleto', lang: 'it' }
      ],
      relations: [relation('refVenues', 'VE-1')]
    })
    const after = content({
      metadata: [
        { key: 'title', value: 'Hamlet', lang: 'en' },
        { key: 'title', value: 'Amleto!', lang: 'it' }
      ],
      relations: [relation('refVenues', 'VE-2')]
    })
    assert.deepEqual(findDifferences(before, after), [
      { field: 'metadata', key: 'title', lang: 'it', before: ['Amleto'], after: ['Amleto!'] },
      { field: 'relation', type: 'refVenues', key: 'VE-1', before: relation('refVenues', 'VE-1'), after: null },
      { field: 'relation', type: 'refVenues', key: 'VE-2', before: null, after: relation('refVenues', 'VE-2') }
    ])
  })

  it('reports another order only if nothing else differs', () => {
    const [one, two] = [entry('title', 'Hamlet'), entry('note', 'x')]
    assert.deepEqual(findDifferences(content({ metadata: [one, two] }), content({ metadata: [two, one] })), [
      { field: 'order', of: 'metadata' }
    ])
  })
})

describe('mergeChanges', () => {
  const base = content({ metadata: [entry('title', 'Hamlet'), entry('note', 'old')] })

  it('joins changes of different fields', () => {
    const theirs = content({ metadata: [entry('title', 'Hamlet'), entry('note', 'new')] })
    const mine = content({ metadata: [entry('title', 'Macbeth'), entry('note', 'old')], otherIdentifiers: ['urn:x'] })
    assert.deepEqual(mergeChanges(base, theirs, mine), {
      merged: content({ metadata: [entry('title', 'Macbeth'), entry('note', 'new')], otherIdentifiers: ['urn:x'] })
    })
  })

  it('reports fields that both changed differently, and no others', () => {
    const theirs = content({ metadata: [entry('title', 'Lear'), entry('note', 'same')] })
    const mine = content({ metadata: [entry('title', 'Macbeth'), entry('note', 'same')] })
    const joined = mergeChanges(base, theirs, mine)
    assert.deepEqual('conflicts' in joined && joined.conflicts.map(each => ('key' in each ? each.key : each.field)), [
      'title'
    ])
  })
})

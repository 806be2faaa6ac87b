import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { EntityContent } from '#domain/entity/entity.ts'
import { undoMerge as undoMergeOf } from '#domain/editing/undo-merge.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'

type Content = Pick<EntityContent, 'metadata' | 'relations' | 'otherIdentifiers'>

const content = (parts: Partial<Content>): Content => ({ metadata: [], relations: [], otherIdentifiers: [], ...parts })
const author = (key: string) => ({ type: 'refAuthors', key })
const undoMerge = (current: Content, withIt: Content, without: Content, to: typeof redirects, type = 'venue') =>
  undoMergeOf(
    current,
    withIt,
    without,
    to,
    builtInRecordTypes.find(each => each.type === type)
  )
const redirects = [{ names: new Set(['P-victim', 'urn:victim']), to: 'P-survivor' }]

describe('undoMerge', () => {
  it('gives a content that nobody edited exactly as it was', () => {
    const without = content({ relations: [author('P-victim'), author('P-other')], otherIdentifiers: ['urn:a'] })
    const withIt = content({
      relations: [author('P-survivor'), author('P-other')],
      otherIdentifiers: ['urn:a', 'urn:victim']
    })
    assert.deepEqual(undoMerge(withIt, withIt, without, redirects), without)
  })

  it('redirects a relation back and keeps the edits made since', () => {
    const without = content({ relations: [author('P-victim'), author('P-other')] })
    const withIt = content({ relations: [author('P-survivor'), author('P-other')] })
    const edited = content({ relations: [author('P-survivor'), author('P-other'), author('P-new')] })
    assert.deepEqual(undoMerge(edited, withIt, without, redirects).relations, [
      author('P-victim'),
      author('P-other'),
      author('P-new')
    ])
  })

  it('does not bring back a relation that somebody removed since', () => {
    const without = content({ relations: [author('P-victim'), author('P-other')] })
    const withIt = content({ relations: [author('P-survivor'), author('P-other')] })
    const edited = content({ relations: [author('P-other')] })
    assert.deepEqual(undoMerge(edited, withIt, without, redirects).relations, [author('P-other')])
  })

  it('keeps metadata that was edited since, and restores the rest', () => {
    const without = content({
      metadata: [
        { key: 'name', value: 'Old' },
        { key: 'note', value: 'x' }
      ]
    })
    const withIt = content({
      metadata: [
        { key: 'name', value: 'Merged' },
        { key: 'note', value: 'merged' }
      ]
    })
    const edited = content({
      metadata: [
        { key: 'name', value: 'Edited' },
        { key: 'note', value: 'merged' }
      ]
    })
    assert.deepEqual(undoMerge(edited, withIt, without, redirects).metadata, [
      { key: 'name', value: 'Edited' },
      { key: 'note', value: 'x' }
    ])
  })

  it('does not restore a second value of a field that has one, whatever its language', () => {
    const latitude = (value: number, lang?: string) => ({ key: 'latitude', value, ...(lang ? { lang } : {}) })
    const named = { key: 'name', value: 'De Zaal' }
    const without = content({ metadata: [named, latitude(51, 'en')] })
    const withIt = content({ metadata: [named] })
    const edited = content({ metadata: [named, latitude(52)] })
    assert.deepEqual(undoMerge(edited, withIt, without, redirects).metadata, [named, latitude(52)])
    const moved = content({ metadata: [{ key: 'name', value: 'Merged' }, latitude(51, 'nl')] })
    const now = content({ metadata: [{ key: 'name', value: 'Merged' }, latitude(53)] })
    assert.deepEqual(undoMerge(now, moved, without, redirects).metadata, [named, latitude(53)])
  })

  it('does not restore a relation beside another where there is one', () => {
    const work = (key: string) => ({ type: 'refWork', key })
    const without = content({ relations: [work('W-1'), author('P-1')] })
    const withIt = content({ relations: [work('W-2')] })
    const edited = content({ relations: [work('W-3')] })
    assert.deepEqual(undoMerge(edited, withIt, without, redirects, 'expression_word').relations, [
      author('P-1'),
      work('W-3')
    ])
    // Nobody edited it: exactly as it was.
    assert.deepEqual(undoMerge(withIt, withIt, without, redirects, 'expression_word').relations, without.relations)
  })

  it('takes the identifiers of the victim, and no others', () => {
    const withIt = content({ otherIdentifiers: ['urn:a', 'urn:victim'] })
    const edited = content({ otherIdentifiers: ['urn:a', 'urn:victim', 'urn:new'] })
    assert.deepEqual(undoMerge(edited, withIt, content({ otherIdentifiers: ['urn:a'] }), redirects).otherIdentifiers, [
      'urn:a',
      'urn:new'
    ])
  })
})

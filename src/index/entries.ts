import type { Filter } from '#domain/filter/filter.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type DocumentSet, forEach, has } from './sets.ts'
import { step } from './time-limit.ts'

export type EntryFilter = Extract<Filter, { kind: 'entry' }>

/**
 * A document that may have the entry of a filter. The index has no members of entries beside their
 * values, so the document itself decides.
 */
export interface EntryCandidate {
  readonly number: number
  /** Positions of the relations that meet the test; undefined for an entry of metadata. */
  readonly positions: readonly number[] | undefined
}

/**
 * The documents of a set that may have the entry of a filter, given the documents that have a value
 * at its path which meets its test.
 */
export function entryCandidates(
  index: CatalogueIndex,
  { path, test }: EntryFilter,
  possible: DocumentSet,
  readable: DocumentSet | undefined
): EntryCandidate[] {
  const candidates: EntryCandidate[] = []
  if (path.kind === 'metadata') {
    forEach(possible, number => candidates.push({ number, positions: undefined }))
    return candidates
  }
  const relations = index.relatives.by(path.type)
  const wanted = test.kind === 'equals' ? new Set(test.values.map(value => index.resolve(value))) : undefined
  const texts = test.kind === 'equals' ? new Set(test.values) : undefined
  forEach(possible, number => {
    step()
    const positions: number[] = []
    relations.forEachOf(number, (target, position) => {
      const isMet =
        target < 0 ? !texts || texts.has(index.relatives.keyOf(number, position)) : !wanted || wanted.has(target)
      if (isMet && (target < 0 || !readable || has(readable, target))) positions.push(position)
    })
    if (positions.length > 0) candidates.push({ number, positions })
  })
  return candidates
}

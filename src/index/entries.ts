import type { Filter } from '#domain/filter/filter.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { kindOf } from './relations.ts'
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
  const { starts, kinds, keys, types } = index.base.relations
  const kind = kindOf(index.base.relations, path.type)
  const wanted = test.kind === 'equals' ? new Set(test.values.map(value => index.resolve(value))) : undefined
  const texts = test.kind === 'equals' ? new Set(test.values) : undefined
  const isMet = (type: string | undefined, target: number, key: () => string) =>
    type === path.type &&
    (target < 0 || !readable || has(readable, target)) &&
    (!wanted || (target >= 0 ? wanted.has(target) : texts?.has(key()) === true))
  forEach(possible, number => {
    step()
    const changed = index.delta.get(number)
    const positions: number[] = []
    if (changed) {
      changed.relations.forEach(({ type, key }, at) => {
        if (isMet(type, changed.targets[at] as number, () => key)) positions.push(at)
      })
    } else {
      const start = starts[number] as number
      step((starts[number + 1] as number) - start)
      for (let at = start; at < (starts[number + 1] as number); at++) {
        if (kinds[at] !== kind) continue
        const name = keys[at] as number
        if (isMet(types[kinds[at] as number], index.ownerOf(name), () => index.nameOf(name))) positions.push(at - start)
      }
    }
    if (positions.length > 0) candidates.push({ number, positions })
  })
  return candidates
}

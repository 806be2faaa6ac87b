import type { Search } from '#domain/filter/filter.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { selectFirst } from './select-page.ts'
import { findSearched } from './search.ts'
import { has, keepCommon } from './sets.ts'
import { step } from './time-limit.ts'

export interface SuggestQuery extends Pick<Scope, 'limits'> {
  readonly search: Search
  readonly types: readonly string[] | undefined
  readonly limit: number
}

/**
 * The numbers of documents whose name goes on as was typed, in the order of the names; then of
 * those whose name has all words; and of those with typos only where there is neither.
 */
export function suggest(index: CatalogueIndex, question: SuggestQuery): number[] {
  const { search, types, limits, limit } = question
  if (search.words.length === 0) return []
  const readable = readableIn(index, { readableTypes: types, limits })
  const found = new Set<number>()
  for (const number of index.occurrences.beginningWith(search.name)) {
    step()
    if (found.size >= limit) break
    if (!readable || has(readable, number)) found.add(number)
  }
  for (const isLoose of [false, true]) {
    if (found.size >= limit || (isLoose && found.size > 0)) break
    const { set, scoreOf } = findSearched(index, search, isLoose, { readable, isByName: true })
    if (readable) keepCommon(set, readable)
    const compare = (one: number, other: number) => scoreOf(one) - scoreOf(other) || one - other
    for (const number of selectFirst(set, compare, 0, limit)) if (found.size < limit) found.add(number)
  }
  return [...found]
}

import type { Search } from '#domain/filter/filter.ts'
import { compareTexts, textAt } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { selectFirst } from './select-page.ts'
import { findSearched } from './search.ts'
import { has, keepCommon } from './sets.ts'
import { findBeginning } from './words.ts'
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
  for (const number of namesGoingOn(index, search.name)) {
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

/** The documents with names that begin so, in the order of the names and then of creation. */
function* namesGoingOn(index: CatalogueIndex, beginning: string): Generator<number> {
  const { words } = index.base
  const fromDelta = [...index.deltaWords]
    .filter(([word]) => {
      step()
      return word.startsWith(beginning)
    })
    .sort(([one], [other]) => compareTexts(one, other))
  const [first, end] = findBeginning(words, beginning)
  let next = 0
  for (let place = first; place < end; place++) {
    step()
    const word = fromDelta.length > next ? textAt(words.words, place) : ''
    while (next < fromDelta.length && compareTexts((fromDelta[next] as [string, unknown])[0], word) < 0)
      yield* numbersOf(fromDelta[next++])
    const numbers: number[] = []
    for (let at = words.starts[place] as number; at < (words.starts[place + 1] as number); at++) {
      step()
      const document = words.documents[at] as number
      if (!has(index.hidden, document)) numbers.push(document)
    }
    if (next < fromDelta.length && (fromDelta[next] as [string, unknown])[0] === word)
      numbers.push(...numbersOf(fromDelta[next++]))
    yield* numbers.sort((one, other) => one - other)
  }
  while (next < fromDelta.length) yield* numbersOf(fromDelta[next++])
}

const numbersOf = (entry: readonly [string, ReadonlyMap<number, number>] | undefined) =>
  [...(entry?.[1].keys() ?? [])].sort((one, other) => one - other)

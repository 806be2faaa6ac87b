import type { SearchWord } from '#domain/filter/filter.ts'
import { subtitleWeight } from '#domain/search/search.ts'
import { compareTexts, textAt } from './arrays.ts'
import type { CurrentDocuments } from './current-documents.ts'
import { add, type DocumentSet, has, keepCommon, removeAll } from './sets.ts'
import { inParts, step } from './time-limit.ts'
import { typosOf } from './typos.ts'
import { findBeginning, findWord, type Words } from './words.ts'

/** The documents that have some words, each with the weight of the word there. */
export interface WordForms {
  /** The documents of each word are in ascending order. */
  readonly words: Pick<Words, 'starts' | 'documents' | 'weights'>
  /** The range of the words that are meant. */
  readonly first: number
  readonly end: number
  /** The place in the list of costs of an inexact match (`search-scratch.ts`). */
  readonly nearness: number
  /** Documents that do not count here, as they were changed; undefined for none. */
  readonly outdated: DocumentSet | undefined
}

type Weights = ReadonlyMap<number, number>

/** Makes forms of documents with the weights of words in them. */
export function toForms(weights: readonly Weights[], nearness: number): WordForms {
  const starts = new Uint32Array(weights.length + 1)
  weights.forEach(({ size }, word) => {
    starts[word + 1] = (starts[word] as number) + size
  })
  const documents = new Uint32Array(starts[weights.length] as number)
  const all = new Uint8Array(documents.length)
  weights.forEach((found, word) => {
    const first = starts[word] as number
    documents.set(Uint32Array.from(found.keys()).sort(), first)
    for (let at = first; at < first + found.size; at++) {
      step()
      all[at] = found.get(documents[at] as number) as number
    }
  })
  return { words: { starts, documents, weights: all }, first: 0, end: weights.length, nearness, outdated: undefined }
}

/** The nearness of a word itself. Another form of a typed word costs as much as a beginning. */
const nearnessOf = ({ isOtherForm }: SearchWord) => (isOtherForm ? 1 : 0)

/** The words of all documents as they are now. */
export class Occurrences {
  readonly #index: CurrentDocuments

  constructor(index: CurrentDocuments) {
    this.#index = index
  }

  /** All words that are meant by one of a search. */
  formsOf(word: SearchWord, isLoose: boolean): WordForms[] {
    const { words } = this.#index.base
    const outdated = this.#index.isChanged ? this.#index.hidden : undefined
    const forms: WordForms[] = []
    const take = (first: number, end: number, nearness: number) => forms.push({ words, first, end, nearness, outdated })
    const exact = findWord(words, word.word)
    if (exact >= 0) take(exact, exact + 1, nearnessOf(word))
    if (word.isBeginning) {
      const [first, end] = findBeginning(words, word.word)
      const next = exact >= 0 ? exact + 1 : first
      if (end > next) take(next, end, 1)
    }
    const typos = isLoose && word.typos > 0 ? typosOf(words, word) : undefined
    for (const { first, end, nearness } of typos?.forms ?? []) take(first, end, nearness)
    const changed = this.#changedWords(word, typos?.nearnessOf)
    changed.forEach((weights, nearness) => {
      forms.push(toForms(weights, nearness))
    })
    return forms
  }

  /** The words of changed documents that are meant by one, by their nearness. */
  #changedWords(given: SearchWord, typedNearly: ((found: string) => number | undefined) | undefined): Weights[][] {
    const { word, isBeginning } = given
    const { words } = this.#index.delta
    const byNearness: Weights[][] = []
    const take = (weights: Weights, nearness: number) => {
      const same = byNearness[nearness]
      if (same) same.push(weights)
      else byNearness[nearness] = [weights]
    }
    const exact = words.get(word)
    if (exact) take(exact, nearnessOf(given))
    if (!isBeginning && !typedNearly) return byNearness
    for (const found of words.keys()) {
      step()
      const nearness = isBeginning && found.startsWith(word) ? 1 : typedNearly?.(found)
      if (nearness !== undefined && found !== word) take(words.get(found) as Weights, nearness)
    }
    return byNearness
  }

  /** The words that typos lead to, with the number of their occurrences. */
  wordsLike(word: SearchWord): { readonly text: string; readonly nearness: number; readonly size: number }[] {
    const { words } = this.#index.base
    const typos = typosOf(words, word)
    const inBase = typos.forms.map(({ first, end, nearness }) => {
      const size = (words.starts[end] as number) - (words.starts[first] as number)
      return { text: textAt(words.words, first), nearness, size }
    })
    const changed = [...this.#index.delta.words].flatMap(([text, { size }]) => {
      step()
      const nearness = typos.nearnessOf(text)
      return nearness === undefined ? [] : [{ text, nearness, size }]
    })
    return [...inBase, ...changed]
  }

  /** The documents that are called so: 0 for their name, 1 for another name that they have. */
  namedSo(mark: string): ReadonlyMap<number, 0 | 1> {
    const named = new Map<number, 0 | 1>()
    const take = (document: number, weight: number) => {
      step()
      named.set(document, weight < subtitleWeight ? 0 : 1)
    }
    const { starts, documents, weights } = this.#index.base.words
    const place = findWord(this.#index.base.words, mark)
    for (let at = starts[place] ?? 0; at < (starts[place + 1] ?? 0) && place >= 0; at++)
      if (!has(this.#index.hidden, documents[at] as number)) take(documents[at] as number, weights[at] as number)
    for (const [document, weight] of this.#index.delta.words.get(mark) ?? []) take(document, weight)
    return named
  }

  /** The documents that have every one of some words somewhere. */
  documentsWithAll(words: readonly string[]): DocumentSet {
    const [first = new Uint32Array(0), ...others] = words.map(word => this.#setWith(word))
    for (const other of others) keepCommon(first, other)
    return first
  }

  #setWith(word: string): DocumentSet {
    const set = this.#index.newSet()
    const { starts, documents } = this.#index.base.words
    const place = findWord(this.#index.base.words, word)
    inParts(place < 0 ? 0 : (starts[place] as number), place < 0 ? 0 : (starts[place + 1] as number), (first, end) => {
      for (let at = first; at < end; at++) add(set, documents[at] as number)
    })
    removeAll(set, this.#index.hidden)
    for (const document of this.#index.delta.words.get(word)?.keys() ?? []) add(set, document)
    return set
  }

  /** The documents with words that begin so, in the order of the words and then of creation. */
  *beginningWith(beginning: string): Generator<number> {
    const { words } = this.#index.base
    const changed = [...this.#index.delta.words.keys()]
      .filter(word => {
        step()
        return word.startsWith(beginning)
      })
      .sort(compareTexts)
    const [first, end] = findBeginning(words, beginning)
    let next = 0
    for (let place = first; place < end; place++) {
      step()
      const word = next < changed.length ? textAt(words.words, place) : ''
      while (next < changed.length && compareTexts(changed[next] as string, word) < 0)
        yield* this.#changedWith(changed[next++] as string)
      const isChanged = next < changed.length && changed[next] === word
      const numbers = isChanged ? this.#changedWith(changed[next++] as string) : []
      yield* [...this.#unchangedWith(place), ...numbers].sort((one, other) => one - other)
    }
    while (next < changed.length) yield* this.#changedWith(changed[next++] as string)
  }

  #changedWith(word: string): number[] {
    return [...(this.#index.delta.words.get(word)?.keys() ?? [])].sort((one, other) => one - other)
  }

  /** The documents with a word of the dictionary that were not changed. */
  #unchangedWith(place: number): number[] {
    const { starts, documents } = this.#index.base.words
    const numbers: number[] = []
    const end = starts[place + 1] as number
    for (let at = starts[place] as number; at < end; at++) {
      step()
      const document = documents[at] as number
      if (!has(this.#index.hidden, document)) numbers.push(document)
    }
    return numbers
  }
}

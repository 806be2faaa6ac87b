import { isTypoCandidate } from '#domain/search/typos.ts'
import {
  countOf,
  encode,
  growingBytes,
  growingNumbers,
  lowerBound,
  prefixEnd,
  shared,
  sharedBytes,
  sharedNumbers,
  textAt,
  textOrder,
  type Texts,
  toTexts
} from './arrays.ts'
import { placeAmong } from './place-among.ts'

/*
 * The words of all documents, sorted, each with the documents that have it and the best place it
 * has in each (`domain/search.ts`).
 */

export interface Words {
  readonly words: Texts
  /** Where the documents of each word begin; one more than there are words. */
  readonly starts: Uint32Array
  readonly documents: Uint32Array
  readonly weights: Uint8Array
  /** Places of the words that typos can lead to, in the order of their letters from the end. */
  readonly byEnd: Uint32Array
}

export interface WordsBuilder {
  add(document: number, words: ReadonlyMap<string, number>): void
  done(): Words
}

export function buildWords(): WordsBuilder {
  const known = new Map<string, number>()
  const places = growingNumbers()
  const documents = growingNumbers()
  const weights = growingBytes()
  return {
    add(document, words) {
      for (const [word, weight] of words) {
        places.push(placeAmong(known, word))
        documents.push(document)
        weights.push(weight)
      }
    },
    done() {
      const words = [...known.keys()]
      const order = words.toSorted(textOrder(words))
      const newPlaces = new Uint32Array(words.length)
      order.forEach((word, at) => {
        newPlaces[known.get(word) as number] = at
      })
      known.clear()
      const starts = sharedNumbers(order.length + 1)
      for (let at = 0; at < places.length; at++) {
        const word = (newPlaces[places.array[at] as number] as number) + 1
        starts[word] = (starts[word] as number) + 1
      }
      for (let word = 1; word < starts.length; word++)
        starts[word] = (starts[word] as number) + (starts[word - 1] as number)
      const next = Uint32Array.from(starts)
      const sortedDocuments = sharedNumbers(places.length)
      const sortedWeights = sharedBytes(places.length)
      for (let at = 0; at < places.length; at++) {
        const word = newPlaces[places.array[at] as number] as number
        const to = next[word] as number
        next[word] = to + 1
        sortedDocuments[to] = documents.array[at] as number
        sortedWeights[to] = weights.array[at] as number
      }
      const texts = toTexts(order)
      return {
        words: texts,
        starts,
        documents: sortedDocuments,
        weights: sortedWeights,
        byEnd: sortByEnd(order, texts)
      }
    }
  }
}

/** The place of a word in the dictionary, or -1. */
export function findWord({ words }: Words, word: string): number {
  const bytes = encode(word)
  const at = lowerBound(words, bytes)
  return at < countOf(words) && prefixEnd(words, bytes, at) > at && textAt(words, at) === word ? at : -1
}

/** The words that begin so, as a range of the dictionary. */
export function findBeginning({ words }: Words, beginning: string): readonly [first: number, end: number] {
  const bytes = encode(beginning)
  const first = lowerBound(words, bytes)
  return [first, prefixEnd(words, bytes, first)]
}

/** The words that end so and that typos can lead to, as a range of `byEnd`. */
export function findEnding({ words, byEnd }: Words, ending: string): readonly [first: number, end: number] {
  const bytes = encode(ending)
  return [boundByEnd(words, byEnd, bytes, 0), boundByEnd(words, byEnd, bytes, 1)]
}

/** The first place of `byEnd` whose word does not end before these bytes; or ends after them. */
function boundByEnd({ bytes, starts }: Texts, byEnd: Uint32Array, ending: Uint8Array, above: 0 | 1): number {
  let low = 0
  let high = byEnd.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const word = byEnd[middle] as number
    const start = starts[word] as number
    const last = (starts[word + 1] as number) - 2
    let difference = 0
    for (let at = 0; at < ending.length && difference === 0; at++)
      difference = (last - at < start ? -1 : (bytes[last - at] as number)) - (ending[ending.length - 1 - at] as number)
    if (difference < above) low = middle + 1
    else high = middle
  }
  return low
}

/** Sorts the words that typos can lead to from their ends. */
function sortByEnd(words: readonly string[], texts: Texts): Uint32Array {
  const places: number[] = []
  words.forEach((word, place) => {
    if (!word.startsWith('=') && isTypoCandidate(word)) places.push(place)
  })
  return shared(Uint32Array.from(places.sort((one, other) => compareFromEnds(texts, one, other))))
}

/** Compares two words by their letters from the end. */
export function compareFromEnds({ bytes, starts }: Texts, one: number, other: number): number {
  const [first, otherFirst] = [starts[one] as number, starts[other] as number]
  let at = (starts[one + 1] as number) - 2
  let otherAt = (starts[other + 1] as number) - 2
  while (at >= first && otherAt >= otherFirst) {
    const difference = (bytes[at--] as number) - (bytes[otherAt--] as number)
    if (difference !== 0) return difference
  }
  return at - first - (otherAt - otherFirst)
}

import {
  countOf,
  encode,
  growingBytes,
  growingNumbers,
  lowerBound,
  prefixEnd,
  sharedBytes,
  sharedNumbers,
  textAt,
  textOrder,
  type Texts,
  toTexts
} from './arrays.ts'

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
        let place = known.get(word)
        if (place === undefined) {
          place = known.size
          known.set(word, place)
        }
        places.push(place)
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
      return { words: toTexts(order), starts, documents: sortedDocuments, weights: sortedWeights }
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

/**
 * Calls back with words that typos can lead to and whose length in bytes is near enough to that of
 * the word meant.
 */
export function forEachNear(dictionary: Words, minBytes: number, maxBytes: number, work: (place: number) => void) {
  const { words } = dictionary
  const { starts, bytes } = words
  const [firstName, endOfNames] = findBeginning(dictionary, '=')
  const all = countOf(words)
  for (let place = 0; place < all; place++) {
    if (place === firstName) place = endOfNames
    if (place >= all) break
    const start = starts[place] as number
    const length = (starts[place + 1] as number) - 1 - start
    if (length < minBytes || length > maxBytes) continue
    // Words with digits are no targets; most of them begin with one.
    const first = bytes[start] as number
    if (first >= 0x30 && first <= 0x39) continue
    work(place)
  }
}

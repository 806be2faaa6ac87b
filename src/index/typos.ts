import type { SearchWord } from '#domain/filter/filter.ts'
import { countTypos, isTypoCandidate, sharedLetters } from '#domain/search/typos.ts'
import { encode, textAt } from './arrays.ts'
import { findBeginning, findEnding, type Words } from './words.ts'
import { step } from './time-limit.ts'

/**
 * Words of the dictionary that are meant by one that was typed, as a range. `nearness` is a place
 * in the list of what it costs to have a word only nearly (`search-scratch.ts`).
 */
export interface Form {
  readonly first: number
  readonly end: number
  readonly nearness: number
}

/** The nearness of words with one typo; with two it is one more (`search-scratch.ts`). */
const oneTypo = 2

/** The steps of comparing two words. */
const stepsOfWord = 8

export interface Typos {
  readonly forms: readonly Form[]
  /** The nearness of another word, or undefined for one that typos do not lead to. */
  readonly nearnessOf: (found: string) => number | undefined
}

/**
 * The words that typos may have led away from. Those that begin with the word are meant already. A
 * word with typos shares its beginning or its end with the one that was meant, so two ranges of the
 * dictionary have them all.
 */
export function typosOf(dictionary: Words, { word, isBeginning, typos }: SearchWord): Typos {
  const letters = [...word]
  const shared = sharedLetters(letters.length, typos)
  const beginning = letters.slice(0, shared).join('')
  const ending = shared === 0 ? '' : letters.slice(-shared).join('')
  const nearnessOf = (found: string): number | undefined => {
    if (found.startsWith('=') || (isBeginning ? found.startsWith(word) : found === word)) return undefined
    if (!found.startsWith(beginning) && !found.endsWith(ending)) return undefined
    if (!isTypoCandidate(found)) return undefined
    const counted = countTypos(word, found, typos)
    return counted === undefined || counted === 0 ? undefined : oneTypo + counted - 1
  }
  const { words, byEnd } = dictionary
  const isNear = nearLetters(words.bytes, encode(word), typos)
  const forms: Form[] = []
  const consider = (place: number) => {
    const nearness = nearnessOf(textAt(words, place))
    if (nearness !== undefined) forms.push({ first: place, end: place + 1, nearness })
  }
  const [first, end] = findBeginning(dictionary, beginning)
  for (let place = first; place < end; place++) {
    step(stepsOfWord)
    if (isNear(words.starts[place] as number, (words.starts[place + 1] as number) - 1)) consider(place)
  }
  const [firstByEnd, endByEnd] = findEnding(dictionary, ending)
  for (let at = firstByEnd; at < endByEnd; at++) {
    step(stepsOfWord)
    const place = byEnd[at] as number
    if (place >= first && place < end) continue
    if (isNear(words.starts[place] as number, (words.starts[place + 1] as number) - 1)) consider(place)
  }
  return { forms, nearnessOf }
}

/** A letter that was added or exchanged takes up to four bytes. */
const maxLetterBytes = 4

/**
 * Tests whether so many typos could lead from one word to another, by their lengths and by the
 * letters from a to z that only one of them has.
 */
function nearLetters(bytes: Uint8Array, word: Uint8Array, typos: number): (start: number, end: number) => boolean {
  const wanted = lettersIn(word, 0, word.length)
  return (start, end) => {
    if (Math.abs(end - start - word.length) > typos * maxLetterBytes) return false
    const found = lettersIn(bytes, start, end)
    return countBits(found & ~wanted) <= typos && countBits(wanted & ~found) <= typos
  }
}

function lettersIn(bytes: Uint8Array, start: number, end: number): number {
  let letters = 0
  for (let at = start; at < end; at++) {
    const letter = (bytes[at] as number) - 0x61
    if (letter >= 0 && letter < 26) letters |= 1 << letter
  }
  return letters
}

function countBits(word: number): number {
  let left = word
  let bits = 0
  for (; left !== 0; left &= left - 1) bits++
  return bits
}

import { isSlipTarget, countSlips, reversed, sharedLetters } from '#domain/slips.ts'
import type { SearchWord } from '#domain/search.ts'

/*
 * How a search is carried out. The rarest word leads: all that have it are gathered, and the other words are then looked for in those only, or
 * gathered too where that is less work. What is found never depends on it.
 */

/** A word as it is looked for. */
export interface WordForms {
  readonly word: string
  /** The last word, in code-point order, that begins with it; the word itself where only that is meant. */
  readonly last: string
  /** Other words, one slip or two away. Undefined where slips do not count. */
  readonly slips: { readonly one: readonly string[]; readonly two: readonly string[] } | undefined
}

export interface PlannedWord extends WordForms {
  readonly way: 'gather' | 'probe'
}

export interface PlannedSearch {
  /** In the order in which they are looked for. */
  readonly words: readonly PlannedWord[]
  readonly name: string
}

/** So far is counted how often a word occurs. */
export const mostCounted = 50_000
/** What is related to a name is counted only where the names are this few; more are taken to have two each. */
export const fewNames = 200
/** Looking for a word in one record, and in the names of what it is related to, takes about as long as gathering so many occurrences. */
const probeCost = 6

const lastLetter = '\u{10ffff}'

export const strictForms = ({ word, isBeginning }: SearchWord): WordForms => ({
  word,
  last: isBeginning ? `${word}${lastLetter}` : word,
  slips: undefined
})

/** Where the vocabulary holds words that slips may have led away from: of these lengths, with this beginning or this end. */
export function slipRanges({ word, slips }: SearchWord) {
  const letters = [...word]
  const shared = sharedLetters(letters.length, slips)
  const beginning = letters.slice(0, shared).join('')
  const end = reversed(letters.slice(letters.length - shared).join(''))
  return {
    lengths: Array.from({ length: 2 * slips + 1 }, (_, index) => letters.length - slips + index),
    beginning: [beginning, beginning + lastLetter] as const,
    end: [end, end + lastLetter] as const
  }
}

/** Of words that might be meant, those that are. */
export function withSlips(wanted: SearchWord, candidates: Iterable<string>): WordForms {
  const one: string[] = []
  const two: string[] = []
  for (const candidate of new Set(candidates)) {
    const slips = countSlips(wanted.word, candidate, wanted.slips)
    if (slips === 1) one.push(candidate)
    if (slips === 2) two.push(candidate)
  }
  return { ...strictForms(wanted), slips: { one, two } }
}

/** Decides in which order the words are looked for, and how. `sizes` are how many occurrences each has, as far as they were counted. */
export function planSearch(forms: readonly WordForms[], sizes: readonly number[], name: string): PlannedSearch {
  const ordered = forms
    .map((each, index) => ({ each, size: sizes[index] ?? 0 }))
    .sort((one, other) => one.size - other.size)
  const [first] = ordered
  const least = first?.size ?? 0
  return {
    name,
    words: ordered.map(({ each, size }, index) => {
      const isGathered = index === 0 || least >= mostCounted || size < least * probeCost
      return { ...each, way: isGathered ? 'gather' : 'probe' }
    })
  }
}

/** The row of the vocabulary by which a word is found in spite of slips; undefined for one that slips cannot lead to. */
export function vocabularyRow(word: string): { word: string; length: number; reversed: string } | undefined {
  if (word.startsWith('=') || !isSlipTarget(word)) return undefined
  return { word, length: [...word].length, reversed: reversed(word) }
}

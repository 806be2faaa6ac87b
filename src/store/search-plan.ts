import { isTypoCandidate, countTypos, reversed, sharedLetters } from '#domain/search/typos.ts'
import type { SearchWord } from '#domain/filter/filter.ts'

/*
 * How a search is carried out. The rarest word leads: all that have it are gathered, and the other
 * words are then looked for in those only, or gathered too where that is less work. What is found
 * never depends on it.
 */

/** A word as it is looked for. */
export interface WordForms {
  readonly word: string
  /**
   * The last word, in code-point order, that begins with it; the word itself where only that is
   * meant.
   */
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
  /**
   * Those that are looked for last, all at once, so that a statement is no longer for a search of a
   * hundred words.
   */
  readonly others: readonly WordForms[]
  readonly name: string
  /** Whether there is a word that nothing has. */
  readonly isVain: boolean
}

/** So far is counted how often a word occurs. */
const mostCounted = 200_000
/**
 * What is related to a name is counted only where the names are this few, and so far; more are
 * taken to have one each.
 */
export const maxRelated = 20_000
export const fewNames = 200
/**
 * Looking for a word in one record, and in the names of what it is related to, takes about as long
 * as gathering so many occurrences.
 */
const probeCost = 8
/**
 * Each further word is taken to leave one in so many. Stop words of one language leave more, words
 * of different ones almost nothing.
 */
const narrowing = 4

/**
 * How far a further word needs to be counted, where the rarest so far occurs so often: one that
 * occurs more is looked for in what was found.
 */
export const worthCounting = (least: number) => Math.min(mostCounted, least * probeCost + 1)

/**
 * So many words have a step of their own; fewer where many searches are asked at once: preparing a
 * statement of 500,000 characters takes a second.
 */
export const maxSteps = (searches: number) => Math.max(1, Math.min(8, Math.floor(64 / searches)))

const lastLetter = '\u{10ffff}'

/** Not less than any word that begins so. */
export const lastOf = (beginning: string) => `${beginning}${lastLetter}`

export const strictForms = ({ word, isBeginning }: SearchWord): WordForms => ({
  word,
  last: isBeginning ? lastOf(word) : word,
  slips: undefined
})

/**
 * Where the vocabulary holds words that slips may have led away from: of these lengths, with this
 * beginning or this end.
 */
export function typoRanges({ word, typos }: SearchWord) {
  const letters = [...word]
  const shared = sharedLetters(letters.length, typos)
  const beginning = letters.slice(0, shared).join('')
  const end = reversed(letters.slice(letters.length - shared).join(''))
  return {
    lengths: Array.from({ length: 2 * typos + 1 }, (_, index) => letters.length - typos + index),
    beginning: [beginning, lastOf(beginning)] as const,
    end: [end, lastOf(end)] as const
  }
}

/** Of words that might be meant, those that are. */
export function withTypos(wanted: SearchWord, candidates: Iterable<string>): WordForms {
  const one: string[] = []
  const two: string[] = []
  for (const candidate of new Set(candidates)) {
    const slips = countTypos(wanted.word, candidate, wanted.typos)
    if (slips === 1) one.push(candidate)
    if (slips === 2) two.push(candidate)
  }
  return { ...strictForms(wanted), slips: { one, two } }
}

/** Which words have a step of their own: the longest, which are likely to be the rarest. */
export function splitWords(
  forms: readonly WordForms[],
  most: number
): { steps: readonly WordForms[]; others: readonly WordForms[] } {
  if (forms.length <= most) return { steps: forms, others: [] }
  const byLength = forms.toSorted((one, other) => other.word.length - one.word.length)
  return { steps: byLength.slice(0, most), others: byLength.slice(most) }
}

/**
 * Decides in which order the words are looked for, and how. `sizes` are how many occurrences each
 * has, as far as they were counted.
 */
export function planSearch(
  steps: readonly WordForms[],
  sizes: readonly number[],
  others: readonly WordForms[],
  name: string
): PlannedSearch {
  const ordered = steps
    .map((each, index) => ({ each, size: sizes[index] ?? 0 }))
    .sort((one, other) => one.size - other.size)
  const least = ordered[0]?.size ?? 0
  let found = least
  return {
    name,
    words: ordered.map(({ each, size }, index) => {
      const isGathered = index === 0 || size < found * probeCost
      if (index > 0) found /= narrowing
      return { ...each, way: isGathered ? 'gather' : 'probe' }
    }),
    others,
    isVain: steps.length > 1 && least === 0
  }
}

/**
 * The row of the vocabulary by which a word is found in spite of slips; undefined for one that
 * slips cannot lead to.
 */
export function vocabularyRow(word: string): { word: string; length: number; reversed: string } | undefined {
  if (word.startsWith('=') || !isTypoCandidate(word)) return undefined
  return { word, length: [...word].length, reversed: reversed(word) }
}

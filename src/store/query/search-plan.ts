import { isTypoCandidate, countTypos, reversed, sharedLetters } from '#domain/search/typos.ts'
import type { SearchWord } from '#domain/filter/filter.ts'

/*
 * The plan of a search. The rarest word leads: all records that have it are gathered, and the other
 * words are then probed in those only, or gathered too where that is less work. The plan never
 * changes the result.
 */

/** A word as it is searched. */
export interface WordForms {
  readonly word: string
  /**
   * The last word, in code-point order, that begins with it; the word itself where only that is
   * meant.
   */
  readonly last: string
  /** Other words, one typo or two away. Undefined where typos do not count. */
  readonly typos: { readonly one: readonly string[]; readonly two: readonly string[] } | undefined
}

export interface PlannedWord extends WordForms {
  readonly way: 'gather' | 'probe'
}

export interface PlannedSearch {
  /** In the order in which they are searched. */
  readonly words: readonly PlannedWord[]
  /**
   * Words that are probed last, all at once, so that a search of a hundred words needs no longer
   * statement.
   */
  readonly others: readonly WordForms[]
  readonly name: string
  /** Whether some word occurs nowhere. */
  readonly isVain: boolean
}

/** Occurrences of a word are counted up to this limit. */
const maxCounted = 200_000
/** The same where all words are counted at once, so that none can limit the others. */
export const maxCountedAtOnce = 50_000
/**
 * Relations to names are counted up to this limit, and only where the names are few; more names are
 * assumed to have one relation each.
 */
export const maxRelated = 20_000
export const fewNames = 200
/**
 * Probing one record for a word, with the names of related records, takes about as long as
 * gathering this number of occurrences.
 */
const probeCost = 8
/**
 * Each further word is assumed to leave one match in this number. Stop words of one language leave
 * more, words of different languages almost none.
 */
const narrowing = 4

/**
 * The limit up to which a further word is counted, given the occurrences of the rarest so far: a
 * word that occurs more often is probed.
 */
export const worthCounting = (lowest: number) => Math.min(maxCounted, lowest * probeCost + 1)

/**
 * Maximum number of words with a step of their own; lower for a query with many searches, since
 * preparing a statement of 500,000 characters takes a second.
 */
export const maxSteps = (searches: number) => Math.max(1, Math.min(8, Math.floor(64 / searches)))

const lastLetter = '\u{10ffff}'

/** Not less than any word with this beginning. */
export const lastOf = (beginning: string) => `${beginning}${lastLetter}`

export const strictForms = ({ word, isBeginning }: SearchWord): WordForms => ({
  word,
  last: isBeginning ? lastOf(word) : word,
  typos: undefined
})

/**
 * The ranges of the vocabulary with words from which typos may have led to this one: words of these
 * lengths, with this beginning or this end.
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

/** Adds the candidates that are one or two typos away. */
export function withTypos(wanted: SearchWord, candidates: Iterable<string>): WordForms {
  const one: string[] = []
  const two: string[] = []
  for (const candidate of new Set(candidates)) {
    const typos = countTypos(wanted.word, candidate, wanted.typos)
    if (typos === 1) one.push(candidate)
    if (typos === 2) two.push(candidate)
  }
  return { ...strictForms(wanted), typos: { one, two } }
}

/** Chooses the words with a step of their own: the longest, which are likely to be the rarest. */
export function splitWords(
  forms: readonly WordForms[],
  maxSize: number
): { steps: readonly WordForms[]; others: readonly WordForms[] } {
  if (forms.length <= maxSize) return { steps: forms, others: [] }
  const byLength = forms.toSorted((one, other) => other.word.length - one.word.length)
  return { steps: byLength.slice(0, maxSize), others: byLength.slice(maxSize) }
}

/**
 * Decides in which order the words are searched, and how. `sizes` are the occurrences of each, as
 * far as they were counted.
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
  const lowest = ordered[0]?.size ?? 0
  let found = lowest
  return {
    name,
    words: ordered.map(({ each, size }, index) => {
      const isGathered = index === 0 || size < found * probeCost
      if (index > 0) found /= narrowing
      return { ...each, way: isGathered ? 'gather' : 'probe' }
    }),
    others,
    isVain: steps.length > 1 && lowest === 0
  }
}

/**
 * The row of the vocabulary through which a word is found in spite of typos; undefined for a word
 * that typos cannot lead to.
 */
export function vocabularyRow(word: string): { word: string; length: number; reversed: string } | undefined {
  if (word.startsWith('=') || !isTypoCandidate(word)) return undefined
  return { word, length: [...word].length, reversed: reversed(word) }
}

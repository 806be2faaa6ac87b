import { firstCharacters } from '../values/fold.ts'
import { type Filter, foldFilter, type Search, type SearchWord } from '../filter/filter.ts'
import { readIsbn } from '../values/isbn.ts'
import { otherNumerals } from './numerals.ts'
import { initialMark, isLetter, wordsOf } from './search-words.ts'
import { typosAllowed } from './typos.ts'

/*
 * The text of a search box as a value. A record is found when it has every word, in any order, in
 * its own text or in the name of a related entity. Its rank is a sum over the words (`cost`): the
 * lowest comes first.
 */

export type SearchFilter = Extract<Filter, { kind: 'search' }>

/**
 * Cost of a word that a record does not have exactly or not in its name. The sum over all words
 * orders the records; `unit` leaves room below for the lengths of names, so that the shorter of two
 * comes first. The name of a creator counts as one of `makerLength` words in records that are
 * related to it, and as one of at most so many in its own.
 */
export const cost = {
  unit: 32_768,
  /** The word only begins like this. */
  beginning: 1,
  oneTypo: 2,
  twoTypos: 8,
  elsewhere: 4096,
  /** Nowhere, for a word that is not required. */
  missing: 4096
} as const

export const makerLength = 3

/**
 * Encoding of a word's position: 1 to 63 in the name of the record, for the number of words that
 * the name has; 64 more if the record is a creator; 128 more in a subtitle, for the number of words
 * of the name and the subtitle; `textWeight` in any other text.
 */
export const makerWeight = 64
export const subtitleWeight = 128
export const maxCountedLength = 63
export const textWeight = 192

/**
 * A whole name as one term, for finding exact names and beginnings. No word begins with this
 * character.
 */
export const nameMark = (words: readonly string[]) => firstCharacters(`=${words.join(' ')}`, 128)

/** Maximum words of a search that may have typos; of more, the longest: short ones have fewer. */
const maxWordsWithTypos = 16

/**
 * An ISBN among other words: ten or thirteen digits with at most a hyphen or a space between two.
 */
const isbnPattern =
  /(?<![\p{L}\p{N}])(?:isbn(?:-1[03])?:?\s*)?(?:97[89][\s\u2010-\u2015-]?)?(?:\d[\s\u2010-\u2015-]?){9}[\dX](?![\p{L}\p{N}])/giu

/** Replaces ISBNs in a text by one word each, their thirteen digits. */
export const joinIsbns = (text: string): string =>
  text.replace(isbnPattern, found => {
    const isbn = readIsbn(found)
    return isbn?.checkDigitIsRight ? ` ${isbn.comparable} ` : found
  })

/** Reads a text as words only, without the signs of the search language. */
export function readSearch(text: string): Search {
  const typed = wordsOf(joinIsbns(text))
  return { words: wordsIn(typed), name: nameMark(typed) }
}

/** The words of a search, each once. */
export function wordsIn(typed: readonly string[]): SearchWord[] {
  const all = [...new Set(typed)]
  const byLength = all.toSorted((one, other) => other.length - one.length)
  const withTypos = new Set(byLength.slice(0, maxWordsWithTypos))
  return all.map((word, index) => ({
    ...readWord(word, index > 0 && index === all.length - 1),
    ...(withTypos.has(word) ? {} : { typos: 0 }),
    ...otherForms(word, all.length === 1)
  }))
}

/** Other forms of a typed word: of a small number, and the forename that a letter stands for. */
export function otherForms(word: string, isAlone: boolean): Pick<SearchWord, 'or'> {
  const forms = isLetter(word) && !isAlone ? [initialMark(word)] : otherNumerals(word)
  if (forms.length === 0) return {}
  return { or: forms.map(form => ({ word: form, isBeginning: false, typos: 0, isOtherForm: true })) }
}

/** A single letter is a word of its own, unless the text is still being typed. */
export const readWord = (word: string, isLast = false): SearchWord => ({
  word,
  isBeginning: [...word].length > 1 || isLast,
  typos: typosAllowed(word)
})

/** The words of a search with all their alternatives. */
export const wordsWithAlternatives = (words: readonly SearchWord[]): SearchWord[] =>
  words.flatMap(word => [word, ...wordsWithAlternatives(word.or ?? [])])

/** Tests whether typos can make a difference. */
export const mayHaveTypos = ({ words }: Search) => wordsWithAlternatives(words).some(({ typos }) => typos > 0)

/** All searches of a filter, in their order. */
export const searchesIn = (filter: Filter): SearchFilter[] =>
  foldFilter<SearchFilter[]>(filter, (each, inner) => (each.kind === 'search' ? [each] : inner.flat()))

/**
 * The search that every match meets, and the rest of the filter; undefined if there is none. It
 * gives the order of relevance.
 */
export function splitSearch(filter: Filter): { search: SearchFilter; rest: Filter } | undefined {
  const parts = conjuncts(filter)
  const at = parts.findIndex(part => part.kind === 'search' && part.search.words.length > 0)
  const search = parts[at]
  return search?.kind === 'search' ? { search, rest: { kind: 'all', of: parts.toSpliced(at, 1) } } : undefined
}

function conjuncts(filter: Filter): Filter[] {
  if (filter.kind === 'all') return filter.of.flatMap(conjuncts)
  const [only] = filter.kind === 'any' ? filter.of : []
  return filter.kind === 'any' && filter.of.length === 1 && only ? conjuncts(only) : [filter]
}

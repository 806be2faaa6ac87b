import { firstCharacters, foldText } from '#domain/values/fold.ts'
import { joinInitials } from '#domain/search/search-words.ts'
import { recordLimits } from '#domain/editing/record-limits.ts'

/** Score of an equal name. */
export const sameName = 100

/** Maximum score of a similar name. */
const nearlySame = 94

/**
 * Maximum characters of a name to compare, since each word is compared with each. No new name is
 * longer.
 */
const maxScored = recordLimits.maxNameCharacters

/**
 * Scores the similarity of two names from 0 to 100, deterministically. 100: the same words,
 * ignoring case, diacritics and punctuation, or a name inverted at its comma; 95: the words in
 * another order; below: the share of longer words found, where a typo or an initial counts as most
 * of a word.
 */
export function scoreName(wanted: string, name: string): number {
  const [one, other] = [wordsOf(firstCharacters(wanted, maxScored)), wordsOf(firstCharacters(name, maxScored))]
  if (one.length === 0 || other.length === 0) return 0
  // `JRR` and `J. R. R.` are the same.
  const [first, second] = [joinInitials(one), joinInitials(other)]
  if (first.join(' ') === second.join(' ')) return sameName
  if (first.toSorted().join(' ') === second.toSorted().join(' ')) return isTurnedRound(wanted, name) ? sameName : 95
  const found = foundOf(one, other) + foundOf(other, one)
  return Math.round((nearlySame * found) / (weightOf(one) + weightOf(other)))
}

/** The words of a name as they are compared. */
export const wordsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** `Shakespeare, William` and `William Shakespeare`. */
function isTurnedRound(one: string, other: string): boolean {
  const turn = (text: string) => {
    const comma = text.indexOf(',')
    return comma < 0 ? undefined : plain(`${text.slice(comma + 1)} ${text.slice(0, comma)}`)
  }
  const plain = (text: string) => joinInitials(wordsOf(text)).join(' ')
  return turn(one) === plain(other) || turn(other) === plain(one)
}

/** Weight of a word: long words identify a name better. */
const weight = (word: string) => Math.min(word.length, 8)

const weightOf = (words: readonly string[]) => words.reduce((sum, word) => sum + weight(word), 0)

/** The share of words found among others. */
function foundOf(words: readonly string[], among: readonly string[]): number {
  return words.reduce((sum, word) => sum + weight(word) * Math.max(...among.map(other => likeness(word, other))), 0)
}

/**
 * Similarity of two words, from 0 to 1; 0 when they differ in more than a quarter of their letters.
 */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  // An initial stands for the word that begins with it.
  if (short.length === 1) return long.startsWith(short) ? 0.7 : 0
  if (long.length > 40 || long.length - short.length > long.length / 4) return 0
  const edits = distance(short, long)
  return edits > long.length / 4 ? 0 : 1 - edits / long.length
}

/** Edit distance of two words (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

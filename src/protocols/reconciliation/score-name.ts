import { firstCharacters, foldText } from '#domain/values/fold.ts'
import { recordLimits } from '#domain/editing/record-limits.ts'

/** The score of a name that is the one asked for. */
export const sameName = 100

/** The most that a name can have that is nearly the one asked for. */
const nearlySame = 94

/**
 * Maximum characters of a name that are compared; none that is new is longer. Each word is compared
 * with each.
 */
const maxScored = recordLimits.maxNameCharacters

/**
 * How well a name fits the one asked for, from 0 to 100; the same two always give the same. 100
 * means that the words are the same, whatever the case, the diacritics and the punctuation, a name
 * turned round at its comma included; 95 that they stand in another order; below, how much of the
 * longer words is found, a slip of the pen or an initial counting as most of a word.
 */
export function scoreName(asked: string, name: string): number {
  const [one, other] = [wordsOf(firstCharacters(asked, maxScored)), wordsOf(firstCharacters(name, maxScored))]
  if (one.length === 0 || other.length === 0) return 0
  if (one.join(' ') === other.join(' ')) return sameName
  if (one.toSorted().join(' ') === other.toSorted().join(' ')) return isTurnedRound(asked, name) ? sameName : 95
  const found = foundOf(one, other) + foundOf(other, one)
  return Math.round((nearlySame * found) / (weightOf(one) + weightOf(other)))
}

/** The words of a name as they are compared. */
export const wordsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** `Shakespeare, William` and `William Shakespeare`. */
function isTurnedRound(one: string, other: string): boolean {
  const turn = (text: string) => {
    const comma = text.indexOf(',')
    return comma < 0 ? undefined : wordsOf(`${text.slice(comma + 1)} ${text.slice(0, comma)}`).join(' ')
  }
  return turn(one) === wordsOf(other).join(' ') || turn(other) === wordsOf(one).join(' ')
}

/** Long words say more of a name than short ones. */
const weight = (word: string) => Math.min(word.length, 8)

const weightOf = (words: readonly string[]) => words.reduce((sum, word) => sum + weight(word), 0)

/** How much of some words is found among others. */
function foundOf(words: readonly string[], among: readonly string[]): number {
  return words.reduce((sum, word) => sum + weight(word) * Math.max(...among.map(other => likeness(word, other))), 0)
}

/**
 * How alike two words are, from 0 to 1; words that differ in more than a quarter of their letters
 * are not alike at all.
 */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  // An initial stands for the word that begins with it.
  if (short.length === 1) return long.startsWith(short) ? 0.7 : 0
  if (long.length > 40 || long.length - short.length > long.length / 4) return 0
  const slips = distance(short, long)
  return slips > long.length / 4 ? 0 : 1 - slips / long.length
}

/**
 * How many letters have to be put in, left out or replaced to make one word of the other
 * (Levenshtein).
 */
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

import { firstCharacters, foldText } from '#domain/values/fold.ts'
import { joinInitials } from '#domain/search/search-words.ts'
import { recordLimits } from '#domain/editing/record-limits.ts'

/** Score of an equal name. */
export const sameName = 100

/** Maximum score of a similar name. */
const nearlySame = 94

/** Maximum characters of a folded name to compare: one character may become eighteen. */
const maxScored = recordLimits.maxNameCharacters

/** Maximum words of a name that are compared with each of another. */
const maxCompared = 24

/** Maximum letters of a word that typos are looked for in. */
const maxLetters = 40

/**
 * Scores the similarity of two names from 0 to 100, deterministically. 100: the same words,
 * ignoring case, diacritics and punctuation, or a name inverted at its comma; 95: the words in
 * another order; below: the share of longer words found, where a typo or an initial counts as most
 * of a word. Of long names the beginning is compared.
 */
export function scoreName(wanted: string, name: string): number {
  const [one, other] = [scoredWords(wanted), scoredWords(name)]
  if (one.length === 0 || other.length === 0) return 0
  // `JRR` and `J. R. R.` are the same.
  const [first, second] = [joinInitials(one), joinInitials(other)]
  if (first.join(' ') === second.join(' ')) return sameName
  if (first.toSorted().join(' ') === second.toSorted().join(' ')) return isTurnedRound(wanted, name) ? sameName : 95
  const [begins, otherBegins] = [one.slice(0, maxCompared), other.slice(0, maxCompared)]
  return Math.round((nearlySame * foundOf(begins, otherBegins)) / (weightOf(begins) + weightOf(otherBegins)))
}

/** The words of a name as they are compared. */
export const wordsOf = (text: string): string[] => wordsIn(foldText(text))

const scoredWords = (name: string) => wordsIn(firstCharacters(foldText(firstCharacters(name, maxScored)), maxScored))

const wordsIn = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

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

/** The weights of the words of two names, each by how well it is found in the other name. */
function foundOf(words: readonly string[], others: readonly string[]): number {
  const best = others.map(() => 0)
  let found = 0
  for (const word of words) {
    let bestHere = 0
    for (const [place, other] of others.entries()) {
      const like = likeness(word, other)
      bestHere = Math.max(bestHere, like)
      best[place] = Math.max(best[place] as number, like)
    }
    found += weight(word) * bestHere
  }
  return found + others.reduce((sum, word, place) => sum + weight(word) * (best[place] as number), 0)
}

/**
 * Similarity of two words, from 0 to 1; 0 when they differ in more than a quarter of their letters.
 */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  // An initial stands for the word that begins with it.
  if (short.length === 1) return long.startsWith(short) ? 0.7 : 0
  const maxEdits = Math.floor(long.length / 4)
  if (long.length > maxLetters || long.length - short.length > maxEdits) return 0
  const edits = countEdits(short, long, maxEdits)
  return edits > maxEdits ? 0 : 1 - edits / long.length
}

const rows = [new Uint8Array(maxLetters + 1), new Uint8Array(maxLetters + 1)] as const

/**
 * Edit distance of two words of at most 40 letters (Levenshtein), or a higher number than the
 * maximum. Only the places that so few edits lead to are computed.
 */
export function countEdits(one: string, other: string, max: number): number {
  let [before, row] = rows
  for (let to = 0; to <= other.length; to++) before[to] = to
  for (let at = 1; at <= one.length; at++) {
    const [from, end] = [Math.max(1, at - max), Math.min(other.length, at + max)]
    row[from - 1] = from === 1 ? at : max + 1
    let least = row[from - 1] as number
    for (let to = from; to <= end; to++) {
      const replaced = (before[to - 1] as number) + (one.charCodeAt(at - 1) === other.charCodeAt(to - 1) ? 0 : 1)
      const removed = to === at + max ? max + 1 : (before[to] as number) + 1
      const cost = Math.min(replaced, removed, (row[to - 1] as number) + 1)
      row[to] = cost
      if (cost < least) least = cost
    }
    if (least > max) return max + 1
    ;[before, row] = [row, before]
  }
  return before[other.length] as number
}

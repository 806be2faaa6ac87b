/*
 * Typos: an additional, a missing or a different letter, or two letters exchanged. A word of four
 * letters may have one, of eight two; words with digits, such as years and ISBNs, none. The
 * beginning or the end of the word must be right, which leads to the words to compare with.
 */

/** Maximum typos of a searched word. */
export function typosAllowed(word: string): 0 | 1 | 2 {
  const length = [...word].length
  if (length < 4 || /\p{N}/u.test(word)) return 0
  return length < 8 ? 1 : 2
}

/**
 * The number of letters that a word must share with the searched word at its beginning or at its
 * end.
 */
export const sharedLetters = (length: number, typos: number) => Math.floor((length - 1) / (typos + 1))

/** Tests whether a word can be reached by typos. */
export const isTypoCandidate = (word: string) => [...word].length >= 3 && !/\p{N}/u.test(word)

/**
 * The number of typos between two words, up to a bound; undefined when there are more. Two
 * exchanged letters count as one, and are not changed again (optimal string alignment).
 */
export function countTypos(one: string, other: string, bound: number): number | undefined {
  // A letter has at most two units.
  if (one.length > (other.length + bound) * 2 || other.length > (one.length + bound) * 2) return undefined
  const [left, right] = [[...one], [...other]]
  if (Math.abs(left.length - right.length) > bound) return undefined
  let before: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const next = [row]
    let least = row
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      let cost = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1)
      )
      const isExchanged =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isExchanged) cost = Math.min(cost, (before[column - 2] as number) + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (least > bound) return undefined
    before = last
    last = next
  }
  const typos = last[right.length] as number
  return typos <= bound ? typos : undefined
}

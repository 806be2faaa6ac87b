/*
 * Slips of the keyboard: a letter too many, one too few, another letter, or two exchanged. A word
 * of four letters may have one, of eight two; words with digits in them, such as years and ISBNs,
 * none. Beside the slips the beginning or the end of the word is right, which is what leads to the
 * words to compare with.
 */

/** How many slips a word that is looked for may have. */
export function typosAllowed(word: string): 0 | 1 | 2 {
  const length = [...word].length
  if (length < 4 || /\p{N}/u.test(word)) return 0
  return length < 8 ? 1 : 2
}

/** How many letters at its beginning, or at its end, a word must share with what is looked for. */
export const sharedLetters = (length: number, slips: number) => Math.floor((length - 1) / (slips + 1))

/** Whether a word is one that slips can lead to. */
export const isTypoCandidate = (word: string) => [...word].length >= 3 && !/\p{N}/u.test(word)

export const reversed = (word: string) => [...word].reverse().join('')

/**
 * How many slips lie between two words, up to a bound; undefined when there are more. Two letters
 * that are exchanged count as one, and are not changed again (optimal string alignment).
 */
export function countTypos(one: string, other: string, bound: number): number | undefined {
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
  const slips = last[right.length] as number
  return slips <= bound ? slips : undefined
}

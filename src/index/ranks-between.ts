import { compareTexts } from './arrays.ts'
import { step } from './time-limit.ts'

/** A text, and twice its rank among those of a base; the odd number before the next if it is none. */
export interface RankedText {
  readonly text: string
  readonly rank: number
}

/**
 * Numbers by which texts are sorted, where some are not among those of a base: such a text gets a
 * fraction after its odd number, so that one number decides between any two.
 */
export class RanksBetween {
  /** The texts that the base does not have, in their order. */
  readonly #between: readonly RankedText[]

  constructor(texts: readonly RankedText[]) {
    this.#between = texts.filter(({ rank }) => isBetween(rank)).sort(inOrder)
  }

  keyOf(ranked: RankedText): number {
    if (!isBetween(ranked.rank)) return ranked.rank
    const between = this.#between
    let low = 0
    let high = between.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (inOrder(between[middle] as RankedText, ranked) < 0) low = middle + 1
      else high = middle
    }
    const next = between[low]
    const isKnown = next !== undefined && inOrder(next, ranked) === 0
    return ranked.rank + (low + (isKnown ? 1 : 0.5)) / (between.length + 1)
  }
}

function isBetween(rank: number): boolean {
  step()
  return (rank & 1) === 1
}

function inOrder(one: RankedText, other: RankedText): number {
  step()
  return one.rank - other.rank || compareTexts(one.text, other.text)
}

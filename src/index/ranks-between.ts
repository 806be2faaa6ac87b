import { compareTexts } from './arrays.ts'
import { step, stepsOfLookup } from './time-limit.ts'

/** A text, and twice its rank among those of a base, or the odd number before the next one. */
interface RankedText {
  readonly text: string
  readonly rank: number
}

/** A document that was changed, with the text to sort it by. */
export interface ChangedText {
  readonly document: number
  /** The owner of the text, which never changes. */
  readonly of: object
  readonly text: string
}

/**
 * Numbers by which texts are sorted, where some are not among those of a base: such a text gets a
 * fraction after its odd number, so that one number decides between any two.
 */
export class RanksBetween {
  readonly #rankOf: (text: string) => number
  /** The texts that the base does not have, in their order. */
  readonly #between: readonly RankedText[]
  /** The numbers of changed documents. */
  readonly keys: ReadonlyMap<number, number>

  /** `known` has the ranks of owners that were looked up before. */
  constructor(texts: Iterable<ChangedText>, rankOf: (text: string) => number, known: WeakMap<object, number>) {
    this.#rankOf = rankOf
    const ranked = Array.from(texts, ({ document, of, text }) => {
      const rank = known.get(of) ?? rankOf(text)
      step(known.has(of) ? 1 : stepsOfLookup)
      known.set(of, rank)
      return { document, text, rank }
    })
    this.#between = ranked.filter(isBetween).sort(inOrder)
    this.keys = new Map(ranked.map(each => [each.document, this.#keyOf(each)]))
  }

  keyOf(text: string): number {
    return this.#keyOf({ text, rank: this.#rankOf(text) })
  }

  #keyOf(ranked: RankedText): number {
    if (!isBetween(ranked)) return ranked.rank
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

function isBetween({ rank }: RankedText): boolean {
  step()
  return (rank & 1) === 1
}

function inOrder(one: RankedText, other: RankedText): number {
  step()
  return one.rank - other.rank || compareTexts(one.text, other.text)
}

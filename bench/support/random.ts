/* Chance that can be repeated: the same seed gives the same catalogue on every machine. */

export interface Chance {
  /** A whole number from 0 up to, not including, the bound. */
  below(bound: number): number
  /** True so often out of one. */
  is(share: number): boolean
  /** An element, each as likely. */
  one<T>(list: readonly T[]): T
}

/** Mulberry32: 32 bits of state, plenty for a benchmark. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(fraction() * bound)
  return {
    below,
    is: share => fraction() < share,
    one: list => list[below(list.length)] as (typeof list)[number]
  }
}

/**
 * Draws ranks from 0 to count - 1 by Zipf's law: rank r is drawn 1/(r+1) as often as rank 0. Words,
 * authors and subjects are used like that.
 */
export function zipf(chance: Chance, count: number): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1)
    sums[rank] = sum
  }
  const resolution = 1_000_000_000
  return () => {
    const wanted = (chance.below(resolution) / resolution) * sum
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) <= wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

import { compareTexts } from './arrays.ts'
import { step } from './time-limit.ts'

/** A value and how many documents have it. */
export interface FacetValue {
  readonly value: string
  readonly count: number
}

/**
 * The most frequent of some values. `at` is called for the texts of those that may be among them
 * only.
 */
export class Top {
  readonly #limit: number
  readonly #found: FacetValue[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The last of the values where there are as many as wanted: others must come before it. */
  get last(): FacetValue | undefined {
    return this.#found.length < this.#limit ? undefined : this.#found.at(-1)
  }

  offer(count: number, textOf: () => string | undefined) {
    step()
    if (count === 0 || this.#limit === 0) return
    const { last } = this
    if (last && count < last.count) return
    const value = textOf()
    if (value === undefined || (last && count === last.count && compareTexts(value, last.value) > 0)) return
    let at = this.#found.length
    while (at > 0) {
      const before = this.#found[at - 1] as FacetValue
      if (before.count > count || (before.count === count && compareTexts(before.value, value) < 0)) break
      at--
    }
    this.#found.splice(at, 0, { value, count })
    if (this.#found.length > this.#limit) this.#found.pop()
  }

  get found() {
    return this.#found
  }
}

import type { FacetValue } from '../ports/queries.ts'

const maxCounts = 1000
const maxFacets = 50
/** Maximum length of a key, in characters. */
const maxKeyLength = 4000

type Facets = readonly (readonly FacetValue[])[]

/** Counts that hold at one moment of the database. */
export interface Counts {
  findCount(key: string): number | undefined
  addCount(key: string, count: number): void
  findFacets(key: string): Facets | undefined
  addFacets(key: string, facets: Facets): void
}

/**
 * Caches counts until something is written: a client that turns pages, or opens the start page,
 * needs the same count again and again.
 */
export class CountCache {
  #moment = -1
  readonly #counts = new Map<string, number>()
  readonly #facets = new Map<string, Facets>()

  /**
   * Gives the counts of a moment. Moments are numbered; a later one empties the cache, and at an
   * earlier one nothing is found.
   */
  at(moment: number): Counts {
    if (moment > this.#moment) {
      this.#counts.clear()
      this.#facets.clear()
      this.#moment = moment
    }
    const find = <T>(cache: Map<string, T>, key: string) => (moment === this.#moment ? cache.get(key) : undefined)
    const add = <T>(cache: Map<string, T>, maxSize: number, key: string, value: T) => {
      if (moment !== this.#moment || key.length > maxKeyLength) return
      if (cache.size >= maxSize) cache.clear()
      cache.set(key, value)
    }
    return {
      findCount: key => find(this.#counts, key),
      addCount: (key, count) => add(this.#counts, maxCounts, key, count),
      findFacets: key => find(this.#facets, key),
      addFacets: (key, facets) => add(this.#facets, maxFacets, key, facets)
    }
  }
}

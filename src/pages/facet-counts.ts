import type { FacetCount } from '#catalogue/lists/list-entities.ts'

/*
 * The numbers beside the filters of large searches. To count the works of 250,000 records by every
 * filter takes some 100 ms of processor time, and of 6,000 some 10 ms, for numbers that hardly
 * change from one page to the next. So those of a search with many results are at most a minute
 * old; its results and their number are always current.
 */

/** Minimum number of results of a search whose counts are kept. */
export const minLargeSearch = 1000

/** The time for which counts are kept, in milliseconds. */
const maxAge = 60_000

/** Maximum number of facets of searches whose counts are kept; each has some 500 bytes. */
const maxKept = 2000

type Counts = readonly FacetCount[]

/** Counts of facets, by the address of the search and the name of the facet. */
export interface FacetCounts {
  find(search: string, facet: string): Counts | undefined
  keep(search: string, facet: string, counts: Counts): void
}

export function createFacetCounts(now: () => number): FacetCounts {
  const kept = new Map<string, { readonly counts: Counts; readonly at: number }>()
  const keyOf = (search: string, facet: string) => `${facet} ${search}`
  return {
    find(search, facet) {
      const found = kept.get(keyOf(search, facet))
      return found && now() - found.at < maxAge ? found.counts : undefined
    },
    keep(search, facet, counts) {
      const key = keyOf(search, facet)
      kept.delete(key)
      kept.set(key, { counts, at: now() })
      const [oldest] = kept.keys()
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    }
  }
}

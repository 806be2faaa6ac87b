import { setTimeout as wait } from 'node:timers/promises'

import { CatalogueError } from '#domain/errors.ts'
import { isPlain } from '#domain/filter/filter.ts'
import type { Store } from '#store/store.ts'

/** Milliseconds between two attempts, and the maximum time for all attempts of one query. */
const waitBetween = 250
const maxTime = 10 * 60_000

/**
 * The store for exports: a query that other queries hold up is run again instead of being refused.
 * Nobody waits for a page of an export as for a search, and an export that is cut has to begin
 * again. Filters of clients must be answered in time once, on the first page: a costly one is not
 * run again and again.
 */
export function patientStore(store: Store): Store {
  const patient =
    <Query, Result>(run: (query: Query) => Promise<Result>, isRepeated: (query: Query) => boolean) =>
    async (query: Query): Promise<Result> => {
      for (const until = performance.now() + maxTime; ; ) {
        try {
          return await run(query)
        } catch (error) {
          const isLate = error instanceof CatalogueError && error.code === 'query_timeout'
          if (!isLate || !isRepeated(query) || performance.now() > until) throw error
          await wait(waitBetween)
        }
      }
    }
  return {
    ...store,
    queryEntities: patient(
      query => store.queryEntities(query),
      ({ filter, from }) => from !== undefined || isPlain(filter)
    ),
    findReferences: patient(
      query => store.findReferences(query),
      () => true
    )
  }
}

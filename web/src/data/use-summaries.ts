import { useQueries } from '@tanstack/react-query'

import type { Summary } from '../../../client/index.ts'
import { useDebounced } from '../parts/use-debounced.ts'
import { useSession } from '../session/session.tsx'

/** Milliseconds of rest before summaries are fetched, so that typing is not slowed down. */
const restBefore = 150

/** Number of records whose summaries one request has. */
const atOnce = 50

/** The editions of works and the next performances of productions, by their ids. */
export function useSummaries(recordIds: readonly string[]): ReadonlyMap<string, Summary> {
  const { client } = useSession()
  const asked = useDebounced(recordIds.join(','), restBefore)
  const ids = asked === '' ? [] : asked.split(',')
  // The hour: a performance that has begun is not the next one any more.
  const hour = Math.floor(Date.now() / 3_600_000)
  const parts = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, at) =>
    ids.slice(at * atOnce, (at + 1) * atOnce)
  )
  return useQueries({
    queries: parts.map(part => ({
      queryKey: ['summaries', part, hour],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const filters = [{ type: 'id', value: part } as const]
        const { summaries } = await client.entities.find(filters, { limit: part.length, include: 'summary', signal })
        return summaries ?? {}
      }
    })),
    combine: answers => new Map(answers.flatMap(({ data }) => Object.entries(data ?? {})))
  })
}

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Entity } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/** Maximum number of records in one request. */
const maxAtOnce = 1000

/** Milliseconds for which a fetched record is not fetched again. */
const freshFor = 30_000

/**
 * The records with these ids. Those that are not cached are fetched by one request. Until the
 * answer arrives, and for records that do not exist, the map has no entry.
 */
export function useRecords(ids: readonly string[]): ReadonlyMap<string, Entity> {
  const { client } = useSession()
  const queries = useQueryClient()
  const wanted = [...new Set(ids)].sort().slice(0, maxAtOnce)
  const unknown = wanted.filter(id => !isFresh(queries, id))
  useQuery({
    queryKey: ['records', unknown],
    enabled: unknown.length > 0,
    staleTime: freshFor,
    queryFn: async ({ signal }) => {
      const page = await client.entities.find([{ type: 'id', value: unknown }], { limit: unknown.length, signal })
      const found = new Map(page.results.map(entity => [entity.id, entity]))
      for (const id of unknown) queries.setQueryData<Entity | null>(knownKey(id), found.get(id) ?? null)
      return null
    }
  })
  return new Map(
    wanted.flatMap(id => {
      const entity = queries.getQueryData<Entity | null>(knownKey(id))
      return entity ? [[id, entity] as const] : []
    })
  )
}

const knownKey = (id: string) => ['known', id] as const

function isFresh(queries: QueryClient, id: string): boolean {
  const known = queries.getQueryState(knownKey(id))
  return known !== undefined && !known.isInvalidated && Date.now() - known.dataUpdatedAt < freshFor
}

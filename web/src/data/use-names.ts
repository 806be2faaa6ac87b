import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Entity } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/** So many can be asked for at once. */
const mostAtOnce = 1000

/** What is known for less than so many milliseconds is not asked for again. */
const freshFor = 30_000

/**
 * The records that ids stand for; those that nobody has asked for lately, all in one question. Until the answer is there, and for those that are not there,
 * the map has nothing.
 */
export function useRecords(ids: readonly string[]): ReadonlyMap<string, Entity> {
  const { client } = useSession()
  const queries = useQueryClient()
  const wanted = [...new Set(ids)].sort().slice(0, mostAtOnce)
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

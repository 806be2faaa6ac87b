import { keepPreviousData, useQuery } from '@tanstack/react-query'

import type { Entity } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/** So many can be asked for at once. */
const mostAtOnce = 1000

/** The records that ids stand for, all in one question. Until the answer is there, and for those that are not there, the map has nothing. */
export function useRecords(ids: readonly string[]): ReadonlyMap<string, Entity> {
  const { client } = useSession()
  const wanted = [...new Set(ids)].sort().slice(0, mostAtOnce)
  const { data } = useQuery<Entity[]>({
    queryKey: ['records', wanted],
    enabled: wanted.length > 0,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.entities.find([{ type: 'id', value: wanted }], { limit: wanted.length, signal }).then(page => page.results)
  })
  return new Map((wanted.length > 0 ? (data ?? []) : []).map(entity => [entity.id, entity]))
}

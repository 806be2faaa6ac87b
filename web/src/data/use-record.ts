import { queryOptions, useQuery } from '@tanstack/react-query'

import type { Client } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/* What the page asks for, each under one key: what a change makes stale is found by its beginning. */

export const recordKey = (id: string) => ['record', id] as const

/** One record, its relations resolved. */
export function useRecord(id: string) {
  const { client } = useSession()
  return useQuery({ ...recordQuestion(client, id), enabled: id !== '' })
}

export const recordQuestion = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...recordKey(id), 'resolved'],
    queryFn: ({ signal }) => client.entities.readResolved(id, { signal })
  })

export function useTree(workId: string | undefined) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(workId ?? ''), 'tree'],
    enabled: workId !== undefined,
    queryFn: ({ signal }) => client.entities.tree(workId ?? '', { limit: 200, signal })
  })
}

export function useWem(id: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(id), 'wem'],
    queryFn: ({ signal }) => client.entities.wem(id, { signal })
  })
}

export function useHistory(id: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(id), 'history'],
    queryFn: ({ signal }) => client.entities.history(id, { limit: 100, signal })
  })
}

/** How many point here, by relation type. */
export function useReferenceCounts(id: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(id), 'references'],
    queryFn: ({ signal }) => client.entities.references(id, { limit: 0, signal }).then(page => page.count_by_relation)
  })
}

/** The records that point to one by a relation type. */
export function useReferring(id: string, relation: string, limit: number, orderBy = '') {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(id), 'referring', relation, limit, orderBy],
    queryFn: ({ signal }) => client.entities.find([relationFilter(relation, id)], { limit, orderBy, signal })
  })
}

/** So far the service follows a path. A classification of four levels is followed to its end. */
const mostHops = 4

/** Records with this relation to this record; where it is one of a hierarchy, also to those beneath it. */
export const relationFilter = (relation: string, id: string, climbsBy?: string) => ({
  type: 'selection',
  key:
    climbsBy === undefined
      ? `relations.${relation}.key`
      : Array.from(
          { length: mostHops },
          (_, hops) => `properties.${[relation, ...Array(hops).fill(climbsBy)].join('.')}.value`
        ),
  value: [id],
  match_exact: true
})

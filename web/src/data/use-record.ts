import { useQuery } from '@tanstack/react-query'

import { useSession } from '../session/session.tsx'

/* What the page asks for, each under one key: what a change makes stale is found by its beginning. */

export const recordKey = (id: string) => ['record', id] as const

/** One record, its relations resolved. */
export function useRecord(id: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(id), 'resolved'],
    enabled: id !== '',
    queryFn: ({ signal }) => client.entities.readResolved(id, { signal })
  })
}

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

/** Records with this relation to this record. */
export const relationFilter = (relation: string, id: string) => ({
  type: 'selection',
  key: `relations.${relation}.key`,
  value: [id],
  match_exact: true
})

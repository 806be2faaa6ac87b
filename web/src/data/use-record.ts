import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'

import type { Client, History } from '../../../client/index.ts'
import { maxTreeEditions } from '../session/early-answers.ts'
import { useSession } from '../session/session.tsx'
import { usePages } from './use-pages.ts'

/* The queries of the page, each under one key. Invalidation uses the beginning of the key. */

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

export const recordToEditKey = (id: string) => [...recordKey(id), 'to edit'] as const

/**
 * The record that a form begins with. It is read once and not refetched while editing: concurrent
 * changes are combined on saving.
 */
export const editQuestion = (client: Client, id: string) =>
  queryOptions({
    queryKey: recordToEditKey(id),
    queryFn: ({ signal }) => client.entities.read(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0
  })

/** A work with its expressions; with `next`, not all of its editions are there. */
export function useTree(workId: string) {
  const { client } = useSession()
  return useQuery(treeQuestion(client, workId))
}

export const treeQuestion = (client: Client, workId: string) =>
  queryOptions({
    queryKey: [...recordKey(workId), 'tree'],
    queryFn: ({ signal }) => client.entities.tree(workId, { limit: maxTreeEditions, signal })
  })

/** Maximum number of expressions of which the editions are counted. */
const maxCountedExpressions = 1000

/**
 * The number of editions of each expression that match some words, without expressions that have
 * none. The words are those of the answer, which may be the previous one.
 */
export function useEditionCounts(workId: string, text: string, isWanted: boolean) {
  const { client } = useSession()
  const path = 'relations.refExpressions.key'
  return useQuery({
    queryKey: [...recordKey(workId), 'editions counted', text],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const filters = [
        { type: 'selection', key: 'properties.refExpressions.refWork.value', value: [workId], match_exact: true },
        ...(text === '' ? [] : [{ type: 'search', value: text }])
      ]
      const page = await client.entities.find(filters, {
        limit: 0,
        facets: [path],
        facetLimit: maxCountedExpressions,
        signal
      })
      return { text, byExpression: new Map((page.facets?.[path] ?? []).map(({ value, count }) => [value, count])) }
    }
  })
}

export function useWem(id: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(id), 'wem'],
    queryFn: ({ signal }) => client.entities.wem(id, { signal })
  })
}

/** The versions of a record, the newest first, page by page. */
export function useHistory(id: string) {
  const { client } = useSession()
  return usePages<History>({
    queryKey: [...recordKey(id), 'history'],
    first: signal => client.entities.history(id, { limit: 50, signal })
  })
}

/** The number of references to a record, by relation type. */
export function useReferenceCounts(id: string) {
  const { client } = useSession()
  return useQuery(referencesQuestion(client, id))
}

export const referencesQuestion = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...recordKey(id), 'references'],
    queryFn: ({ signal }) => client.entities.references(id, { limit: 0, signal }).then(page => page.count_by_relation)
  })

import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'

import type { Import } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

export const importsKey = ['imports'] as const
export const importKey = (id: string) => [...importsKey, id] as const

/** States that change without the user. */
const passing: readonly Import['state'][] = ['uploading', 'waiting', 'running', 'undoing']
export const isUnderWay = ({ state }: Pick<Import, 'state'>) => passing.includes(state)

const lookEvery = 700

/** All imports, newest first; polled while one is running. */
export function useImports() {
  const { client } = useSession()
  return useQuery({
    queryKey: [...importsKey, 'list'],
    queryFn: ({ signal }) => client.imports.list({ signal }),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? lookEvery * 2 : false)
  })
}

/** The progress of an import. It runs in the service. */
export function useImport(id: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: importKey(id),
    queryFn: ({ signal }) => client.imports.read(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookEvery : false)
  })
}

const pageLength = 50

interface PageOptions {
  readonly limit: number
  readonly after: number
  readonly signal: AbortSignal
}

/** Reads numbered lines of an import, page by page. */
const useLines = <T extends { readonly number: number }>(
  key: readonly string[],
  isThere: boolean,
  read: (options: PageOptions) => Promise<readonly T[]>
) =>
  useInfiniteQuery({
    queryKey: key,
    enabled: isThere,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => read({ limit: pageLength, after: pageParam, signal }),
    getNextPageParam: page => (page.length < pageLength ? undefined : page.at(-1)?.number)
  })

/** The remarks of an import, page by page. */
export function useRemarks(id: string, isThere: boolean) {
  const { client } = useSession()
  return useLines([...importKey(id), 'remarks'], isThere, options => client.imports.remarks(id, options))
}

/** The lines of a preview, page by page. */
export function usePreviewLines(id: string, isThere: boolean) {
  const { client } = useSession()
  return useLines([...importKey(id), 'preview'], isThere, options => client.imports.preview(id, options))
}

const questionsAtOnce = 20

export const reviewKey = (id: string) => [...importKey(id), 'review'] as const

/** The review questions of an import, open or answered, page by page. */
export function useReview(id: string, areSettled: boolean, isThere = true) {
  const { client } = useSession()
  return useInfiniteQuery({
    queryKey: [...reviewKey(id), areSettled],
    enabled: isThere,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.imports.review(id, {
        limit: questionsAtOnce,
        areSettled,
        signal,
        ...(pageParam === undefined ? {} : { after: pageParam })
      }),
    getNextPageParam: page => (page.next === null ? undefined : page.questions.at(-1)?.id)
  })
}

/** After an import, all cached records may be outdated. */
export const refreshAll = (queries: QueryClient) => queries.invalidateQueries()

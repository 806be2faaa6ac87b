import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'

import { useSession } from '../session/session.tsx'

/** A page of anything, with the address of the next one. */
interface Page {
  readonly next?: string
}

interface PagesOptions<Each extends Page> {
  readonly queryKey: QueryKey
  /** Fetches the first page. */
  readonly first: (signal: AbortSignal) => Promise<Each>
  /** The body that goes with each page, where the list is asked for by POST. */
  readonly body?: unknown
  readonly enabled?: boolean
}

/** A list that is fetched page by page: the first at once, the others by `fetchNextPage`. */
export function usePages<Each extends Page>({ queryKey, first, body, enabled = true }: PagesOptions<Each>) {
  const { client } = useSession()
  return useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      pageParam === undefined ? first(signal) : (await client.follow<Each>(pageParam, { body, signal })).data,
    getNextPageParam: page => page.next
  })
}

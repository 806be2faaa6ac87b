import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'

import type { EntityPage } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'
import { type FindState, filtersOf, orderOf } from './find-state.ts'

const pageLength = 30

/** What matches, page after page. While a new question is on its way, the last answer stays: nothing flickers. */
export function useFind(state: FindState) {
  const { client } = useSession()
  const filters = filtersOf(state)
  const order = orderOf(state)
  return useInfiniteQuery({
    queryKey: ['find', filters, order],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }) =>
      pageParam === undefined
        ? client.entities.find(filters, { limit: pageLength, ...order, signal })
        : (await client.follow<EntityPage>(pageParam, { body: filters, signal })).data,
    getNextPageParam: page => page.next
  })
}

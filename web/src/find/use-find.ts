import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'

import type { EntityPage } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'
import { type FindState, filtersOf, narrowingRelations, orderOf } from './find-state.ts'

const pageLength = 30

/** What matches, page after page. While a new question is on its way, the last answer stays: nothing flickers. */
export function useFind(state: FindState) {
  const { client, model } = useSession()
  const filters = filtersOf(state, model.climbsBy)
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

/** The groups of choices beside the results, with the path whose values each counts. */
const facetPaths = {
  types: 'type',
  languages: `relations.${narrowingRelations.languages}.key`,
  genres: `relations.${narrowingRelations.genres}.key`
} as const

export type FacetGroup = keyof typeof facetPaths
export type Facet = NonNullable<EntityPage['facets']>[string]

const facetLength = 60

/**
 * How many there would be with each choice. A group is counted as if nothing were chosen in it: who chose works still sees how many editions there
 * are. Groups for which that is the same question are asked about at once.
 */
export function useFacets(state: FindState): Partial<Record<FacetGroup, Facet>> {
  const { client, model } = useSession()
  const questions = Map.groupBy(Object.keys(facetPaths) as FacetGroup[], group =>
    JSON.stringify(filtersOf({ ...state, [group]: [] }, model.climbsBy))
  )
  const asked = [...questions].map(([text, groups]) => ({
    filters: JSON.parse(text) as ReturnType<typeof filtersOf>,
    groups
  }))
  const answers = useQueries({
    queries: asked.map(({ filters, groups }) => ({
      queryKey: ['facets', filters, groups],
      placeholderData: keepPreviousData<EntityPage>,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.entities.find(filters, {
          limit: 0,
          facets: groups.map(group => facetPaths[group]),
          facetLimit: facetLength,
          signal
        })
    }))
  })
  return Object.fromEntries(
    asked.flatMap(({ groups }, index) =>
      groups.flatMap(group => {
        const facet = answers[index]?.data?.facets?.[facetPaths[group]]
        return facet ? [[group, facet]] : []
      })
    )
  )
}

import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQueries,
  useQueryClient
} from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'

import type { Client, Entity, EntityPage, Filter, WorkPage, WorkResult } from '../../../client/index.ts'
import type { ModelFacet, RecordModel } from '../data/record-model.ts'
import { resultsAtOnce } from '../session/early-answers.ts'
import { useSession } from '../session/session.tsx'
import { filtersOf, orderOf } from '../../../src/domain/find/find-filters.ts'
import { type FindState, isGrouped } from '../../../src/domain/find/find-state.ts'

/** A page of results: records, or one entry for each work and production. */
export interface FoundPage {
  /** Number of results: of records, or of works and productions. */
  readonly count: number
  /** Number of matching records. */
  readonly records: number
  readonly next: string | undefined
  readonly entities: readonly Entity[]
  readonly entries: readonly Entry[]
  /** Other searches, if nothing was found. */
  readonly instead: NonNullable<EntityPage['instead']>
  /** Whether the text is an ISBN with a mistake. */
  readonly hasIsbnFault: boolean
}

/** An entry of the list of results: a record, and the best of its parts that were found. */
export interface Entry {
  readonly entity: Entity
  /** Whether the record itself was found, and not only a part of it. */
  readonly isFound: boolean
  readonly parts: readonly Entity[]
  /** The languages of the expressions of a work, the most frequent first. */
  readonly languages: readonly string[]
}

/** The results, page by page. */
export function findQuestion(queries: QueryClient, client: Client, model: RecordModel, state: FindState) {
  const filters = filtersOf(state, model)
  const order = orderOf(state, model)
  const find = isGrouped(state) ? client.entities.findWorks : client.entities.find
  return infiniteQueryOptions({
    queryKey: ['find', filters, order, isGrouped(state)],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      toFoundPage(
        pageParam === undefined
          ? await find(filters, { limit: resultsAtOnce, ...order, signal })
          : await queries.fetchQuery(nextPageQuestion(client, filters, pageParam))
      ),
    getNextPageParam: page => page.next
  })
}

function toFoundPage(page: EntityPage | WorkPage): FoundPage {
  const { count, next, instead = [], warnings = [] } = page
  const common = { next, instead, hasIsbnFault: warnings.some(({ code }) => code === 'isbn') }
  if (!('count_records' in page))
    return { ...common, count, records: count, entities: page.results as Entity[], entries: [] }
  const entries = page.results.flatMap(toEntry)
  return { ...common, count, records: page.count_records, entities: entries.map(({ entity }) => entity), entries }
}

function toEntry({ work, record, is_match, expression, manifestation, part, languages }: WorkResult): Entry[] {
  const entity = work ?? record
  if (!entity) return []
  const parts = [manifestation, expression, part].filter(each => each !== undefined)
  return [{ entity, isFound: is_match, parts, languages: languages.map(({ id }) => id) }]
}

/** A following page, which may have been prefetched. */
const nextPageQuestion = (client: Client, filters: readonly Filter[], address: string) =>
  queryOptions({
    queryKey: ['find-next', filters, address],
    staleTime: 30_000,
    queryFn: async ({ signal }) => (await client.follow<EntityPage | WorkPage>(address, { body: filters, signal })).data
  })

/** The results. The last ones stay until the next arrive, so nothing flickers. */
export function useFind(state: FindState) {
  const { client, model } = useSession()
  const queries = useQueryClient()
  return useInfiniteQuery({ ...findQuestion(queries, client, model, state), placeholderData: keepPreviousData })
}

/** Milliseconds of rest after which the next page is prefetched. */
const pauseBeforeNext = 300

/**
 * Prefetches the next page when its button is within a screen of the view. Returns the ref to
 * observe.
 */
export function useNextAhead(state: FindState, next: string | undefined): RefObject<HTMLButtonElement | null> {
  const { client, model } = useSession()
  const queries = useQueryClient()
  const button = useRef<HTMLButtonElement>(null)
  const asked = JSON.stringify(filtersOf(state, model))
  useEffect(() => {
    if (next === undefined || !button.current) return
    let timer: number | undefined
    const ask = () => queries.prefetchQuery(nextPageQuestion(client, JSON.parse(asked), next))
    const watch = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer)
        if (entry?.isIntersecting) timer = window.setTimeout(ask, pauseBeforeNext)
      },
      { rootMargin: '100% 0px' }
    )
    watch.observe(button.current)
    return () => {
      clearTimeout(timer)
      watch.disconnect()
    }
  }, [queries, client, asked, next])
  return button
}

/** The facet of the kinds of records. */
export const typesFacet = { name: 'types', path: 'type' } as const

/** The values that are chosen in a facet. */
export const chosenIn = (state: FindState, name: string): readonly string[] =>
  name === typesFacet.name ? state.types : (state.facets[name] ?? [])

/** The change that chooses these values of a facet. */
export const choose = (state: FindState, name: string, values: readonly string[]): Partial<FindState> =>
  name === typesFacet.name ? { types: values } : { facets: { ...state.facets, [name]: values } }

/** The facets that records of the chosen kinds can have, themselves or through their parts. */
export function facetsFor(model: RecordModel, { types }: FindState): readonly ModelFacet[] {
  const rows =
    types.length === 0 ? model.types : types.flatMap(each => model.families.get(each) ?? model.find(each) ?? [])
  return model.facets.flatMap(facet => {
    const { name, ofWhole } = facet
    if (ofWhole && rows.some(({ type }) => ofWhole.types.includes(type))) return [{ ...facet, path: ofWhole.path }]
    const isOwn = rows.some(
      ({ fields, relations }) => fields.some(({ key }) => key === name) || relations.some(({ type }) => type === name)
    )
    return isOwn ? [facet] : []
  })
}

export type Facet = NonNullable<EntityPage['facets']>[string]

const facetLength = 60

/**
 * The number of results for each choice. A facet is counted as if nothing were chosen in it. Facets
 * with the same filters share a request.
 */
export function useFacets(state: FindState, counted: readonly Pick<ModelFacet, 'name' | 'path'>[]) {
  const { client, model } = useSession()
  const questions = Map.groupBy(counted, ({ name }) =>
    JSON.stringify(filtersOf({ ...state, ...choose(state, name, []) }, model))
  )
  const asked = [...questions].map(([text, facets]) => ({
    filters: JSON.parse(text) as ReturnType<typeof filtersOf>,
    facets,
    paths: facets.map(({ path }) => path)
  }))
  // The counts are of what is shown: works, or records.
  const find = isGrouped(state) ? client.entities.findWorks : client.entities.find
  const answers = useQueries({
    queries: asked.map(({ filters, paths }) => ({
      queryKey: ['facets', filters, paths, isGrouped(state)],
      placeholderData: keepPreviousData<EntityPage | WorkPage>,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        find(filters, { limit: 0, facets: paths, facetLimit: facetLength, signal })
    }))
  })
  const found: Readonly<Record<string, Facet>> = Object.fromEntries(
    asked.flatMap(({ facets }, index) =>
      facets.flatMap(({ name, path }) => {
        const facet = answers[index]?.data?.facets?.[path]
        return facet ? [[name, facet]] : []
      })
    )
  )
  return { facets: found, answers }
}

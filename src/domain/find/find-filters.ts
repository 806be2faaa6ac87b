import { type FindModel, type FindState, relatedIn } from './find-state.ts'
import { relationFilter } from './relation-filter.ts'

/** A filter as the interface takes it. */
export interface FilterObject {
  readonly type: string
  readonly key?: string | string[]
  readonly value: unknown
  readonly match_exact?: boolean
}

/**
 * The filters of a search. The chosen values and years are met by one edition or performance with
 * everything that it belongs to; several values of one facet are alternatives.
 */
export function filtersOf(state: FindState, model: Pick<FindModel, 'facets' | 'climbsBy'>): FilterObject[] {
  const { text, types, ids, addedBy, readiness } = state
  const filters: FilterObject[] = wordFilters(text)
  if (types.length > 0) filters.push({ type: 'type', value: types })
  if (ids.length > 0) filters.push({ type: 'id', value: ids })
  const narrowing = [
    ...model.facets.flatMap(({ name, path }) => {
      const chosen = state.facets[name] ?? []
      return chosen.length > 0 ? [oneOf(path, chosen)] : []
    }),
    ...yearFilters(state)
  ]
  if (narrowing.length > 0) filters.push({ type: 'together', key: 'edition', value: narrowing })
  if (readiness !== '') filters.push({ type: 'readiness', value: readiness })
  const [relation, id] = relatedIn(state) ?? []
  if (relation !== undefined && id !== undefined) filters.push(relationFilter(relation, id, model.climbsBy(relation)))
  if (addedBy !== '') filters.push(oneOf('audit.created.by', [addedBy]))
  return filters
}

function yearFilters({ from, to }: FindState): FilterObject[] {
  if (from === '' && to === '') return []
  const [min, max] = from !== '' && to !== '' && Number(from) > Number(to) ? [to, from] : [from, to]
  const key = ['properties.year_of_publication.value', 'properties.year.value']
  const value = { ...(min === '' ? {} : { min: Number(min) }), ...(max === '' ? {} : { max: Number(max) }) }
  return [{ type: 'number', key, value }]
}

const oneOf = (key: string, value: readonly string[]): FilterObject => ({
  type: 'selection',
  key,
  value,
  match_exact: true
})

/**
 * All words, in any field or in the name of a related record. Typos are tolerated if nothing else
 * is found.
 */
const wordFilters = (text: string): FilterObject[] => {
  const words = wordsIn(text).join(' ')
  return words === '' ? [] : [{ type: 'search', value: words }]
}

/** A star is a wildcard in the filter, but not for people who type it here. */
export const wordsIn = (text: string) => text.replaceAll('*', ' ').split(/\s+/).filter(Boolean).slice(0, 12)

/** The order of the results, as the interface takes it. */
export function orderOf(
  { sort, text, types }: FindState,
  model: Pick<FindModel, 'momentOf'>
): { readonly orderBy: string; readonly descending: boolean } {
  if (sort === 'year') return { orderBy: 'year_of_publication,year', descending: true }
  if (sort === 'newest') return { orderBy: 'date_updated', descending: true }
  if (sort === 'next') return { orderBy: 'next_performance', descending: false }
  if (sort === 'shelf') return { orderBy: 'shelf_order', descending: false }
  if (sort === 'created') return { orderBy: 'date_created', descending: false }
  // With words, the best match comes first.
  if (sort === 'relevance' && wordsIn(text).length > 0) return { orderBy: '', descending: false }
  const [type, ...others] = types
  const moment = type === undefined || others.length > 0 ? undefined : model.momentOf(type)
  return moment === undefined ? { orderBy: 'title,name', descending: false } : { orderBy: moment, descending: true }
}

import type { Filter } from '../../../client/index.ts'
import { relationFilter } from '../data/use-record.ts'

/** The search. It is stored in the address, so that it can be shared and restored. */
export interface FindState {
  readonly text: string
  /** Kinds and types. */
  readonly types: readonly string[]
  readonly languages: readonly string[]
  readonly genres: readonly string[]
  readonly from: string
  readonly to: string
  readonly sort: Sort
  /** `refAuthors:PERS-SHAKESPEARE`: only records with this relation. */
  readonly related: string
  /** The creator as recorded in the audit: `import:…` for an import. */
  readonly by: string
  /** Only productions with this readiness. */
  readonly readiness: Readiness | ''
}

export const readinessStates = ['ready', 'incomplete', 'contradictory'] as const
export type Readiness = (typeof readinessStates)[number]

export const sorts = ['relevance', 'title', 'year', 'newest', 'created'] as const
export type Sort = (typeof sorts)[number]

/** The relations that can be filtered by. */
export const narrowingRelations = { languages: 'refLanguages', genres: 'refGenres' } as const

const list = (text: string | null) => (text ? text.split(',').filter(Boolean) : [])

export function readFindState(query: URLSearchParams): FindState {
  const year = (name: string) => /^-?\d{1,4}$/.exec(query.get(name) ?? '')?.[0] ?? ''
  return {
    text: query.get('q') ?? '',
    types: list(query.get('type')),
    languages: list(query.get('languages')),
    genres: list(query.get('genres')),
    from: year('from'),
    to: year('to'),
    sort: sorts.find(sort => sort === query.get('sort')) ?? 'relevance',
    related: query.get('related') ?? '',
    by: query.get('by') ?? '',
    readiness: readinessStates.find(state => state === query.get('readiness')) ?? ''
  }
}

/** The address of a search, without default values. */
export function findAddress(state: Partial<FindState>): string {
  const query = new URLSearchParams(
    Object.entries({
      q: state.text,
      type: state.types?.join(','),
      languages: state.languages?.join(','),
      genres: state.genres?.join(','),
      from: state.from,
      to: state.to,
      sort: state.sort === 'relevance' ? '' : state.sort,
      related: state.related,
      by: state.by,
      readiness: state.readiness
    }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  )
  const text = query.toString()
  return text === '' ? '/find' : `/find?${text}`
}

/** `climbsBy` gives the relation from the target of a relation to its broader record, if any. */
export function filtersOf(state: FindState, climbsBy: (relation: string) => string | undefined): Filter[] {
  const { text, types, languages, genres, from, to, related, by, readiness } = state
  const filters: Filter[] = wordFilters(text)
  if (types.length > 0) filters.push({ type: 'type', value: types })
  for (const [values, relation] of [
    [languages, narrowingRelations.languages],
    [genres, narrowingRelations.genres]
  ] as const)
    if (values.length > 0)
      filters.push({ type: 'selection', key: `relations.${relation}.key`, value: values, match_exact: true })
  if (from !== '' || to !== '') {
    const bounds = { ...(from === '' ? {} : { min: Number(from) }), ...(to === '' ? {} : { max: Number(to) }) }
    const isBackwards = from !== '' && to !== '' && Number(from) > Number(to)
    filters.push({
      type: 'number',
      key: ['properties.year_of_publication.value', 'properties.year.value'],
      value: isBackwards ? { min: Number(to), max: Number(from) } : bounds
    })
  }
  if (readiness !== '') filters.push({ type: 'readiness', value: readiness })
  const [, relation, id] = /^(\w+):(.+)$/.exec(related) ?? []
  if (relation !== undefined && id !== undefined) filters.push(relationFilter(relation, id, climbsBy(relation)))
  if (by !== '') filters.push({ type: 'selection', key: 'audit.created.by', value: [by], match_exact: true })
  return filters
}

/**
 * All words, in any field or in the name of a related record. Typos are tolerated if nothing else
 * is found.
 */
const wordFilters = (text: string): Filter[] => {
  const words = wordsIn(text).join(' ')
  return words === '' ? [] : [{ type: 'search', value: words }]
}

/** A star is a wildcard in the filter, but not for people who type it here. */
export const wordsIn = (text: string) => text.replaceAll('*', ' ').split(/\s+/).filter(Boolean).slice(0, 12)

/** `moment` is the name field of the kind, if it is a date with a time. */
export function orderOf(
  { sort, text }: FindState,
  moment: string | undefined
): { readonly orderBy: string; readonly descending: boolean } {
  if (sort === 'year') return { orderBy: 'year_of_publication,year', descending: true }
  if (sort === 'newest') return { orderBy: 'date_updated', descending: true }
  if (sort === 'created') return { orderBy: 'date_created', descending: false }
  // With words, the best match comes first.
  const isByFit = sort === 'relevance' && wordsIn(text).length > 0
  if (isByFit) return { orderBy: '', descending: false }
  if (moment !== undefined) return { orderBy: moment, descending: true }
  return { orderBy: 'title,name', descending: false }
}

import type { Filter } from '../../../client/index.ts'
import type { RecordModel } from '../data/record-model.ts'
import { relationFilter } from '../data/relation-filter.ts'

/** The search. It is stored in the address, so that it can be shared and restored. */
export interface FindState {
  readonly text: string
  /** Kinds and types. */
  readonly types: readonly string[]
  /** The chosen values of each facet, by the name of its field or relation. */
  readonly facets: Readonly<Record<string, readonly string[]>>
  readonly from: string
  readonly to: string
  readonly sort: Sort
  /** `refAuthors:PERS-SHAKESPEARE`: only records with this relation. */
  readonly related: string
  /** The creator as recorded in the audit: `import:…` for an import. */
  readonly by: string
  /** Only productions with this readiness. */
  readonly readiness: Readiness | ''
  /** `records` shows every record; otherwise a work or production is shown once, with its parts. */
  readonly view: 'records' | ''
}

/** Whether parts are shown under their work or production. A chosen kind is shown as it is. */
export const isGrouped = ({ types, view }: FindState) => types.length === 0 && view === ''

export const readinessStates = ['ready', 'incomplete', 'contradictory'] as const
export type Readiness = (typeof readinessStates)[number]

export const sorts = ['relevance', 'title', 'year', 'newest', 'created'] as const
export type Sort = (typeof sorts)[number]

const list = (text: string | null) => (text ? text.split(',').filter(Boolean) : [])

/** Values of fields may have commas, which stand between values in the address. */
const toList = (values: readonly string[]) =>
  values.map(value => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')
const fromList = (text: string | null) => list(text).map(value => value.replaceAll('%2C', ',').replaceAll('%25', '%'))

const otherParameters = ['q', 'type', 'from', 'to', 'sort', 'related', 'by', 'readiness', 'view']

/** The parameter of a facet: `languages` for the relation `refLanguages`. */
function parameterOf(facet: string): string {
  // Its address is older than the rule.
  if (facet === 'refLibrary') return 'libraries'
  const name = facet.replace(/^ref([A-Z])/, (_, first: string) => first.toLowerCase())
  return otherParameters.includes(name) ? `${name}_` : name
}

export function readFindState(query: URLSearchParams, { facets }: Pick<RecordModel, 'facets'>): FindState {
  const year = (name: string) => /^-?\d{1,4}$/.exec(query.get(name) ?? '')?.[0] ?? ''
  return {
    text: query.get('q') ?? '',
    types: list(query.get('type')),
    facets: Object.fromEntries(
      facets
        .map(({ name }) => [name, fromList(query.get(parameterOf(name)))] as const)
        .filter(([, { length }]) => length)
    ),
    from: year('from'),
    to: year('to'),
    sort: sorts.find(sort => sort === query.get('sort')) ?? 'relevance',
    related: query.get('related') ?? '',
    by: query.get('by') ?? '',
    readiness: readinessStates.find(state => state === query.get('readiness')) ?? '',
    view: query.get('view') === 'records' ? 'records' : ''
  }
}

/** The address of a search, without default values. */
export function findAddress(state: Partial<FindState>): string {
  const query = new URLSearchParams(
    Object.entries({
      q: state.text,
      type: state.types?.join(','),
      ...Object.fromEntries(
        Object.entries(state.facets ?? {}).map(([name, values]) => [parameterOf(name), toList(values)])
      ),
      from: state.from,
      to: state.to,
      sort: state.sort === 'relevance' ? '' : state.sort,
      related: state.related,
      by: state.by,
      readiness: state.readiness,
      view: state.view
    }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  )
  const text = query.toString()
  return text === '' ? '/find' : `/find?${text}`
}

export function filtersOf(state: FindState, model: Pick<RecordModel, 'facets' | 'climbsBy'>): Filter[] {
  const { text, types, from, to, related, by, readiness } = state
  const filters: Filter[] = wordFilters(text)
  if (types.length > 0) filters.push({ type: 'type', value: types })
  for (const { name, path } of model.facets) {
    const chosen = state.facets[name] ?? []
    if (chosen.length > 0) filters.push(oneOf(path, chosen))
  }
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
  if (relation !== undefined && id !== undefined) filters.push(relationFilter(relation, id, model.climbsBy(relation)))
  if (by !== '') filters.push(oneOf('audit.created.by', [by]))
  return filters
}

const oneOf = (key: string, value: readonly string[]): Filter => ({ type: 'selection', key, value, match_exact: true })

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

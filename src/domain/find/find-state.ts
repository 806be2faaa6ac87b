import { type ReadinessState, readinessStates } from './readiness-states.ts'

/*
 * The address of a search, `/find?…`. Its grammar is the same for the page of the staff, the public
 * pages and the feed, so that an address means the same to everybody (docs/interface/search.md).
 */

/** The part of a model that addresses of searches depend on. */
export interface FindModel {
  /** The facets, with the paths that filters have for them. */
  readonly facets: readonly { readonly name: string; readonly path: string }[]
  /** Whether there are records of a type or kind of this name. */
  isType(name: string): boolean
  /**
   * The relation from the target of a relation to its broader record, where the target is in a
   * hierarchy.
   */
  climbsBy(relation: string): string | undefined
  /** The name field of a type or kind, if it is a date with a time. */
  momentOf(type: string): string | undefined
}

/** The search of an address. */
export interface FindState {
  readonly text: string
  /** Kinds and types. */
  readonly types: readonly string[]
  /** Only records with these ids: a selection that somebody made. */
  readonly ids: readonly string[]
  /** The chosen values of each facet, by the name of its field or relation. */
  readonly facets: Readonly<Record<string, readonly string[]>>
  readonly from: string
  readonly to: string
  readonly sort: Sort
  /** `refAuthors:PERS-SHAKESPEARE`: only records with this relation. */
  readonly related: string
  /** The creator as recorded in the audit: `import:…` for an import. */
  readonly addedBy: string
  /** Only productions with this readiness. */
  readonly readiness: ReadinessState | ''
  /** `records` shows every record; otherwise a work or production is shown once, with its parts. */
  readonly view: 'records' | ''
  /** Parameters that mean nothing here, as `name=value`. They do not narrow the search. */
  readonly unknown: readonly string[]
}

export const emptySearch: FindState = {
  ...{ text: '', types: [], ids: [], facets: {}, from: '', to: '', sort: 'relevance', related: '' },
  ...{ addedBy: '', readiness: '', view: '', unknown: [] }
}

/** Whether parts are shown under their work or production. A chosen kind is shown as it is. */
export const isGrouped = ({ types, view }: FindState) => types.length === 0 && view === ''

export const sorts = ['relevance', 'title', 'year', 'newest', 'created', 'next', 'shelf'] as const
export type Sort = (typeof sorts)[number]

const list = (text: string | null) => (text ? text.split(',').filter(Boolean) : [])

/** Values of fields may have commas, which stand between values in the address. */
const toList = (values: readonly string[]) =>
  values.map(value => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')
const fromList = (text: string | null) => list(text).map(value => value.replaceAll('%2C', ',').replaceAll('%25', '%'))

const parameters = ['q', 'type', 'ids', 'from', 'to', 'sort', 'related', 'added_by', 'readiness', 'view'] as const
/** Parameters of pages, and those that others add to addresses. */
const isOfPage = (name: string) => ['lang', 'cursor', '_', 'ticket'].includes(name) || name.startsWith('utm_')
/** A parameter of older addresses: values of facets, or a creator. */
const olderParameter = 'by'
/** A type of older addresses, for every record. */
const olderType = 'all'

/** The parameter of a facet: `languages` for the relation `refLanguages`. */
function parameterOf(facet: string): string {
  // Its address is older than the rule.
  if (facet === 'refLibrary') return 'libraries'
  const name = facet.replace(/^ref([A-Z])/, (_, first: string) => first.toLowerCase())
  return [...parameters, olderParameter].includes(name) || isOfPage(name) ? `${name}_` : name
}

/** The relation of `related`, and the id that it leads to; undefined where there is none. */
export function relatedIn({ related }: Pick<FindState, 'related'>): readonly [string, string] | undefined {
  const [, relation, id] = /^(\w+):(.+)$/.exec(related) ?? []
  return relation === undefined || id === undefined ? undefined : [relation, id]
}

/** Maximum number of ids in an address. */
export const maxIds = 1000

const isYear = (text: string) => /^-?\d{1,4}$/.test(text)

/** Reads the parameters of an address. Those that are not understood are in `unknown`. */
export function readFindState(query: URLSearchParams, model: Pick<FindModel, 'facets' | 'isType'>): FindState {
  const unknown: string[] = []
  const facets: Record<string, readonly string[]> = {}
  const byParameter = new Map(model.facets.map(({ name }) => [parameterOf(name), name]))
  /** The value of a parameter if it is sound. */
  const read = (name: (typeof parameters)[number], isSound: (value: string) => boolean = () => true) => {
    const value = query.get(name) ?? ''
    if (value === '' || isSound(value)) return value
    unknown.push(`${name}=${value}`)
    return ''
  }
  const oneOf = <T extends string>(name: (typeof parameters)[number], of: readonly T[]): T | undefined => {
    const value = read(name, given => (of as readonly string[]).includes(given))
    return of.find(each => each === value)
  }
  const named = list(query.get('type'))
  const types = named.filter(model.isType)
  for (const each of named) if (each !== olderType && !model.isType(each)) unknown.push(`type=${each}`)
  const state = {
    text: read('q'),
    types,
    ids: fromList(read('ids', value => list(value).length <= maxIds)),
    from: read('from', isYear),
    to: read('to', isYear),
    sort: oneOf('sort', sorts) ?? 'relevance',
    related: read('related', related => relatedIn({ related }) !== undefined),
    readiness: oneOf('readiness', readinessStates) ?? '',
    view: oneOf('view', ['records'] as const) ?? (named.includes(olderType) ? 'records' : '')
  } as const
  let addedBy = read('added_by')
  for (const [name, value] of query) {
    const facet = byParameter.get(name)
    if (facet !== undefined) facets[facet] = [...(facets[facet] ?? []), ...fromList(value)]
    else if (name === olderParameter) {
      for (const each of list(value)) {
        const [of = '', ...rest] = each.split(':')
        if (model.facets.some(each => each.name === of))
          facets[of] = [...(facets[of] ?? []), ...fromList(rest.join(':'))]
        else addedBy = each
      }
    } else if (!(parameters as readonly string[]).includes(name) && !isOfPage(name)) unknown.push(`${name}=${value}`)
  }
  const chosen = Object.fromEntries(Object.entries(facets).filter(([, { length }]) => length > 0))
  return { ...state, facets: chosen, addedBy, unknown }
}

/** The address of a search, without default values. */
export function findAddress(state: Partial<FindState>): string {
  const query = new URLSearchParams(
    Object.entries({
      q: state.text,
      type: state.types?.join(','),
      ids: toList(state.ids ?? []),
      ...Object.fromEntries(
        Object.entries(state.facets ?? {}).map(([name, values]) => [parameterOf(name), toList(values)])
      ),
      from: state.from,
      to: state.to,
      sort: state.sort === 'relevance' ? '' : state.sort,
      related: state.related,
      added_by: state.addedBy,
      readiness: state.readiness,
      view: state.view
    }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  )
  const text = query.toString()
  return text === '' ? '/find' : `/find?${text}`
}

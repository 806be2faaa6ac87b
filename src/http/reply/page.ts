import { expressionLevel, manifestationLevel, workLevel } from '#domain/entity/owners.ts'
import type { EntityGroup, EntityPage } from '#catalogue/lists/list-entities.ts'
import type { ListQuery } from '#catalogue/lists/read-list-query.ts'
import type { Instead, Offer, TextSearch } from '#catalogue/lists/offer-instead.ts'
import type { Fault } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { isJsonObject } from '#domain/json.ts'

/** Relative URLs of the pages beside a page. */
export interface PageLinks {
  readonly next: string | undefined
  readonly previous: string | undefined
}

type QueryValues = Readonly<Record<string, string | undefined>>

export const pathOf = (url: string) => url.split('?')[0] ?? url

/** The parameters of a list that its links repeat. */
export const listParameters = (query: ListQuery): QueryValues => {
  const { limit, order_by, asc, facets, facet_limit, group_by, facets_of } = query
  return {
    limit: String(limit),
    order_by,
    asc: String(asc),
    group_by,
    facets_of,
    ...(facets === '' ? {} : { facets, facet_limit: String(facet_limit) })
  }
}

/** The links of a page: the same request, with a cursor. */
export function pageLinks(page: EntityPage, url: string, query: QueryValues): PageLinks {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''
  )
  const linkTo = (cursor: string | undefined) =>
    cursor === undefined ? undefined : `${pathOf(url)}?${queryText([...given, ['cursor', cursor]])}`
  const isPastTheEnd = page.entities.length === 0 && page.skip > 0
  const linkToLastPage = () => {
    const lastPage = Math.max(0, Math.min(page.skip, page.count) - page.limit)
    return `${pathOf(url)}?${queryText([...given, ['skip', String(lastPage)]])}`
  }
  // An empty page has no position to go back from; the offset leads to the last page there is.
  return { next: linkTo(page.next), previous: isPastTheEnd ? linkToLastPage() : linkTo(page.previous) }
}

/** The parameters of an address. Most need no escaping, which takes five times as long. */
const queryText = (parameters: readonly (readonly [name: string, value: string])[]) =>
  parameters.every(([, value]) => plainValue.test(value))
    ? parameters.map(([name, value]) => `${name}=${value}`).join('&')
    : String(new URLSearchParams(parameters.map(([name, value]) => [name, value])))

const plainValue = /^[\w.*-]*$/

/** The value of the `Link` header; undefined for a page without neighbours. */
export function linkHeader({ next, previous }: PageLinks): string | undefined {
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`].filter(Boolean)
  return links.length > 0 ? links.join(', ') : undefined
}

/** The entities of a page, or its groups, as a JSON array. */
export function entitiesJson({ entities, groups }: Pick<EntityPage, 'entities' | 'groups'>): string {
  if (groups) return groupsJson(groups, entities)
  return `[${entities.map(entity => entity.json).join(',')}]`
}

function groupsJson(groups: readonly EntityGroup[], entities: EntityPage['entities']): string {
  const byId = new Map(entities.map(entity => [entity.id, entity]))
  const member = (name: string, id: string | undefined) => {
    const entity = id === undefined ? undefined : byId.get(id)
    return entity ? `"${name}":${entity.json},` : ''
  }
  const written = groups.map(({ head, isOfWork, isMatch, expression, manifestation, part, matching, languages }) => {
    const rest = JSON.stringify({ is_match: isMatch, matching, languages }).slice(1)
    const levels = [
      member(expressionLevel, expression),
      member(manifestationLevel, manifestation),
      member('part', part)
    ]
    return `{${member(isOfWork ? workLevel : 'record', head)}${levels.join('')}${rest}`
  })
  return `[${written.join(',')}]`
}

/** A page with its facets in any form, and with summaries of other records than works. */
export type ShownPage = Omit<EntityPage, 'facets'> & {
  readonly facets?: unknown
  readonly summaries?: Readonly<Record<string, unknown>>
}

/**
 * A page as JSON, with other searches. The documents are stored as they are answered, so they are
 * joined as text, not parsed and printed.
 */
export function pageJson(
  page: ShownPage,
  links: PageLinks,
  { instead, warnings: more = [] }: ShownInstead = {}
): string {
  const { skip, limit, facets, highlights } = page
  const warnings = page.warnings || more.length > 0 ? [...(page.warnings ?? []), ...more] : undefined
  const rest = JSON.stringify({ skip, limit, ...links, facets, highlights, warnings, instead }).slice(1)
  const records = page.countRecords === undefined ? '' : `"count_records":${page.countRecords},`
  return `{"count":${page.count},${records}"results":${entitiesJson(page)},${summariesJson(page)}${rest}`
}

/** The summaries of a page as a member of it; editions are joined as text too. */
function summariesJson({ works = new Map(), summaries }: ShownPage): string {
  if (!summaries) return ''
  const ofWorks = [...works].map(([id, { newest, ...facts }]) => {
    const editions = newest.map(({ json }) => json)
    return `${JSON.stringify(id)}:${JSON.stringify(facts).slice(0, -1)},"newest":[${editions.join()}]}`
  })
  const others = Object.entries(summaries).map(([id, summary]) => `${JSON.stringify(id)}:${JSON.stringify(summary)}`)
  return `"summaries":{${[...ofWorks, ...others].join()}},`
}

/** The URL of the next page of a list that is paged by offset; undefined on the last page. */
export function nextByOffset(
  url: string,
  { skip, limit }: { readonly skip: number; readonly limit: number },
  count: number,
  query: Readonly<Record<string, string>> = {},
  shown = limit
): string | undefined {
  if (limit === 0 || skip + shown >= count) return undefined
  return `${pathOf(url)}?${new URLSearchParams({ ...query, limit: String(limit), skip: String(skip + shown) })}`
}

/** A body of filters with one search by a text, and the places of its other filters. */
export interface SearchedBody {
  readonly search: TextSearch
  readonly shown: (instead: Instead) => ShownInstead
}

export interface ShownInstead {
  readonly instead?: readonly unknown[]
  readonly warnings?: readonly Fault[]
}

const isPlain = (item: unknown) =>
  isJsonObject(item) && item.match_not !== true && item.operator !== 'or' && (item.or ?? undefined) === undefined

/** The search of a body of filters; undefined if it has none, or one that is not required. */
export function readSearchedBody(body: unknown, read: (body: unknown) => Filter): SearchedBody | undefined {
  if (!Array.isArray(body)) return undefined
  const at = body.findIndex(item => isPlain(item) && item.type === 'search' && typeof item.value === 'string')
  if (at < 0 || !body.every(isPlain)) return undefined
  const others = body.flatMap((item, place) => (place === at ? [] : withoutParts(body, item, place)))
  const withText = (text: string) => body.with(at, { ...body[at], value: text })
  const queryOf = (offer: Offer) =>
    offer.kind === 'filter'
      ? { left_out: [others[offer.place]?.leftOut], query: others[offer.place]?.query }
      : { left_out: offer.leftOut, changed: offer.changed, query: withText(offer.text) }
  return {
    search: {
      text: body[at].value,
      withText: text => read(withText(text)),
      withoutEach: others.map(
        ({ query }) =>
          () =>
            read(query)
      )
    },
    shown: ({ offers, isbnFault }) => ({
      ...(offers.length === 0
        ? {}
        : { instead: offers.map(offer => ({ kind: offer.kind, ...queryOf(offer), count: offer.count })) }),
      ...(isbnFault === undefined
        ? {}
        : { warnings: [{ pointer: `/${at}/value`, message: isbnMessages[isbnFault], code: 'isbn' }] })
    })
  }
}

/** The body without a filter of it, or without each of the filters that are met together. */
function withoutParts(body: readonly unknown[], item: { type: string; value: unknown }, place: number) {
  const inner = item.type === 'together' && Array.isArray(item.value) ? item.value : []
  if (inner.length < 2 || !inner.every(isPlain)) return [{ leftOut: item, query: body.toSpliced(place, 1) }]
  return inner.map((leftOut, at) => ({
    leftOut,
    query: body.with(place, { ...item, value: inner.toSpliced(at, 1) })
  }))
}

const isbnMessages = {
  length: 'This looks like an ISBN, but an ISBN has 10 or 13 digits',
  check_digit: 'This looks like an ISBN, but its last digit does not agree with the others: a digit is wrong'
} as const

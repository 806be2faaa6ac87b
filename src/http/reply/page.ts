import { expressionLevel, manifestationLevel, workLevel } from '#domain/entity/owners.ts'
import type { EntityGroup, EntityPage } from '#catalogue/lists/list-entities.ts'
import type { ListQuery } from '#catalogue/lists/read-list-query.ts'
import type { ShownInstead } from './instead.ts'

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
    cursor === undefined ? undefined : `${pathOf(url)}?${new URLSearchParams([...given, ['cursor', cursor]])}`
  const isPastTheEnd = page.entities.length === 0 && page.skip > 0
  // An empty page has no position to go back from; the offset leads to the last page there is.
  const lastPage = Math.max(0, Math.min(page.skip, page.count) - page.limit)
  const back = `${pathOf(url)}?${new URLSearchParams([...given, ['skip', String(lastPage)]])}`
  return { next: linkTo(page.next), previous: isPastTheEnd ? back : linkTo(page.previous) }
}

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

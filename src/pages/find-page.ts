import { type Entity, type Relation, valuesOf } from '#domain/entity/entity.ts'
import type { Facet } from '#domain/filter/facets.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { byRelevance, readOrder } from '#domain/filter/order.ts'
import { levels } from '#domain/entity/publication.ts'
import { readSearchText } from '#domain/search/search-language.ts'
import type { EntityPage } from '#catalogue/lists/list-entities.ts'
import { linkTo } from './facts.ts'
import type { Locale } from './locale.ts'
import { type Content, html } from './markup.ts'
import { type Page, type PageParts, searchForm } from './page.ts'
import { presentOf } from './present.ts'
import { zonesOf } from './zones.ts'

/** Results on one page. */
const pageSize = 20

/** A search as the address of its page gives it. */
export interface FindRequest {
  readonly text: string
  /** A type or an umbrella; empty for one entry a work, `all` for every record. */
  readonly type: string
  /** Relations that the records have, as `refAuthors:PERS-1`. */
  readonly by: readonly string[]
  readonly cursor: string | undefined
}

/** Relations whose targets narrow a search, in the order in which they are shown. */
const facetRelations = [
  'refAuthors',
  'refGenres',
  'refSubjects',
  'refPublishers',
  'refLanguages',
  'refVenues',
  'refCompanies',
  'refSeasons'
]

/** Values shown of each facet. */
const maxFacetValues = 8

/** Every record, in place of a type. */
const all = 'all'

/** The levels below works; a work's page lists them. */
const belowWorks: ReadonlySet<string> = new Set(levels.slice(1))

/**
 * The page of results. Without a type it shows works, not their expressions and editions, so that
 * each book stands once; a search that finds nothing that way is widened to every record.
 */
export async function findPage(parts: PageParts, request: FindRequest, locale: Locale): Promise<Page> {
  const { publicUrl } = parts
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  let { type } = request
  let page = await listFor(parts, request, type)
  if (page.count === 0 && type === '' && request.cursor === undefined) {
    type = all
    page = await listFor(parts, request, type)
  }
  const path = (changes: Readonly<Record<string, string | undefined>>) => {
    const query = new URLSearchParams()
    const wanted = { q: request.text, type: request.type, by: request.by.join(), ...changes }
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined && value !== '') query.set(name, value)
    const text = query.toString()
    return `/find${text === '' ? '' : `?${text}`}`
  }
  const feed = path({ cursor: undefined }).replace('/find', '/feed.atom')
  return {
    title: request.text === '' ? locale.phrases.search : `${locale.phrases.search}: ${request.text}`,
    path: path({}),
    feed,
    isUnlisted: true,
    hasSearch: true,
    body: html`<h1>${locale.phrases.search}</h1>${searchForm(base, request.text, locale.phrases)}
${typeLinks(parts, request, page, locale, each => base + path({ type: each }))}
<p class="count" role="status">${page.count === 0 ? locale.phrases.noResults : locale.phrases.results(locale.number(page.count))}</p>
<ol class="results" start="${page.skip + 1}">${await resultsOf(parts, page, locale, base)}</ol>
${facetLinks(request, page, locale, by => base + path({ by: by.join() }))}
<nav class="paging" aria-label="${locale.phrases.pages}">${
      page.previous !== undefined &&
      html`<a rel="prev" href="${base}${path({ type, cursor: page.previous })}">${locale.phrases.previous}</a>`
    }${page.next !== undefined && html`<a rel="next" href="${base}${path({ type, cursor: page.next })}">${locale.phrases.next}</a>`}</nav>`
  }
}

/** The filter of a search for visitors. */
export function filterOf(
  { model, principal }: PageParts,
  { text, type, by }: Pick<FindRequest, 'text' | 'type' | 'by'>
): Filter {
  const readable = principal.readableTypes.filter(each => model.findType(each)?.partOf === undefined)
  const searched = readSearchText(model, text)
  const related = by.map((each): Filter => {
    const [relation = '', ...rest] = each.split(':')
    return {
      kind: 'field',
      path: { kind: 'relation_key', type: relation },
      test: { kind: 'equals', values: [rest.join(':')] }
    }
  })
  return { kind: 'all', of: [{ kind: 'types', types: typesOf(model, readable, type) }, searched, ...related] }
}

function typesOf(model: Model, readable: readonly string[], type: string): readonly string[] {
  if (type === all) return readable
  if (type !== '') return model.typesNamed(type)
  return readable.filter(each => !belowWorks.has(model.umbrellaOf(each)))
}

function listFor(parts: PageParts, request: FindRequest, type: string): Promise<EntityPage> {
  const { text, cursor } = request
  const filter = filterOf(parts, { ...request, type })
  const order = readOrder(text === '' ? 'date_created' : '', text !== '', filter) ?? byRelevance
  const of: Facet[] = [
    { name: 'type', path: { kind: 'type' } },
    ...facetRelations.map(name => ({ name, path: { kind: 'relation_key', type: name } as const }))
  ]
  return parts.catalogue.listEntities(parts.principal, {
    ...{ filter, order, skip: 0, limit: pageSize, cursor },
    facets: { of, limit: maxFacetValues }
  })
}

/** Links that narrow the search to one kind of record that it found, and one that widens it. */
function typeLinks(
  { model }: PageParts,
  request: FindRequest,
  page: EntityPage,
  { labels, label, phrases }: Locale,
  address: (type: string) => string
): Content {
  const found = new Set((page.facets?.type ?? []).map(({ value }) => model.umbrellaOf(value)))
  if (request.type !== '' && request.type !== all) found.add(request.type)
  return html`<nav class="kinds" aria-label="${phrases.kinds}"><ul>${['', ...found, all].map(each => {
    const text = each === '' ? phrases.catalogue : each === all ? phrases.everything : label(labels.families, each)
    return html`<li><a href="${address(each)}"${each === request.type && html` aria-current="true"`}>${text}</a></li>`
  })}</ul></nav>`
}

/** Links that narrow the search to records with one relation, or widen it again. */
function facetLinks(
  { by }: FindRequest,
  page: EntityPage,
  locale: Locale,
  address: (by: readonly string[]) => string
): Content {
  const facets = facetRelations.flatMap(relation => {
    const values = (page.facets?.[relation] ?? []).filter(({ label }) => label !== undefined)
    return values.length === 0 ? [] : [{ relation, values }]
  })
  return html`<aside class="narrow">${facets.map(
    ({ relation, values }) =>
      html`<section><h2>${locale.label(locale.labels.relations, relation)}</h2><ul>${values.map(
        ({ value, label, count }) => {
          const name = `${relation}:${value}`
          const isChosen = by.includes(name)
          const next = isChosen ? by.filter(each => each !== name) : [...by, name]
          return html`<li><a href="${address(next)}" rel="nofollow"${isChosen && html` aria-current="true"`}>${label ?? value}</a> <span class="details">${locale.number(count)}</span></li>`
        }
      )}</ul></section>`
  )}</aside>`
}

/**
 * The entries of a page of results: name, kind, makers and year; the number of editions of a work,
 * and the next performance of a production.
 */
export async function resultsOf(
  parts: PageParts,
  page: Pick<EntityPage, 'entities'>,
  locale: Locale,
  base: string
): Promise<Content> {
  const { model, catalogue, principal } = parts
  const entities = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const zoneOf = await zonesOf(parts, entities)
  const names = await catalogue.findNames(
    principal,
    entities.flatMap(each => each.relations.filter(isMaking).map(({ key }) => key))
  )
  const present = await presentOf(parts, entities, locale)
  return entities.map(entity => {
    const makers = entity.relations.filter(isMaking).flatMap(({ key }) => names.get(key) ?? [])
    const year = ['year_of_publication', 'year', 'premiere_date'].flatMap(key => valuesOf(entity, key))[0]
    const details = [
      locale.label(locale.labels.types, entity.type),
      makers.slice(0, 3).join(', '),
      year ?? '',
      present(entity)
    ]
    return html`<li>${linkTo(model, entity, locale, base, [], zoneOf(entity))} <span class="details">${details
      .filter(each => each !== undefined && each !== '')
      .join(' · ')}</span></li>`
  })
}

const isMaking = ({ type }: Relation) => type === 'refAuthors' || type === 'refCompanies'

import type { Facet } from '#domain/filter/facets.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import { byRelevance, readOrder } from '#domain/filter/order.ts'
import { levels, wemLinks } from '#domain/entity/publication.ts'
import { readSearchText } from '#domain/search/search-language.ts'
import type { EntityPage } from '#catalogue/lists/list-entities.ts'
import { nameHtml, valueHtml } from './facts.ts'
import type { Locale } from './locale.ts'
import { type Content, html } from './markup.ts'
import { type Page, type PageParts, searchForm } from './page.ts'
import { readRecords } from './read-records.ts'
import { resultsOf } from './results.ts'

/** Results on one page. */
const pageSize = 20

/** A search as the address of its page gives it. */
export interface FindRequest {
  readonly text: string
  /** A type or an umbrella; empty for one entry a work, `all` for every record. */
  readonly type: string
  /** Values of facets that the records have: `refAuthors:PERS-1`, `status:published`. */
  readonly by: readonly string[]
  readonly cursor: string | undefined
}

/** The facets for readers. */
const facetsFor = (model: Model) => model.facets.filter(({ isForStaff }) => !isForStaff)

/** Values shown of each facet. */
const maxFacetValues = 8

/** Every record, in place of a type. */
const all = 'all'

/**
 * The page of results. Without a type it has one entry for each work, found by itself or by any of
 * its expressions and editions.
 */
export async function findPage(parts: PageParts, request: FindRequest, locale: Locale): Promise<Page> {
  const { publicUrl } = parts
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const page = await listFor(parts, request)
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
<p class="count" role="status">${page.count === 0 ? locale.phrases.noResults : locale.phrases.results(page.count, locale.number(page.count))}</p>
<div class="found-page">${await facetLinks(parts, request, page, locale, by => base + path({ by: by.join() }))}
<div><ol class="results" start="${page.skip + 1}">${await resultsOf(parts, page, locale, base)}</ol>
<nav class="paging" aria-label="${locale.phrases.pages}">${
      page.previous !== undefined &&
      html`<a rel="prev" href="${base}${path({ cursor: page.previous })}">${locale.phrases.previous}</a>`
    }${page.next !== undefined && html`<a rel="next" href="${base}${path({ cursor: page.next })}">${locale.phrases.next}</a>`}</nav></div></div>`
  }
}

/** The filter of a search for visitors. */
export function filterOf(
  { model, principal }: PageParts,
  { text, type, by }: Pick<FindRequest, 'text' | 'type' | 'by'>
): Filter {
  const readable = principal.readableTypes.filter(each => model.findType(each)?.partOf === undefined)
  const types = type === '' || type === all ? readable : model.typesNamed(type)
  return {
    kind: 'all',
    of: [{ kind: 'types', types }, readSearchText(model, text), ...by.map(each => narrowed(model, each))]
  }
}

/**
 * The filter of titles, for lists of what is new: works and productions. Where visitors may read
 * neither, every record is one.
 */
export function titlesOf(parts: PageParts, text: string): Filter {
  const { model, principal } = parts
  const types = principal.readableTypes.filter(
    each => model.umbrellaOf(each) === levels[0] || model.findType(each)?.statusField !== undefined
  )
  if (types.length === 0) return filterOf(parts, { text, type: '', by: [] })
  return { kind: 'all', of: [{ kind: 'types', types }, readSearchText(model, text)] }
}

/** A value in the list of chosen ones, between whose members commas stand. */
const writeValue = (name: string, value: string) => `${name}:${value.replaceAll('%', '%25').replaceAll(',', '%2C')}`
const readValue = (text: string) => text.replaceAll('%2C', ',').replaceAll('%25', '%')

/**
 * Has a value of a facet, or belongs to a work that has it at another level: so a work is found by
 * its author and a publisher of it together, and keeps its other facets.
 */
function narrowed(model: Model, by: string): Filter {
  const [name = '', ...rest] = by.split(':')
  const itself: Filter = {
    kind: 'field',
    path: facetPath(model, name),
    test: { kind: 'equals', values: [readValue(rest.join(':'))] }
  }
  const { expression: toWork, manifestation: toExpression } = wemLinks
  const or = (...of: Filter[]): Filter => ({ kind: 'any', of })
  const above = (type: string, of: Filter): Filter => ({ kind: 'related', type, of })
  const below = (type: string, of: Filter): Filter => ({ kind: 'referred', type, of })
  return or(
    itself,
    above(toWork, itself),
    above(toExpression, or(itself, above(toWork, itself))),
    below(toExpression, itself),
    below(toWork, or(itself, below(toExpression, itself)))
  )
}

const facetPath = (model: Model, name: string): FilterPath =>
  model.findFacet(name)?.field ? { kind: 'metadata', key: name } : { kind: 'relation_key', type: name }

function listFor(parts: PageParts, request: FindRequest): Promise<EntityPage> {
  const { text, type, cursor } = request
  const filter = filterOf(parts, request)
  const order = readOrder(text === '' ? 'date_created' : '', text !== '', filter) ?? byRelevance
  const of: Facet[] = [
    { name: 'type', path: { kind: 'type' } },
    ...facetsFor(parts.model).map(({ name }) => ({ name, path: facetPath(parts.model, name) }))
  ]
  return parts.catalogue.lists.entities(parts.principal, {
    ...{ filter, order, skip: 0, limit: pageSize, cursor },
    facets: { of, limit: maxFacetValues },
    ...(type === '' ? { groupBy: { facets: 'groups' } as const } : {})
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

/**
 * Links that narrow the search to records with one value of a facet, or widen it again. A status is
 * offered where visitors find records of more than one.
 */
async function facetLinks(
  parts: PageParts,
  { by }: FindRequest,
  page: EntityPage,
  locale: Locale,
  address: (by: readonly string[]) => string
): Promise<Content> {
  const { model } = parts
  const { labels, label } = locale
  const isChosen = (name: string, value: string) => by.includes(writeValue(name, value))
  const facetOf = (name: string) => page.facets?.[name] ?? []
  const related = await readRecords(
    parts,
    facetsFor(model).flatMap(({ name, field }) => (field ? [] : facetOf(name).map(({ value }) => value)))
  )
  const facets = facetsFor(model).flatMap(({ name, field }) => {
    const values = facetOf(name).flatMap(each => {
      if (field) return [{ ...each, text: valueHtml(field, each, locale) }]
      const target = related.get(each.value)
      return target ? [{ ...each, text: nameHtml(model, target, locale) }] : []
    })
    const isStatus = model.recordTypes.some(({ statusField }) => statusField === name)
    const least = isStatus && !values.some(({ value }) => isChosen(name, value)) ? 2 : 1
    if (values.length < least) return []
    return [{ name, title: label(field ? labels.fields : labels.relations, name), values }]
  })
  if (facets.length === 0) return undefined
  return html`<aside class="narrow" aria-label="${locale.phrases.narrow}">${facets.map(({ name, title, values }) => {
    const links = values.map(({ value, text, count }) => {
      const each = writeValue(name, value)
      const next = isChosen(name, value) ? by.filter(other => other !== each) : [...by, each]
      return html`<li><a href="${address(next)}" rel="nofollow"${isChosen(name, value) && html` aria-current="true"`}>${text}</a> <span class="details">${locale.number(count)}</span></li>`
    })
    const isOpen = values.some(({ value }) => isChosen(name, value))
    return html`<details${isOpen && html` open`}><summary>${title}</summary><ul>${links}</ul></details>`
  })}</aside>`
}

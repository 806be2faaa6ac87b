import type { Facet } from '#domain/filter/facets.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Filter, isRelatedTo } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import { byRelevance, readOrder } from '#domain/filter/order.ts'
import { filtersOf, orderOf } from '#domain/find/find-filters.ts'
import { findModelOf } from '#domain/find/find-model.ts'
import { emptySearch, type FindState, findAddress, isGrouped, sorts } from '#domain/find/find-state.ts'
import { ownerRelation } from '#domain/entity/owners.ts'
import { levels, wemLinks } from '#domain/entity/publication.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import { programme } from '#domain/record-types/programme.ts'
import { classTypes } from '#domain/record-types/related.ts'
import { readFilters } from '#domain/filter/read-filter.ts'
import { type EntityPage, type FacetCount, type ListRequest, noLabels } from '#catalogue/lists/list-entities.ts'
import type { TextSearch } from '#catalogue/lists/offer-instead.ts'
import { citationFiles } from './cite.ts'
import { nameHtml, valueHtml } from './facts.ts'
import { minLargeSearch } from './facet-counts.ts'
import type { Locale } from './locale.ts'
import { type Content, html } from './markup.ts'
import { baseOf, type Page, type PageParts, searchForm } from './page.ts'
import type { Phrases } from './phrases.ts'
import { readRecords } from './read-records.ts'
import { recordPhrases } from './record-phrases.ts'
import { resultsOf } from './results.ts'
import { searchTitle } from './search-title.ts'
import { shareLink } from './share.ts'

/** Results on one page. */
const pageSize = 20

/** The page of a search. */
export interface FindRequest {
  readonly state: FindState
  readonly cursor: string | undefined
}

/** The facets for readers. */
const facetsFor = (model: Model) => model.facets.filter(({ isForStaff }) => !isForStaff)

/** Values shown of each facet. */
const maxFacetValues = 8

/** The page of results: records of the chosen kinds, or one entry for each work and production. */
export async function findPage(parts: PageParts, { state, cursor }: FindRequest, locale: Locale): Promise<Page> {
  const { publicUrl } = parts
  const { phrases } = locale
  const base = baseOf(publicUrl)
  const home = base + locale.prefix
  const { page, facets } = await listWithFacets(parts, { state, cursor }, locale)
  const title = await searchTitle(parts, state, locale)
  const address = (changes: Partial<FindState>) => findAddress({ ...state, ...changes })
  const at = (cursor: string) => `${home}${address({})}${address({}).includes('?') ? '&' : '?'}cursor=${cursor}`
  return {
    title: title === '' ? phrases.search : `${phrases.search}: ${title}`,
    path: address({}),
    feed: address({}).replace('/find', '/feed.atom'),
    isUnlisted: true,
    hasSearch: true,
    body: html`<h1>${phrases.search}</h1>${searchForm(home, state.text, phrases)}
${state.unknown.length > 0 && html`<p class="notice">${phrases.notUnderstood(state.unknown.join(', '))}</p>`}
${typeLinks(parts, state, facets.type ?? [], locale, changes => home + address(changes))}
<p class="count" role="status">${page.count === 0 ? phrases.noResults : phrases.results(page.count, locale.number(page.count))}</p>
${state.ids.length > 0 && listActions(state, publicUrl, locale)}${insteadLinks(parts, state, page, locale, changes => home + address(changes))}
${(page.count > 1 || state.from !== '' || state.to !== '') && refineForm(parts, state, home, phrases)}
<div class="found-page">${await facetLinks(parts, state, facets, locale, changes => home + address(changes))}
<div><ol class="results" start="${page.skip + 1}">${await resultsOf(parts, page, locale, base)}</ol>
<nav class="paging" aria-label="${phrases.pages}">${
      page.previous !== undefined && html`<a rel="prev" href="${at(page.previous)}">${phrases.previous}</a>`
    }${page.next !== undefined && html`<a rel="next" href="${at(page.next)}">${phrases.next}</a>`}</nav></div></div>`
  }
}

/** Ways to pass a list of chosen records on, as an address and as files. */
function listActions({ ids }: FindState, publicUrl: string, { phrases, language, prefix }: Locale): Content {
  const files = Object.entries(citationFiles).map(
    ([format, label]) =>
      html` <a class="button button-quiet button-small" rel="nofollow" download href="${baseOf(publicUrl)}/export?${new URLSearchParams({ format, ids: ids.join(',') }).toString()}">${phrases.download}: ${label}</a>`
  )
  const page = publicUrl + prefix + findAddress({ ids, view: 'records' })
  return html`<p class="actions">${shareLink(recordPhrases[language], phrases.around.list, page)}${files}</p>`
}

/** The form for years and the order; it keeps the rest of the search. */
function refineForm({ principal }: PageParts, state: FindState, home: string, phrases: Phrases): Content {
  const offered = sorts.filter(each => each !== 'next' || principal.mayRead(programme.performance))
  const rest = new URL(findAddress({ ...state, from: '', to: '', sort: 'relevance' }), 'http://localhost').searchParams
  const year = (name: 'from' | 'to', label: string) =>
    html`<label>${label} <input name="${name}" value="${state[name]}" inputmode="numeric" maxlength="5" size="5"></label>`
  return html`<form class="refine" action="${home}/find" method="get">${[...rest].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`
  )}${year('from', phrases.yearFrom)} ${year('to', phrases.yearTo)} <label>${phrases.sort} <select name="sort">${offered.map(
    each => html`<option value="${each}"${each === state.sort && html` selected`}>${phrases.sortBy[each]}</option>`
  )}</select></label> <button>${phrases.apply}</button></form>`
}

/** The filter of a search. */
export const filterOf = ({ model }: PageParts, state: FindState): Filter =>
  readFilters(model, filtersOf(state, findModelOf(model))).filter

/** The records of a search, of which each has a page of its own: parts of others have none. */
export function pagesFilter({ model, principal }: PageParts): Filter {
  return { kind: 'types', types: principal.readableTypes.filter(each => model.findType(each)?.partOf === undefined) }
}

/**
 * The filter of titles, for lists of what is new: works and productions. Where visitors may read
 * neither, every record is one.
 */
export function titlesOf(parts: PageParts): Filter {
  const { model, principal } = parts
  const types = principal.readableTypes.filter(
    each => model.umbrellaOf(each) === levels[0] || model.findType(each)?.statusField !== undefined
  )
  return types.length === 0 ? pagesFilter(parts) : { kind: 'types', types }
}

/** The path of the values of a facet. Libraries are those of the items of a publication. */
const facetPath = (model: Model, name: string): FilterPath =>
  model.findFacet(name)?.field
    ? { kind: 'metadata', key: name }
    : { kind: 'relation_key', type: name, ...(name === holdings.at ? { from: holdings.ofPublication } : {}) }

/** The search without one of its filters, for each of them, with the name of the filter. */
function withoutEach({ model }: PageParts, state: FindState, { labels, label, phrases }: Locale) {
  const facets = model.facets.filter(({ name }) => (state.facets[name] ?? []).length > 0)
  return [
    ...facets.map(({ name, field }) => ({
      name: label(field ? labels.fields : labels.relations, name),
      changes: { facets: { ...state.facets, [name]: [] } }
    })),
    ...(state.from === '' && state.to === '' ? [] : [{ name: phrases.years, changes: { from: '', to: '' } }]),
    ...state.types.map(type => ({
      name: label(labels.families, type),
      // Without groups, as with the type.
      changes: { types: state.types.filter(each => each !== type), view: 'records' as const }
    }))
  ]
}

/** Links to other searches, each with what it leaves out and the number of its results. */
function insteadLinks(
  parts: PageParts,
  state: FindState,
  { instead }: EntityPage,
  locale: Locale,
  address: (changes: Partial<FindState>) => string
): Content {
  if (!instead) return undefined
  const { phrases, number } = locale
  const filters = withoutEach(parts, state, locale)
  const links = instead.offers.map(offer => {
    const filter = offer.kind === 'filter' ? filters[offer.place] : undefined
    const said =
      offer.kind === 'filter'
        ? phrases.withoutFilter(filter?.name ?? '')
        : offer.changed.length > 0
          ? offer.text
          : phrases.withoutWords(offer.leftOut.join(' '))
    const changes = offer.kind === 'filter' ? filter?.changes : { text: offer.text }
    return html`<li><a href="${address(changes ?? {})}" rel="nofollow">${said}</a> <span class="details">${phrases.results(offer.count, number(offer.count))}</span></li>`
  })
  return html`<div class="instead">${instead.isbnFault && html`<p>${phrases.isbnFaults[instead.isbnFault]}</p>`}${
    links.length > 0 && html`<h2>${phrases.instead}</h2><ul>${links}</ul>`
  }</div>`
}

/** A page of results, in the order of the search unless another is given. */
export function listOf(
  parts: PageParts,
  state: FindState,
  given: Partial<ListRequest> & Pick<ListRequest, 'limit' | 'cursor'>
): Promise<EntityPage> {
  const filter = filterOf(parts, state)
  const { orderBy, descending } = orderOf(state, findModelOf(parts.model))
  const order = readOrder(orderBy, !descending, filter) ?? byRelevance
  return parts.catalogue.lists.entities(parts.principal, {
    ...{ filter, order, skip: 0, languages: noLabels },
    ...(isGrouped(state) ? { groupBy: { facets: 'groups' } } : {}),
    ...given
  })
}

/**
 * A page of everything, by name: of records that are no part of another. Sorting and grouping all
 * records for it took 45 ms of processor time for 250,000, and 5 this way.
 */
async function listEverything(parts: PageParts, given: Partial<ListRequest> & Pick<ListRequest, 'limit' | 'cursor'>) {
  const { catalogue, model, principal } = parts
  const order = { items: byName, ascending: true } as const
  const heads = await catalogue.lists.entities(principal, { filter: wholes(model), order, skip: 0, ...given })
  const ids = heads.entities.map(({ id }) => id)
  const works = heads.entities.flatMap(({ id, type }) => (model.umbrellaOf(type) === levels[0] ? [id] : []))
  const { groups = [] } =
    works.length === 0
      ? {}
      : await catalogue.lists.entities(principal, {
          filter: isRelatedTo(wemLinks.expression, works),
          ...{ order, skip: 0, limit: works.length, cursor: undefined, isCounted: false, languages: noLabels },
          groupBy: { facets: 'groups' }
        })
  const languages = new Map(groups.map(each => [each.head, each.languages]))
  return {
    ...heads,
    groups: ids.map(head => ({
      ...{ head, isMatch: true, isOfWork: false },
      ...noMatches,
      languages: languages.get(head) ?? []
    }))
  }
}

const noMatches = { matching: { expressions: 0, manifestations: 0, parts: 0 } }

/** Records that are no part of another one: of works first, then of what belongs to them. */
function wholes(model: Model): Filter {
  const { expression, manifestation } = wemLinks
  const typesOf = (isOwned: (by: string | undefined) => boolean): Filter => {
    const types = model.recordTypes.filter(({ type }) => isOwned(ownerRelation(model, type)))
    return { kind: 'types', types: types.map(({ type }) => type) }
  }
  const parts = [
    typesOf(by => by === expression),
    typesOf(by => by === manifestation),
    typesOf(by => by !== undefined && by !== expression && by !== manifestation)
  ]
  return parts.reduce<Filter>(
    (found, level) => ({
      kind: 'any',
      of: [found, { kind: 'all', of: [level, { kind: 'not', of: { kind: 'part_of', of: found } }] }]
    }),
    typesOf(by => by === undefined)
  )
}

const byName = ['title', 'name'].map(key => ({ by: 'metadata', key }) as const)

/** The address of a search without its order, which stands for what it finds. */
const searchIn = (state: FindState) => findAddress({ ...state, sort: 'relevance', unknown: [] })

/**
 * A page of results with the numbers of results by facet. A facet is counted as if nothing were
 * chosen in it, so a facet with a choice is a query of its own.
 */
async function listWithFacets(parts: PageParts, { state, cursor }: FindRequest, locale: Locale) {
  const facets: (Facet & { readonly without: Partial<FindState>; readonly isChosen: boolean })[] = [
    { name: 'type', path: { kind: 'type' }, without: { types: [], view: 'records' }, isChosen: state.types.length > 0 },
    ...facetsFor(parts.model).map(({ name }) => ({
      name,
      path: facetPath(parts.model, name),
      without: { facets: { ...state.facets, [name]: [] } },
      isChosen: (state.facets[name] ?? []).length > 0
    }))
  ]
  const isEverything = searchIn(state) === searchIn(emptySearch) && state.sort === 'relevance'
  const list = { limit: pageSize, cursor }
  const open = facets.filter(({ isChosen }) => !isChosen)
  const counted = counter(parts, state, open)
  const [page, ...others] = await Promise.all([
    isEverything
      ? listEverything(parts, list)
      : counted.with({ ...list, ...(state.text === '' ? {} : { search: searchOf(parts, state, locale) }) }),
    ...(isEverything ? [counted.facets()] : []),
    ...facets
      .filter(({ isChosen }) => isChosen)
      .map(each => counter(parts, { ...state, ...each.without }, [each]).facets())
  ])
  return { page, facets: Object.assign({}, page.facets, counted.known, ...others) as Facets }
}

/** The counts of some facets of a search: those that are kept, and queries for the others. */
function counter(parts: PageParts, state: FindState, of: readonly Facet[]) {
  const { facetCounts } = parts
  const search = searchIn(state)
  const found = of.map(each => ({ ...each, counts: facetCounts.find(search, each.name) }))
  const known = Object.fromEntries(found.flatMap(({ name, counts }) => (counts ? [[name, counts]] : []))) as Facets
  const unknown = found.filter(({ counts }) => counts === undefined)
  const ask = async (given: Partial<ListRequest> & Pick<ListRequest, 'limit' | 'cursor'>) => {
    const facets = unknown.length > 0 ? { facets: { of: unknown, limit: maxFacetValues } } : {}
    const page = await listOf(parts, state, { ...given, ...facets })
    if (page.count >= minLargeSearch)
      for (const [name, counts] of Object.entries(page.facets ?? {})) facetCounts.keep(search, name, counts)
    return page
  }
  return {
    known,
    with: ask,
    facets: async (): Promise<Facets> =>
      unknown.length === 0 ? known : { ...known, ...(await ask({ limit: 0, cursor: undefined })).facets }
  }
}

type Facets = NonNullable<EntityPage['facets']>

/** The other ways to run a search. */
const searchOf = (parts: PageParts, state: FindState, locale: Locale): TextSearch => ({
  text: state.text,
  withText: text => filterOf(parts, { ...state, text }),
  withoutEach: withoutEach(parts, state, locale).map(
    ({ changes }) =>
      () =>
        filterOf(parts, { ...state, ...changes })
  )
})

/** Links that narrow the search to one kind of record that it found, and one that widens it. */
function typeLinks(
  { model }: PageParts,
  { types, view }: FindState,
  counts: readonly FacetCount[],
  { labels, label, phrases, language }: Locale,
  address: (changes: Partial<FindState>) => string
): Content {
  const offered = counts.filter(({ value }) => model.findType(value)?.partOf === undefined && !classTypes.has(value))
  const found = new Set([...offered.map(({ value }) => model.umbrellaOf(value)), ...types])
  const links = [
    { text: phrases.catalogue, change: { types: [], view: '' }, isChosen: types.length === 0 && view === '' } as const,
    ...[...found].map(each => ({
      text: each === levels[1] ? recordPhrases[language].translations : label(labels.families, each),
      change: { types: [each], view: '' } as const,
      isChosen: types.includes(each)
    })),
    {
      text: phrases.everything,
      change: { types: [], view: 'records' },
      isChosen: types.length === 0 && view === 'records'
    } as const
  ]
  return html`<nav class="kinds" aria-label="${phrases.kinds}"><ul>${links.map(
    ({ text, change, isChosen }) =>
      html`<li><a href="${address(change)}"${isChosen && html` aria-current="true"`}>${text}</a></li>`
  )}</ul></nav>`
}

/**
 * Links that narrow the search to records with one value of a facet, or widen it again. A status is
 * offered where visitors find records of more than one.
 */
async function facetLinks(
  parts: PageParts,
  state: FindState,
  counts: Facets,
  locale: Locale,
  address: (changes: Partial<FindState>) => string
): Promise<Content> {
  const { model } = parts
  const { labels, label } = locale
  const chosenOf = (name: string) => state.facets[name] ?? []
  const isChosen = (name: string, value: string) => chosenOf(name).includes(value)
  /** The values of a facet, with those that are chosen and not among the most frequent. */
  const facetOf = (name: string): readonly FacetCount[] => {
    const counted = counts[name] ?? []
    const others = chosenOf(name).filter(value => !counted.some(each => each.value === value))
    return [...counted, ...others.map(value => ({ value, count: 0 }))]
  }
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
      const chosen = chosenOf(name)
      const next = isChosen(name, value) ? chosen.filter(other => other !== value) : [...chosen, value]
      return html`<li><a href="${address({ facets: { ...state.facets, [name]: next } })}" rel="nofollow"${isChosen(name, value) && html` aria-current="true"`}>${text}</a> <span class="details">${locale.number(count)}</span></li>`
    })
    const isOpen = values.some(({ value }) => isChosen(name, value))
    return html`<details${isOpen && html` open`}><summary>${title}</summary><ul>${links}</ul></details>`
  })}</aside>`
}

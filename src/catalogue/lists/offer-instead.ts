import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import { type Filter, mapInner } from '#domain/filter/filter.ts'
import { findIsbnFault, type IsbnFault, readIsbn } from '#domain/values/isbn.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Rephrased, type Replacement, rephrase, type SpeltWord } from '#domain/search/rephrase.ts'
import { searchesIn } from '#domain/search/search.ts'
import type { EntityQuery } from '#store/ports/queries.ts'
import type { Parts } from '../parts.ts'

/** A search by a text, and how it can be run in another way. */
export interface TextSearch {
  readonly text: string
  /** Returns the filter of the request with another text. */
  withText(text: string): Filter
  /** The filter of the request without one of its other filters, for each of them. */
  readonly withoutEach: readonly (() => Filter)[]
}

/** Another search that finds something where a search found nothing. */
export type Offer = { readonly count: number } & (
  | ({ readonly kind: 'words' | 'spelling' | 'isbn' } & Rephrased)
  /** Without the filter at this place of `withoutEach`. */
  | { readonly kind: 'filter'; readonly place: number }
)

export interface Instead {
  readonly offers: readonly Offer[]
  /** The fault of a text that has the form of an ISBN. */
  readonly isbnFault?: IsbnFault['fault']
}

/** Maximum number of offers of each kind, of filters that are left out, and of ISBNs. */
const maxEach = 3
const maxFilters = 6
const maxPublications = 10
/**
 * Maximum number of words of all searches that are counted. Each takes up to a few milliseconds
 * for a million records, and a request may have 64 searches of a paragraph each.
 */
const maxWords = 250

type Base = Omit<EntityQuery, 'filter' | 'skip' | 'limit' | 'counted'>

/**
 * Finds other searches for one without matches: with two further queries at most, each with the
 * deadline of any other. Returns none if these are too slow, so that the answer never fails.
 */
export async function offerInstead(
  parts: Parts,
  base: Base,
  search: TextSearch,
  spelt: readonly SpeltWord[]
): Promise<Instead> {
  const fault = findIsbnFault(search.text)
  try {
    const isbns = fault ? await nearIsbns(parts, base, search, fault) : []
    const offers = [...isbns, ...(await countedOffers(parts, base, search, fault ? [] : spelt))]
    return { offers, ...(fault ? { isbnFault: fault.fault } : {}) }
  } catch (error) {
    const isSlow = error instanceof CatalogueError && ['query_timeout', 'unavailable'].includes(error.code)
    if (!isSlow) throw error
    return { offers: [], ...(fault ? { isbnFault: fault.fault } : {}) }
  }
}

/** Makes all searches, counts them in one query, and chooses the useful ones. */
async function countedOffers(
  { store }: Parts,
  base: Base,
  search: TextSearch,
  spelt: readonly SpeltWord[]
): Promise<Offer[]> {
  const { respelt, shortened } = rephrase(search.text, spelt)
  const filters: Filter[] = []
  let words = 0
  /** Adds a filter to those that are counted, while there are not too many; returns its place. */
  const add = (make: () => Filter) => {
    if (words > maxWords) return filters.length
    const filter = make()
    words += searchesIn(filter).reduce((sum, each) => sum + each.search.words.length, 0)
    return words > maxWords ? filters.length : filters.push(filter) - 1
  }
  // Typos would count words of records that the caller may not read.
  const spellings = respelt.map(each => [each, add(() => withoutTypos(search.withText(each.text)))] as const)
  const groups = shortened.map(group => group.map(each => [each, add(() => search.withText(each.text))] as const))
  const others = search.withoutEach.slice(0, maxFilters).map((make, place) => [place, add(make)] as const)
  if (filters.length === 0) return []
  const filter: Filter = { kind: 'any', of: filters }
  const placesOf = (list: readonly (readonly [unknown, number])[]) =>
    list.map(([, at]) => at).filter(at => at < filters.length)
  const { counts = [] } = await store.queryEntities({
    ...base,
    filter,
    skip: 0,
    limit: 0,
    counted: true,
    countedEach: { lists: [[placesOf(spellings)], groups.map(placesOf), [placesOf(others)]], maxMatching: maxEach }
  })
  const found = <T>(list: readonly (readonly [T, number])[]) =>
    list
      .flatMap(([each, at]) => ((counts[at] ?? 0) > 0 ? [{ each, count: counts[at] as number }] : []))
      .slice(0, maxEach)
  const ofText = (kind: 'words' | 'spelling', list: readonly (readonly [Rephrased, number])[]): Offer[] =>
    found(list).map(({ each, count }) => ({ kind, ...each, count }))
  return [
    ...ofText('spelling', spellings),
    ...ofText('words', groups.find(group => found(group).length > 0) ?? []),
    ...found(others).map(({ each, count }): Offer => ({ kind: 'filter', place: each, count }))
  ]
}

/** The filter with all words of its searches as they stand. */
function withoutTypos(filter: Filter): Filter {
  if (filter.kind !== 'search') return mapInner(filter, withoutTypos)
  const words = filter.search.words.map(word => ({ ...word, typos: 0 as const }))
  return { kind: 'search', search: { ...filter.search, words } }
}

/** The existing ISBNs that are most like one with a mistake. */
async function nearIsbns(
  { store, model }: Parts,
  { groupBy: _, ...base }: Base,
  { text, withText }: TextSearch,
  { near, beginning }: IsbnFault
): Promise<Offer[]> {
  const keys = isbnKeysOf(model)
  const has = (key: string): Filter => ({
    kind: 'any',
    of: [
      { kind: 'field', path: { kind: 'metadata', key }, test: { kind: 'equals', values: near } },
      ...(beginning === undefined
        ? []
        : [
            {
              kind: 'field',
              path: { kind: 'metadata', key },
              test: { kind: 'pattern', pieces: [beginning, ''] }
            } as const
          ])
    ]
  })
  const filter: Filter = { kind: 'all', of: [withText(''), { kind: 'any', of: keys.map(has) }] }
  const { entities } = await store.queryEntities({ ...base, filter, skip: 0, limit: maxPublications, counted: false })
  const counts = new Map<string, number>()
  for (const { json } of entities) {
    const entity = JSON.parse(json) as Entity
    const isbns = keys.flatMap(key => valuesOf(entity, key)).flatMap(value => readIsbn(String(value))?.comparable ?? [])
    for (const isbn of new Set(isbns))
      if (near.includes(isbn) || (beginning !== undefined && isbn.startsWith(beginning)))
        counts.set(isbn, (counts.get(isbn) ?? 0) + 1)
  }
  return [...counts].slice(0, maxEach).map(([isbn, count]) => {
    const changed: Replacement[] = [{ from: text.trim(), to: isbn }]
    return { kind: 'isbn', text: isbn, leftOut: [], changed, count }
  })
}

const isbnKeysOf = (model: Model) =>
  [...new Set(model.recordTypes.flatMap(({ fields }) => Object.keys(fields)))].filter(key => model.isIsbnKey(key))

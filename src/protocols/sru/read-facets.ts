import { maxFacets } from '#domain/filter/facets.ts'
import { SruError } from './diagnostics.ts'
import { findIndex, indexes, type SruIndex } from './indexes.ts'

/** A facet that a request wants, with the maximum number of its terms. */
export interface WantedFacet {
  readonly index: SruIndex & { readonly facet: NonNullable<SruIndex['facet']> }
  readonly limit: number
}

const maxTerms = 100

const hasFacet = (index: SruIndex): index is WantedFacet['index'] => index.facet !== undefined

/**
 * Reads `facetLimit`: a number for all facets, or numbers with indexes, `10:dc.creator,5:dc.date`.
 * Throws an `SruError` for anything else.
 */
export function readFacetLimit(text: string): WantedFacet[] {
  const wanted = text.split(',').flatMap((part): WantedFacet[] => {
    const [, number = '', name] = /^\s*(\d{1,9})\s*(?::\s*([\w.]{1,100})\s*)?$/.exec(part) ?? []
    if (number === '') throw new SruError(6, `facetLimit must be a number, or numbers with indexes, not "${part}"`)
    const limit = Math.min(Number(number), maxTerms)
    if (name === undefined) return indexes.filter(hasFacet).map(index => ({ index, limit }))
    const found = findIndex(name, {})
    if (!('index' in found)) throw new SruError(found.unknown === 'set' ? 15 : 16, name)
    if (!hasFacet(found.index)) throw new SruError(16, `${name} has no facet`)
    return [{ index: found.index, limit }]
  })
  // Of several limits for an index the first counts.
  const unique = new Map(wanted.toReversed().map(each => [each.index, each]))
  return [...unique.values()]
    .reverse()
    .filter(({ limit }) => limit > 0)
    .slice(0, maxFacets)
}

import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { Numbers } from './arrays.ts'
import { instantAt } from './times.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { countNumbers } from './document-values.ts'
import { columnTexts } from './evaluate-filter.ts'
import { type FacetValue, type Matches, Top, topOf } from './facet-counts.ts'
import { countReferring, countTargetNames, countTargets } from './facet-targets.ts'
import { countMetadata } from './facet-values.ts'
import { countFacetByGroup, hasHops } from './facets-by-group.ts'
import type { Grouped } from './group-by-work.ts'
import { nameAt } from './names.ts'
import type { Scope } from './readable.ts'
import { type DocumentSet, forEach, has } from './sets.ts'
import { checkTime, step } from './time-limit.ts'

/**
 * Counts the values at some paths over a set of documents: for each path the most frequent first,
 * equals by their code points. A document counts once for each value it has.
 */
export function countFacets(
  index: CatalogueIndex,
  set: DocumentSet,
  paths: readonly FilterPath[],
  limit: number,
  scope: Scope
): FacetValue[][] {
  const matches = { set, inBase: index.withoutHidden(set) }
  return paths.map(path => {
    checkTime()
    return countFacet(index, matches, path, limit, scope)
  })
}

function countFacet(
  index: CatalogueIndex,
  matches: Matches,
  path: FilterPath,
  limit: number,
  scope: Scope
): FacetValue[] {
  if (hasHops(path)) {
    // Each document is a group of its own.
    const forEachDocument: Grouped['forEachDocument'] = work => forEach(matches.set, number => work(number, number))
    return countFacetByGroup(index, { forEachDocument }, path, limit, scope)
  }
  switch (path.kind) {
    case 'metadata':
      return countMetadata(index, matches, path.key, limit)
    case 'relation_key':
      return path.from === undefined
        ? countTargets(index, matches, path.type, limit, scope)
        : countReferring(index, matches.set, { from: path.from, type: path.type }, limit, scope)
    case 'relation_name':
      return countTargetNames(index, matches, path.type, limit, scope)
    default:
      return countColumn(index, matches, path.kind, limit)
  }
}

function countColumn(
  index: CatalogueIndex,
  { set, inBase }: Matches,
  path: Exclude<FilterPath['kind'], 'metadata' | 'relation_key' | 'relation_name'>,
  limit: number
): FacetValue[] {
  const { base } = index
  const counts = new Map<string, number>()
  const addTo = (text: string, by = 1) => counts.set(text, (counts.get(text) ?? 0) + by)
  for (const document of index.delta.values()) {
    step()
    if (has(set, document.number)) for (const text of new Set(columnTexts(document, path))) addTo(text)
  }
  const byPlace = (places: Numbers, texts: readonly string[]) => {
    const found = countNumbers(inBase, places, texts.length)
    for (const [place, sum] of found.entries()) if (sum > 0) addTo(texts[place] as string, sum)
  }
  if (path === 'type') byPlace(base.types, base.typeNames)
  else if (path === 'created_by') byPlace(base.createdBy, base.people)
  else if (path === 'updated_by') byPlace(base.updatedBy, base.people)
  else if (path === 'created_at' || path === 'updated_at') {
    const instants = path === 'created_at' ? base.createdAt : base.updatedAt
    const found = new Map<number, number>()
    forEach(inBase, number => {
      const instant = instantAt(instants, number)
      found.set(instant, (found.get(instant) ?? 0) + 1)
    })
    for (const [instant, sum] of found) {
      step()
      addTo(new Date(instant).toISOString(), sum)
    }
  } else {
    // Every identifier is that of one document, so each counts once and only their order decides.
    const top = new Top(limit)
    for (const [text, sum] of counts) top.offer(sum, () => text)
    forEach(inBase, number => {
      const last = path === 'id' ? 0 : (base.firstNames[number + 1] as number)
      if (path === 'id') top.offer(1, () => index.idOf(number))
      else
        for (let name = base.firstNames[number] as number; name < last; name++) {
          step()
          top.offer(1, () => nameAt(base.names, name))
        }
    })
    return top.found
  }
  return topOf(counts, limit)
}

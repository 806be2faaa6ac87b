import type { ColumnPath, FilterPath } from '#domain/filter/filter-path.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { countNumbers } from './document-values.ts'
import { type FacetValue, Top } from './facet-counts.ts'
import { countReferring, topTargets } from './facet-targets.ts'
import { topValues } from './facet-values.ts'
import { countFacetByGroup, hasHops } from './facets-by-group.ts'
import { factTexts, instantOf, type TextColumn, textPlaces } from './facts.ts'
import type { Scope } from './readable.ts'
import { count, type DocumentSet, forEach, numbersIn, removeAll } from './sets.ts'
import { checkTime } from './time-limit.ts'

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
  return paths.map(path => {
    checkTime()
    return countFacet(index, set, path, limit, scope)
  })
}

function countFacet(
  index: CatalogueIndex,
  set: DocumentSet,
  path: FilterPath,
  limit: number,
  scope: Scope
): FacetValue[] {
  if (hasHops(path) || path.kind === 'relation_name') {
    // Each document is a group of its own.
    const documents = numbersIn(set)
    return countFacetByGroup(index, { documents, groups: documents }, path, limit, scope)
  }
  switch (path.kind) {
    case 'metadata': {
      const values = index.values(path.key)
      return topValues(values, values.countIn(set), limit)
    }
    case 'relation_key':
      return path.from === undefined
        ? topTargets(index, limit, scope, (least, work) => index.relatives.by(path.type).countIn(set, least, work))
        : countReferring(index, set, { from: path.from, type: path.type }, limit, scope)
    default:
      return countColumn(index, set, path.kind, limit)
  }
}

function countColumn(index: CatalogueIndex, set: DocumentSet, path: ColumnPath, limit: number): FacetValue[] {
  const top = new Top(limit)
  if (path === 'type' || path === 'created_by' || path === 'updated_by') {
    const { texts } = textPlaces(index, path)
    countTexts(index, set, path).forEach((each, place) => {
      top.offer(each, () => texts[place])
    })
  } else if (path === 'created_at' || path === 'updated_at') {
    const counts = new Map<number, number>()
    forEach(set, number => {
      const instant = instantOf(index, number, path)
      counts.set(instant, (counts.get(instant) ?? 0) + 1)
    })
    for (const [instant, count] of counts) top.offer(count, () => new Date(instant).toISOString())
  } else {
    // Every identifier is that of one document, so each counts once and only their order decides.
    forEach(set, number => {
      for (const text of factTexts(index, number, path)) top.offer(1, () => text)
    })
  }
  return top.found
}

/** Where a set has most of all documents, the others are subtracted from the counts of all. */
function countTexts(index: CatalogueIndex, set: DocumentSet, path: TextColumn): Uint32Array {
  const { places, texts } = textPlaces(index, path)
  const all = index.everything()
  if (count(set) * 2 <= count(all)) return countNumbers(set, places, texts.length)
  const others = all.slice()
  removeAll(others, set)
  const ofOthers = countNumbers(others, places, texts.length)
  return index
    .rememberUntilChange(`counts ${path}`, () => countNumbers(all, places, texts.length))
    .map((each, place) => each - (ofOthers[place] as number))
}

import type { CatalogueIndex } from './catalogue-index.ts'
import { typesByNameField } from './evaluate-filter.ts'
import { type FacetValue, Top } from './facet-counts.ts'
import { readableIn, type Scope } from './readable.ts'
import type { TargetWork } from './relatives.ts'
import { add, type DocumentSet, forEach, has, keepCommon } from './sets.ts'
import { step } from './time-limit.ts'

/* Counts of related documents, and of their names. */

/** Related documents are counted by their ids; keys that lead nowhere by themselves. */
export function topTargets(
  index: CatalogueIndex,
  limit: number,
  scope: Scope,
  count: (least: () => number, work: TargetWork) => void
): FacetValue[] {
  const readable = readableIn(index, scope)
  const top = new Top(limit)
  const least = () => top.last?.count ?? 0
  count(least, (number, target, key) => {
    if (target < 0) top.offer(number, () => key)
    else if (!readable || has(readable, target)) top.offer(number, () => index.idOf(target))
  })
  return top.found
}

/**
 * The targets of relations of a type of the documents that refer to a set by a relation, by the
 * document of the set.
 */
export function referringTargets(
  index: CatalogueIndex,
  set: DocumentSet,
  from: string,
  type: string,
  scope: Scope
): ReadonlyMap<number, ReadonlySet<number>> {
  const readable = readableIn(index, scope)
  const found = new Map<number, Set<number>>()
  const referring = index.relatives.by(from)
  forEach(referring.leadingTo(set), source => {
    if (readable && !has(readable, source)) return
    const targets = index.relatives.by(type).targetsOf(source)
    referring.forEachOf(source, document => {
      if (document < 0 || !has(set, document)) return
      step(targets.length)
      for (const target of targets) {
        if (readable && !has(readable, target)) continue
        const known = found.get(document)
        if (known) known.add(target)
        else found.set(document, new Set([target]))
      }
    })
  })
  return found
}

/** Relations `type` of the documents that refer to others by relations `from`. */
interface Referring {
  readonly from: string
  readonly type: string
}

/** A document of the set counts once for each target, however many documents lead to it. */
export function countReferring(
  index: CatalogueIndex,
  set: DocumentSet,
  { from, type }: Referring,
  limit: number,
  scope: Scope
): FacetValue[] {
  const counts = new Map<number, number>()
  for (const targets of referringTargets(index, set, from, type, scope).values())
    for (const target of targets) {
      step()
      counts.set(target, (counts.get(target) ?? 0) + 1)
    }
  const top = new Top(limit)
  for (const [target, count] of counts) top.offer(count, () => index.idOf(target))
  return top.found
}

/** The names of the documents that relations of a type lead to. */
export function namesOfTargets(index: CatalogueIndex, type: string): ReadonlyMap<number, string[]> {
  const targets = index.newSet()
  index.relatives.by(type).forEach((_, target) => {
    if (target >= 0) add(targets, target)
  })
  const names = new Map<number, string[]>()
  for (const [key, types] of typesByNameField(index)) {
    const ofTypes = index.ofTypes(types).slice()
    keepCommon(ofTypes, targets)
    const values = index.values(key)
    values.forEach((document, place) => {
      const text = has(ofTypes, document) && !values.isDerived(place) ? values.textOf(place) : undefined
      if (text === undefined) return
      const known = names.get(document)
      if (known) known.push(text)
      else names.set(document, [text])
    })
  }
  return names
}

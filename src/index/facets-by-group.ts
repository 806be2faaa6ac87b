import type { FilterPath, RelationPath } from '#domain/filter/filter-path.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { type FacetValue, topOf } from './facet-counts.ts'
import { namesOfTargets, referringTargets } from './facet-targets.ts'
import { factTexts } from './facts.ts'
import type { Grouped } from './group-by-work.ts'
import { has } from './sets.ts'
import { step } from './time-limit.ts'
import type { Values } from './values.ts'

/**
 * Counts the values at a path over groups: a group counts once for each value that one of its
 * documents has.
 */
export function countFacetByGroup(
  index: CatalogueIndex,
  { forEachDocument }: Pick<Grouped, 'forEachDocument'>,
  path: FilterPath,
  limit: number,
  scope: Scope
): FacetValue[] {
  const places = new Map<string, number>()
  /** For each text the number of groups that have it, and the last of them. */
  const counts: number[] = []
  const lasts: number[] = []
  const placeOfText = (text: string): number => {
    const known = places.get(text)
    if (known !== undefined) return known
    places.set(text, counts.length)
    lasts.push(-1)
    return counts.push(0) - 1
  }
  let group = -1
  const count = (place: number) => {
    step()
    if (lasts[place] === group) return
    lasts[place] = group
    counts[place] = (counts[place] as number) + 1
  }
  const forEachValue = valuesAt(index, path, scope, placeOfText)
  forEachDocument((document, head) => {
    step()
    group = head
    forEachValue(document, count)
  })
  return topOf(
    places.entries().map(([text, place]) => [text, counts[place] as number]),
    limit
  )
}

/** Whether a path leads through other documents. */
export const hasHops = (path: FilterPath): path is RelationPath & { readonly through: readonly string[] } =>
  (path.kind === 'relation_key' || path.kind === 'relation_name') && (path.through?.length ?? 0) > 0

/** The documents at the end of relations of these types, one after the other; each once. */
function reachedBy(index: CatalogueIndex, types: readonly string[], scope: Scope) {
  const readable = readableIn(index, scope)
  return (document: number): Iterable<number> => {
    let reached: Iterable<number> = [document]
    for (const type of types) {
      const next = new Set<number>()
      for (const each of reached)
        for (const target of index.relatives.by(type).targetsOf(each)) {
          step()
          if (!readable || has(readable, target)) next.add(target)
        }
      reached = next
    }
    return reached
  }
}

type ForEachValue = (document: number, work: (value: number) => void) => void

function valuesAt(
  index: CatalogueIndex,
  path: FilterPath,
  scope: Scope,
  placeOfText: (text: string) => number
): ForEachValue {
  if (hasHops(path)) {
    const { through, ...last } = path
    const forEachLast = valuesAt(index, last, scope, placeOfText)
    const reached = reachedBy(index, through, scope)
    return (document, work) => {
      for (const each of reached(document)) {
        step()
        forEachLast(each, work)
      }
    }
  }
  switch (path.kind) {
    case 'metadata':
      return valuesIn(index.values(path.key), placeOfText)
    case 'relation_key': {
      if (path.from !== undefined) {
        const targets = referringTargets(index, index.everything(), path.from, path.type, scope)
        return (document, work) => {
          for (const target of targets.get(document) ?? []) work(placeOfText(index.idOf(target)))
        }
      }
      const readable = readableIn(index, scope)
      /** The place of the id of each target, plus one: an id is read once. */
      const known = new Uint32Array(index.size)
      const placeOf = (target: number) => {
        if (readable && !has(readable, target)) return -1
        if (known[target] === 0) known[target] = placeOfText(index.idOf(target)) + 1
        return (known[target] as number) - 1
      }
      return forEachRelation(index, path.type, placeOf, placeOfText)
    }
    case 'relation_name': {
      const readable = readableIn(index, scope)
      const names = namesOfTargets(index, path.type)
      const relations = index.relatives.by(path.type)
      return (document, work) => {
        relations.forEachOf(document, target => {
          if (target >= 0 && (!readable || has(readable, target)))
            for (const name of names.get(target) ?? []) work(placeOfText(name))
        })
      }
    }
    default: {
      const { kind } = path
      return (document, work) => {
        for (const text of factTexts(index, document, kind)) work(placeOfText(text))
      }
    }
  }
}

/** The text of each value is read once. */
function valuesIn(values: Values, placeOfText: (text: string) => number): ForEachValue {
  /** For each value the place of its text, plus two; one for a value that does not count. */
  const known = new Uint32Array(values.count)
  return (document, work) => {
    values.forEachOf(document, value => {
      if (known[value] === 0) {
        const text = values.isDerived(value) ? undefined : values.textOf(value)
        known[value] = text === undefined ? 1 : placeOfText(text) + 2
      }
      if ((known[value] as number) > 1) work((known[value] as number) - 2)
    })
  }
}

/**
 * Calls back with the place of each target of a document, or of the key where nothing has it. A
 * target that does not count has none.
 */
function forEachRelation(
  { relatives }: CatalogueIndex,
  type: string,
  placeOf: (target: number) => number,
  placeOfText: (text: string) => number
): ForEachValue {
  const relations = relatives.by(type)
  return (document, work) => {
    relations.forEachOf(document, (target, position) => {
      const place = target < 0 ? placeOfText(relatives.keyOf(document, position)) : placeOf(target)
      if (place >= 0) work(place)
    })
  }
}

import type { ColumnPath, FilterPath, RelationPath } from '#domain/filter/filter-path.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { GroupCounter, type GroupedDocuments } from './document-values.ts'
import { type FacetValue, Top } from './facet-counts.ts'
import { namesOfTargets, referringTargets, topTargets } from './facet-targets.ts'
import { topValues } from './facet-values.ts'
import { factTexts } from './facts.ts'
import { add, type DocumentSet, has } from './sets.ts'
import { inParts, step } from './time-limit.ts'
import { placeAmong } from './place-among.ts'

/**
 * Counts the values at a path over groups: a group counts once for each value that one of its
 * documents has.
 */
export function countFacetByGroup(
  index: CatalogueIndex,
  grouped: GroupedDocuments,
  path: FilterPath,
  limit: number,
  scope: Scope
): FacetValue[] {
  if (path.kind === 'metadata') {
    const values = index.values(path.key)
    return topValues(values, values.countByGroup(index.splitByChange(grouped)), limit)
  }
  if (path.kind === 'relation_key' && path.from === undefined && !hasHops(path))
    return topTargets(index, limit, scope, (least, work) =>
      index.relatives.by(path.type).countByGroup(index.splitByChange(grouped), least, work)
    )
  const { documents, groups } = grouped
  if (path.kind === 'type') {
    const { places, texts } = index.types
    const counter = new GroupCounter(texts.length)
    inParts(0, documents.length, (first, end) => {
      for (let at = first; at < end; at++) counter.add(places[documents[at] as number] as number, groups[at] as number)
    })
    const top = new Top(limit)
    counter.counts.forEach((each, place) => {
      top.offer(each, () => texts[place])
    })
    return top.found
  }
  const places = new Places(index)
  /** For each place the number of groups that have it, and the last of them. */
  const counts: number[] = []
  const lasts: number[] = []
  let group = -1
  const count = (place: number) => {
    step()
    if (lasts[place] === group) return
    lasts[place] = group
    counts[place] = (counts[place] ?? 0) + 1
  }
  const forEachValue = valuesAt(index, path, scope, places, () => setOf(index, documents))
  for (let at = 0; at < documents.length; at++) {
    step()
    group = groups[at] as number
    forEachValue(documents[at] as number, count)
  }
  const top = new Top(limit)
  counts.forEach((each, place) => {
    top.offer(each, () => places.textAt(place))
  })
  return top.found
}

/** The values that are counted, each with a place: texts, and documents, which have their ids. */
class Places {
  readonly #index: CatalogueIndex
  readonly #values: (string | number)[] = []
  readonly #byText = new Map<string, number>()
  /** The place of each document, plus one. */
  #byDocument: Uint32Array | undefined

  constructor(index: CatalogueIndex) {
    this.#index = index
  }

  ofText(text: string): number {
    const place = placeAmong(this.#byText, text, this.#values.length)
    if (place === this.#values.length) this.#values.push(text)
    return place
  }

  ofDocument(document: number): number {
    this.#byDocument ??= new Uint32Array(this.#index.size)
    const known = this.#byDocument[document] as number
    if (known > 0) return known - 1
    const place = this.#values.push(document) - 1
    this.#byDocument[document] = place + 1
    return place
  }

  textAt(place: number): string {
    const value = this.#values[place] as string | number
    return typeof value === 'number' ? this.#index.idOf(value) : value
  }
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

function setOf(index: CatalogueIndex, documents: Uint32Array): DocumentSet {
  const set = index.newSet()
  inParts(0, documents.length, (first, end) => {
    for (let at = first; at < end; at++) add(set, documents[at] as number)
  })
  return set
}

type ForEachValue = (document: number, work: (value: number) => void) => void

/** Returns what calls back with the values of a document, one of those of `within`. */
function valuesAt(
  index: CatalogueIndex,
  path: RelationPath | { kind: ColumnPath },
  scope: Scope,
  places: Places,
  within: () => DocumentSet
): ForEachValue {
  if (hasHops(path)) {
    const { through, ...last } = path
    const forEachLast = valuesAt(index, last, scope, places, () => index.everything())
    const reached = reachedBy(index, through, scope)
    return (document, work) => {
      for (const each of reached(document)) {
        step()
        forEachLast(each, work)
      }
    }
  }
  switch (path.kind) {
    case 'relation_key': {
      if (path.from !== undefined) {
        const targets = referringTargets(index, within(), path.from, path.type, scope)
        return (document, work) => {
          for (const target of targets.get(document) ?? []) work(places.ofDocument(target))
        }
      }
      const readable = readableIn(index, scope)
      const relations = index.relatives.by(path.type)
      return (document, work) => {
        relations.forEachOf(document, (target, position) => {
          if (target < 0) work(places.ofText(index.relatives.keyOf(document, position)))
          else if (!readable || has(readable, target)) work(places.ofDocument(target))
        })
      }
    }
    case 'relation_name': {
      const readable = readableIn(index, scope)
      const names = namesOfTargets(index, path.type)
      const relations = index.relatives.by(path.type)
      return (document, work) => {
        relations.forEachOf(document, target => {
          if (target >= 0 && (!readable || has(readable, target)))
            for (const name of names.get(target) ?? []) work(places.ofText(name))
        })
      }
    }
    default: {
      const { kind } = path
      return (document, work) => {
        for (const text of factTexts(index, document, kind)) work(places.ofText(text))
      }
    }
  }
}

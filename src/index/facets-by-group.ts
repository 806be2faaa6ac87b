import type { FilterPath, RelationPath } from '#domain/filter/filter-path.ts'
import { instantAt } from './times.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { type Column, isDerivedFlag, isLongFlag, placeIn, valueCount, valueText } from './columns.ts'
import { columnTexts } from './evaluate-filter.ts'
import { type FacetValue, topOf } from './facet-counts.ts'
import { namesOfTargets, referringTargets } from './facet-targets.ts'
import type { Grouped } from './group-by-work.ts'
import { nameAt } from './names.ts'
import { kindOf } from './relations.ts'
import { firstAt, has } from './sets.ts'
import { step } from './time-limit.ts'

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
        for (const target of index.targetsBy(each, type)) {
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
  const { base, delta } = index
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
    case 'metadata': {
      const column = index.columns.get(path.key)
      const inBase = column && valuesIn(column, placeOfText)
      return (document, work) => {
        const changed = delta.get(document)
        if (!changed) return inBase?.(document, work)
        for (const { key, isDerived, text } of changed.values)
          if (key === path.key && !isDerived && text !== null) work(placeOfText(text))
      }
    }
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
      return (document, work) => {
        for (const target of index.targetsBy(document, path.type))
          if (!readable || has(readable, target)) for (const name of names.get(target) ?? []) work(placeOfText(name))
      }
    }
    default: {
      const { kind } = path
      return (document, work) => {
        const changed = delta.get(document)
        if (changed) {
          for (const text of columnTexts(changed, kind)) work(placeOfText(text))
          return
        }
        for (const text of baseTexts(index, document, kind)) work(placeOfText(text))
      }
    }
  }
  function baseTexts(of: CatalogueIndex, document: number, kind: Parameters<typeof columnTexts>[1]): string[] {
    switch (kind) {
      case 'type':
        return [of.typeOf(document)]
      case 'id':
        return [of.idOf(document)]
      case 'created_by':
        return [base.people[base.createdBy[document] as number] as string]
      case 'updated_by':
        return [base.people[base.updatedBy[document] as number] as string]
      case 'created_at':
        return [new Date(instantAt(base.createdAt, document)).toISOString()]
      case 'updated_at':
        return [new Date(instantAt(base.updatedAt, document)).toISOString()]
      case 'identifiers': {
        const first = base.firstNames[document] as number
        return Array.from({ length: (base.firstNames[document + 1] as number) - first }, (_, at) =>
          nameAt(base.names, first + at)
        )
      }
    }
  }
}

/** The text of each value is read once. */
function valuesIn(column: Column, placeOfText: (text: string) => number): ForEachValue {
  const { firsts, further, furtherDocuments, flags } = column
  /** For each value the place of its text, plus two; one for a value that does not count. */
  const known = new Uint32Array(valueCount(column))
  const visit = (value: number, work: (place: number) => void) => {
    if (known[value] === 0) {
      const isCounted = ((flags[value] as number) & (isDerivedFlag | isLongFlag)) === 0
      known[value] = isCounted ? placeOfText(valueText(column, value) as string) + 2 : 1
    }
    if ((known[value] as number) > 1) work((known[value] as number) - 2)
  }
  return (document, work) => {
    const place = placeIn(column, document)
    if (place < 0) return
    visit(firsts[place] as number, work)
    for (let at = firstAt(furtherDocuments, document); furtherDocuments[at] === document; at++)
      visit(further[at] as number, work)
  }
}

/**
 * Calls back with the place of each target of a document, or of the key where nothing has it. A
 * target that does not count has none.
 */
function forEachRelation(
  index: CatalogueIndex,
  type: string,
  placeOf: (target: number) => number,
  placeOfText: (text: string) => number
): ForEachValue {
  const { base, delta } = index
  const { starts, kinds, keys } = base.relations
  const kind = kindOf(base.relations, type)
  return (document, work) => {
    const changed = delta.size > 0 ? delta.get(document) : undefined
    if (changed) {
      changed.relations.forEach((relation, at) => {
        if (relation.type !== type) return
        const target = changed.targets[at] as number
        const place = target < 0 ? placeOfText(relation.key) : placeOf(target)
        if (place >= 0) work(place)
      })
      return
    }
    if (kind < 0) return
    const end = starts[document + 1] as number
    step(end - (starts[document] as number))
    for (let at = starts[document] as number; at < end; at++) {
      if (kinds[at] !== kind) continue
      const name = keys[at] as number
      const target = index.ownerOf(name)
      const place = target < 0 ? placeOfText(nameAt(base.names, name)) : placeOf(target)
      if (place >= 0) work(place)
    }
  }
}

import { isInArea, positionFields } from '#domain/filter/area.ts'
import type { Counted, EntryPath, Filter } from '#domain/filter/filter.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Column, isDerivedFlag, valueText } from './columns.ts'
import { textAt } from './arrays.ts'
import { nameAt } from './names.ts'
import { kindOf } from './relations.ts'
import { add, addAll, type DocumentSet, has, membersOf, removeAll } from './sets.ts'
import { step } from './time-limit.ts'

/*
 * Filters over several records at once: how many relations there are, which record is the first
 * with a value, which records others lead to; and where records lie.
 */

/** The documents that a relation of a type leads to from a set. */
export function reachedFrom(index: CatalogueIndex, type: string, from: DocumentSet): DocumentSet {
  const set = index.newSet()
  eachRelation(index, type, (source, target) => {
    if (target >= 0 && has(from, source)) add(set, target)
  })
  return set
}

type RelationCall = (source: number, target: number, key: () => string) => void

/** Calls for each relation of a type, with the target's number or a negative one. */
function eachRelation(index: CatalogueIndex, type: string, call: RelationCall) {
  const { starts, kinds, keys } = index.base.relations
  const kind = kindOf(index.base.relations, type)
  for (let source = 0, at = 0; kind >= 0 && source < index.base.size; source++) {
    const end = starts[source + 1] as number
    step(1 + end - at)
    for (; at < end; at++) {
      if (kinds[at] !== kind || has(index.hidden, source)) continue
      const name = keys[at] as number
      call(source, index.ownerOf(name), () => nameAt(index.base.names, name))
    }
  }
  for (const document of index.delta.values()) {
    const leads = document.targets
    step(leads.length)
    document.relations.forEach((relation, at) => {
      if (relation.type === type) call(document.number, leads[at] as number, () => relation.key)
    })
  }
}

/** Documents with so many of something. */
export function withCount(
  index: CatalogueIndex,
  { of, min, max }: Extract<Filter, { kind: 'count' }>,
  readable: DocumentSet | undefined,
  sources: DocumentSet | undefined
): DocumentSet {
  const counts = countAll(index, of, readable, sources)
  const set = index.newSet()
  for (const [number, count] of counts) {
    step()
    if (count >= min && (max === undefined || count <= max)) add(set, number)
  }
  if (min > 0) return set
  const some = index.newSet()
  for (const number of counts.keys()) {
    step()
    add(some, number)
  }
  const none = index.everything().slice()
  removeAll(none, some)
  addAll(set, none)
  return set
}

function countAll(
  index: CatalogueIndex,
  counted: Counted,
  readable: DocumentSet | undefined,
  sources: DocumentSet | undefined
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  const count = (number: number) => counts.set(number, (counts.get(number) ?? 0) + 1)
  if (counted.kind === 'metadata') eachValue(index, counted.key, count)
  else if (counted.kind === 'relation_key') {
    const wanted = counted.to && index.ofTypes(counted.to)
    eachRelation(index, counted.type, (source, target) => {
      const isWanted = !wanted || (target >= 0 && has(wanted, target))
      if (isWanted && (!readable || target < 0 || has(readable, target))) count(source)
    })
  } else {
    const seen = new Set<string>()
    eachRelation(index, counted.type, (source, target) => {
      const pair = `${source} ${target}`
      if (target < 0 || !sources || !has(sources, source) || seen.has(pair)) return
      seen.add(pair)
      count(target)
    })
  }
  return counts
}

/** Calls for each value of a key that was not made from another one. */
function eachValue(index: CatalogueIndex, key: string, call: (document: number, value: string) => void) {
  const column = index.columns.get(key)
  if (column) {
    const { documents, firsts, furtherDocuments, further, flags } = column
    const see = (document: number, value: number) => {
      step()
      if (!has(index.hidden, document) && !((flags[value] as number) & isDerivedFlag))
        call(document, valueText(column, value) ?? textAt(column.folded, value))
    }
    const members = membersOf(documents)
    for (let at = 0; at < members.length; at++) see(members[at] as number, firsts[at] as number)
    for (let at = 0; at < further.length; at++) see(furtherDocuments[at] as number, further[at] as number)
  }
  for (const { number, values } of index.delta.values()) {
    step(values.length)
    for (const value of values) if (value.key === key && !value.isDerived) call(number, value.text ?? value.folded)
  }
}

/** Of the documents of a set, the first with each value at a path. */
export function firstOfEach(
  index: CatalogueIndex,
  path: EntryPath,
  found: DocumentSet,
  readable: DocumentSet | undefined
): DocumentSet {
  const firsts = new Map<string, number>()
  const see = (number: number, value: string) => {
    if (has(found, number) && number < (firsts.get(value) ?? Number.POSITIVE_INFINITY)) firsts.set(value, number)
  }
  if (path.kind === 'metadata') eachValue(index, path.key, see)
  else
    eachRelation(index, path.type, (source, target, key) => {
      if (!readable || target < 0 || has(readable, target)) see(source, target < 0 ? `k${key()}` : `t${target}`)
    })
  const set = index.newSet()
  for (const number of firsts.values()) {
    step()
    add(set, number)
  }
  return set
}

/** Documents whose position lies in an area. */
export function withinArea(index: CatalogueIndex, { area }: Extract<Filter, { kind: 'within' }>): DocumentSet {
  const longitudes = firstNumbers(index, positionFields.longitude)
  const set = index.newSet()
  for (const [number, latitude] of firstNumbers(index, positionFields.latitude)) {
    step(1 + area.borders.length)
    const longitude = longitudes.get(number)
    if (longitude !== undefined && isInArea(area, latitude, longitude)) add(set, number)
  }
  return set
}

/** The number that the first value of a key is, of each document that has one. */
function firstNumbers(index: CatalogueIndex, key: string): Map<number, number> {
  const numbers = new Map<number, number>()
  const column: Column | undefined = index.columns.get(key)
  if (column)
    membersOf(column.documents).forEach((document, at) => {
      step()
      const number = column.numbers?.[column.firsts[at] as number] ?? Number.NaN
      if (!has(index.hidden, document) && !Number.isNaN(number)) numbers.set(document, number)
    })
  for (const { number, values } of index.delta.values()) {
    step(values.length)
    const first = values.find(value => value.key === key)
    if (first?.number != null) numbers.set(number, first.number)
  }
  return numbers
}

import { isInArea, positionFields } from '#domain/filter/area.ts'
import type { Counted, EntryPath, Filter } from '#domain/filter/filter.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { add, addAll, type DocumentSet, has, removeAll } from './sets.ts'
import { step } from './time-limit.ts'

/*
 * Filters over several records at once: how many relations there are, which record is the first
 * with a value, which records others lead to; and where records lie.
 */

/** The documents that a relation of a type leads to from a set. */
export function reachedFrom(index: CatalogueIndex, type: string, from: DocumentSet): DocumentSet {
  const set = index.newSet()
  index.relatives.by(type).forEach((source, target) => {
    if (target >= 0 && has(from, source)) add(set, target)
  })
  return set
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
    index.relatives.by(counted.type).forEach((source, target) => {
      const isWanted = !wanted || (target >= 0 && has(wanted, target))
      if (isWanted && (!readable || target < 0 || has(readable, target))) count(source)
    })
  } else {
    const seen = new Set<string>()
    index.relatives.by(counted.type).forEach((source, target) => {
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
  const values = index.values(key)
  values.forEach((document, place) => {
    if (!values.isDerived(place)) call(document, values.textOf(place) ?? values.foldedOf(place))
  })
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
    index.relatives.by(path.type).forEach((source, target, position) => {
      if (target < 0) see(source, `k${index.relatives.keyOf(source, position)}`)
      else if (!readable || has(readable, target)) see(source, `t${target}`)
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
  const latitudes = index.values(positionFields.latitude)
  const longitudes = index.values(positionFields.longitude)
  const set = index.newSet()
  latitudes.forEach((document, place) => {
    if (latitudes.firstOf(document) !== place) return
    step(area.borders.length)
    const first = longitudes.firstOf(document)
    const [latitude, longitude] = [latitudes.numberOf(place), first < 0 ? Number.NaN : longitudes.numberOf(first)]
    if (!Number.isNaN(latitude) && !Number.isNaN(longitude) && isInArea(area, latitude, longitude)) add(set, document)
  })
  return set
}

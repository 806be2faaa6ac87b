import type { FilterPath } from '#domain/filter/filter-path.ts'
import { compareTexts, encode, type Numbers } from './arrays.ts'
import { instantAt } from './base.ts'
import type { CatalogueIndex, Scope } from './catalogue-index.ts'
import { type Column, hasCapitalsFlag, isDerivedFlag, isFoldedFlag, isLongFlag, placeIn, valueText } from './columns.ts'
import { columnTexts, typesByNameField } from './evaluate-filter.ts'
import { nameAt, nobody } from './names.ts'
import { kindOf } from './relations.ts'
import {
  count,
  countMembers,
  type DocumentSet,
  forEach,
  has,
  hasAllMembers,
  keepCommon,
  membersOf,
  numbersIn
} from './sets.ts'

/** A value and how many documents have it. */
export interface FacetValue {
  readonly value: string
  readonly count: number
}

/**
 * Counts the values at a path over a set of documents: the most frequent first, equals by their
 * code points. A document counts once for each value it has.
 */
export function countFacet(
  index: CatalogueIndex,
  set: DocumentSet,
  path: FilterPath,
  limit: number,
  scope: Scope
): FacetValue[] {
  switch (path.kind) {
    case 'metadata':
      return countMetadata(index, set, path.key, limit)
    case 'relation_key':
      return path.from === undefined
        ? countTargets(index, set, path.type, limit, scope)
        : countReferring(index, set, path.from, path.type, limit, scope)
    case 'relation_name':
      return countTargetNames(index, set, path.type, limit, scope)
    default:
      return countColumn(index, set, path.kind, limit)
  }
}

/**
 * The most frequent of some values. `at` is called for the texts of those that may be among them
 * only.
 */
class Top {
  readonly #limit: number
  readonly #found: FacetValue[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The last of the values where there are as many as wanted: others must come before it. */
  get last(): FacetValue | undefined {
    return this.#found.length < this.#limit ? undefined : this.#found.at(-1)
  }

  offer(count: number, textOf: () => string | undefined) {
    if (count === 0 || this.#limit === 0) return
    const { last } = this
    if (last && count < last.count) return
    const value = textOf()
    if (value === undefined || (last && count === last.count && compareTexts(value, last.value) > 0)) return
    let at = this.#found.length
    while (at > 0) {
      const before = this.#found[at - 1] as FacetValue
      if (before.count > count || (before.count === count && compareTexts(before.value, value) < 0)) break
      at--
    }
    this.#found.splice(at, 0, { value, count })
    if (this.#found.length > this.#limit) this.#found.pop()
  }

  get found() {
    return this.#found
  }
}

export function topOf(counts: ReadonlyMap<string, number>, limit: number): FacetValue[] {
  const top = new Top(limit)
  for (const [value, count] of counts) top.offer(count, () => value)
  return top.found
}

/** Counts texts, one document after the other. */
class TextCounts {
  readonly counts = new Map<string, number>()

  add(texts: Iterable<string>) {
    for (const text of new Set(texts)) this.counts.set(text, (this.counts.get(text) ?? 0) + 1)
  }
}

function countMetadata(index: CatalogueIndex, set: DocumentSet, key: string, limit: number): FacetValue[] {
  const column = index.columns.get(key)
  const further = new TextCounts()
  for (const document of index.delta.values())
    if (has(set, document.number))
      further.add(
        document.values.flatMap(value =>
          value.key === key && !value.isDerived && value.text !== null ? [value.text] : []
        )
      )
  if (!column) return topOf(further.counts, limit)
  return topValues(column, countValues(column, set, index), further.counts, limit)
}

/**
 * How many documents of a set have each value; of those with the same text the first counts for
 * all.
 */
function countValues(column: Column, set: DocumentSet, index: CatalogueIndex): Uint32Array {
  const { documents, firsts, furtherDocuments, further, flags } = column
  const counts = new Uint32Array(flags.length)
  const sameTexts = firstsOf(column)
  /** The value that counts for another one; -1 for one that does not count. */
  const counted = (value: number): number => {
    if (isNotCounted(flags[value] as number)) return -1
    return sameTexts ? (sameTexts[value] as number) : value
  }
  const addOne = (value: number) => {
    const place = counted(value)
    if (place >= 0) counts[place] = (counts[place] as number) + 1
  }
  const inBase = index.withoutHidden(set)
  if (hasAllMembers(inBase, documents)) {
    const places = sameTexts || flags.some(isNotCounted) ? counted : undefined
    for (let at = 0; at < firsts.length; at++) {
      const value = firsts[at] as number
      const place = places ? places(value) : value
      if (place >= 0) counts[place] = (counts[place] as number) + 1
    }
  } else if (count(inBase) * fewShare < countMembers(documents))
    forEach(inBase, document => {
      const place = placeIn(column, document)
      if (place >= 0) addOne(firsts[place] as number)
    })
  else {
    const members = membersOf(documents)
    for (let at = 0; at < members.length; at++) if (has(inBase, members[at] as number)) addOne(firsts[at] as number)
  }
  for (let at = 0, start = 0; at < further.length; at++) {
    const document = furtherDocuments[at] as number
    if (document !== furtherDocuments[start]) start = at
    if (!has(inBase, document)) continue
    const value = counted(further[at] as number)
    if (value < 0) continue
    let isKnown = counted(firsts[placeIn(column, document)] as number) === value
    for (let before = start; before < at && !isKnown; before++) isKnown = counted(further[before] as number) === value
    if (!isKnown) counts[value] = (counts[value] as number) + 1
  }
  return counts
}

const isNotCounted = (flag: number) => (flag & (isDerivedFlag | isLongFlag)) !== 0

/** Up to one in so many of the documents with a value, each document is looked up by itself. */
const fewShare = 8

/** For each value the first with the same text; undefined where all texts differ. */
function firstsOf(column: Column): Uint32Array | undefined {
  const known = firstsByColumn.get(column)
  if (known !== undefined) return known ?? undefined
  const { flags } = column
  let firsts: Uint32Array | null = null
  let first = 0
  for (let at = 1; at < flags.length; at++) {
    // Values with the same text have the same folded text, so they follow each other.
    const isSame = sameFolded(column, at - 1, at) && valueText(column, first) === valueText(column, at)
    if (!isSame) first = at
    else {
      firsts ??= Uint32Array.from({ length: flags.length }, (_, place) => place)
      firsts[at] = first
    }
  }
  firstsByColumn.set(column, firsts)
  return firsts ?? undefined
}

const firstsByColumn = new WeakMap<Column, Uint32Array | null>()

function sameFolded({ folded: { bytes, starts } }: Column, one: number, other: number): boolean {
  const start = starts[one] as number
  const otherStart = starts[other] as number
  const length = otherStart - start
  if ((starts[other + 1] as number) - otherStart !== length) return false
  for (let at = 0; at < length; at++) if (bytes[start + at] !== bytes[otherStart + at]) return false
  return true
}

/** The most frequent values of a column, together with texts counted elsewhere. */
function topValues(
  column: Column,
  counts: Uint32Array,
  further: ReadonlyMap<string, number>,
  limit: number
): FacetValue[] {
  const top = new Top(limit)
  const left = new Map(further)
  if (further.size === 0) {
    // Of a million titles most occur once: their texts are made only where they may come first.
    let [least, lastByte] = [1, 256]
    for (let value = 0; value < counts.length; value++) {
      const count = counts[value] as number
      if (count < least || (count === least && leastFirstByte(column, value) > lastByte)) continue
      top.offer(count, () => valueText(column, value))
      if (!top.last) continue
      least = top.last.count
      lastByte = encode(top.last.value.slice(0, 2))[0] ?? 0
    }
    return top.found
  }
  for (let value = 0; value < counts.length; value++) {
    const count = counts[value] as number
    if (count === 0) continue
    const text = valueText(column, value) as string
    top.offer(count + (left.get(text) ?? 0), () => text)
    left.delete(text)
  }
  for (const [text, count] of left) top.offer(count, () => text)
  return top.found
}

/** A byte that the text of a value begins with, or a lower one. */
function leastFirstByte({ flags, folded }: Column, value: number): number {
  const flag = flags[value] as number
  if (!(flag & (isFoldedFlag | hasCapitalsFlag))) return 0
  const first = folded.bytes[folded.starts[value] as number] as number
  return flag & hasCapitalsFlag && first >= 97 && first <= 122 ? first - 32 : first
}

/** Related documents are counted by their ids; keys that lead nowhere by themselves. */
function countTargets(
  index: CatalogueIndex,
  set: DocumentSet,
  type: string,
  limit: number,
  scope: Scope
): FacetValue[] {
  const readable = index.readable(scope)
  const { starts, kinds, keys } = index.base.relations
  const kind = kindOf(index.base.relations, type)
  if (kind < 0 && index.delta.size === 0) return []
  const counts = new Uint32Array(index.size)
  const loose = new Map<string, number>()
  const addLoose = (key: string) => loose.set(key, (loose.get(key) ?? 0) + 1)
  const owners = index.plainOwners
  const sources = kind < 0 ? new Uint32Array(0) : numbersIn(index.withoutHidden(set))
  for (let place = 0; place < sources.length; place++) {
    const source = sources[place] as number
    const end = starts[source + 1] as number
    let first = -1
    for (let at = starts[source] as number; at < end; at++) {
      if (kinds[at] !== kind) continue
      if (first < 0) first = at
      const name = keys[at] as number
      const target = owners ? (owners[name] as number) : index.ownerOf(name)
      if (target < 0 || target === nobody) {
        addLoose(nameAt(index.base.names, name))
        continue
      }
      let isKnown = false
      for (let before = first; before < at && !isKnown; before++)
        isKnown = kinds[before] === kind && index.ownerOf(keys[before] as number) === target
      if (!isKnown) counts[target] = (counts[target] as number) + 1
    }
  }
  for (const document of index.delta.values()) {
    if (!has(set, document.number)) continue
    const leads = document.targets
    const known = new Set<number>()
    document.relations.forEach((relation, at) => {
      if (relation.type !== type) return
      const target = leads[at] as number
      if (target < 0) addLoose(relation.key)
      else if (!known.has(target)) {
        known.add(target)
        counts[target] = (counts[target] as number) + 1
      }
    })
  }
  const top = new Top(limit)
  for (let target = 0; target < counts.length; target++) {
    const count = counts[target] as number
    if (count === 0 || count < (top.last?.count ?? 0) || (readable && !has(readable, target))) continue
    top.offer(count, () => index.idOf(target))
  }
  for (const [key, count] of loose) top.offer(count, () => key)
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
  const readable = index.readable(scope)
  const isReadable = (number: number) => number >= 0 && (!readable || has(readable, number))
  const found = new Map<number, Set<number>>()
  const add = (document: number, target: number) => {
    const known = found.get(document)
    if (known) known.add(target)
    else found.set(document, new Set([target]))
  }
  const { starts, kinds, keys } = index.base.relations
  const [fromKind, kind] = [kindOf(index.base.relations, from), kindOf(index.base.relations, type)]
  const sources = fromKind < 0 || kind < 0 ? [] : numbersIn(index.withoutHidden(index.leadingTo(from, set)))
  for (const source of sources) {
    if (!isReadable(source)) continue
    const end = starts[source + 1] as number
    for (let at = starts[source] as number; at < end; at++) {
      if (kinds[at] !== fromKind) continue
      const document = index.ownerOf(keys[at] as number)
      if (document < 0 || !has(set, document)) continue
      for (let other = starts[source] as number; other < end; other++) {
        const target = kinds[other] === kind ? index.ownerOf(keys[other] as number) : -1
        if (isReadable(target)) add(document, target)
      }
    }
  }
  for (const { number, relations, targets } of index.delta.values()) {
    if (!isReadable(number)) continue
    relations.forEach((relation, at) => {
      const document = targets[at] as number
      if (relation.type !== from || document < 0 || !has(set, document)) return
      relations.forEach((other, place) => {
        const target = other.type === type ? (targets[place] as number) : -1
        if (isReadable(target)) add(document, target)
      })
    })
  }
  return found
}

/** A document of the set counts once for each target, however many documents lead to it. */
function countReferring(
  index: CatalogueIndex,
  set: DocumentSet,
  from: string,
  type: string,
  limit: number,
  scope: Scope
): FacetValue[] {
  const counts = new Map<number, number>()
  for (const targets of referringTargets(index, set, from, type, scope).values())
    for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1)
  const top = new Top(limit)
  for (const [target, count] of counts) top.offer(count, () => index.idOf(target))
  return top.found
}

function countTargetNames(
  index: CatalogueIndex,
  set: DocumentSet,
  type: string,
  limit: number,
  scope: Scope
): FacetValue[] {
  const readable = index.readable(scope)
  const texts = namesOfTargets(index, type)
  const counts = new TextCounts()
  const textsOf = (target: number) =>
    target < 0 || (readable && !has(readable, target)) ? [] : (texts.get(target) ?? [])
  const { starts, kinds, keys } = index.base.relations
  const kind = kindOf(index.base.relations, type)
  forEach(kind < 0 ? index.newSet() : index.withoutHidden(set), source => {
    const found: string[] = []
    const end = starts[source + 1] as number
    for (let at = starts[source] as number; at < end; at++)
      if (kinds[at] === kind) found.push(...textsOf(index.ownerOf(keys[at] as number)))
    if (found.length > 0) counts.add(found)
  })
  for (const document of index.delta.values()) {
    if (!has(set, document.number)) continue
    const leads = document.targets
    counts.add(
      document.relations.flatMap((relation, at) => (relation.type === type ? textsOf(leads[at] as number) : []))
    )
  }
  return topOf(counts.counts, limit)
}

/** The names of the documents that relations of a type lead to. */
export function namesOfTargets(index: CatalogueIndex, type: string): ReadonlyMap<number, string[]> {
  const targets = index.newSet()
  const note = (target: number) => {
    if (target >= 0) targets[target >>> 5] = (targets[target >>> 5] as number) | (1 << (target & 31))
  }
  const { kinds, keys } = index.base.relations
  const kind = kindOf(index.base.relations, type)
  for (let at = 0; at < keys.length; at++) if (kinds[at] === kind) note(index.ownerOf(keys[at] as number))
  for (const document of index.delta.values())
    document.targets.forEach((target, at) => {
      if (document.relations[at]?.type === type) note(target)
    })
  const names = new Map<number, string[]>()
  const addName = (document: number, text: string | undefined) => {
    if (text === undefined) return
    const known = names.get(document)
    if (known) known.push(text)
    else names.set(document, [text])
  }
  for (const [key, types] of typesByNameField(index)) {
    const column = index.columns.get(key)
    if (!column) continue
    const ofTypes = index.ofTypes(types).slice()
    keepCommon(ofTypes, targets)
    const addValue = (document: number, value: number) => {
      if (!has(ofTypes, document) || has(index.hidden, document)) return
      if (!((column.flags[value] as number) & isDerivedFlag)) addName(document, valueText(column, value))
    }
    const members = membersOf(column.documents)
    for (let at = 0; at < members.length; at++) addValue(members[at] as number, column.firsts[at] as number)
    for (let at = 0; at < column.further.length; at++)
      addValue(column.furtherDocuments[at] as number, column.further[at] as number)
  }
  for (const { number, values } of index.delta.values())
    if (has(targets, number))
      for (const { isName, text } of values) if (isName === 1) addName(number, text ?? undefined)
  return names
}

function countColumn(
  index: CatalogueIndex,
  set: DocumentSet,
  path: Exclude<FilterPath['kind'], 'metadata' | 'relation_key' | 'relation_name'>,
  limit: number
): FacetValue[] {
  const { base } = index
  const counts = new Map<string, number>()
  const addTo = (text: string, by = 1) => counts.set(text, (counts.get(text) ?? 0) + by)
  for (const document of index.delta.values())
    if (has(set, document.number)) for (const text of new Set(columnTexts(document, path))) addTo(text)
  const inBase = index.withoutHidden(set)
  const byPlace = (places: Numbers, texts: readonly string[]) => {
    const found = new Uint32Array(texts.length)
    forEach(inBase, number => {
      const place = places[number] as number
      found[place] = (found[place] as number) + 1
    })
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
    for (const [instant, sum] of found) addTo(new Date(instant).toISOString(), sum)
  } else {
    // Every identifier is that of one document, so each counts once and only their order decides.
    const top = new Top(limit)
    for (const [text, sum] of counts) top.offer(sum, () => text)
    forEach(inBase, number => {
      const last = path === 'id' ? 0 : (base.firstNames[number + 1] as number)
      if (path === 'id') top.offer(1, () => index.idOf(number))
      else
        for (let name = base.firstNames[number] as number; name < last; name++)
          top.offer(1, () => nameAt(base.names, name))
    })
    return top.found
  }
  return topOf(counts, limit)
}

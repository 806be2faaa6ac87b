import type { FilterPath } from '#domain/filter/filter-path.ts'
import { compareTexts, encode, type Numbers } from './arrays.ts'
import { instantAt } from './base.ts'
import type { CatalogueIndex, Scope } from './catalogue-index.ts'
import { type Column, hasCapitalsFlag, isDerivedFlag, isFoldedFlag, isLongFlag, valueText } from './columns.ts'
import { countNumbers, countValues } from './document-values.ts'
import { columnTexts, typesByNameField } from './evaluate-filter.ts'
import { nameAt, nobody } from './names.ts'
import { type KeyColumn, kindOf } from './relations.ts'
import { type DocumentSet, forEach, has, keepCommon, membersOf, numbersIn } from './sets.ts'

/** A value and how many documents have it. */
export interface FacetValue {
  readonly value: string
  readonly count: number
}

/** Documents whose values are counted. */
interface Matches {
  readonly set: DocumentSet
  /** Those of them that are as they are in the base. */
  readonly inBase: DocumentSet
}

/**
 * Counts the values at some paths over a set of documents: for each path the most frequent first,
 * equals by their code points. A document counts once for each value it has.
 */
export function countFacets(
  index: CatalogueIndex,
  set: DocumentSet,
  paths: readonly FilterPath[],
  limit: number,
  scope: Scope,
  checkTime: () => void
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
  switch (path.kind) {
    case 'metadata':
      return countMetadata(index, matches, path.key, limit)
    case 'relation_key':
      return path.from === undefined
        ? countTargets(index, matches, path.type, limit, scope)
        : countReferring(index, matches.set, path.from, path.type, limit, scope)
    case 'relation_name':
      return countTargetNames(index, matches, path.type, limit, scope)
    default:
      return countColumn(index, matches, path.kind, limit)
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

export function topOf(counts: Iterable<readonly [string, number]>, limit: number): FacetValue[] {
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

function countMetadata(index: CatalogueIndex, { set, inBase }: Matches, key: string, limit: number): FacetValue[] {
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
  const counts = countValues(column, inBase, {
    valueCount: column.flags.length,
    counted: countedValues(column),
    isDistinct: false
  })
  return topValues(column, counts, further.counts, limit)
}

const isNotCounted = (flag: number) => (flag & (isDerivedFlag | isLongFlag)) !== 0

/**
 * For each value the first with the same text, which counts for all, or -1 for a value that does
 * not count; undefined where each counts for itself.
 */
function countedValues(column: Column): Int32Array | undefined {
  const known = countedByColumn.get(column)
  if (known !== undefined) return known ?? undefined
  const { flags } = column
  let counted: Int32Array | null = null
  let first = 0
  for (let at = 0; at < flags.length; at++) {
    // Values with the same text have the same folded text, so they follow each other.
    const isSame = at > 0 && sameFolded(column, at - 1, at) && valueText(column, first) === valueText(column, at)
    if (!isSame) first = at
    const place = isNotCounted(flags[at] as number) ? -1 : first
    if (place === at) continue
    counted ??= Int32Array.from({ length: flags.length }, (_, value) => value)
    counted[at] = place
  }
  countedByColumn.set(column, counted)
  return counted ?? undefined
}

const countedByColumn = new WeakMap<Column, Int32Array | null>()

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
  { set, inBase }: Matches,
  type: string,
  limit: number,
  scope: Scope
): FacetValue[] {
  const readable = index.readable(scope)
  const [further, loose] = countDeltaTargets(index, set, type)
  const top = new Top(limit)
  const offer = (target: number, count: number) => {
    if (count < (top.last?.count ?? 0) || (readable && !has(readable, target))) return
    top.offer(count, () => index.idOf(target))
  }
  const column = index.base.relations.columns[kindOf(index.base.relations, type)]
  if (column) {
    const { names } = column
    const counted = countedKeys(column, index)
    const counts = countValues(column, inBase, { valueCount: names.length, counted, isDistinct: true })
    const owners = index.plainOwners ?? index.ownersOf(names)
    const isPlain = owners === index.plainOwners
    // Of many targets most are in few documents: their owners are not looked up.
    const isWhole = further.size === 0 && loose.size === 0
    for (let place = 0; place < counts.length; place++) {
      const inThis = counts[place] as number
      if (inThis === 0 || (isWhole && inThis < (top.last?.count ?? 0))) continue
      const owner = owners[isPlain ? (names[place] as number) : place] as number
      if (owner === nobody) {
        const key = nameAt(index.base.names, names[place] as number)
        loose.set(key, (loose.get(key) ?? 0) + inThis)
        continue
      }
      offer(owner, inThis + (further.get(owner) ?? 0))
      if (further.size > 0) further.delete(owner)
    }
  }
  for (const [target, count] of further) offer(target, count)
  for (const [key, count] of loose) top.offer(count, () => key)
  return top.found
}

/** Counts by target, and by key where it leads nowhere. */
function countDeltaTargets(
  index: CatalogueIndex,
  set: DocumentSet,
  type: string
): [Map<number, number>, Map<string, number>] {
  const targets = new Map<number, number>()
  const loose = new Map<string, number>()
  for (const document of index.delta.values()) {
    if (!has(set, document.number)) continue
    const leads = document.targets
    const known = new Set<number | string>()
    document.relations.forEach((relation, at) => {
      if (relation.type !== type) return
      const target = leads[at] as number
      const value = target < 0 ? relation.key : target
      if (known.has(value)) return
      known.add(value)
      if (target < 0) loose.set(relation.key, (loose.get(relation.key) ?? 0) + 1)
      else targets.set(target, (targets.get(target) ?? 0) + 1)
    })
  }
  return [targets, loose]
}

/** For each key the first of the same document; undefined where each is of another one. */
function countedKeys(column: KeyColumn, index: CatalogueIndex): Int32Array | undefined {
  if (!index.plainOwners) return firstKeys(index.ownersOf(column.names), new Map())
  const known = countedByKeys.get(column)
  if (known !== undefined) return known ?? undefined
  const counted = firstKeys(index.ownersOf(column.names), undefined)
  countedByKeys.set(column, counted ?? null)
  return counted
}

const countedByKeys = new WeakMap<KeyColumn, Int32Array | null>()

/** Without `firsts`, the keys of a document must follow each other, as they do in a base. */
function firstKeys(owners: Uint32Array, firsts: Map<number, number> | undefined): Int32Array | undefined {
  let counted: Int32Array | undefined
  for (let at = 0; at < owners.length; at++) {
    const owner = owners[at] as number
    if (owner === nobody) continue
    const first = firsts
      ? firsts.get(owner)
      : at > 0 && owners[at - 1] === owner
        ? (counted?.[at - 1] ?? at - 1)
        : undefined
    if (first === undefined) {
      firsts?.set(owner, at)
      continue
    }
    counted ??= Int32Array.from({ length: owners.length }, (_, place) => place)
    counted[at] = first
  }
  return counted
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
  { set, inBase }: Matches,
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
  forEach(kind < 0 ? index.newSet() : inBase, source => {
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
  { set, inBase }: Matches,
  path: Exclude<FilterPath['kind'], 'metadata' | 'relation_key' | 'relation_name'>,
  limit: number
): FacetValue[] {
  const { base } = index
  const counts = new Map<string, number>()
  const addTo = (text: string, by = 1) => counts.set(text, (counts.get(text) ?? 0) + by)
  for (const document of index.delta.values())
    if (has(set, document.number)) for (const text of new Set(columnTexts(document, path))) addTo(text)
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

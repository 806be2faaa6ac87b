import type { CatalogueIndex } from './catalogue-index.ts'
import { isDerivedFlag, valueText } from './columns.ts'
import { countValues } from './document-values.ts'
import { typesByNameField } from './evaluate-filter.ts'
import { type FacetValue, type Matches, TextCounts, Top, topOf } from './facet-counts.ts'
import { leadingTo } from './leading-to.ts'
import { nameAt, nobody } from './names.ts'
import { readableIn, type Scope } from './readable.ts'
import { type KeyColumn, keyColumnOf, kindOf } from './relations.ts'
import { type DocumentSet, forEach, has, keepCommon, membersOf, numbersIn } from './sets.ts'
import { step } from './time-limit.ts'

/* Counts of related documents, and of their names. */

/** Related documents are counted by their ids; keys that lead nowhere by themselves. */
export function countTargets(
  index: CatalogueIndex,
  { set, inBase }: Matches,
  type: string,
  limit: number,
  scope: Scope
): FacetValue[] {
  const readable = readableIn(index, scope)
  const [further, loose] = countDeltaTargets(index, set, type)
  const top = new Top(limit)
  const offer = (target: number, count: number) => {
    if (count < (top.last?.count ?? 0) || (readable && !has(readable, target))) return
    top.offer(count, () => index.idOf(target))
  }
  const column = keyColumnOf(index.base.relations, type)
  if (column) {
    const { names } = column
    const counted = countedKeys(column, index)
    const counts = countValues(column, inBase, { valueCount: names.length, counted, isDistinct: true })
    const owners = index.plainOwners ?? index.ownersOf(names)
    const isPlain = owners === index.plainOwners
    // Of many targets most are in few documents: their owners are not looked up.
    const isWhole = further.size === 0 && loose.size === 0
    for (let place = 0; place < counts.length; place++) {
      step()
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
    step(document.targets.length)
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
    step()
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
  const readable = readableIn(index, scope)
  const isReadable = (number: number) => number >= 0 && (!readable || has(readable, number))
  const found = new Map<number, Set<number>>()
  const add = (document: number, target: number) => {
    const known = found.get(document)
    if (known) known.add(target)
    else found.set(document, new Set([target]))
  }
  const { starts, kinds, keys } = index.base.relations
  const [fromKind, kind] = [kindOf(index.base.relations, from), kindOf(index.base.relations, type)]
  const sources = fromKind < 0 || kind < 0 ? [] : numbersIn(index.withoutHidden(leadingTo(index, from, set)))
  for (const source of sources) {
    if (!isReadable(source)) continue
    const end = starts[source + 1] as number
    step(1 + end - (starts[source] as number))
    for (let at = starts[source] as number; at < end; at++) {
      if (kinds[at] !== fromKind) continue
      const document = index.ownerOf(keys[at] as number)
      if (document < 0 || !has(set, document)) continue
      step(end - (starts[source] as number))
      for (let other = starts[source] as number; other < end; other++) {
        const target = kinds[other] === kind ? index.ownerOf(keys[other] as number) : -1
        if (isReadable(target)) add(document, target)
      }
    }
  }
  for (const { number, relations, targets } of index.delta.values()) {
    step(relations.length)
    if (!isReadable(number)) continue
    relations.forEach((relation, at) => {
      const document = targets[at] as number
      if (relation.type !== from || document < 0 || !has(set, document)) return
      step(relations.length)
      relations.forEach((other, place) => {
        const target = other.type === type ? (targets[place] as number) : -1
        if (isReadable(target)) add(document, target)
      })
    })
  }
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

export function countTargetNames(
  index: CatalogueIndex,
  { set, inBase }: Matches,
  type: string,
  limit: number,
  scope: Scope
): FacetValue[] {
  const readable = readableIn(index, scope)
  const texts = namesOfTargets(index, type)
  const counts = new TextCounts()
  const textsOf = (target: number) =>
    target < 0 || (readable && !has(readable, target)) ? [] : (texts.get(target) ?? [])
  const { starts, kinds, keys } = index.base.relations
  const kind = kindOf(index.base.relations, type)
  forEach(kind < 0 ? index.newSet() : inBase, source => {
    const found: string[] = []
    const end = starts[source + 1] as number
    step(end - (starts[source] as number))
    for (let at = starts[source] as number; at < end; at++)
      if (kinds[at] === kind) found.push(...textsOf(index.ownerOf(keys[at] as number)))
    if (found.length > 0) counts.add(found)
  })
  for (const document of index.delta.values()) {
    step(document.targets.length)
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
  for (let at = 0; at < keys.length; at++) {
    step()
    if (kinds[at] === kind) note(index.ownerOf(keys[at] as number))
  }
  for (const document of index.delta.values()) {
    step(document.targets.length)
    document.targets.forEach((target, at) => {
      if (document.relations[at]?.type === type) note(target)
    })
  }
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
      step()
      if (!has(ofTypes, document) || has(index.hidden, document)) return
      if (!((column.flags[value] as number) & isDerivedFlag)) addName(document, valueText(column, value))
    }
    const members = membersOf(column.documents)
    for (let at = 0; at < members.length; at++) addValue(members[at] as number, column.firsts[at] as number)
    for (let at = 0; at < column.further.length; at++)
      addValue(column.furtherDocuments[at] as number, column.further[at] as number)
  }
  for (const { number, values } of index.delta.values()) {
    step(values.length)
    if (has(targets, number))
      for (const { isName, text } of values) if (isName === 1) addName(number, text ?? undefined)
  }
  return names
}

import type { FieldTest } from '#domain/filter/filter.ts'
import type { ColumnPath } from '#domain/filter/filter-path.ts'
import { compareTexts } from './arrays.ts'
import { noType } from './base.ts'
import type { CurrentDocuments, TextPlaces } from './current-documents.ts'
import { textPredicate } from './field-tests.ts'
import { nameAt } from './names.ts'
import { RanksBetween } from './ranks-between.ts'
import { firstMeeting, type SortedDocuments, type SortKey } from './select-page.ts'
import { add, type DocumentSet, forEach, has, keepCommon, removeAll } from './sets.ts'
import { step } from './time-limit.ts'
import { instantAt, instantsOfBlock } from './times.ts'
import { placeAmong } from './place-among.ts'

/* The types and ids of documents, and the times and authors of their changes, as they are now. */

/** Facts of which many documents have the same. */
export type TextColumn = 'type' | 'created_by' | 'updated_by'

/** The types of documents, or those who wrote them. */
export function textPlaces(index: CurrentDocuments, path: TextColumn): TextPlaces {
  const { base, delta } = index
  if (path === 'type') return index.types
  const name = path === 'created_by' ? 'createdBy' : 'updatedBy'
  if (!index.isChanged) return { places: base[name], texts: base.people }
  return index.rememberUntilChange(`places ${path}`, () => {
    const placeOf = new Map(base.people.map((person, place) => [person, place]))
    const places = new Uint32Array(index.size)
    places.set(base[name])
    for (const document of delta.documents.values()) {
      step()
      places[document.number] = placeAmong(placeOf, document[name])
    }
    return { places, texts: [...placeOf.keys()] }
  })
}

/** When a document was created or changed, in milliseconds. */
export function instantOf(index: CurrentDocuments, number: number, path: 'created_at' | 'updated_at'): number {
  const name = path === 'created_at' ? 'createdAt' : 'updatedAt'
  const changed = has(index.hidden, number) ? index.delta.documents.get(number) : undefined
  return changed ? changed[name] : instantAt(index.base[name], number)
}

/** The texts that a document has at a path. */
export function factTexts(index: CurrentDocuments, number: number, path: ColumnPath): readonly string[] {
  const { base } = index
  const changed = index.delta.documents.get(number)
  switch (path) {
    case 'type':
      return [index.typeOf(number)]
    case 'id':
      return [index.idOf(number)]
    case 'created_at':
    case 'updated_at':
      return [new Date(instantOf(index, number, path)).toISOString()]
    case 'created_by':
      return [changed?.createdBy ?? (base.people[base.createdBy[number] as number] as string)]
    case 'updated_by':
      return [changed?.updatedBy ?? (base.people[base.updatedBy[number] as number] as string)]
    case 'identifiers': {
      if (changed) return changed.identifiers
      const first = base.firstNames[number] as number
      const length = (base.firstNames[number + 1] as number) - first
      step(length)
      return Array.from({ length }, (_, at) => nameAt(base.names, first + at))
    }
  }
}

/** The documents with a text at a path of which a test is true. */
export function withFact(index: CurrentDocuments, path: ColumnPath, test: FieldTest): DocumentSet {
  const isMet = textPredicate(test)
  const set = index.newSet()
  if (path === 'type') return index.ofTypes(textPlaces(index, path).texts.filter(isMet))
  if (path === 'created_by' || path === 'updated_by') {
    const { places, texts } = textPlaces(index, path)
    const isWanted = texts.map(isMet)
    forEach(index.everything(), number => {
      if (isWanted[places[number] as number]) add(set, number)
    })
    return set
  }
  if (path === 'id' || path === 'identifiers') {
    forEach(index.everything(), number => {
      if (factTexts(index, number, path).some(isMet)) add(set, number)
    })
    return set
  }
  // Records that were written together share a moment.
  let last = Number.NaN
  let isLastMet = false
  forEach(index.everything(), number => {
    const instant = instantOf(index, number, path)
    if (instant !== last) isLastMet = isMet(new Date(instant).toISOString())
    last = instant
    if (isLastMet) add(set, number)
  })
  return set
}

/** The documents that were created or changed in a range of time. */
export function withinInstants(
  index: CurrentDocuments,
  path: 'created_at' | 'updated_at',
  { from, to }: Extract<FieldTest, { kind: 'instant' }>
): DocumentSet {
  const { base, delta } = index
  const instants = path === 'created_at' ? base.createdAt : base.updatedAt
  const order = path === 'created_at' ? undefined : base.byChange
  const { earliest, latest } = instants
  const isWithin = (block: number) => (earliest[block] as number) >= from && (latest[block] as number) <= to
  const isOutside = (block: number) => (latest[block] as number) < from || (earliest[block] as number) > to
  const isMet = (instant: number) => instant >= from && instant <= to
  let within = 0
  for (let block = 0; block < earliest.length; block++) {
    step()
    if (isWithin(block)) within++
  }
  // The fewer documents are looked at: those in the range, or the others.
  const isMost = within * 2 > earliest.length
  const set = isMost ? index.everything().slice() : index.newSet()
  for (let block = 0; block < earliest.length; block++) {
    step()
    if (isMost ? isWithin(block) : isOutside(block)) continue
    const isMixed = !isWithin(block) && !isOutside(block)
    const first = block * instantsOfBlock
    const end = Math.min(order?.length ?? base.size, first + instantsOfBlock)
    step(instantsOfBlock >>> 3)
    for (let at = first; at < end; at++) {
      const number = order ? (order[at] as number) : at
      if (isMixed && isMet(instantAt(instants, number)) === isMost) continue
      const word = number >>> 5
      set[word] = (set[word] as number) ^ (1 << (number & 31))
    }
  }
  // Numbers without a document were changed over too, and changed documents are not decided.
  keepCommon(set, index.everything())
  removeAll(set, index.hidden)
  for (const { number, createdAt, updatedAt } of delta.documents.values()) {
    step()
    if (isMet(path === 'created_at' ? createdAt : updatedAt)) add(set, number)
  }
  return set
}

/** The order of the ids of documents. */
export function byId(index: CurrentDocuments): SortKey {
  const { base, delta } = index
  let byRank: Uint32Array | undefined
  /** Made only where there is something to place between the ids of the base. */
  const rankOf = (id: string): number => {
    if (!byRank) {
      byRank = new Uint32Array(base.size)
      let count = 0
      for (let number = 0; number < base.size; number++) {
        step()
        if (base.types[number] === noType) continue
        byRank[base.idRanks[number] as number] = number
        count++
      }
      byRank = byRank.subarray(0, count)
    }
    const sorted = byRank
    return rankAmong(sorted.length, rank => index.baseIdOf(sorted[rank] as number), id)
  }
  return index.rememberUntilChange('ids', () => {
    const texts = delta.documents.values().map(of => ({ document: of.number, of, text: of.id }))
    const ranks = new RanksBetween(texts, rankOf, delta.ranks)
    return {
      key: number => ranks.keys.get(number) ?? (base.idRanks[number] as number) * 2,
      sayOf: number => index.idOf(number),
      keyOf: id => ranks.keyOf(id)
    }
  })
}

/** Twice the rank of a text among sorted ones, or the odd number before the next. */
export function rankAmong(count: number, textOf: (rank: number) => string, said: string): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = compareTexts(textOf(middle), said)
    if (difference === 0) return middle * 2
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low * 2 - 1
}

/** The documents of a set whose last change came after another one. */
export function changedAfter(index: CurrentDocuments, set: DocumentSet, change: number): number[] {
  const { byChange, changed } = index.base
  const found: number[] = []
  for (let at = firstMeeting(byChange, number => (changed[number] as number) > change); at < byChange.length; at++) {
    step()
    const number = byChange[at] as number
    if (has(set, number) && !has(index.hidden, number)) found.push(number)
  }
  for (const { number, changed } of index.delta.documents.values()) {
    step()
    if (changed > change && has(set, number)) found.push(number)
  }
  return found
}

/** The documents in ascending order of their last changes, up to a change. */
export function sortedByChange(index: CurrentDocuments, change: number): Omit<SortedDocuments, 'isDescending'> {
  const { byChange, changed } = index.base
  const keyOf = (number: number) => changed[number] as number
  return {
    numbers: byChange.subarray(
      0,
      firstMeeting(byChange, number => keyOf(number) > change)
    ),
    keyOf,
    isMoved: number => has(index.hidden, number),
    moved: index.delta.documents.keys(),
    haveAll: true
  }
}

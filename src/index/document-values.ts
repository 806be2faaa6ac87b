import { growingNumbers, narrowNumbers, type Numbers } from './arrays.ts'
import type { ColumnArrays } from './packed-columns.ts'
import {
  add,
  addMembers,
  bitsIn,
  type DocumentSet,
  emptySet,
  firstAt,
  has,
  isSame,
  type Members,
  membersOf,
  placeOf,
  toMembers
} from './sets.ts'
import { inParts, partFrom, step } from './time-limit.ts'

/** The values of documents, as places in a list of values. */
export interface DocumentValues {
  /** The documents that have a value. */
  readonly documents: Members
  /** The first value of each of them, in ascending order of the documents. */
  readonly firsts: Numbers
  /** Documents with more than one value, in ascending order: one entry for each further value. */
  readonly furtherDocuments: Uint32Array
  readonly further: Numbers
}

export const namesOfValueArrays = ['list', 'set', 'before', 'firsts', 'furtherDocuments', 'further'] as const
type ValueArrays = ColumnArrays<(typeof namesOfValueArrays)[number]>

export const arraysOfValues = ({ documents, firsts, furtherDocuments, further }: DocumentValues): ValueArrays => ({
  list: undefined,
  set: undefined,
  before: undefined,
  ...documents,
  firsts,
  furtherDocuments,
  further
})

export function valuesOfArrays({ list, set, before, ...values }: ValueArrays): DocumentValues {
  const { firsts, furtherDocuments, further } = values as DocumentValues
  const documents = list ? { list } : { set, before, size: firsts.length }
  return { documents: documents as Members, firsts, furtherDocuments, further }
}

/** Takes pairs of a document and a value, in ascending order of the documents. */
export function toDocumentValues(
  documents: Uint32Array,
  values: Uint32Array,
  size: number,
  valueCount: number
): DocumentValues {
  const [members, firsts] = [growingNumbers(), growingNumbers()]
  const [furtherDocuments, further] = [growingNumbers(), growingNumbers()]
  let last = -1
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] as number
    if (document === last) furtherDocuments.push(document)
    else members.push(document)
    ;(document === last ? further : firsts).push(values[at] as number)
    last = document
  }
  return {
    documents: toMembers(members.array.subarray(0, members.length), size),
    firsts: narrowNumbers(firsts.array.subarray(0, firsts.length), valueCount),
    furtherDocuments: furtherDocuments.done(),
    further: narrowNumbers(further.array.subarray(0, further.length), valueCount)
  }
}

/** Calls back with the values of a document, in their order. */
export function forEachValueOf(
  { documents, firsts, furtherDocuments, further }: DocumentValues,
  document: number,
  work: (value: number) => void
) {
  const place = placeOf(documents, document)
  if (place < 0) return
  step()
  work(firsts[place] as number)
  if (further.length === 0) return
  for (let at = firstAt(furtherDocuments, document); furtherDocuments[at] === document; at++) {
    step()
    work(further[at] as number)
  }
}

/** Adds the documents with a marked value to a set. */
export function addMarked(
  { documents, firsts, furtherDocuments, further }: DocumentValues,
  marks: Uint8Array,
  set: DocumentSet
) {
  addMembers(set, documents, firsts, marks)
  for (let at = 0; at < further.length; at++) {
    step()
    if (marks[further[at] as number]) add(set, furtherDocuments[at] as number)
  }
}

/** How values are counted. */
export interface Counting {
  readonly valueCount: number
  /**
   * For each value the one that is counted for it, which is itself or a lower one, or -1 for none;
   * undefined where each counts for itself.
   */
  readonly counted: Int32Array | undefined
  /** Whether no document has a value twice. */
  readonly isDistinct: boolean
}

/** The number of documents of a set with each value; a document counts once for a value. */
export function countValues(values: DocumentValues, set: DocumentSet, counting: Counting): Uint32Array {
  const { counted, isDistinct, valueCount } = counting
  const counts = new Uint32Array(valueCount)
  countFirsts(values, set, counts)
  if (counted)
    for (let value = 0; value < valueCount; value++) {
      step()
      const place = counted[value] as number
      if (place === value) continue
      if (place >= 0) counts[place] = (counts[place] as number) + (counts[value] as number)
      counts[value] = 0
    }
  if (isDistinct && !counted) countDistinctFurther(values, set, counts)
  else countFurther(values, set, counted, counts)
  return counts
}

/** Documents in groups: all of one group, then all of the next. */
export interface GroupedDocuments {
  readonly documents: Uint32Array
  /** The group of each. */
  readonly groups: Uint32Array
}

/** Groups without and with changed documents. */
export interface GroupsByChange {
  readonly unchanged: GroupedDocuments
  readonly changed: GroupedDocuments
}

/** The documents of each group. */
export function* groupsIn({ documents, groups }: GroupedDocuments): Generator<Uint32Array> {
  for (let at = 0, start = 0; at < groups.length; at++) {
    step()
    if (groups[at] === groups[at + 1]) continue
    yield documents.subarray(start, at + 1)
    start = at + 1
  }
}

/** The number of groups in which a document has each value. */
export function countValuesByGroup(
  values: DocumentValues,
  { documents, groups }: GroupedDocuments,
  { valueCount, counted }: Omit<Counting, 'isDistinct'>
): Uint32Array {
  const counter = new GroupCounter(valueCount)
  const countedOf = (value: number) => (counted ? (counted[value] as number) : value)
  const { furtherDocuments, further } = values
  const { firsts, withFurther } = byDocument(values, valueCount)
  for (let at = 0, end = 0; at < documents.length; ) {
    end = partFrom(at, documents.length)
    for (; at < end; at++) {
      const document = documents[at] as number
      const first = firsts[document]
      if (first === undefined || first === 0) continue
      counter.add(countedOf(first - 1), groups[at] as number)
      if (!has(withFurther, document)) continue
      for (let next = firstAt(furtherDocuments, document); furtherDocuments[next] === document; next++) {
        step()
        counter.add(countedOf(further[next] as number), groups[at] as number)
      }
    }
  }
  return counter.counts
}

/** The number of groups that have each value: one after the other. */
export class GroupCounter {
  /** The last group of each value, plus one, and its count beside it: both are used at once. */
  readonly #seen: Uint32Array

  constructor(valueCount: number) {
    this.#seen = new Uint32Array(valueCount * 2)
  }

  add(value: number, group: number) {
    const seen = this.#seen
    if (value < 0 || seen[value * 2] === group + 1) return
    seen[value * 2] = group + 1
    seen[value * 2 + 1] = (seen[value * 2 + 1] as number) + 1
  }

  get counts(): Uint32Array {
    const counts = new Uint32Array(this.#seen.length / 2)
    for (let value = 0; value < counts.length; value++) {
      step()
      counts[value] = this.#seen[value * 2 + 1] as number
    }
    return counts
  }
}

/** Values by the number of the document, for many documents that are not in its order. */
interface ByDocument {
  /** The first value of each, plus one; 0 for none. */
  readonly firsts: Numbers
  /** The documents with several values. */
  readonly withFurther: DocumentSet
}

function byDocument(values: DocumentValues, valueCount: number): ByDocument {
  const known = valuesByDocument.get(values)
  if (known) return known
  const members = membersOf(values.documents)
  const size = (members.at(-1) ?? -1) + 1
  const [firsts, withFurther] = [new Uint32Array(size), emptySet(size)]
  inParts(0, members.length, (first, end) => {
    for (let at = first; at < end; at++) firsts[members[at] as number] = (values.firsts[at] as number) + 1
  })
  inParts(0, values.further.length, (first, end) => {
    for (let at = first; at < end; at++) add(withFurther, values.furtherDocuments[at] as number)
  })
  const made = { firsts: narrowNumbers(firsts, valueCount + 1), withFurther }
  valuesByDocument.set(values, made)
  return made
}

const valuesByDocument = new WeakMap<DocumentValues, ByDocument>()

/**
 * Counts the first values of documents of a set. Where it has most of the documents that have one,
 * the others are subtracted from the counts of all.
 */
function countFirsts(values: DocumentValues, set: DocumentSet, counts: Uint32Array) {
  const { documents, firsts } = values
  if ('list' in documents) {
    const { list } = documents
    for (let at = 0; at < list.length; at++) {
      step()
      if (has(set, list[at] as number)) addTo(counts, firsts[at] as number, 1)
    }
    return
  }
  const { size } = documents
  const counted = countedMembers(documents, set)
  const { matching } = counted
  const isInverse = matching * 2 > size && counts.length * minShare <= size
  if (isInverse) counts.set(countAll(values, counts.length))
  else if (matching === size) countEach(firsts, counts)
  if (matching === size) return
  countAt(firsts, placesOfCounted(documents, set, counted, isInverse), counts, isInverse ? -1 : 1)
}

/**
 * Counts the values at some places. Each kind of array has a loop of its own: one that all share
 * takes half as much time again.
 */
function countAt(values: Numbers, places: Uint32Array, counts: Uint32Array, by: number) {
  for (let from = 0, end = 0; from < places.length; from = end) {
    end = partFrom(from, places.length)
    if (values instanceof Uint8Array)
      for (let at = from; at < end; at++) addTo(counts, values[places[at] as number] as number, by)
    else if (values instanceof Uint16Array)
      for (let at = from; at < end; at++) addTo(counts, values[places[at] as number] as number, by)
    else for (let at = from; at < end; at++) addTo(counts, values[places[at] as number] as number, by)
  }
}

type MembersInSet = Extract<Members, { set: DocumentSet }>

/** How many of some members a set has, and the places of those that it has, or has not. */
interface CountedMembers {
  readonly all: DocumentSet
  readonly matching: number
  places?: Uint32Array
  inversePlaces?: Uint32Array
}

/** Kept for the set that was counted last: many of its facets are of the same documents. */
let lastCounted: { readonly of: DocumentSet; readonly known: CountedMembers[] } | undefined

/** For a set of members the one with the same members that was met first. */
const firstsOfSame = new WeakMap<DocumentSet, DocumentSet>()

function countedMembers({ set: all, size }: MembersInSet, set: DocumentSet): CountedMembers {
  if (lastCounted?.of !== set) {
    lastCounted = { of: set, known: [] }
    usedRoom = 0
  }
  const first = firstsOfSame.get(all) ?? all
  const same =
    lastCounted.known.find(each => each.all === first) ?? lastCounted.known.find(each => isSame(each.all, all))
  if (same) {
    firstsOfSame.set(all, same.all)
    return same
  }
  step(size >>> 5)
  let matching = 0
  for (let word = 0; word < all.length; word++) matching += bitsIn((all[word] as number) & (set[word] as number))
  const counted = { all: first, matching }
  lastCounted.known.push(counted)
  return counted
}

/** Memory for the places of the set that was counted last: some megabytes are much to collect. */
let room = new Uint32Array(0)
let usedRoom = 0

function takeRoom(length: number): Uint32Array {
  if (usedRoom + length > room.length) {
    room = new Uint32Array(Math.max(room.length * 2, length))
    usedRoom = 0
  }
  usedRoom += length
  return room.subarray(usedRoom - length, usedRoom)
}

/** Finds the places only once for all facets of a set that are of the same documents. */
function placesOfCounted(
  { set: all, before, size }: MembersInSet,
  set: DocumentSet,
  counted: CountedMembers,
  isInverse: boolean
): Uint32Array {
  const known = isInverse ? counted.inversePlaces : counted.places
  if (known) return known
  const places = takeRoom(isInverse ? size - counted.matching : counted.matching)
  if (isInverse) counted.inversePlaces = places
  else counted.places = places
  const inverse = isInverse ? -1 : 0
  let found = 0
  for (let word = 0; word < all.length; word++) {
    step(8)
    const members = all[word] as number
    let wanted = members & ((set[word] as number) ^ inverse)
    if (wanted === 0) continue
    const first = before[word] as number
    if (wanted === (members | 0)) {
      const end = word + 1 < all.length ? (before[word + 1] as number) : size
      for (let at = first; at < end; at++) places[found++] = at
      continue
    }
    while (wanted !== 0) {
      const lowest = wanted & -wanted
      places[found++] = first + bitsIn(members & (lowest - 1))
      wanted ^= lowest
    }
  }
  return places
}

/** The counts of all are cached where a value occurs in so many documents on average. */
const minShare = 4

/** The number of documents whose first value is each value. */
function countAll(values: DocumentValues, valueCount: number): Uint32Array {
  const known = countsOfAll.get(values)
  if (known) return known
  const counts = new Uint32Array(valueCount)
  countEach(values.firsts, counts)
  countsOfAll.set(values, counts)
  return counts
}

function countEach(values: Numbers, counts: Uint32Array) {
  inParts(0, values.length, (first, end) => {
    for (let at = first; at < end; at++) addTo(counts, values[at] as number, 1)
  })
}

const countsOfAll = new WeakMap<DocumentValues, Uint32Array>()

function addTo(counts: Uint32Array, value: number, by: number) {
  counts[value] = (counts[value] as number) + by
}

function countDistinctFurther({ furtherDocuments, further }: DocumentValues, set: DocumentSet, counts: Uint32Array) {
  inParts(0, further.length, (first, end) => {
    // Without a branch, which takes longer where about half of the documents are in the set.
    for (let at = first; at < end; at++) {
      const document = furtherDocuments[at] as number
      addTo(counts, further[at] as number, ((set[document >>> 5] as number) >>> (document & 31)) & 1)
    }
  })
}

function countFurther(
  { documents, firsts, furtherDocuments, further }: DocumentValues,
  set: DocumentSet,
  counted: Int32Array | undefined,
  counts: Uint32Array
) {
  const countedOf = (value: number) => (counted ? (counted[value] as number) : value)
  for (let at = 0, start = 0; at < further.length; at++) {
    step()
    const document = furtherDocuments[at] as number
    if (document !== furtherDocuments[start]) start = at
    if (!has(set, document)) continue
    const value = countedOf(further[at] as number)
    if (value < 0) continue
    let isKnown = countedOf(firsts[placeOf(documents, document)] as number) === value
    for (let before = start; before < at && !isKnown; before++) {
      step()
      isKnown = countedOf(further[before] as number) === value
    }
    if (!isKnown) counts[value] = (counts[value] as number) + 1
  }
}

/** The number of documents of a set with each value, where every document has one. */
export function countNumbers(set: DocumentSet, values: Numbers, valueCount: number): Uint32Array {
  const counts = new Uint32Array(valueCount)
  for (let word = 0; word < set.length; word++) {
    step(32)
    let bits = set[word] as number
    while (bits !== 0) {
      const lowest = bits & -bits
      const value = values[(word << 5) + (31 - Math.clz32(lowest))] as number
      counts[value] = (counts[value] as number) + 1
      bits ^= lowest
    }
  }
  return counts
}

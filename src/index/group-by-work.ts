import { expressionLevel, manifestationLevel, workLevel } from '#domain/entity/owners.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { growingFloats } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import type { GroupedDocuments } from './document-values.ts'
import type { Fit, Ordering } from './order.ts'
import { type Heads, headsIn } from './owners.ts'
import { type FirstKeys, timed } from './select-page.ts'
import {
  add,
  count,
  countsBefore,
  type DocumentSet,
  forEach,
  has,
  isEmpty,
  keepCommon,
  numbersIn,
  placeIn,
  removeAll
} from './sets.ts'
import { inParts, partFrom, step } from './time-limit.ts'

/** The number of matching records of a group, beside its head. */
export interface MatchCounts {
  readonly expressions: number
  readonly manifestations: number
  /** Performances and media files. */
  readonly parts: number
}

/** A record with everything that belongs to it and matches. Records are given by their numbers. */
export interface Group {
  readonly head: number
  /** Whether the head itself matches. */
  readonly isMatch: boolean
  /** The first matching one in the order of the query. */
  readonly expression?: number
  readonly manifestation?: number
  readonly part?: number
  readonly matching: MatchCounts
  /** The languages of all expressions of a work, the most frequent first. */
  readonly languages: readonly number[]
}

/** The heads of some documents, with every document of each. */
export interface Grouped {
  readonly heads: DocumentSet
  /** The documents that belong to a head. */
  documentsOf(head: number): Uint32Array
  /** All documents, by their heads. */
  readonly all: GroupedDocuments
  /**
   * A group has the place of its first document. Of groups whose first documents fit a search
   * alike, the larger comes first. Two with the same first document are in the order of their
   * heads.
   */
  readonly ordering: Ordering
}

/**
 * Groups documents by the records that they belong to: by their works, through records that may be
 * read only. A document that belongs to several is in each of their groups.
 */
export function groupDocuments(
  index: CatalogueIndex,
  set: DocumentSet,
  ordering: Ordering,
  readable: DocumentSet | undefined
): Grouped {
  const groups = groupsOf(index, sortByHead(index, set, readable))
  const { heads, numbers, starts, placeOf, all } = groups
  const firsts = firstDocuments(groups, ordering)
  const firstOf = (head: number) => firsts[placeOf(head)] as number
  const documentsOf = (head: number) => {
    const place = placeOf(head)
    return all.documents.subarray(starts[place], starts[place + 1])
  }
  const first = isMany(index, numbers.length) ? firstKeysOf(index.size, numbers, firsts, ordering) : undefined
  return {
    heads,
    all,
    documentsOf,
    ordering: ordering.fit
      ? orderBySize(ordering, ordering.fit, groups, firsts, first)
      : {
          ...(first ? { first } : {}),
          compare: (one, other) => ordering.compare(firstOf(one), firstOf(other)) || one - other,
          compareWith: ({ values, sequence }) => {
            const compare = ordering.compareWith({ values: values.slice(0, -1), sequence })
            const place = Number(values.at(-1))
            return head => compare(firstOf(head)) || head - place
          },
          positionOf: head => {
            const { values, sequence } = ordering.positionOf(firstOf(head))
            return { values: [...values, String(head)], sequence }
          }
        }
  }
}

/** For one document, or group, in so many documents on, arrays of all documents are made. */
const manyShare = 64

const isMany = ({ size }: CatalogueIndex, count: number) => count * manyShare > size

/** Documents by their heads, which have places in ascending order. */
interface Groups {
  readonly heads: DocumentSet
  /** The head of each place. */
  readonly numbers: Uint32Array
  /** Where the documents of each head begin in `all`, and where the last ones end. */
  readonly starts: Uint32Array
  readonly all: GroupedDocuments
  placeOf(head: number): number
}

/** The heads of documents that are sorted by them, with the part of each. */
function groupsOf(index: CatalogueIndex, all: GroupedDocuments): Groups {
  const { groups } = all
  const heads = index.newSet()
  const starts = new Uint32Array(groups.length + 1)
  let length = 0
  for (let at = 0, end = 0, last = -1; at < groups.length; ) {
    end = partFrom(at, groups.length)
    for (; at < end; at++) {
      const head = groups[at] as number
      if (head === last) continue
      add(heads, head)
      starts[length++] = at
      last = head
    }
  }
  starts[length] = groups.length
  const before = countsBefore(heads)
  const placeOf = (head: number) => placeIn(heads, before, head)
  return { heads, numbers: numbersIn(heads), starts: starts.subarray(0, length + 1), all, placeOf }
}

/** Finds the first document of each head in an order, by the places of the heads. */
function firstDocuments({ numbers, starts, all: { documents } }: Groups, ordering: Ordering): Uint32Array {
  const firsts = new Uint32Array(numbers.length)
  const isBefore = comesFirst(ordering)
  for (let place = 0; place < numbers.length; place++) {
    const [start, end] = [starts[place] as number, starts[place + 1] as number]
    step()
    let first = documents[ordering.byNumber === 'descending' ? end - 1 : start] as number
    if (!ordering.byNumber)
      for (let at = start + 1; at < end; at++) {
        step()
        const document = documents[at] as number
        if (isBefore(document, first)) first = document
      }
    firsts[place] = first
  }
  return firsts
}

/** Tells whether a document comes before another one, which has a lower number. */
function comesFirst({ compare, first }: Ordering): (document: number, other: number) => boolean {
  if (!first) return (document, other) => compare(document, other) < 0
  const { keys, isDescending, next } = first
  return (document, other) => {
    const [key, otherKey] = [keys[document] as number, keys[other] as number]
    if (isDescending ? key < otherKey : key > otherKey) return false
    if (key === otherKey && next) return next(document) < next(other)
    return compare(document, other) < 0
  }
}

/** The keys that an order compares first, of the first documents of heads, by their heads. */
function firstKeysOf(
  size: number,
  numbers: Uint32Array,
  firsts: Uint32Array,
  { byNumber, first }: Ordering
): FirstKeys | undefined {
  if (!byNumber && !first) return undefined
  const of = first?.keys
  const keys =
    of instanceof Uint16Array
      ? new Uint16Array(size)
      : of instanceof Float64Array
        ? new Float64Array(size)
        : new Uint32Array(size)
  for (let place = 0; place < numbers.length; place++) {
    step()
    const document = firsts[place] as number
    keys[numbers[place] as number] = of ? (of[document] as number) : document
  }
  return { keys, isDescending: first ? first.isDescending : byNumber === 'descending' }
}

/** Documents by their heads; in ascending order for each. */
function sortByHead(index: CatalogueIndex, set: DocumentSet, readable: DocumentSet | undefined): GroupedDocuments {
  const heads = headsIn(index, readable)
  if (!isMany(index, count(set))) return sortFew(index, set, heads)
  const regular = set.slice()
  removeAll(regular, heads.others)
  const rest = set.slice()
  keepCommon(rest, heads.others)
  const inBase = heads.inBase()
  // As many as there are documents, and once more where one belongs to several heads.
  const most = count(regular) + inBase.repeated
  const known = partOf(inBase, regular, most)
  return isEmpty(rest) ? known : mergeByHead(known, sortFew(index, rest, heads))
}

/** Looks for the heads of each document. */
function sortFew({ size }: CatalogueIndex, set: DocumentSet, { forEachHead }: Heads): GroupedDocuments {
  // Sorted as one number each, which is exact for an index of up to 94 million documents.
  const pairs = growingFloats()
  forEach(set, document => {
    const first = pairs.length
    forEachHead(document, head => {
      const pair = head * size + document
      for (let at = first; at < pairs.length; at++) if (pairs.array[at] === pair) return
      pairs.push(pair)
    })
  })
  const sorted = pairs.array.subarray(0, pairs.length).sort()
  step(sorted.length)
  const [documents, groups] = [new Uint32Array(sorted.length), new Uint32Array(sorted.length)]
  inParts(0, sorted.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const pair = sorted[at] as number
      documents[at] = pair % size
      groups[at] = Math.floor(pair / size)
    }
  })
  return { documents, groups }
}

/** Those of sorted documents that are in a set; without branches, as about half of them may be. */
function partOf({ documents, groups }: GroupedDocuments, set: DocumentSet, most: number): GroupedDocuments {
  // One more: each document is written, and stays if it is in the set.
  const [foundDocuments, foundGroups] = [new Uint32Array(most + 1), new Uint32Array(most + 1)]
  let length = 0
  // Without a function for each part: variables that two functions share take twice the time here.
  for (let at = 0, end = 0; at < documents.length; ) {
    end = partFrom(at, documents.length)
    for (; at < end; at++) {
      const document = documents[at] as number
      foundDocuments[length] = document
      foundGroups[length] = groups[at] as number
      length += ((set[document >>> 5] as number) >>> (document & 31)) & 1
    }
  }
  return { documents: foundDocuments.subarray(0, length), groups: foundGroups.subarray(0, length) }
}

function mergeByHead(one: GroupedDocuments, other: GroupedDocuments): GroupedDocuments {
  const length = one.groups.length + other.groups.length
  const [documents, groups] = [new Uint32Array(length), new Uint32Array(length)]
  for (let at = 0, left = 0, right = 0; at < length; at++) {
    step()
    const [head, otherHead] = [one.groups[left], other.groups[right]]
    const isLeft =
      otherHead === undefined ||
      (head !== undefined &&
        (head < otherHead ||
          (head === otherHead && (one.documents[left] as number) < (other.documents[right] as number))))
    const from = isLeft ? one : other
    const place = isLeft ? left++ : right++
    documents[at] = from.documents[place] as number
    groups[at] = from.groups[place] as number
  }
  return { documents, groups }
}

/**
 * Groups of which the first documents fit alike are ordered by their sizes. Where one publication
 * is the first of several works, as a recording is of its pieces, one of them stands for it: the
 * others come after all that fit alike.
 */
function orderBySize(
  { positionOf, first: known }: Ordering,
  fit: Fit,
  { heads, numbers, starts, placeOf }: Groups,
  firsts: Uint32Array,
  first: FirstKeys | undefined
): Ordering {
  const seen = heads.slice().fill(0)
  const sizes = new Float64Array(numbers.length)
  for (let place = 0; place < numbers.length; place++) {
    step()
    const document = firsts[place] as number
    const size = (starts[place + 1] as number) - (starts[place] as number)
    sizes[place] = has(seen, document) ? size : size + maxSize
    add(seen, document)
  }
  const firstOf = (head: number) => firsts[placeOf(head)] as number
  const sizeOf = (head: number) => sizes[placeOf(head)] as number
  const next = known?.next
  const nextOf = (head: number) => (next?.(firstOf(head)) ?? 0) * maxSize * 2 - sizeOf(head)
  return {
    ...(first && next ? { first: { ...first, next: nextOf } } : {}),
    compare: (one, other) => fit.compare(firstOf(one), firstOf(other)) || sizeOf(other) - sizeOf(one) || one - other,
    compareWith: ({ values, sequence }) => {
      const compare = fit.compareWith({ values: values.slice(0, -1), sequence })
      const size = Number(values.at(-1))
      return head => compare(firstOf(head)) || size - sizeOf(head) || head - sequence
    },
    positionOf: head => ({ values: [...positionOf(firstOf(head)).values, String(sizeOf(head))], sequence: head })
  }
}

/** Larger than any group. */
const maxSize = 2 ** 32

/** Describes the groups of some heads. */
export function describeGroups(
  index: CatalogueIndex,
  heads: readonly number[],
  { documentsOf }: Grouped,
  ordering: Ordering,
  readable: DocumentSet | undefined
): Group[] {
  return heads.map(head => {
    const found = new Set(documentsOf(head))
    const isMatch = found.delete(head)
    const sorted = [...found].sort(timed(ordering.compare))
    const levelOf = (document: number) => index.model.umbrellaOf(index.typeOf(document))
    const [expressions, manifestations, parts]: [number[], number[], number[]] = [[], [], []]
    for (const document of sorted) {
      step()
      const level = levelOf(document)
      const same = level === expressionLevel ? expressions : level === manifestationLevel ? manifestations : parts
      same.push(document)
    }
    const [[expression], [manifestation], [part]] = [expressions, manifestations, parts]
    return {
      head,
      isMatch,
      ...(expression === undefined ? {} : { expression }),
      ...(manifestation === undefined ? {} : { manifestation }),
      ...(part === undefined ? {} : { part }),
      matching: {
        expressions: expressions.length,
        manifestations: manifestations.length,
        parts: parts.length
      },
      languages: levelOf(head) === workLevel ? languagesOf(index, head, readable) : []
    }
  })
}

/** The languages of the expressions of a work; those of the work if they have none. */
function languagesOf(index: CatalogueIndex, work: number, readable: DocumentSet | undefined): number[] {
  const isReadable = (document: number) => !readable || has(readable, document)
  const expressions = new Set<number>()
  index.relatives.forEachSource(work, (source, isClimb) => {
    if (isClimb) expressions.add(source)
  })
  const counts = new Map<number, number>()
  const count = (document: number) => {
    for (const language of new Set(index.relatives.by('refLanguages').targetsOf(document)))
      if (isReadable(language)) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  for (const each of expressions)
    if (isReadable(each) && index.relatives.by(wemLinks.expression).targetsOf(each).includes(work)) count(each)
  if (counts.size === 0) count(work)
  return [...counts].sort(([one, many], [other, more]) => more - many || one - other).map(([language]) => language)
}

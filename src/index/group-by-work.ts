import { expressionLevel, manifestationLevel, workLevel } from '#domain/entity/owners.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { growingFloats } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import type { GroupedDocuments } from './document-values.ts'
import type { Fit, Ordering } from './order.ts'
import { type Heads, headsIn } from './owners.ts'
import { timed } from './select-page.ts'
import { add, count, type DocumentSet, firstAt, forEach, has, isEmpty, keepCommon, removeAll } from './sets.ts'
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
  const all = sortByHead(index, set, readable)
  const { documents, groups } = all
  const isLarge = isMany(index, groups.length)
  const heads = index.newSet()
  const firsts = numbersByHead(index.size, isLarge)
  const sizes = ordering.fit ? numbersByHead(index.size, isLarge) : undefined
  const firstAmong = firstOfGroup(documents, ordering)
  for (let start = 0, end = 0; start < groups.length; start = end) {
    step()
    const head = groups[start] as number
    for (end = start + 1; groups[end] === head; end++) step()
    add(heads, head)
    firsts.set(head, firstAmong(start, end) + 1)
    sizes?.set(head, end - start)
  }
  const firstOf = (head: number) => firsts.get(head) - 1
  const { keys } = firsts
  return {
    heads,
    all,
    documentsOf: head => {
      const start = firstAt(groups, head)
      return documents.subarray(start, firstAt(groups, head + 1))
    },
    ordering:
      ordering.fit && sizes
        ? orderBySize(ordering, ordering.fit, firstOf, { heads, sizeOf: head => sizes.get(head) })
        : {
            ...(ordering.byNumber && keys ? { first: { keys, isDescending: ordering.byNumber === 'descending' } } : {}),
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

/** For one document in so many on, arrays of all documents are made. */
const manyShare = 64

const isMany = ({ size }: CatalogueIndex, count: number) => count * manyShare > size

/** A number for each of many heads, or of few. */
interface NumbersByHead {
  set(head: number, number: number): void
  get(head: number): number
  /** For many heads: the numbers by head, 0 for none. */
  readonly keys?: Uint32Array
}

function numbersByHead(size: number, isLarge: boolean): NumbersByHead {
  if (isLarge) {
    const keys = new Uint32Array(size)
    return {
      keys,
      set: (head, number) => {
        keys[head] = number
      },
      get: head => keys[head] as number
    }
  }
  const numbers = new Map<number, number>()
  return { set: (head, number) => numbers.set(head, number), get: head => numbers.get(head) ?? 0 }
}

/** Finds the first document of a group, which has a part of the documents in ascending order. */
function firstOfGroup(documents: Uint32Array, ordering: Ordering): (start: number, end: number) => number {
  if (ordering.byNumber === 'ascending') return start => documents[start] as number
  if (ordering.byNumber === 'descending') return (_, end) => documents[end - 1] as number
  const compare = timed(ordering.compare)
  return (start, end) => {
    let first = documents[start] as number
    for (let at = start + 1; at < end; at++) {
      const document = documents[at] as number
      if (compare(document, first) < 0) first = document
    }
    return first
  }
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
  { positionOf }: Ordering,
  fit: Fit,
  firstOf: (head: number) => number,
  { heads, sizeOf: sizesOf }: { readonly heads: DocumentSet; readonly sizeOf: (head: number) => number }
): Ordering {
  const [seen, repeated] = [heads.slice().fill(0), heads.slice().fill(0)]
  forEach(heads, head => {
    const first = firstOf(head)
    if (has(seen, first)) add(repeated, head)
    else add(seen, first)
  })
  const sizeOf = (head: number) => sizesOf(head) + (has(repeated, head) ? 0 : maxSize)
  return {
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

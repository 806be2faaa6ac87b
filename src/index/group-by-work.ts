import { expressionLevel, manifestationLevel, workLevel } from '#domain/entity/owners.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { growingNumbers } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import type { GroupedDocuments } from './document-values.ts'
import type { Fit, Ordering } from './order.ts'
import { headsIn } from './owners.ts'
import { timed } from './select-page.ts'
import { add, type DocumentSet, forEach, has, keepCommon, numbersIn, removeAll } from './sets.ts'
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
  const pairs = pairWithHeads(index, set, readable)
  const heads = index.newSet()
  /** The first document of each head, plus one. */
  const firsts = new Uint32Array(index.size)
  const sizes = new Uint32Array(index.size)
  const compare = timed(ordering.compare)
  const isAscending = ordering.byNumber === 'ascending'
  for (let at = 0, end = 0; at < pairs.heads.length; ) {
    end = partFrom(at, pairs.heads.length)
    for (; at < end; at++) {
      const head = pairs.heads[at] as number
      const document = pairs.documents[at] as number
      const known = firsts[head] as number
      sizes[head] = (sizes[head] as number) + 1
      if (known === 0) {
        add(heads, head)
        firsts[head] = document + 1
      } else if (isAscending ? document < known - 1 : compare(document, known - 1) < 0) firsts[head] = document + 1
    }
  }
  const firstOf = (head: number) => (firsts[head] as number) - 1
  const { all, ends } = sortByHeads(pairs, heads, sizes)
  return {
    heads,
    all,
    documentsOf: head => all.documents.subarray((ends[head] as number) - (sizes[head] as number), ends[head]),
    ordering: ordering.fit
      ? orderBySize(ordering, ordering.fit, firstOf, { heads, sizes })
      : {
          ...(ordering.byNumber ? { first: { keys: firsts, isDescending: ordering.byNumber === 'descending' } } : {}),
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

/** Puts pairs into the order of the heads. `ends` has the end of the documents of each. */
function sortByHeads(pairs: Pairs, heads: DocumentSet, sizes: Uint32Array) {
  const ends = new Uint32Array(sizes.length)
  let length = 0
  forEach(heads, head => {
    ends[head] = length
    length += sizes[head] as number
  })
  const documents = new Uint32Array(length)
  const groups = new Uint32Array(length)
  for (let at = 0, end = 0; at < length; ) {
    end = partFrom(at, length)
    for (; at < end; at++) {
      const head = pairs.heads[at] as number
      const place = ends[head] as number
      documents[place] = pairs.documents[at] as number
      groups[place] = head
      ends[head] = place + 1
    }
  }
  return { all: { documents, groups }, ends }
}

interface Pairs {
  readonly documents: Uint32Array
  readonly heads: Uint32Array
}

/** Documents with their heads. A document that belongs to a head in several ways is there once. */
function pairWithHeads(index: CatalogueIndex, set: DocumentSet, readable: DocumentSet | undefined): Pairs {
  const { known, others, forEachHead } = headsIn(index, readable)
  const [regular, rest] = [set.slice(), set.slice()]
  removeAll(regular, others)
  keepCommon(rest, others)
  const [furtherDocuments, furtherHeads] = [growingNumbers(), growingNumbers()]
  forEach(rest, document => {
    const first = furtherHeads.length
    forEachHead(document, head => {
      if (furtherHeads.array.subarray(first, furtherHeads.length).includes(head)) return
      furtherHeads.push(head)
      furtherDocuments.push(document)
    })
  })
  const numbers = numbersIn(regular)
  const documents = new Uint32Array(numbers.length + furtherDocuments.length)
  const heads = new Uint32Array(documents.length)
  documents.set(numbers)
  inParts(0, numbers.length, (from, to) => {
    for (let at = from; at < to; at++) heads[at] = known[numbers[at] as number] as number
  })
  documents.set(furtherDocuments.array.subarray(0, furtherDocuments.length), numbers.length)
  heads.set(furtherHeads.array.subarray(0, furtherHeads.length), numbers.length)
  return { documents, heads }
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
  { heads, sizes }: { readonly heads: DocumentSet; readonly sizes: Uint32Array }
): Ordering {
  const [seen, repeated] = [heads.slice().fill(0), heads.slice().fill(0)]
  forEach(heads, head => {
    const first = firstOf(head)
    if (has(seen, first)) add(repeated, head)
    else add(seen, first)
  })
  const sizeOf = (head: number) => (sizes[head] as number) + (has(repeated, head) ? 0 : maxSize)
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

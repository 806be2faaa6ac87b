import { expressionLevel, manifestationLevel, workLevel } from '#domain/entity/owners.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { growingNumbers } from './arrays.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import type { Fit, Ordering } from './order.ts'
import { headsIn } from './owners.ts'
import { timed } from './select-page.ts'
import { add, type DocumentSet, forEach, has } from './sets.ts'
import { inParts, step } from './time-limit.ts'

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
  /** Calls back with each document and its head: all of one head, then all of the next. */
  forEachDocument(work: (document: number, head: number) => void): void
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
  const forEachHead = headsIn(index, readable)
  const heads = index.newSet()
  /** The first document of each head, plus one. */
  const firsts = new Uint32Array(index.size)
  const sizes = new Uint32Array(index.size)
  /** The last document of each head, plus one: it may belong to a head in several ways. */
  const lasts = new Uint32Array(index.size)
  const pairs = { heads: growingNumbers(), documents: growingNumbers() }
  forEach(set, document => {
    forEachHead(document, head => {
      if (lasts[head] === document + 1) return
      lasts[head] = document + 1
      const known = firsts[head] as number
      pairs.heads.push(head)
      pairs.documents.push(document)
      add(heads, head)
      sizes[head] = (sizes[head] as number) + 1
      if (known === 0 || ordering.compare(document, known - 1) < 0) firsts[head] = document + 1
    })
  })
  const firstOf = (head: number) => (firsts[head] as number) - 1
  /** The documents of one head after those of another; `starts` has the place of each head. */
  const documents = new Uint32Array(pairs.documents.length)
  const starts = new Uint32Array(index.size)
  inParts(1, index.size, (first, end) => {
    for (let head = first; head < end; head++) starts[head] = (starts[head - 1] as number) + (sizes[head - 1] as number)
  })
  const next = starts.slice()
  for (let at = 0; at < documents.length; at++) {
    step()
    const head = pairs.heads.array[at] as number
    documents[next[head] as number] = pairs.documents.array[at] as number
    next[head] = (next[head] as number) + 1
  }
  return {
    heads,
    documentsOf: head => documents.subarray(starts[head], next[head]),
    forEachDocument: work =>
      forEach(heads, head => {
        const end = next[head] as number
        for (let at = starts[head] as number; at < end; at++) work(documents[at] as number, head)
      }),
    ordering: ordering.fit
      ? orderBySize(ordering, ordering.fit, firstOf, sizes)
      : {
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

/** Groups of which the first documents fit alike are ordered by their sizes. */
function orderBySize(
  { positionOf }: Ordering,
  fit: Fit,
  firstOf: (head: number) => number,
  sizes: Uint32Array
): Ordering {
  const sizeOf = (head: number) => sizes[head] as number
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

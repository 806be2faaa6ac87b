import type { Area } from './area.ts'
import type { FilterPath } from './filter-path.ts'
import { table } from '../table.ts'
import type { MaskPiece } from '../search/word-text.ts'

/*
 * A checked filter. Every interface that searches (HTTP, SRU) makes one, and the index and the
 * stores evaluate it; `read-filter.ts` makes it from the JSON of the HTTP interface.
 */

export type Filter =
  | { readonly kind: 'all'; readonly of: readonly Filter[] }
  | { readonly kind: 'any'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'types'; readonly types: readonly string[] }
  | { readonly kind: 'identifiers'; readonly identifiers: readonly string[] }
  | { readonly kind: 'search'; readonly search: Search }
  | { readonly kind: 'field'; readonly path: FilterPath; readonly test: FieldTest }
  /** Has a relation of this type to an entity that the filter matches. */
  | { readonly kind: 'related'; readonly type: string; readonly of: Filter }
  /** Is the target of a relation of this type from an entity of which the filter is true. */
  | { readonly kind: 'referred'; readonly type: string; readonly of: Filter }
  /** Is an entity of which the filter is true, or belongs to one (`owners.ts`). */
  | { readonly kind: 'part_of'; readonly of: Filter }
  /** Is an entity of which the filter is true, or one belongs to it. */
  | { readonly kind: 'whole_of'; readonly of: Filter }
  /** Has so many; an entity without any has 0. Both bounds are included. */
  | { readonly kind: 'count'; readonly of: Counted; readonly min: number; readonly max: number | undefined }
  /**
   * Is the first created of those of which the filter is true that have the same value at the path.
   * An entity without a value is none of them.
   */
  | { readonly kind: 'first_of'; readonly path: EntryPath; readonly of: Filter }
  /** Its latitude and longitude lie in an area. */
  | { readonly kind: 'within'; readonly area: Area }
  /**
   * Has an entry at the path that meets the test and has these members beside; with `length`, whose
   * text has so many characters.
   */
  | {
      readonly kind: 'entry'
      readonly path: EntryPath
      readonly test: EntryTest
      readonly members: Readonly<Record<string, EntryMember>>
      readonly length?: { readonly min: number; readonly max: number | undefined }
    }

/** Something that an entity may have several of. */
export type Counted =
  | { readonly kind: 'metadata'; readonly key: string }
  /** Relations of this type; with `to`, those that lead to entities of these types. */
  | { readonly kind: 'relation_key'; readonly type: string; readonly to?: readonly string[] }
  /** Entities with a relation of this type to it, of which the filter is true. */
  | { readonly kind: 'incoming'; readonly type: string; readonly of: Filter }

export type EntryPath = Exclude<Counted, { kind: 'incoming' }>
export type EntryTest = Extract<FieldTest, { kind: 'present' | 'equals' }>
export type EntryMember = string | number | boolean

/** Matches an entity when at least one value at the path matches; `absent` when there is none. */
export type FieldTest =
  | { readonly kind: 'present' }
  | { readonly kind: 'absent' }
  /** Equals one of the values, as stored. */
  | { readonly kind: 'equals'; readonly values: readonly string[] }
  /** Contains one of the folded texts. */
  | { readonly kind: 'contains'; readonly folded: readonly string[] }
  /**
   * The pieces in order, with anything between them: `a*b` is `['a', 'b']`, `*b` is `['', 'b']`.
   * Folded.
   */
  | { readonly kind: 'pattern'; readonly pieces: readonly string[] }
  /**
   * Has these words one after the other (`word-text.ts`), folded; `atStart` and `atEnd` tie them to
   * the ends of the value.
   */
  | {
      readonly kind: 'words'
      readonly pieces: readonly MaskPiece[]
      readonly atStart: boolean
      readonly atEnd: boolean
    }
  /**
   * Meets a regular expression (`regular-expression.ts`), as stored or folded. Only texts that are
   * no longer than a filter value are looked at.
   */
  | { readonly kind: 'regex'; readonly source: string; readonly isFolded: boolean }
  /** Bounds in milliseconds, both included. */
  | { readonly kind: 'instant'; readonly from: number; readonly to: number }
  | { readonly kind: 'number'; readonly min: Bound | undefined; readonly max: Bound | undefined }
  /** `false` also matches an entity without a value. */
  | { readonly kind: 'boolean'; readonly value: boolean }

export interface Bound {
  readonly value: number
  readonly included: boolean
}

export const everything: Filter = { kind: 'all', of: [] }
export const nothing: Filter = { kind: 'any', of: [] }

/** Tests whether a field has one of some values. */
export const hasValue = (key: string, values: readonly string[]): Filter => ({
  kind: 'field',
  path: { kind: 'metadata', key },
  test: { kind: 'equals', values }
})

/** Tests whether a record is related to one of some others, by their ids. */
export const isRelatedTo = (type: string, ids: readonly string[]): Filter => ({
  kind: 'field',
  path: { kind: 'relation_key', type },
  test: { kind: 'equals', values: ids }
})

/** Is true of an entity, of one that it belongs to, or of one that belongs to it. */
const onItsLine = (of: Filter): Filter => ({
  kind: 'any',
  of: [
    { kind: 'part_of', of },
    { kind: 'whole_of', of }
  ]
})

/**
 * Joins filters that the levels of a work meet together. `work`: each is met at some level, in any
 * edition. `edition`: one edition with its expression and work, or one performance with its
 * production, meets all of them.
 */
export const togetherIn: Readonly<Record<string, (of: readonly Filter[]) => Filter>> = table({
  work: of => ({ kind: 'all', of: of.map(onItsLine) }),
  // Of parts the parts are among them already.
  edition: of => ({ kind: 'whole_of', of: { kind: 'all', of: of.map(each => ({ kind: 'part_of', of: each })) } })
})

/** The filter with each filter directly inside it replaced. */
export function mapInner(filter: Filter, replace: (inner: Filter) => Filter): Filter {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return { ...filter, of: filter.of.map(replace) }
    case 'not':
    case 'related':
    case 'referred':
    case 'part_of':
    case 'whole_of':
    case 'first_of':
      return { ...filter, of: replace(filter.of) }
    case 'count':
      return filter.of.kind === 'incoming' ? { ...filter, of: { ...filter.of, of: replace(filter.of.of) } } : filter
    case 'types':
    case 'identifiers':
    case 'search':
    case 'field':
    case 'within':
    case 'entry':
      return filter
  }
}

/** Folds a filter; `combine` gets each filter with the results of those directly inside it. */
export function foldFilter<T>(filter: Filter, combine: (filter: Filter, inner: readonly T[]) => T): T {
  const inner: T[] = []
  mapInner(filter, each => {
    inner.push(foldFilter(each, combine))
    return each
  })
  return combine(filter, inner)
}

/** Whether a filter names types and identifiers only, so that it costs next to nothing. */
export const isPlain = (filter: Filter): boolean =>
  filter.kind === 'all' ? filter.of.every(isPlain) : filter.kind === 'types' || filter.kind === 'identifiers'

/** The text of a search box; `search.ts` reads it. */
export interface Search {
  /** Each once, in the order typed. */
  readonly words: readonly SearchWord[]
  /** The whole text as a name (`nameMark`): the record with exactly this name comes first. */
  readonly name: string
}

export interface SearchWord {
  readonly word: string
  /** Whether words that begin with it match too. */
  readonly isBeginning: boolean
  readonly typos: 0 | 1 | 2
  /** Whether records without it match too, after those that have it. */
  readonly isOptional?: true
  /** The words that must follow it directly, in a phrase. */
  readonly next?: readonly string[]
  /** Words and phrases that will do in its place. */
  readonly or?: readonly SearchWord[]
  /** Whether it is another form of a typed word: records with the typed one come first. */
  readonly isOtherForm?: true
}

import type { FilterPath } from './filter-path.ts'
import type { MaskPiece } from '../search/word-text.ts'

/*
 * A checked filter. Every door that searches (HTTP, SRU) makes one of these, and every store turns
 * it into its own statements; `read-filter.ts` makes it from the JSON of the HTTP interface.
 */

export type Filter =
  | { readonly kind: 'all'; readonly of: readonly Filter[] }
  | { readonly kind: 'any'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'types'; readonly types: readonly string[] }
  | { readonly kind: 'identifiers'; readonly identifiers: readonly string[] }
  | { readonly kind: 'search'; readonly search: Search }
  | { readonly kind: 'field'; readonly path: FilterPath; readonly test: FieldTest }
  /** Has a relation of this type to an entity of which the filter is true. */
  | { readonly kind: 'related'; readonly type: string; readonly of: Filter }

/**
 * True of an entity when it is true of at least one value at the path; `absent` when there is none.
 */
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
   * Has these words one after the other (`word-text.ts`), folded; at its beginning or its end,
   * where that is said.
   */
  | {
      readonly kind: 'words'
      readonly pieces: readonly MaskPiece[]
      readonly atStart: boolean
      readonly atEnd: boolean
    }
  /** Bounds in milliseconds, both included. */
  | { readonly kind: 'instant'; readonly from: number; readonly to: number }
  | { readonly kind: 'number'; readonly min: Bound | undefined; readonly max: Bound | undefined }
  /** `false` is also true of an entity without a value. */
  | { readonly kind: 'boolean'; readonly value: boolean }

export interface Bound {
  readonly value: number
  readonly included: boolean
}

export const everything: Filter = { kind: 'all', of: [] }

/** What somebody typed into a search box; `search.ts` reads it. */
export interface Search {
  /** Each once, in the order typed. */
  readonly words: readonly SearchWord[]
  /**
   * The whole as a name would have it (`nameMark`): the record that is called exactly this comes
   * first.
   */
  readonly name: string
}

export interface SearchWord {
  readonly word: string
  /** Whether words that only begin with it are meant too. */
  readonly isBeginning: boolean
  readonly slips: 0 | 1 | 2
}

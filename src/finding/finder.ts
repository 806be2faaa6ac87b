import type { DuplicatesAnswer, DuplicatesQuery } from '#index/duplicates.ts'
import type { EntryCandidate, EntryFilter } from '#index/entries.ts'
import type { FindAnswer } from '#index/find.ts'
import type { NamesInUse } from '#index/names-in-use.ts'
import type { SameRecord, SameRecordsQuery } from '#index/same-records.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import type { EntityQuery, GrowthCount, GrowthQuery, SuggestionQuery, Term, TermQuery } from './queries.ts'
import type { ChangeMark, DocumentRow, Records } from './records.ts'

/* An index in memory that answers queries, in this thread or in another. */

/** The changes that lead an index from the change it knows of to another. */
export interface IndexUpdate {
  readonly change: number
  /** The last changes, the newest first; see `IndexState.recent`. */
  readonly recent: readonly ChangeMark[]
  /** Whether `written` has all records, and the index begins with them. */
  readonly isWhole: boolean
  readonly written: readonly DocumentRow[]
  /** The uuids of deleted records. */
  readonly removed: readonly string[]
}

/** The state of an index. */
export interface IndexState {
  /** The last change that it knows of. */
  readonly change: number
  /**
   * The last changes, the newest first, by which a history is recognised. Several, since a purge
   * deletes the changes of a record.
   */
  readonly recent: readonly ChangeMark[]
  /** The change of its base. */
  readonly base: number
  /** The number of records that changed since its base was built. */
  readonly changed: number
  readonly size: number
}

export interface FindRequest {
  /** Applied before the index is used; undefined where it is current. */
  readonly update: IndexUpdate | undefined
  /** Maximum time, in milliseconds. */
  readonly timeLeft: number
  readonly search: IndexSearch
}

export type IndexSearch =
  /** The update is not the last: it is kept, and applied with those that follow. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'query'
      readonly query: EntityQuery
      /** The answer to `moved`. */
      readonly before?: ReadonlyMap<number, number>
      /** The answers to `entries`, in the order in which the index needed them. */
      readonly withEntries?: readonly (readonly number[])[]
    }
  | { readonly kind: 'suggestion'; readonly query: SuggestionQuery }
  | { readonly kind: 'terms'; readonly query: TermQuery }
  | { readonly kind: 'growth'; readonly query: GrowthQuery }
  | { readonly kind: 'duplicates'; readonly query: DuplicatesQuery }
  | { readonly kind: 'same'; readonly query: SameRecordsQuery }
  | { readonly kind: 'names' }
  /** Which of some records the caller may read. */
  | { readonly kind: 'readable'; readonly query: GrowthQuery; readonly numbers: readonly number[] }

export type FindReply =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'found'; readonly answer: FindAnswer }
  | { readonly kind: 'numbers'; readonly numbers: readonly number[] }
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | { readonly kind: 'growth'; readonly counts: readonly GrowthCount[] }
  | { readonly kind: 'duplicates'; readonly list: DuplicatesAnswer }
  | { readonly kind: 'same'; readonly records: readonly SameRecord[] }
  | { readonly kind: 'names'; readonly names: NamesInUse }
  /** The index needs the last change of these records up to an earlier change. */
  | { readonly kind: 'moved'; readonly numbers: readonly number[]; readonly change: number }
  /** The index needs to know which of these records have the entry of a filter. */
  | { readonly kind: 'entries'; readonly filter: EntryFilter; readonly candidates: readonly EntryCandidate[] }
  /** The time was over. */
  | { readonly kind: 'late' }

/**
 * The reason for a new base: changes take a query too long, they are too many, or the last base is
 * of no use.
 */
export type Lacking = 'speed' | 'changes' | 'all'

/** How a query went. */
export interface Outcome {
  readonly isAnswered: boolean
  /** The reason for which a new base is needed. */
  readonly lacks?: Lacking
  /** The change of the base of that index; -1 where there is none. */
  readonly base?: number
  readonly fault?: unknown
}

export interface Finder {
  /** Maximum number of changes that a query applies. */
  readonly maxBehind: number
  /** Undefined where it has no index. */
  readonly state: IndexState | undefined
  find(request: FindRequest): MaybePromise<FindReply>
  /** Goes back to the base of the index; returns false where it has no changes beside a base. */
  restart(): boolean
  /** Drops the index before it is used again. */
  discard(): void
  note(outcome: Outcome): void
}

/** A query while it uses an index. */
export interface Finding {
  readonly finder: Finder
  /** The records at the moment of the query's transaction. */
  readonly records: Records
  /** The time that is left for the query, in milliseconds; throws when there is none. */
  timeLeft(): number
  /** The refusal of a query without time left. */
  tooLate(): Error
  /** Whether a query failed with this because it had no time left. */
  isTooLate(error: unknown): boolean
  /** The refusal of a server that may be at an earlier moment than the index. */
  readonly olderThanIndex?: (() => Error) | undefined
}

/** There is no index yet, or it lacks too many changes; a new base is needed. */
export class IndexNotReady extends Error {}

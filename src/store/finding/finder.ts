import type { FindAnswer } from '#index/find.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import type { EntityQuery, SuggestionQuery } from '../ports/queries.ts'

/* An index in memory that answers queries, in this thread or in another. */

/** The last change that a database or an index knows of. */
export interface LastChange {
  readonly change: number
  /** Tells it from a change with the same number in another history. */
  readonly mark: string
}

/** A record as the database has it. */
export interface DocumentRow {
  readonly number: number
  readonly changed: number
  readonly document: string
}

/** The changes that lead an index from the change it knows of to another. */
export interface IndexUpdate extends LastChange {
  /** Whether `written` has all records, and the index begins with them. */
  readonly isWhole: boolean
  readonly written: readonly DocumentRow[]
  /** The uuids of deleted records. */
  readonly removed: readonly string[]
}

/** The state of an index. */
export interface IndexState extends LastChange {
  /** The change of its base. */
  readonly base: number
  /** The number of records that changed since its base was built. */
  readonly delta: number
  readonly size: number
}

export interface FindRequest {
  /** Applied before the index is used; undefined where it is current. */
  readonly update: IndexUpdate | undefined
  /** Maximum time, in milliseconds. */
  readonly timeLeft: number
  readonly search:
    | {
        readonly kind: 'query'
        readonly query: EntityQuery
        /** The answer to `moved`. */
        readonly before?: ReadonlyMap<number, number>
      }
    | { readonly kind: 'suggestion'; readonly query: SuggestionQuery }
    /** Only applies the update. */
    | { readonly kind: 'none' }
}

export type FindReply =
  | { readonly kind: 'found'; readonly answer: FindAnswer }
  | { readonly kind: 'suggested'; readonly numbers: readonly number[] }
  | { readonly kind: 'updated' }
  /** The index needs the last change of these records up to an earlier change. */
  | { readonly kind: 'moved'; readonly numbers: readonly number[]; readonly change: number }
  /** The time was over. */
  | { readonly kind: 'late' }

/** The way in which a query was answered. */
export type Outcome =
  | { readonly by: 'memory' }
  | {
      readonly by: 'sql'
      /** The number of changes that the index lacks; infinite where it cannot be told. */
      readonly behind?: number
      /** The change of the base of that index; -1 where there is none. */
      readonly base?: number
      readonly fault?: unknown
    }

export interface Finder {
  /** Undefined where it has no index. */
  readonly state: IndexState | undefined
  find(request: FindRequest): MaybePromise<FindReply>
  /** Drops the index before it is used again. */
  discard(): void
  note(outcome: Outcome): void
  /** Lets others use the index; it is not used again by this query. */
  readonly release: () => void
}

import type { Change, ChangeKind } from '#domain/events/change-event.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'

export interface ChangeQuery {
  /** Changes after this one. */
  readonly after: number
  readonly limit: number
  readonly kinds?: readonly ChangeKind[]
  readonly types?: readonly string[]
  /** Any identifiers. */
  readonly ids?: readonly string[]
  readonly readableTypes: readonly string[] | undefined
}

export interface ChangePage {
  readonly changes: readonly Change[]
  /** The last change that was read: no match up to here is missing from the pages so far. */
  readonly upTo: number
  /**
   * Whether there are more, where the newest change does not tell: some changes may not exist for
   * the caller.
   */
  readonly more?: boolean
}

export interface FeedState {
  /** Identifies the feed, so that a cursor is not used with another one. */
  readonly epoch: string
  /**
   * The first change after those that were deleted for their age. Changes of erased records may be
   * missing after it.
   */
  readonly oldest: number
  readonly newest: number
}

/** Reads the log of changes. */
export interface FeedStore {
  /**
   * Reads changes in the order in which they were committed. A change never appears before one that
   * was read already.
   */
  readChanges(query: ChangeQuery): Promise<ChangePage>
  feedState(): MaybePromise<FeedState>
  /** Deletes changes before a moment; versions stay. Resolves to the number of deleted changes. */
  deleteChanges(before: string): Promise<number>
  /**
   * The ids of entities that changed since the last call, by any process; 'all' when they cannot be
   * told. Cheap when nothing changed: caches call it before every answer.
   */
  changedSinceLastCall(): MaybePromise<readonly string[] | 'all'>
}

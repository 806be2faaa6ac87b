import type { SanitizeHtml } from '#domain/editing/check-fields.ts'
import type { RandomBelow } from '#domain/entity/ids.ts'
import type { ContentFacts } from '#domain/entity/server-fields.ts'
import type { StoredAuthorityRecord, StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Purge } from '#store/ports/purge.ts'
import type { Store } from '#store/store.ts'
import type { AnswerCache } from './cache/answer-cache.ts'
import type { UndeclaredNames } from './entities/undeclared-names.ts'
import type { FollowUps } from './follow-ups.ts'
import type { OpaqueTokens } from './lists/opaque-tokens.ts'
import type { KeyedLock } from './keyed-lock.ts'

/** Lines of an export with what imports know of entities, each the value of its `source`. */
export interface SourceLines {
  /** Those of the source records of manifestations, with the authorities in them if wanted. */
  of(ids: readonly string[], wanted: { readonly withAuthorities: boolean }): Promise<readonly object[]>
  /** All others, page by page. */
  walkOthers(): AsyncGenerator<readonly object[], void, undefined>
}

/** The bytes of media files, as imports need them. */
export interface Contents {
  /** The facts about stored bytes; undefined if there are none with this hash. */
  describe(sha256: string): Promise<ContentFacts | undefined>
  /**
   * Stores bytes under their hash, for a principal by its key. Throws `invalid` when some are
   * missing, `checksum_mismatch`, `media_too_large` and `storage_full`; stores nothing then.
   */
  store(
    content: { readonly sha256: string; readonly size: number; readonly owner: string },
    bytes: AsyncIterable<Uint8Array>
  ): Promise<void>
}

/**
 * The parts that every operation needs. Randomness is among them, so that a test can control it.
 */
export interface Parts {
  readonly store: Store
  readonly model: Model
  readonly cache: AnswerCache
  /** Locks on entities: changes of the same entity in this process wait for each other. */
  readonly locks: KeyedLock
  readonly undeclaredNames: UndeclaredNames
  /** Work that follows a commit and must not fail it. */
  readonly followUps: FollowUps
  /** Texts for positions in lists, which clients carry. */
  readonly cursors: OpaqueTokens
  readonly sanitizeHtml: SanitizeHtml
  readonly randomBelow: RandomBelow
  readonly newUuid: () => string
  /** The `source` of events (CloudEvents). */
  readonly eventSource: string
  /** Time zone of moments that are written without one (IANA). */
  readonly timeZone: string
  readonly contents: Contents
  /** Maximum milliseconds that a write waits for warnings of likely duplicates. */
  readonly maxDuplicateWait: number
  /**
   * Finds the records that manifestations were imported from, by the ids of the manifestations;
   * from another view of the store if it is given.
   */
  readonly findSourceRecords: (ids: readonly string[], from?: Store) => Promise<ReadonlyMap<string, StoredSourceRecord>>
  /** Finds the authority records of entities. */
  readonly findAuthorityRecords: (
    ids: readonly string[],
    from?: Store
  ) => Promise<ReadonlyMap<string, StoredAuthorityRecord>>
  /** The lines of an export with what imports know of entities. */
  readonly sourceLines: SourceLines
  /** The state of imports to remove when the entity with an id is erased. */
  readonly importStateOf: (id: string) => Promise<Pick<Purge, 'state' | 'mentionedIn'>>
}

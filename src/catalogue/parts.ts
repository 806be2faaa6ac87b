import type { SanitizeHtml } from '#domain/editing/check-fields.ts'
import type { RandomBelow } from '#domain/entity/ids.ts'
import type { StoredSource } from '#domain/imports/stored-source.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Store } from '#store/store.ts'
import type { AnswerCache } from './cache/answer-cache.ts'
import type { KeyedLock } from './keyed-lock.ts'

/** What every operation is made of. Chance is handed in, so that a test can hold it still. */
export interface Parts {
  readonly store: Store
  readonly model: Model
  readonly cache: AnswerCache
  /** Who changes the same entity here goes one after the other. */
  readonly turns: KeyedLock
  readonly sanitizeHtml: SanitizeHtml
  readonly randomBelow: RandomBelow
  readonly newUuid: () => string
  /** Where events say they come from (CloudEvents `source`). */
  readonly eventSource: string
  /** The records that manifestations were imported from, by the ids of the manifestations. */
  readonly findSourceRecords: (ids: readonly string[]) => Promise<ReadonlyMap<string, StoredSource>>
}

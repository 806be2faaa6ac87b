import type { Model } from '#domain/record-types/model.ts'
import type { MaybePromise } from '../store.ts'
import type { Counts } from './count-cache.ts'
import type { Dialect } from './dialect.ts'
import type { Sql } from './sql.ts'

export type Row = Record<string, unknown>

/**
 * Runs a statement. With `maxBytes` the rows may end with the one whose document exceeds that many
 * bytes in all: it shows that there are more.
 */
export type Run = (statement: Sql, maxBytes?: number) => MaybePromise<Row[]>

/** A connection while it runs one query, in a transaction that sees one moment. */
export interface Session {
  readonly dialect: Dialect
  readonly model: Model
  readonly run: Run
  /** Counts of earlier queries at the same moment. */
  readonly counts: Counts
  /** The number of the entity that was created last. */
  lastEntity(): MaybePromise<number>
}

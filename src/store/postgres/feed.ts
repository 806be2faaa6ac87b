import type { FeedStore } from '../ports/feed.ts'
import { maxListedChanges } from '../rows.ts'
import type { RepeatedNumber } from './repeated-number.ts'
import type { Statements } from './statements.ts'

const none: readonly string[] = []

/** The log of changes; it is seen up to a change when it is created. */
export class Feed implements Omit<FeedStore, 'readChanges' | 'deleteChanges'> {
  readonly #statements: Statements
  /** Milliseconds for which writes of other processes may stay unseen. */
  readonly #staleness: number
  /** The number of the last change. */
  readonly #newest: RepeatedNumber
  #seenChange: number
  #readAt = Number.NEGATIVE_INFINITY
  /** Whether the last call found changes; the next then reads the log without a look before. */
  #isChanging = false

  constructor(statements: Statements, newest: RepeatedNumber, staleness: number, seenChange: number) {
    this.#statements = statements
    this.#newest = newest
    this.#staleness = staleness
    this.#seenChange = seenChange
  }

  feedState = async () => {
    const row = await this.#statements.first(
      `SELECT (SELECT value FROM properties WHERE name = 'epoch') AS epoch, (SELECT value FROM properties WHERE name = 'forgotten') AS forgotten,
         (SELECT change FROM counters) AS newest`
    )
    const newest = Number(row?.newest)
    return { epoch: String(row?.epoch), oldest: Number(row?.forgotten ?? 0) + 1, newest }
  }

  changedSinceLastCall = async (): Promise<readonly string[] | 'all'> => {
    const now = performance.now()
    if (now - this.#readAt < this.#staleness) return none
    const seen = this.#seenChange
    if (!this.#isChanging && (await this.#newest.read()) === seen) {
      this.#readAt = Math.max(this.#readAt, now)
      return none
    }
    const rows = await this.#statements.read(
      `SELECT n.change AS newest, c.sequence, c.id FROM counters n LEFT JOIN LATERAL
         (SELECT sequence, id FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ${maxListedChanges + 1}) c ON TRUE`,
      [seen]
    )
    this.#readAt = Math.max(this.#readAt, now)
    const newest = Number(rows[0]?.newest)
    const listed = rows.filter(row => row.sequence !== null)
    // A server that is behind has taken over, changes were deleted, or there are too many of them.
    const isIncomplete = newest < seen || listed.length !== newest - seen || listed.length > maxListedChanges
    this.#isChanging = newest !== seen
    this.#seenChange = newest < seen ? newest : Math.max(this.#seenChange, newest)
    return isIncomplete ? 'all' : listed.map(row => String(row.id))
  }

  /** Makes the next call read the log, whatever delay is allowed. */
  expire() {
    this.#readAt = Number.NEGATIVE_INFINITY
  }
}

import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type Finder, type Finding, IndexNotReady } from '#finding/finder.ts'
import type { IndexLender } from '#finding/index-threads.ts'
import type { Load } from '#threads/reader-queue.ts'
import { inTime, notBegun, stoppedAfter, tooSlow } from '#threads/deadline.ts'
import type { Row, Session } from '../query/dialect.ts'
import { createRecords, markOfChange } from '../query/indexed-records.ts'
import { createReader, type Reader } from '../query/reader.ts'
import type { Sql } from '../query/sql.ts'
import { beginSnapshot, isStopped, type Link, translate } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { type Leased, NoConnection } from './pool.ts'

/** Further limits of a server that others can stand in for. */
export interface ReplicaLimits {
  /**
   * Called with the last change that this server knows of; a query is not answered by a server that
   * is behind, or ahead (`OtherMoment`).
   */
  readonly isCurrent?: (change: number) => Promise<boolean>
  /** Maximum wait for one of its connections, of a deadline; both in milliseconds. */
  readonly maxWait?: (deadline: number) => number
}

/** The dependencies of a reader that are the same for every server. */
export interface ReaderParts {
  readonly model: Model
  readonly currentDeadline: () => number
  readonly index: IndexLender
}

/**
 * Runs queries, each in one transaction that sees one moment, so that the count and the page agree.
 * The server stops a statement that passes the deadline. The index in memory is lent before the
 * transaction begins, so that it is not ahead of it.
 */
export function createPostgresReader(
  connections: Leased,
  { model, currentDeadline, index: { untilUp, lend, bases } }: ReaderParts,
  { isCurrent, maxWait = stoppedAfter }: ReplicaLimits = {}
): Reader {
  const sessionOf = (run: Session['run'], finding?: Finding): Session => ({
    finding,
    dialect: postgresDialect,
    model,
    run
  })

  /** Runs with a connection; answers or refuses before the deadline, the wait for one included. */
  const withConnection = <T>(work: (link: Link, time: Time) => Promise<T>, askedAt = performance.now()): Promise<T> => {
    const queryDeadline = currentDeadline()
    const time = startClock(queryDeadline, askedAt)
    const begin = (link: Link) => {
      time.begin()
      return work(link, time)
    }
    // The server enforces the deadline; if it is silent for much longer, it is gone.
    const limits = { until: askedAt + maxWait(queryDeadline), patience: queryDeadline + 1000 }
    const answer = connections.use(begin, limits).catch(error => {
      const isOver = isStopped(error) || (error instanceof NoConnection && performance.now() >= time.stopAt)
      throw isOver ? time.refusal(error) : translate(error)
    })
    return inTime(answer, queryDeadline, time.refusal)
  }

  const inTransaction = async <T>(
    link: Link,
    { left, refusal }: Time,
    beginning: string,
    work: (session: Session) => Promise<T>,
    finder?: Finder
  ): Promise<T> => {
    const whole = String(left())
    const run = async ({ text, parameters }: Sql): Promise<Row[]> => {
      // A query may take many statements, each of them too short for the server to stop.
      left()
      // Sent with the statement itself, so it costs no time of its own.
      const [, rows] = await Promise.all([link.run(timeLeft, [whole]), link.run(text, parameters)])
      return rows
    }
    const [, [numbers]] = await Promise.all([link.run(beginSnapshot), link.run(beginning)])
    try {
      const change = Number(numbers?.change)
      if (isCurrent && !(await isCurrent(change))) throw new OtherMoment()
      const records = {
        ...createRecords(postgresDialect, run),
        // They were read with the beginning.
        lastChange: () => ({ change, mark: String(numbers?.mark ?? '') }),
        lastNumber: () => Number(numbers?.entity)
      }
      const olderThanIndex = isCurrent && (() => new OtherMoment())
      const finding = finder && { finder, records, timeLeft: left, tooLate: refusal, isTooLate, olderThanIndex }
      const result = await work(sessionOf(run, finding))
      await link.run('COMMIT')
      return result
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
  }

  /**
   * Runs a statement that sees one moment by itself. Everything is sent at once, so it is one
   * journey to the server, not three.
   */
  const runAlone = ({ text, parameters }: Sql): Promise<Row[]> =>
    withConnection(async (link, { left }) => {
      const timeout = String(left())
      const sent = [
        link.run(beginSnapshot),
        link.run(`SELECT set_config('statement_timeout', ?, TRUE)`, [timeout]),
        link.run(text, parameters),
        link.run('COMMIT')
      ]
      // If one fails, the connection is returned only when everything was answered.
      await Promise.allSettled(sent)
      return (await Promise.all(sent))[2] ?? []
    })
  const alone = sessionOf(runAlone)

  const findOnce = async <T>(
    work: (session: Session) => Promise<T>,
    load: Load
  ): Promise<{ readonly result: T } | undefined> => {
    const askedAt = performance.now()
    const finder = await lend(load)
    try {
      const run = (link: Link, time: Time) => inTransaction(link, time, beginFind, work, finder)
      return { result: await withConnection(run, askedAt) }
    } catch (error) {
      if (error instanceof IndexNotReady) return undefined
      throw error
    } finally {
      finder.release()
    }
  }

  const find = async <T>(work: (session: Session) => Promise<T>, load: Load): Promise<T> => {
    await untilUp()
    const found = await bases.waitFor(
      currentDeadline(),
      () => findOnce(work, load),
      answer => answer !== undefined
    )
    if (!found) throw bases.refusal()
    return found.result
  }

  return createReader((kind, work, load) => {
    if (kind === 'single') return work(alone)
    if (kind === 'find') return find(work, load)
    return withConnection((link, time) =>
      inTransaction(link, time, kind === 'search' ? beginSearch : beginLookup, work)
    )
  })
}

const isTooLate = (error: unknown) =>
  isStopped(error) || (error instanceof CatalogueError && error.code === 'query_timeout')

/** The time of one query. */
interface Time {
  /** The time that is left, in whole milliseconds; throws when there is none. */
  left(): number
  /** The refusal of a query that passes its deadline. */
  refusal(cause?: unknown): CatalogueError
}

/** Starts the time of a query; `begin` is called when it has a connection. */
function startClock(queryDeadline: number, askedAt: number): Time & { readonly stopAt: number; begin(): void } {
  const stopAt = askedAt + stoppedAfter(queryDeadline)
  let begunAt: number | undefined
  const refusal = (cause?: unknown) =>
    begunAt === undefined ? notBegun(queryDeadline, cause) : tooSlow(queryDeadline, begunAt - askedAt, cause)
  const left = () => {
    const milliseconds = Math.ceil(stopAt - performance.now())
    if (milliseconds <= 0) throw refusal()
    return milliseconds
  }
  const begin = () => {
    left()
    begunAt = performance.now()
  }
  return { stopAt, left, refusal, begin }
}

/**
 * Limits a statement to the time that is left of its transaction when the server begins it: several
 * may be sent at once.
 */
const timeLeft = `SELECT set_config('statement_timeout',
  greatest(1, ceil(?::text::numeric - 1000 * extract(epoch FROM clock_timestamp() - transaction_timestamp())))::bigint::text, TRUE)`

const beginLookup = 'SELECT change FROM counters'
/**
 * After some uses a prepared statement gets one plan for all parameters. The best plan of a search
 * depends on them: among 100,000 manifestations a text of two letters took 0.4 s, and 2.2 s with
 * such a plan.
 */
const beginSearch = `SELECT change, set_config('plan_cache_mode', 'force_custom_plan', TRUE) FROM counters`

/** The same, with what the last change was. */
const beginFind = `SELECT n.change, n.entity, ${markOfChange('c')} AS mark, set_config('plan_cache_mode', 'force_custom_plan', TRUE)
  FROM counters n LEFT JOIN changes c ON c.sequence = n.change`

/** A replica lacks changes that the caller may know of, or has some that the primary hides. */
export class OtherMoment extends Error {}

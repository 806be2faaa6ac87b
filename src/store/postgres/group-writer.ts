import { randomUUID } from 'node:crypto'

import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { StoredEntity, WriteUnit } from '../ports/entities.ts'
import { type AttemptName, isCommitted, markAttempt } from './commit-marker.ts'
import { ConnectionLost, isAway, type Link, stateOf, translate } from './connection.ts'
import { delay, isWorthAnother, type Leased } from './pool.ts'
import { updateCounters } from './write-rows.ts'
import { prefetchRows } from './prefetched-rows.ts'
import { applyUnit } from './writer.ts'
import { interrupted } from '#threads/worker-link.ts'

/*
 * All writes of this process, one transaction after the other. Units that arrive while a
 * transaction is made durable go into the next one: the disk, and the journey to the server, are
 * waited for once for all of them (group commit). Other processes do the same; the lock on
 * `counters` orders them, so that changes are committed in the order of their numbers.
 */

export interface GroupWriter {
  write(unit: WriteUnit): Promise<readonly (StoredEntity | undefined)[]>
  /** Resolves when all units were written or refused. */
  finish(): Promise<void>
}

interface Pending {
  readonly unit: WriteUnit
  /** When the caller stops waiting, by `performance.now()`. */
  readonly until: number
  resolve(stored: readonly (StoredEntity | undefined)[]): void
  reject(error: unknown): void
}

/** The outcome of a unit: the stored entities, or its refusal. */
type Outcome = { readonly stored: readonly (StoredEntity | undefined)[] } | { readonly refusal: CatalogueError }

/** An attempt to write a group, and the outcomes of its units if it is committed. */
interface Attempt {
  readonly name: AttemptName
  readonly outcomes: ReadonlyMap<Pending, Outcome>
}

/** Maximum number of units, and of writes, in one transaction. */
const maxUnits = 64
const maxWrites = 2000

/** Milliseconds between two attempts. */
const retryDelay = 50

/** `maxWait` is how long a unit is waited for, in milliseconds, beside the time for its writes. */
export function createGroupWriter(connections: Leased, model: Model, maxWait: number): GroupWriter {
  const queue: Pending[] = []
  const writer = randomUUID()
  let attempts = 0
  const nextAttempt = (): AttemptName => ({ writer, number: ++attempts })
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    while (queue.length > 0) await writeGroup({ connections, model, maxWait, nextAttempt }, takeGroup(queue))
    writing = undefined
  }

  return {
    write: unit =>
      new Promise((resolve, reject) => {
        const patience = patienceFor(maxWait, [unit])
        // No caller waits for ever.
        const timer = setTimeout(() => reject(unknownOutcome(undefined)), patience + 500)
        const inTime =
          <T>(end: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            end(value)
          }
        queue.push({
          unit,
          until: performance.now() + patience,
          resolve: inTime(resolve),
          reject: inTime(reject)
        })
        writing ??= writeAll()
      }),
    finish: async () => writing
  }
}

/** Milliseconds to wait for each write of a unit, in addition to `maxWait`. */
const patienceForWrite = 10

const patienceFor = (maxWait: number, units: readonly WriteUnit[]) =>
  maxWait + patienceForWrite * units.reduce((sum, unit) => sum + unit.writes.length, 0)

function takeGroup(queue: Pending[]): Pending[] {
  let writes = 0
  const size = queue.findIndex(({ unit }, index) => {
    writes += unit.writes.length
    return index > 0 && (index === maxUnits || writes > maxWrites)
  })
  return queue.splice(0, size === -1 ? queue.length : size)
}

interface GroupParts {
  readonly connections: Leased
  readonly model: Model
  readonly maxWait: number
  readonly nextAttempt: () => AttemptName
}

/**
 * Writes a group, and retries as long as a caller waits: when the server was away nothing had
 * happened; when the connection was lost during the commit, the next attempt first checks whether
 * that one was committed.
 */
async function writeGroup(
  { connections, model, maxWait, nextAttempt }: GroupParts,
  group: readonly Pending[]
): Promise<void> {
  let waiting = group
  let lost: Attempt | undefined
  // A unit in an attempt with an unknown outcome must not be told that nothing happened.
  const refuse = (each: Pending, failure: unknown) =>
    each.reject(lost?.outcomes.has(each) ? unknownOutcome(failure) : translate(failure))
  for (;;) {
    let failure: unknown
    try {
      const until = Math.max(...waiting.map(each => each.until))
      const patience = patienceFor(
        maxWait,
        waiting.map(each => each.unit)
      )
      const outcomes = await connections.use(link => attempt(link, model, waiting, nextAttempt(), lost), {
        until,
        patience
      })
      for (const each of waiting) finish(each, outcomes.get(each))
      return
    } catch (error) {
      failure = error
      if (error instanceof OutcomeUnknown) lost = error.attempt
      if (!isWorthAnother(error) && !(error instanceof OutcomeUnknown) && !isConflict(error)) {
        for (const each of waiting) refuse(each, error)
        return
      }
    }
    const now = performance.now()
    for (const each of waiting.filter(each => each.until <= now)) refuse(each, failure)
    waiting = waiting.filter(each => each.until > now)
    if (waiting.length === 0) return
    await delay(retryDelay)
  }
}

function finish(pending: Pending, outcome: Outcome | undefined) {
  if (!outcome) pending.reject(interrupted())
  else if ('stored' in outcome) pending.resolve(outcome.stored)
  else pending.reject(outcome.refusal)
}

/** The connection was lost after the commit was sent. */
class OutcomeUnknown extends Error {
  readonly attempt: Attempt

  constructor(attempt: Attempt, cause: unknown) {
    super('The connection was lost while the transaction was committed', { cause })
    this.attempt = attempt
  }
}

const unknownOutcome = (cause: unknown) =>
  new CatalogueError(
    'unavailable',
    'The connection to the database was lost during this write, and its outcome is not known. Send it again with the same Idempotency-Key, or check',
    { cause }
  )

const isConflict = (error: unknown) => ['40001', '40P01'].includes(stateOf(error) ?? '')

async function attempt(
  link: Link,
  model: Model,
  group: readonly Pending[],
  name: AttemptName,
  lost: Attempt | undefined
): Promise<ReadonlyMap<Pending, Outcome>> {
  const now = Date.now()
  const begun = [
    link.run('BEGIN'),
    // No statement timeout: a commit that is stopped while it waits for a standby counts as done. A
    // writer that hangs must not lock out the others. All rows are found by their keys: a plan for
    // an empty table, which reads it from end to end, must not stay while the table is filled.
    link.run(
      `SELECT set_config('statement_timeout', '0', TRUE), set_config('lock_timeout', '2500', TRUE),
         set_config('idle_in_transaction_session_timeout', '5000', TRUE),
         set_config('enable_seqscan', 'off', TRUE), set_config('enable_hashjoin', 'off', TRUE), set_config('enable_mergejoin', 'off', TRUE)`
    )
  ]
  const sent: Promise<unknown>[] = []
  const send = (text: string, ...parameters: (string | number | null)[]) => {
    const sending = link.run(text, parameters)
    // Awaited at the commit; until then a failure must not count as unhandled.
    sending.catch(() => {})
    sent.push(sending)
  }
  const outcomes = new Map<Pending, Outcome>()
  try {
    const units = group.map(each => each.unit)
    const prefetching = prefetchRows(link, units, now)
    // After the lock on the same connection, so it runs when all earlier transactions have ended.
    const checking = lost && isCommitted(link, lost.name)
    await Promise.all([...begun, prefetching, checking])
    if (lost && (await checking)) {
      // The lost commit may be on this server only, when its wait for a standby was cut short. This
      // commit waits for both.
      const { text, parameters } = markAttempt(lost.name)
      send(text, ...parameters)
      return await commit(link, sent, lost)
    }
    let rows = await prefetching
    for (const pending of group) {
      try {
        const applied = await applyUnit({ link, model, now, send }, rows, pending.unit)
        outcomes.set(pending, { stored: applied.stored })
        rows = applied.rows
      } catch (error) {
        if (!(error instanceof CatalogueError)) throw error
        outcomes.set(pending, { refusal: error })
      }
    }
    if (sent.length === 0) {
      await link.run('ROLLBACK')
      return outcomes
    }
    const { entity, change, merge, at } = rows.numbers
    send(updateCounters, entity, change, merge, at)
    const { text, parameters } = markAttempt(name)
    send(text, ...parameters)
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) await link.run('ROLLBACK').catch(() => {})
    throw error
  }
  return commit(link, sent, { name, outcomes })
}

/**
 * Commits the statements that were sent. The commit is sent without waiting: after a failed
 * statement it is a rollback.
 */
async function commit(
  link: Link,
  sent: readonly Promise<unknown>[],
  attempted: Attempt
): Promise<ReadonlyMap<Pending, Outcome>> {
  const committing = link.run('COMMIT')
  committing.catch(() => {})
  try {
    await Promise.all(sent)
  } catch (error) {
    await committing.catch(() => {})
    throw error instanceof ConnectionLost ? new OutcomeUnknown(attempted, error) : error
  }
  try {
    await committing
  } catch (error) {
    throw error instanceof ConnectionLost || isAway(error) ? new OutcomeUnknown(attempted, error) : error
  }
  return attempted.outcomes
}

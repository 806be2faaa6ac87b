import { randomUUID } from 'node:crypto'

import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { StoredEntity, WriteUnit } from '../ports/entities.ts'
import { type AttemptName, isCommitted, markAttempt } from './commit-marker.ts'
import { ConnectionLost, isAway, type Link, stateOf, translate } from './connection.ts'
import { delay, isWorthAnother, type Leased, maxWait } from './pool.ts'
import { updateCounters } from './write-rows.ts'
import { prefetchRows } from './prefetched-rows.ts'
import { applyUnit } from './writer.ts'

/*
 * All writes of this process, one transaction after the other. Whatever has come in while the last
 * was being made durable goes into the next one: the disk, and the journey to the server, are
 * waited for once for all of them (group commit). Other processes do the same; the lock on
 * `counters` makes them take turns, so that changes are committed in the order of their numbers.
 */

export interface GroupWriter {
  write(unit: WriteUnit): Promise<readonly (StoredEntity | undefined)[]>
  /** Resolves when everything that was given was written or refused. */
  finish(): Promise<void>
}

interface Pending {
  readonly unit: WriteUnit
  /** When nobody should wait any longer, by `performance.now()`. */
  readonly until: number
  resolve(stored: readonly (StoredEntity | undefined)[]): void
  reject(error: unknown): void
}

/** What came of one unit: what was stored, or why it was refused. */
type Outcome = { readonly stored: readonly (StoredEntity | undefined)[] } | { readonly refusal: CatalogueError }

/** An attempt to write a group, and what its units are told once it is known to be committed. */
interface Attempt {
  readonly name: AttemptName
  readonly outcomes: ReadonlyMap<Pending, Outcome>
}

/**
 * So many units, or writes, at most go into one transaction; nobody should wait long for company.
 */
const mostUnits = 64
const mostWrites = 2000

const retryDelay = 50

export function createGroupWriter(connections: Leased, model: Model): GroupWriter {
  const queue: Pending[] = []
  const writer = randomUUID()
  let attempts = 0
  const nextAttempt = (): AttemptName => ({ writer, number: ++attempts })
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    while (queue.length > 0) await writeGroup(connections, model, takeGroup(queue), nextAttempt)
    writing = undefined
  }

  return {
    write: unit =>
      new Promise((resolve, reject) => {
        const patience = patienceFor([unit])
        // Whatever becomes of it, nobody waits for ever.
        const timer = setTimeout(() => reject(unknownEnd(undefined)), patience + 500)
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            settle(value)
          }
        queue.push({
          unit,
          until: performance.now() + patience,
          resolve: settled(resolve),
          reject: settled(reject)
        })
        writing ??= writeAll()
      }),
    finish: async () => writing
  }
}

/** Large units take their time: so many milliseconds are granted for each write. */
const patienceForWrite = 10

const patienceFor = (units: readonly WriteUnit[]) =>
  maxWait + patienceForWrite * units.reduce((sum, unit) => sum + unit.writes.length, 0)

function takeGroup(queue: Pending[]): Pending[] {
  let writes = 0
  const size = queue.findIndex(({ unit }, index) => {
    writes += unit.writes.length
    return index > 0 && (index === mostUnits || writes > mostWrites)
  })
  return queue.splice(0, size === -1 ? queue.length : size)
}

/**
 * Writes a group, and tries again as long as somebody waits: when the server was away nothing had
 * happened; when the connection was lost over the commit, the next attempt looks first whether that
 * one came through.
 */
async function writeGroup(
  connections: Leased,
  model: Model,
  group: readonly Pending[],
  nextAttempt: () => AttemptName
): Promise<void> {
  let waiting = group
  let lost: Attempt | undefined
  // A unit that was in an attempt whose end is not known must not be told that nothing happened.
  const refuse = (each: Pending, failure: unknown) =>
    each.reject(lost?.outcomes.has(each) ? unknownEnd(failure) : translate(failure))
  for (;;) {
    let failure: unknown
    try {
      const until = Math.max(...waiting.map(each => each.until))
      const patience = patienceFor(waiting.map(each => each.unit))
      const outcomes = await connections.use(link => attempt(link, model, waiting, nextAttempt(), lost), {
        until,
        patience
      })
      for (const each of waiting) settle(each, outcomes.get(each))
      return
    } catch (error) {
      failure = error
      if (error instanceof EndUnknown) lost = error.attempt
      if (!isWorthAnother(error) && !(error instanceof EndUnknown) && !isConflict(error)) {
        for (const each of waiting) refuse(each, error)
        return
      }
    }
    const now = performance.now()
    const [over, still] = [waiting.filter(each => each.until <= now), waiting.filter(each => each.until > now)]
    for (const each of over) refuse(each, failure)
    if (still.length === 0) return
    waiting = still
    await delay(retryDelay)
  }
}

function settle(pending: Pending, outcome: Outcome | undefined) {
  if (!outcome) pending.reject(new CatalogueError('unavailable', 'The database was interrupted; try again'))
  else if ('stored' in outcome) pending.resolve(outcome.stored)
  else pending.reject(outcome.refusal)
}

/** The connection was lost after the commit was sent. */
class EndUnknown extends Error {
  readonly attempt: Attempt

  constructor(attempt: Attempt, cause: unknown) {
    super('The connection was lost while the transaction was committed', { cause })
    this.attempt = attempt
  }
}

const unknownEnd = (cause: unknown) =>
  new CatalogueError(
    'unavailable',
    'The database was lost while this was written; whether it was is not known. Send it again with the same Idempotency-Key, or look',
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
    // A statement that is stopped while the commit waits for a standby would count as done; a
    // writer that hangs must not keep the others out. Everything is found by its key: a plan that
    // was made for an empty table, and reads it from end to end, must not be kept while it is
    // filled.
    link.run(
      `SELECT set_config('statement_timeout', '0', TRUE), set_config('lock_timeout', '2500', TRUE),
         set_config('idle_in_transaction_session_timeout', '5000', TRUE),
         set_config('enable_seqscan', 'off', TRUE), set_config('enable_hashjoin', 'off', TRUE), set_config('enable_mergejoin', 'off', TRUE)`
    )
  ]
  const sent: Promise<unknown>[] = []
  const send = (text: string, ...parameters: (string | number | null)[]) => {
    const sending = link.run(text, parameters)
    // Looked at when all is committed; until then a failure is nobody's yet.
    sending.catch(() => {})
    sent.push(sending)
  }
  const outcomes = new Map<Pending, Outcome>()
  try {
    const units = group.map(each => each.unit)
    const prefetching = prefetchRows(link, units, now)
    // Behind the lock in the same pipe, so it looks when all that came before has ended.
    const looking = lost && isCommitted(link, lost.name)
    await Promise.all([...begun, prefetching, looking])
    if (lost && (await looking)) {
      // The lost commit may be on this server only, when its wait for a standby was cut short. This
      // one waits behind it.
      const { text, parameters } = markAttempt(lost.name)
      send(text, ...parameters)
      return await commit(link, sent, lost)
    }
    let rows = await prefetching
    for (const pending of group) {
      try {
        const applied = await applyUnit(link, model, rows, pending.unit, now, send)
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
    if (!(error instanceof EndUnknown)) await link.run('ROLLBACK').catch(() => {})
    throw error
  }
  return commit(link, sent, { name, outcomes })
}

/**
 * Commits what was sent. The commit is sent without waiting: where a statement before it failed, it
 * is a rollback.
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
    throw error instanceof ConnectionLost ? new EndUnknown(attempted, error) : error
  }
  try {
    await committing
  } catch (error) {
    throw error instanceof ConnectionLost || isAway(error) ? new EndUnknown(attempted, error) : error
  }
  return attempted.outcomes
}

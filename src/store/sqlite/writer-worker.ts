import { flushCompileCache } from 'node:module'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

import { CatalogueError } from '#domain/errors.ts'
import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { type Reply, type Request, toFailure } from '#threads/worker-link.ts'
import { runSteps, type Steps } from '../administration/steps.ts'
import type { WriteUnit } from '../ports/entities.ts'
import { openWriting, cacheStatements, prepareWriting } from './connection.ts'
import { transactions } from './transactions.ts'
import { Writer } from './writer.ts'
import { diskFull, TargetsMoved } from '../refusals.ts'

/*
 * The one thread that writes. Requests that arrive while a transaction is made durable go into the
 * next one, each in a savepoint of its own: the disk is waited for once for all of them (group
 * commit).
 */

export type WriterRequest =
  | { readonly kind: 'write'; readonly unit: WriteUnit }
  | { readonly kind: 'transaction'; readonly name: keyof typeof transactions; readonly given: readonly unknown[] }

export interface WriterData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
  readonly logMegabytes: number
}

/** Maximum number of requests in one transaction, and maximum milliseconds of work for them. */
const maxGroupSize = 64
const maxGroupTime = 20
const maxBusyTries = 40

const { path, recordTypes, logMegabytes } = workerData as WriterData
const port = parentPort
if (!port) throw new Error('writer-worker.ts is started as a worker thread')

const db = openWriting(path, logMegabytes)
const writer = new Writer(db, createModel(recordTypes))
const run = cacheStatements(db)
const begin = prepareWriting(db, 'BEGIN IMMEDIATE')
const commit = prepareWriting(db, 'COMMIT')

// A thread is terminated, and never ends by itself: its compiled program is cached now, for the
// next start.
flushCompileCache()

port.on('message', (first: Request<WriterRequest>) => {
  const group = [first.number]
  let replies: Reply[] = []
  try {
    beginWaiting()
    const started = performance.now()
    replies.push(answerFirst(first))
    while (db.isTransaction && replies.length < maxGroupSize && performance.now() - started < maxGroupTime) {
      const next: { message: Request<WriterRequest> } | undefined = receiveMessageOnPort(port)
      if (next === undefined) break
      group.push(next.message.number)
      replies.push(answer(next.message))
    }
    if (db.isTransaction) commit.run()
  } catch (error) {
    // Nothing of the group happened. SQLite rolls back by itself when the disk is full or fails.
    if (db.isTransaction) db.exec('ROLLBACK')
    writer.clear()
    const failure = toFailure(translate(error))
    replies = group.map(number => ({ number, failure }))
  }
  for (const reply of replies) port.postMessage(reply)
})

/**
 * Handles the first request of a group. Nothing before it must stay, so the whole transaction is
 * its savepoint. A real savepoint would copy every page that is changed after it: for a batch of an
 * import, tens of megabytes.
 */
function answerFirst({ number, body }: Request<WriterRequest>): Reply {
  const rollBack = () => {
    if (db.isTransaction) db.exec('ROLLBACK')
    writer.clear()
  }
  try {
    const result = perform(body)
    if (body.kind === 'write' && body.unit.dryRun) rollBack()
    return { number, result }
  } catch (error) {
    rollBack()
    if (error instanceof TargetsMoved) {
      beginWaiting()
      return answerFirst({ number, body: { kind: 'write', unit: error.unit } })
    }
    return { number, failure: toFailure(translate(error)) }
  }
}

function answer({ number, body }: Request<WriterRequest>): Reply {
  db.exec('SAVEPOINT request')
  try {
    const result = perform(body)
    if (body.kind === 'write' && body.unit.dryRun) {
      db.exec('ROLLBACK TO request')
      writer.clear()
    }
    db.exec('RELEASE request')
    return { number, result }
  } catch (error) {
    // When the whole transaction is lost, so are the earlier requests of the group: all get the
    // error.
    if (!db.isTransaction) throw new GroupLost(error)
    db.exec('ROLLBACK TO request; RELEASE request')
    writer.clear()
    if (error instanceof TargetsMoved) return answer({ number, body: { kind: 'write', unit: error.unit } })
    return { number, failure: toFailure(translate(error)) }
  }
}

class GroupLost extends Error {
  constructor(cause: unknown) {
    super('The transaction was lost', { cause })
  }
}

function perform(request: WriterRequest): unknown {
  if (request.kind === 'write') return writer.apply(request.unit, Date.now())
  const begun = transactions[request.name] as (...given: readonly unknown[]) => Steps<unknown>
  return runSteps(begun(...request.given), run)
}

/** Another process may be writing; each try waits for the timeout of the connection. */
function beginWaiting() {
  for (let tries = 1; ; tries++) {
    try {
      begin.run()
      return
    } catch (error) {
      if (codeOf(error) !== sqliteBusy || tries === maxBusyTries) throw error
    }
  }
}

const sqliteBusy = 5
const sqliteFull = 13

function translate(thrown: unknown): unknown {
  const error = thrown instanceof GroupLost ? thrown.cause : thrown
  const code = codeOf(error)
  if (code === sqliteFull) return diskFull(error)
  if (code === sqliteBusy)
    return new CatalogueError('unavailable', 'Another process is writing to the database; try again', { cause: error })
  return error
}

function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
  return code === undefined ? undefined : code & 0xff
}

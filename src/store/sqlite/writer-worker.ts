import { flushCompileCache } from 'node:module'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

import { CatalogueError } from '#domain/errors.ts'
import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { NewAct } from '../ports/audit.ts'
import type { WriteUnit } from '../ports/entities.ts'
import type { Purge } from '../ports/purge.ts'
import type { StoredToken } from '../ports/tokens.ts'
import { logAct } from './acts.ts'
import { openWriting, prepareWriting } from './connection.ts'
import { deleteVersions, purge } from './purge.ts'
import { deleteToken, insertToken } from './tokens.ts'
import { createWebhookWriter, type WebhookWrite } from './webhooks.ts'
import { type Reply, type Request, toFailure } from '#threads/worker-link.ts'
import { Writer } from './writer.ts'

/*
 * The one thread that writes. Requests that arrive while a transaction is made durable go into the
 * next one, each in a savepoint of its own: the disk is waited for once for all of them (group
 * commit).
 */

export type WriterRequest =
  | { readonly kind: 'write'; readonly unit: WriteUnit }
  | { readonly kind: 'insert_token'; readonly token: StoredToken }
  | { readonly kind: 'delete_token'; readonly id: string }
  | { readonly kind: 'delete_changes'; readonly before: string }
  | { readonly kind: 'purge'; readonly purge: Purge }
  | { readonly kind: 'delete_versions'; readonly before: string; readonly after: string }
  | { readonly kind: 'webhook'; readonly write: WebhookWrite }
  | { readonly kind: 'log_act'; readonly act: NewAct }
  | { readonly kind: 'hold_lease'; readonly task: string; readonly holder: string; readonly milliseconds: number }
  | { readonly kind: 'release_lease'; readonly task: string; readonly holder: string }

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
const webhooks = createWebhookWriter(db)
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
    return { number, failure: toFailure(translate(error)) }
  }
}

class GroupLost extends Error {
  constructor(cause: unknown) {
    super('The transaction was lost', { cause })
  }
}

function perform(request: WriterRequest): unknown {
  switch (request.kind) {
    case 'write':
      return writer.apply(request.unit, Date.now())
    case 'insert_token':
      insertToken(db, request.token)
      return true
    case 'delete_token':
      return deleteToken(db, request.id)
    case 'delete_changes':
      return deleteChanges(request.before)
    case 'purge':
      return purge(db, request.purge, Date.now())
    case 'delete_versions':
      return deleteVersions(db, request.before, request.after)
    case 'webhook':
      return webhooks.apply(request.write)
    case 'log_act':
      return logAct(db, request.act)
    case 'hold_lease':
      return holdLease(request.task, request.holder, request.milliseconds)
    case 'release_lease':
      return prepareWriting(db, 'DELETE FROM leases WHERE task = ? AND holder = ?').run(request.task, request.holder)
        .changes
  }
}

/** The last deleted number is stored, to tell a deleted change row from one that is missing. */
function deleteChanges(before: string): number {
  prepareWriting(
    db,
    `INSERT OR REPLACE INTO properties
     SELECT 'forgotten', CAST(max(sequence) AS TEXT) FROM changes WHERE at < ? HAVING max(sequence) IS NOT NULL`
  ).run(before)
  return Number(prepareWriting(db, 'DELETE FROM changes WHERE at < ?').run(before).changes)
}

function holdLease(task: string, holder: string, milliseconds: number): boolean {
  const now = Date.now()
  const { changes } = prepareWriting(
    db,
    `INSERT INTO leases (task, holder, until) VALUES (?, ?, ?)
     ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE leases.holder = excluded.holder OR leases.until < ?`
  ).run(task, holder, now + milliseconds, now)
  return Number(changes) > 0
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
  if (code === sqliteFull)
    return new CatalogueError('storage_full', 'The disk is full; nothing was written', { cause: error })
  if (code === sqliteBusy)
    return new CatalogueError('unavailable', 'Another process is writing to the database; try again', { cause: error })
  return error
}

function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
  return code === undefined ? undefined : code & 0xff
}

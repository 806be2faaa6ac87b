import type { Model } from '#domain/record-types/model.ts'
import { maxRecordsAtOnce } from '#finding/find-in-index.ts'
import { deleteSnapshot } from '#finding/snapshot-file.ts'
import { frugalThread } from '#threads/thread-limits.ts'
import { linkWorker, type WorkerLink } from '#threads/worker-link.ts'
import { moveInProgress, unfinishedMove } from '../archive.ts'
import type { StoreSettings } from '../ports/administration.ts'
import type { StoredEntity } from '../ports/entities.ts'
import type { LeaseStore } from '../ports/leases.ts'
import type { VersionsDeleted } from '../ports/purge.ts'
import type { TokenStore } from '../ports/tokens.ts'
import type { StoredDelivery, StoredWebhook, WebhookStore } from '../ports/webhooks.ts'
import type { Store } from '../store.ts'
import { prepareActReads } from './acts.ts'
import { watchChanges } from './changed-ids.ts'
import { checkDatabase } from './check.ts'
import { openReading, openWriting } from './connection.ts'
import { preparePointReads } from './point-reads.ts'
import { prepareFile } from './prepare-file.ts'
import { startReaderThreads } from './reader-threads.ts'
import { prepareStateReads } from './state-entries.ts'
import { prepareTokenReads } from './tokens.ts'
import { prepareWebhookReads, type WebhookWrite } from './webhooks.ts'
import type { WriterData, WriterRequest } from './writer-worker.ts'

type Database = ReturnType<typeof openReading>
type WriterLink = WorkerLink<WriterRequest>

/**
 * Opens a catalogue in one SQLite file.
 *
 * `node:sqlite` is synchronous, so a statement blocks its thread. Reads by identifier cost
 * microseconds and stay on this thread; queries go to reader threads, started when first needed,
 * and all writes to one writer thread.
 */
export function openSqliteStore(
  path: string,
  model: Model,
  settings: Omit<StoreSettings, 'poolSize' | 'maxWait' | 'replicaUrls' | 'staleness' | 'indexSnapshot'>
): Store {
  const { readCacheMegabytes, logMegabytes, maxBehind, recordsOfPart } = settings
  prepareFile(path, model, settings.followsModel)
  const db = openReading(path, readCacheMegabytes)
  if (db.prepare('SELECT 1 FROM properties WHERE name = ?').get(moveInProgress)) {
    db.close()
    throw unfinishedMove()
  }
  const { recordTypes } = model
  const writer: WriterLink = linkWorker(
    new URL('./writer-worker.ts', import.meta.url),
    { path, recordTypes, logMegabytes } satisfies WriterData,
    frugalThread(2000)
  )
  let { queryDeadline } = settings
  const readerData = { path, recordTypes, readCacheMegabytes, maxBehind, recordsOfPart }
  const readers = startReaderThreads(readerData, settings.readers, () => queryDeadline)
  const { bases } = readers
  const isLarge = Number(db.prepare('SELECT max(pk) AS pk FROM entities').get()?.pk ?? 0) > maxRecordsAtOnce
  // A command runs few queries, and many none.
  if (isLarge && settings.followsModel) bases.start()
  const reads = preparePointReads(db)
  if (settings.followsModel) bases.follow(() => reads.feedState().newest)

  return {
    ...reads,
    ...readers.reader,
    ...prepareStateReads(db),
    ...createTokens(db, writer),
    ...createWebhooks(db, writer),
    ...createLeases(db, writer),
    ...prepareActReads(db),
    async logAct(act) {
      await writer.request({ kind: 'log_act', act })
    },
    write: async unit => (await writer.request({ kind: 'write', unit })) as (StoredEntity | undefined)[],
    deleteChanges: async before => (await writer.request({ kind: 'delete_changes', before })) as number,
    async purge(purge) {
      const isPurged = (await writer.request({ kind: 'purge', purge })) as boolean
      // The snapshot of the index may still have it.
      deleteSnapshot(`${path}.index`)
      return isPurged
    },
    deleteVersions: async (before, after) =>
      (await writer.request({ kind: 'delete_versions', before, after })) as VersionsDeleted,
    changedSinceLastCall: watchChanges(db),

    findingState: () => bases.state,
    setQueryDeadline(milliseconds) {
      queryDeadline = milliseconds
    },
    isNew: () => reads.feedState().newest === 0,
    async check() {
      // A connection of its own: an integrity check needs more rights than a reader has.
      using checking = openWriting(path)
      return checkDatabase(checking, model)
    },
    async [Symbol.asyncDispose]() {
      await writer.close()
      await readers.close()
      if (db.isOpen) db.close()
    }
  }
}

const createTokens = (db: Database, writer: WriterLink): TokenStore => ({
  ...prepareTokenReads(db),
  async insertToken(token) {
    await writer.request({ kind: 'insert_token', token })
  },
  deleteToken: async id => (await writer.request({ kind: 'delete_token', id })) as boolean
})

function createWebhooks(db: Database, writer: WriterLink): WebhookStore {
  const request = (write: WebhookWrite) => writer.request({ kind: 'webhook', write })
  return {
    ...prepareWebhookReads(db),
    async insertWebhook(webhook) {
      await request({ kind: 'insert', webhook })
    },
    updateWebhook: async (id, expectedRevision, edit) =>
      (await request({ kind: 'update', id, expectedRevision, edit })) as StoredWebhook | undefined,
    deleteWebhook: async id => (await request({ kind: 'delete', id })) as boolean,
    advanceWebhook: async progress => (await request({ kind: 'advance', progress })) as StoredWebhook | undefined,
    logDelivery: async (webhookId, delivery) =>
      (await request({ kind: 'log', webhookId, delivery })) as StoredDelivery | undefined
  }
}

function createLeases(db: Database, writer: WriterLink): LeaseStore {
  const selectHolder = db.prepare('SELECT holder FROM leases WHERE task = ?')
  return {
    holdLease: async (task, holder, milliseconds) =>
      (await writer.request({ kind: 'hold_lease', task, holder, milliseconds })) as boolean,
    async findLeaseHolder(task) {
      const row = selectHolder.get(task)
      return row && String(row.holder)
    },
    async releaseLease(task, holder) {
      await writer.request({ kind: 'release_lease', task, holder })
    }
  }
}

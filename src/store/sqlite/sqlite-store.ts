import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Model } from '#domain/record-types/model.ts'
import { moveMarkName, unfinishedMove } from '../archive.ts'
import { toMerge } from '../rows.ts'
import { frugalThread } from '../thread-limits.ts'
import type { Identified, Store, StoredDelivery, StoredEntity, StoredWebhook, StoreSettings } from '../store.ts'
import { checkDatabase } from './check.ts'
import { openReading, openWriting } from './connection.ts'
import { fillSearchWords } from './fill-search-words.ts'
import { followModel, noteRules } from './follow-model.ts'
import { makeFolder } from './make-folder.ts'
import { migrate } from './migrations.ts'
import { prepareOutcomeRead } from './outcomes.ts'
import { prepareStateReads } from './state-entries.ts'
import { startReaderThreads } from './reader-threads.ts'
import { prepareTokenReads } from './tokens.ts'
import { prepareWebhookReads, type WebhookWrite } from './webhooks.ts'
import { linkWorker } from './worker-link.ts'
import type { WriterData, WriterRequest } from './writer-worker.ts'

/** So many changes are told one by one to a cache; after more it is quicker to begin anew. */
const mostToldChanges = 10_000

/**
 * Opens a catalogue in one SQLite file.
 *
 * `node:sqlite` is synchronous, so whoever runs it stalls. Reads by identifier cost microseconds
 * and stay on this thread; questions go to reader threads, started when first needed, and all
 * writes to one writer thread.
 */
export function openSqliteStore(
  path: string,
  model: Model,
  settings: Pick<StoreSettings, 'queryDeadline' | 'readers' | 'followsModel' | 'readCacheMegabytes' | 'logMegabytes'>
): Store {
  prepareFile(path, model, settings.followsModel)
  const db = openReading(path, settings.readCacheMegabytes)
  if (db.prepare('SELECT 1 FROM properties WHERE name = ?').get(moveMarkName)) {
    db.close()
    throw unfinishedMove()
  }
  const recordTypes = model.recordTypes

  const columns = 'e.id, e.uuid, e.type, e.version, e.document AS json'
  const selectOne = db.prepare(
    `SELECT ${columns} FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?`
  )
  // A cross join keeps the order asked for.
  const selectMany = db.prepare(
    `SELECT i.identifier, ${columns} FROM json_each(?) j CROSS JOIN identifiers i ON i.identifier = j.value
     CROSS JOIN entities e ON e.pk = i.entity_pk`
  )
  const selectNames = db.prepare(
    `SELECT i.identifier, e.id, e.type FROM json_each(?) j CROSS JOIN identifiers i ON i.identifier = j.value
     CROSS JOIN entities e ON e.pk = i.entity_pk`
  )
  const first = 'SELECT r.target FROM relations r WHERE r.type = ?'
  const selectClimbing = db.prepare(
    `SELECT ${['a', 'b', 'c'].map(each => columns.replaceAll('e.', `${each}.`)).join()}
     FROM identifiers i CROSS JOIN entities a ON a.pk = i.entity_pk
     LEFT JOIN identifiers j ON j.identifier = (${first} AND r.entity_pk = a.pk ORDER BY r.position LIMIT 1)
     LEFT JOIN entities b ON b.pk = j.entity_pk
     LEFT JOIN identifiers k ON k.identifier = (${first} AND r.entity_pk = b.pk ORDER BY r.position LIMIT 1)
     LEFT JOIN entities c ON c.pk = k.entity_pk WHERE i.identifier = ?`
  )
  selectClimbing.setReturnArrays(true)
  const dataVersion = db.prepare('PRAGMA data_version')
  // An array costs less to make than an object, and this is asked for every read: 1.4 µs against
  // 2.0.
  dataVersion.setReturnArrays(true)
  const selectChanged = db.prepare('SELECT sequence, id FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?')
  // The number given last is remembered also when its change, and all others, were forgotten.
  const lastSequence = db.prepare(
    `SELECT coalesce((SELECT max(sequence) FROM changes), (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0) AS sequence`
  )
  const tokens = prepareTokenReads(db)
  const webhooks = prepareWebhookReads(db)
  const papers = prepareStateReads(db)

  const writer = linkWorker<WriterRequest>(
    new URL('./writer-worker.ts', import.meta.url),
    { path, recordTypes, logMegabytes: settings.logMegabytes } satisfies WriterData,
    frugalThread(2000)
  )
  let { queryDeadline } = settings
  const { readCacheMegabytes } = settings
  const readers = startReaderThreads({ path, recordTypes, readCacheMegabytes }, settings.readers, () => queryDeadline)
  const askReader = readers.ask

  const readDataVersion = () => (dataVersion.get() as unknown as [version: number])[0]
  let seenVersion = readDataVersion()
  let seenSequence = Number(lastSequence.get()?.sequence)
  const nothing: readonly string[] = []

  const findOutcome = prepareOutcomeRead(db)
  const selectFeed = db.prepare(
    `SELECT (SELECT value FROM properties WHERE name = 'epoch') AS epoch,
       (SELECT min(sequence) FROM changes) AS oldest,
       coalesce((SELECT max(sequence) FROM changes), (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0) AS newest`
  )
  const selectMerge = db.prepare(
    `SELECT m.number, m.survivor_id, m.victim_id, m.written, m.undone FROM identifiers i JOIN entities e ON e.pk = i.entity_pk
     JOIN merges m ON m.survivor_uuid = e.uuid AND m.undone IS NULL
     WHERE i.identifier = ?1 AND (?2 = '' OR m.victim_id = ?2) ORDER BY m.number DESC LIMIT 1`
  )
  const selectLease = db.prepare('SELECT holder FROM leases WHERE task = ?')

  const writeWebhook = (write: WebhookWrite) => writer.ask({ kind: 'webhook', write })

  return {
    findEntity: identifier => selectOne.get(identifier) as unknown as StoredEntity | undefined,

    findEntities: identifiers => byIdentifier<StoredEntity>(selectMany.all(JSON.stringify(identifiers))),

    findClimbing(identifier, links) {
      const row = selectClimbing.get(...links, identifier) as unknown as readonly unknown[] | undefined
      const found: StoredEntity[] = []
      for (let at = 0; row && at < row.length && row[at] !== null; at += 5) {
        const [id, uuid, type, version, json] = row.slice(at, at + 5) as [string, string, string, number, string]
        found.push({ id, uuid, type, version, json })
      }
      return found
    },

    identify: identifiers => byIdentifier<Identified>(selectNames.all(JSON.stringify(identifiers))),

    ask: question => askReader('ask', question),
    suggest: question => askReader('suggest', question),
    findReferences: question => askReader('findReferences', question),
    findHistory: (identifier, skip, limit) => askReader('findHistory', identifier, skip, limit),
    findVersion: (identifier, version) => askReader('findVersion', identifier, version),
    findVersionByUuid: (uuid, version) => askReader('findVersionByUuid', uuid, version),
    identifyDeleted: ids => askReader('identifyDeleted', ids),
    sequenceAt: at => askReader('sequenceAt', at),
    findEntitiesAt: (identifiers, sequence) => askReader('findEntitiesAt', identifiers, sequence),
    namesMergedInto: uuid => askReader('namesMergedInto', uuid),
    readChanges: question => askReader('readChanges', question),
    harvest: question => askReader('harvest', question),
    findHarvested: (id, question) => askReader('findHarvested', id, question),
    harvestState: () => askReader('harvestState'),
    listTerms: question => askReader('listTerms', question),
    countGrowth: question => askReader('countGrowth', question),

    findOutcome,
    findMerge(survivorId, victimId = '') {
      const row = selectMerge.get(survivorId, victimId)
      return row && toMerge(row)
    },
    findMergesOf: uuids => askReader('findMergesOf', uuids),
    feedState() {
      const row = selectFeed.get()
      const newest = Number(row?.newest)
      return { epoch: String(row?.epoch), oldest: Number(row?.oldest ?? newest + 1), newest }
    },
    forgetChanges: async before => (await writer.ask({ kind: 'forget_changes', before })) as number,

    write: async unit => (await writer.ask({ kind: 'write', unit })) as (StoredEntity | undefined)[],

    changedSinceLastAsked() {
      const version = readDataVersion()
      if (version === seenVersion) return nothing
      seenVersion = version
      const rows = selectChanged.all(seenSequence, mostToldChanges)
      const newest = Number(lastSequence.get()?.sequence)
      // Numbers have no gaps: where some are missing, there were too many, or they were forgotten.
      const isWhole = rows.length === newest - seenSequence
      seenSequence = newest
      return isWhole ? rows.map(row => String(row.id)) : 'all'
    },

    findState: papers.find,
    listStateKeys: papers.listKeys,
    readState: papers.read,

    async insertToken(token) {
      await writer.ask({ kind: 'insert_token', token })
    },
    findToken: hash => tokens.find(hash),
    listTokens: () => tokens.list(),
    deleteToken: async id => (await writer.ask({ kind: 'delete_token', id })) as boolean,

    async insertWebhook(webhook) {
      await writeWebhook({ kind: 'insert', webhook })
    },
    findWebhook: id => webhooks.find(id),
    listWebhooks: () => webhooks.list(),
    updateWebhook: async (id, expectedRevision, edit) =>
      (await writeWebhook({ kind: 'update', id, expectedRevision, edit })) as StoredWebhook | undefined,
    deleteWebhook: async id => (await writeWebhook({ kind: 'delete', id })) as boolean,
    advanceWebhook: async progress => (await writeWebhook({ kind: 'advance', progress })) as StoredWebhook | undefined,
    logDelivery: async (webhookId, delivery) =>
      (await writeWebhook({ kind: 'log', webhookId, delivery })) as StoredDelivery | undefined,
    listDeliveries: (webhookId, limit, before) => webhooks.listDeliveries(webhookId, limit, before),
    findDelivery: (webhookId, number) => webhooks.findDelivery(webhookId, number),

    holdLease: async (task, holder, milliseconds) =>
      (await writer.ask({ kind: 'hold_lease', task, holder, milliseconds })) as boolean,
    async findLeaseHolder(task) {
      const row = selectLease.get(task)
      return row && String(row.holder)
    },
    async releaseLease(task, holder) {
      await writer.ask({ kind: 'release_lease', task, holder })
    },

    setQueryDeadline(milliseconds) {
      queryDeadline = milliseconds
    },

    isNew: () => Number(selectFeed.get()?.newest) === 0,

    async check() {
      // Its own connection: an integrity check needs more than a reader may do.
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

/**
 * Makes the file and its folder where there are none, and brings its schema up to date. A damaged
 * file is refused, in words.
 */
/**
 * Lets only its owner read a database: there are secrets in it, and records that nobody may see
 * yet. SQLite gives the files beside it the mode that it has itself. A file of another owner is
 * left as it is: only they can change it.
 */
function keepPrivate(path: string) {
  closeSync(openSync(path, 'a', 0o600))
  for (const end of ['', '-wal', '-shm', '-journal']) {
    try {
      if ((statSync(path + end).mode & 0o077) !== 0) chmodSync(path + end, 0o600)
    } catch (error) {
      if (!['ENOENT', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

export function prepareFile(path: string, model: Model, followsModel = false) {
  let db: ReturnType<typeof openWriting>
  try {
    makeFolder(dirname(path))
    keepPrivate(path)
    db = openWriting(path)
  } catch (cause) {
    throw new Error(`The database "${path}" cannot be opened: ${reason(cause)}`, { cause })
  }
  try {
    migrate(db)
    fillSearchWords(db, model)
    noteRules(db, model)
    if (followsModel) followModel(db, model)
    db.exec('PRAGMA optimize')
  } catch (cause) {
    throw new Error(`The database "${path}" cannot be used: ${reason(cause)}`, { cause })
  } finally {
    db.close()
  }
}

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

function byIdentifier<T>(rows: readonly unknown[]): ReadonlyMap<string, T> {
  return new Map(rows.map(row => [(row as { identifier: string }).identifier, row as T]))
}

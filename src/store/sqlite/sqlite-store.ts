import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Model } from '#domain/model.ts'
import type { Answer, Identified, ReferenceAnswer, Store, StoredEntity, StoreSettings } from '../store.ts'
import { checkDatabase } from './check.ts'
import { openReading, openWriting } from './connection.ts'
import { migrate } from './migrations.ts'
import type { ReaderData, ReaderRequest } from './reader-worker.ts'
import { prepareTokenReads } from './tokens.ts'
import { linkWorker } from './worker-link.ts'
import type { WriterData, WriterRequest } from './writer-worker.ts'

/** So many changes are told one by one to a cache; after more it is quicker to begin anew. */
const mostToldChanges = 10_000

/**
 * Opens a catalogue in one SQLite file.
 *
 * `node:sqlite` is synchronous, so whoever runs it stalls. Reads by identifier cost microseconds and stay on this thread; questions go to
 * reader threads, started when first needed, and all writes to one writer thread.
 */
export function openSqliteStore(path: string, model: Model, settings: StoreSettings): Store {
  mkdirSync(dirname(path), { recursive: true })
  prepareFile(path)
  const db = openReading(path)
  const recordTypes = model.recordTypes

  const columns = 'e.id, e.uuid, e.type, e.version, e.document AS json'
  const selectOne = db.prepare(
    `SELECT ${columns} FROM identifiers i JOIN entities e ON e.pk = i.entity_pk WHERE i.identifier = ?`
  )
  const selectMany = db.prepare(
    `SELECT i.identifier, ${columns} FROM json_each(?) j JOIN identifiers i ON i.identifier = j.value
     JOIN entities e ON e.pk = i.entity_pk`
  )
  const selectNames = db.prepare(
    `SELECT i.identifier, e.id, e.type FROM json_each(?) j JOIN identifiers i ON i.identifier = j.value
     JOIN entities e ON e.pk = i.entity_pk`
  )
  const dataVersion = db.prepare('PRAGMA data_version')
  const selectChanged = db.prepare('SELECT sequence, id FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?')
  const lastSequence = db.prepare('SELECT coalesce(max(sequence), 0) AS sequence FROM changes')
  const tokens = prepareTokenReads(db)

  const writer = linkWorker<WriterRequest>(new URL('./writer-worker.ts', import.meta.url), {
    path,
    recordTypes
  } satisfies WriterData)
  const readerData: ReaderData = { path, recordTypes, queryDeadline: settings.queryDeadline }
  const readers = Array.from({ length: settings.readers }, () =>
    linkWorker<ReaderRequest>(new URL('./reader-worker.ts', import.meta.url), readerData)
  )
  /** The reader with the least to do; the first of equals, so that a quiet service starts only one. */
  const leastBusy = () => readers.reduce((best, each) => (each.waiting < best.waiting ? each : best))

  let seenVersion: unknown = dataVersion.get()?.data_version
  let seenSequence = Number(lastSequence.get()?.sequence)
  const nothing: readonly string[] = []

  return {
    findEntity: identifier => selectOne.get(identifier) as unknown as StoredEntity | undefined,

    findEntities: identifiers => byIdentifier<StoredEntity>(selectMany.all(JSON.stringify(identifiers))),

    identify: identifiers => byIdentifier<Identified>(selectNames.all(JSON.stringify(identifiers))),

    ask: async question => (await leastBusy().ask({ kind: 'ask', question })) as Answer,

    findReferences: async question => (await leastBusy().ask({ kind: 'find_references', question })) as ReferenceAnswer,

    write: async unit => (await writer.ask({ kind: 'write', unit })) as (StoredEntity | undefined)[],

    changedSinceLastAsked() {
      const version = dataVersion.get()?.data_version
      if (version === seenVersion) return nothing
      seenVersion = version
      const rows = selectChanged.all(seenSequence, mostToldChanges)
      if (rows.length === mostToldChanges) {
        seenSequence = Number(lastSequence.get()?.sequence)
        return 'all'
      }
      seenSequence = Number(rows.at(-1)?.sequence ?? seenSequence)
      return rows.map(row => String(row.id))
    },

    async insertToken(token) {
      await writer.ask({ kind: 'insert_token', token })
    },
    findToken: hash => tokens.find(hash),
    listTokens: () => tokens.list(),
    deleteToken: async id => (await writer.ask({ kind: 'delete_token', id })) as boolean,

    isNew: () => Number(lastSequence.get()?.sequence) === 0,

    async check() {
      // Its own connection: an integrity check needs more than a reader may do.
      using checking = openWriting(path)
      return checkDatabase(checking, model)
    },

    async [Symbol.asyncDispose]() {
      await writer.close()
      await Promise.all(readers.map(reader => reader.close()))
      db.close()
    }
  }
}

/** Makes the file where there is none and brings its schema up to date. A damaged file is refused, in words. */
function prepareFile(path: string) {
  let db: ReturnType<typeof openWriting>
  try {
    db = openWriting(path)
  } catch (cause) {
    throw new Error(`The database "${path}" cannot be opened: ${reason(cause)}`, { cause })
  }
  try {
    migrate(db)
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

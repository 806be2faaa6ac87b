import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { type Base, buildBase } from '#index/base.ts'
import type { BuilderMessage, BuilderOptions } from '../finding/build-in-thread.ts'
import {
  isUsable,
  selectLastChange,
  selectMarks,
  selectRecentChanges,
  toChangeMark,
  toDocumentRow
} from '../finding/find-in-index.ts'
import { toDocument } from '../finding/index-host.ts'
import { loadSnapshot, saveSnapshot } from '../finding/snapshot-file.ts'
import { rulesText } from '../index-progress.ts'
import { openReading } from './connection.ts'
import { sqliteDialect } from './dialect.ts'

/*
 * A thread that builds a base of all documents, as of one moment, and ends. The base is stored in a
 * file beside the database, for the next start.
 */

export interface BuilderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
}

/** The number of records between two reports of progress. */
const reportEvery = 2000

const { path, recordTypes, snapshot, newerThan } = workerData as BuilderData & BuilderOptions
const model = createModel(recordTypes)
const send = (message: BuilderMessage) => parentPort?.postMessage(message)
const db = openReading(path, 8)
db.exec('BEGIN')
const change = Number(db.prepare(selectLastChange(sqliteDialect.newestChange)).get()?.change)
const epoch = db.prepare(`SELECT value FROM properties WHERE name = 'epoch'`).get()?.value
// The same documents give another index by other rules.
const database = JSON.stringify([epoch, rulesText(model)])

function readStored(): Base | undefined {
  if (snapshot === undefined || newerThan === undefined) return undefined
  const base = loadSnapshot(snapshot, database)
  if (!base || base.change <= newerThan) return undefined
  const marks = db.prepare(selectMarks(sqliteDialect)).all(JSON.stringify(base.recent.map(each => each.change)))
  return isUsable(base, change, marks) ? base : undefined
}

function buildFromDocuments(): Base {
  const of = Number(db.prepare('SELECT count(*) AS n FROM entities').get()?.n)
  const builder = buildBase()
  let done = 0
  for (const row of db.prepare('SELECT pk, changed, document FROM entities ORDER BY pk').iterate()) {
    builder.add(toDocument(model, toDocumentRow(row)))
    if (++done % reportEvery === 0) send({ kind: 'progress', done, of })
  }
  return builder.done(change, db.prepare(selectRecentChanges).all().map(toChangeMark))
}

const stored = readStored()
const base = stored ?? buildFromDocuments()
db.exec('COMMIT')
db.close()
send({ kind: 'built', base, isFromSnapshot: stored !== undefined })
if (!stored && snapshot !== undefined) saveSnapshot(snapshot, base, database)

import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { type Base, buildBase } from '#index/base.ts'
import type { BuilderMessage, BuilderOptions } from '../finding/build-in-thread.ts'
import { isUsable, selectMarks, selectRecentChanges, toChangeMark, toDocumentRow } from '../finding/find-in-index.ts'
import { toDocument } from '../finding/index-host.ts'
import { loadSnapshot, saveSnapshot } from '../finding/snapshot-file.ts'
import { rulesText } from '../index-progress.ts'
import { openLink, readServers } from './connection.ts'
import { postgresDialect } from './dialect.ts'

/*
 * A thread that builds a base of all documents, as of one moment, and ends. Where processes share a
 * file, the newest base in it is taken instead, and a new one is stored there.
 */

export interface BuilderData {
  readonly databaseUrl: string
  readonly recordTypes: readonly RecordType[]
}

/** The number of records that are read at once. */
const rowsEach = 1000

const { databaseUrl, recordTypes, snapshot, newerThan } = workerData as BuilderData & BuilderOptions
const model = createModel(recordTypes)
const send = (message: BuilderMessage) => parentPort?.postMessage(message)
const link = await openLink(readServers(databaseUrl, 'primary'))

async function readStored(database: string, change: number): Promise<Base | undefined> {
  if (snapshot === undefined || newerThan === undefined) return undefined
  const base = loadSnapshot(snapshot, database)
  if (!base || base.change <= newerThan) return undefined
  const marks = await link.run(selectMarks(postgresDialect), [JSON.stringify(base.recent.map(each => each.change))])
  return isUsable(base, change, marks) ? base : undefined
}

async function buildFromDocuments(change: number): Promise<Base> {
  const [{ n } = {}] = await link.run('SELECT count(*) AS n FROM entities')
  const recent = await link.run(selectRecentChanges)
  const builder = buildBase()
  const read = (after: number) =>
    link.run(`SELECT pk, changed, document FROM entities WHERE pk > ? ORDER BY pk LIMIT ${rowsEach}`, [after])
  let done = 0
  let rows = await read(0)
  while (rows.length > 0) {
    // The server reads the next records while these are indexed.
    const next = read(Number(rows.at(-1)?.pk))
    for (const row of rows) builder.add(toDocument(model, toDocumentRow(row)))
    done += rows.length
    send({ kind: 'progress', done, of: Number(n) })
    rows = await next
  }
  return builder.done(change, recent.map(toChangeMark))
}

try {
  await link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const [last] = await link.run('SELECT change FROM counters')
  const [epoch] = await link.run(`SELECT value FROM properties WHERE name = 'epoch'`)
  const change = Number(last?.change)
  // The same documents give another index by other rules.
  const database = JSON.stringify([epoch?.value, rulesText(model)])
  const stored = await readStored(database, change)
  const base = stored ?? (await buildFromDocuments(change))
  await link.run('COMMIT')
  send({ kind: 'built', base, isFromSnapshot: stored !== undefined })
  if (!stored && snapshot !== undefined) saveSnapshot(snapshot, base, database)
} finally {
  await link.close()
}

import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { buildBase } from '#index/base.ts'
import type { BuilderMessage } from '../finding/build-in-thread.ts'
import { selectRecentChanges, toChangeMark, toDocumentRow } from '../finding/find-in-index.ts'
import { toDocument } from '../finding/index-host.ts'
import { openLink, readServers } from './connection.ts'

/* A thread that builds a base of all documents, as of one moment, and ends. */

export interface BuilderData {
  readonly databaseUrl: string
  readonly recordTypes: readonly RecordType[]
}

/** The number of records that are read at once. */
const rowsEach = 1000

const { databaseUrl, recordTypes } = workerData as BuilderData
const model = createModel(recordTypes)
const send = (message: BuilderMessage) => parentPort?.postMessage(message)
const link = await openLink(readServers(databaseUrl, 'primary'))
try {
  await link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const [last] = await link.run('SELECT change FROM counters')
  const recent = await link.run(selectRecentChanges)
  const [{ n } = {}] = await link.run('SELECT count(*) AS n FROM entities')
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
  await link.run('COMMIT')
  const base = builder.done(Number(last?.change), recent.map(toChangeMark))
  send({ kind: 'built', base, isFromSnapshot: false })
} finally {
  await link.close()
}

import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { buildBase } from '#index/base.ts'
import type { BuilderMessage } from '../finding/build-in-thread.ts'
import { selectLastChange, toDocumentRow } from '../finding/find-in-index.ts'
import { toDocument } from '../finding/index-host.ts'
import { openReading } from './connection.ts'
import { sqliteDialect } from './dialect.ts'

/* A thread that builds a base of all documents, as of one moment, and ends. */

export interface BuilderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
}

/** The number of records between two reports of progress. */
const reportEvery = 2000

const { path, recordTypes } = workerData as BuilderData
const model = createModel(recordTypes)
const send = (message: BuilderMessage) => parentPort?.postMessage(message)
const db = openReading(path, 8)
db.exec('BEGIN')
const last = db.prepare(selectLastChange(sqliteDialect.newestChange)).get()
const of = Number(db.prepare('SELECT count(*) AS n FROM entities').get()?.n)
const builder = buildBase()
let done = 0
for (const row of db.prepare('SELECT pk, changed, document FROM entities ORDER BY pk').iterate()) {
  builder.add(toDocument(model, toDocumentRow(row)))
  if (++done % reportEvery === 0) send({ kind: 'progress', done, of })
}
db.exec('COMMIT')
db.close()
send({ kind: 'built', base: builder.done(Number(last?.change), String(last?.mark ?? '')) })

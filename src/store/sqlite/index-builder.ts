import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/model.ts'
import type { RecordType } from '#domain/record-type.ts'
import { buildBase } from '#index/base.ts'
import { openReading } from './connection.ts'
import { newestChange, toDocument } from './finder.ts'

/* A thread that builds an index of all documents, as of one moment, and ends. */

export interface IndexBuilderData {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
}

const { path, recordTypes } = workerData as IndexBuilderData
const model = createModel(recordTypes)
const db = openReading(path)
db.exec('BEGIN')
const change = Number(db.prepare(newestChange).get()?.sequence)
const builder = buildBase()
for (const row of db.prepare('SELECT pk, changed, document FROM entities ORDER BY pk').iterate())
  builder.add(toDocument(model, row))
db.exec('COMMIT')
db.close()
parentPort?.postMessage(builder.done(change))

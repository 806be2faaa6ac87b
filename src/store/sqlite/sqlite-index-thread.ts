import { parentPort, Worker, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { runBuilder } from '#finding/build-base.ts'
import type { BuilderInput, BuilderOptions } from '#finding/builder.ts'
import { createRecords } from '../query/indexed-records.ts'
import { openReading } from './connection.ts'
import { sqliteDialect } from './dialect.ts'

/* A thread that builds a base of the index, as of one moment, and ends. */

export interface BuilderData extends Omit<BuilderOptions, keyof BuilderInput> {
  readonly path: string
  readonly recordTypes: readonly RecordType[]
}

const data = workerData as BuilderData & BuilderInput

await runBuilder({
  model: createModel(data.recordTypes),
  options: data,
  open() {
    const db = openReading(data.path, 8)
    db.exec('BEGIN')
    return {
      records: createRecords(sqliteDialect, ({ text, parameters }) => db.prepare(text).all(...parameters)),
      close: () => db.close()
    }
  },
  startParts: ranges => new Worker(new URL(import.meta.url), { workerData: { ...data, previous: undefined, ranges } }),
  send: message => parentPort?.postMessage(message)
})

import { parentPort, Worker, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { runBuilder } from '#finding/build-base.ts'
import type { BuilderInput, BuilderOptions } from '#finding/builder.ts'
import { createRecords } from '../query/indexed-records.ts'
import { openLink, readServers } from './connection.ts'
import { postgresDialect } from './dialect.ts'

/* A thread that builds a base of the index, as of one moment, and ends. */

export interface BuilderData extends Omit<BuilderOptions, keyof BuilderInput> {
  readonly databaseUrl: string
  readonly recordTypes: readonly RecordType[]
}

const data = workerData as BuilderData & BuilderInput

await runBuilder({
  model: createModel(data.recordTypes),
  options: data,
  async open() {
    const link = await openLink(readServers(data.databaseUrl, 'primary'))
    await link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return {
      records: createRecords(postgresDialect, ({ text, parameters }) => link.run(text, parameters)),
      close: () => link.close()
    }
  },
  startParts: ranges => new Worker(new URL(import.meta.url), { workerData: { ...data, previous: undefined, ranges } }),
  send: message => parentPort?.postMessage(message)
})

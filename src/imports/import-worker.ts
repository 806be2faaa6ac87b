import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/model.ts'
import type { RecordType } from '#domain/record-type.ts'
import { openImportParts } from './open-import-parts.ts'
import { workOnImport } from './work-on-import.ts'

/*
 * The thread in which imports run, with a store of its own: finding works takes time, and nobody who asks for a record should wait for it.
 */

export interface ImportWorkerData {
  readonly databaseUrl: string
  readonly recordTypes: readonly RecordType[]
  readonly eventSource: string
  readonly job: string
}

const { databaseUrl, recordTypes, eventSource, job } = workerData as ImportWorkerData
const port = parentPort
if (!port) throw new Error('import-worker.ts is started as a worker thread')

// A process may be killed in the middle of an import: what this thread has read of its program is kept now, for the next start.
flushCompileCache()

let isStopped = false
port.on('message', () => {
  isStopped = true
})

// A sign of life: a thread that is held up by one record gives none, and is ended.
const signs = setInterval(() => port.postMessage('alive'), 1000).unref()

{
  await using opened = await openImportParts(databaseUrl, createModel(recordTypes), eventSource)
  await workOnImport(opened.parts, job, () => isStopped)
}
clearInterval(signs)
port.close()

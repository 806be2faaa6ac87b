import { randomInt, randomUUIDv7 } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createAnswerCache } from '#catalogue/answer-cache.ts'
import { countingStore } from '#catalogue/counting-store.ts'
import { createTurns } from '#catalogue/turns.ts'
import { createModel } from '#domain/model.ts'
import type { RecordType } from '#domain/record-type.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { openStore } from '#store/open-store.ts'
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

const model = createModel(recordTypes)
{
  // Nobody waits for its questions, and it asks one at a time.
  await using store = await openStore(databaseUrl, model, { readers: 1, poolSize: 3, queryDeadline: 60_000 })
  const parts = {
    store: countingStore(store, model),
    model,
    cache: createAnswerCache(store, 0),
    turns: createTurns(),
    sanitizeHtml,
    randomBelow: (bound: number) => randomInt(bound),
    newUuid: () => randomUUIDv7(),
    eventSource
  }
  await workOnImport(parts, job, () => isStopped)
}
port.close()

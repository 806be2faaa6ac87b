import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import { signInterval } from '#threads/signs-of-life.ts'
import { importFile } from './import-file.ts'
import { openImportParts } from './open-parts.ts'
import type { ImportThreadData, ImportThreadMessage } from './thread.ts'
import { workOnImport } from './work-on-import.ts'

/* The program of the thread that `thread.ts` starts. */

const { databaseUrl, recordTypes, work, ...settings } = workerData as ImportThreadData
const port = parentPort
if (!port) throw new Error('import-thread.ts is started as a worker thread')
const send = (message: ImportThreadMessage) => port.postMessage(message)

// A process may be killed in the middle of an import: the compiled code of this thread is stored
// now, for the next start.
flushCompileCache()

// A sign of life: a thread that one record blocks gives none, and is terminated.
const heartbeat = setInterval(() => send({ kind: 'alive' }), signInterval).unref()

let isStopped = false
port.on('message', () => {
  isStopped = true
})

{
  const model = createModel(recordTypes)
  await using opened = await openImportParts(databaseUrl, model, settings)
  if ('job' in work) await workOnImport(opened.parts, work.job, () => isStopped)
  else {
    const imported = await importFile(opened.parts, work.file, ({ handled, bytes }) =>
      send({ kind: 'progress', handled, bytes })
    )
    send({ kind: 'done', imported })
  }
}
clearInterval(heartbeat)
port.close()

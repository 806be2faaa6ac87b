import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

import { frugalThread, isOutOfMemory } from '#store/thread-limits.ts'
import type { Config } from '../config.ts'
import type { FileImport } from './import-file.ts'
import type { ImportedFile, ImportThreadData, ImportThreadMessage } from './import-thread.ts'
import { createProgress } from './progress.ts'

const outOfMemory =
  'The import needs more memory than it may take. What it did so far stays; the same command with a smaller --batch goes on with it'

/** Imports a file in a thread of its own, and shows how far it is. This thread loads nothing of what that takes. */
export function importInThread(config: Config, wanted: FileImport): Promise<ImportedFile> {
  const progress = createProgress(wanted.isPreview ? 'Looking' : 'Importing', statSync(wanted.file).size)
  return new Promise<ImportedFile>((resolve, reject) => {
    const thread = new Worker(new URL('./import-thread.ts', import.meta.url), {
      workerData: { config, wanted } satisfies ImportThreadData,
      resourceLimits: frugalThread(1024)
    })
    let done: ImportedFile | undefined
    thread.on('message', (message: ImportThreadMessage) => {
      if (message.kind === 'done') done = message.imported
      else progress.show(message.handled, message.bytes)
    })
    thread.on('error', error => reject(isOutOfMemory(error) ? new Error(outOfMemory) : error))
    // Only when it has ended has it let go of the database and of its turn.
    thread.on('exit', () => (done === undefined ? reject(new Error('The import was cut off')) : resolve(done)))
  }).finally(progress.end)
}

import { Worker } from 'node:worker_threads'

import type { RecordType } from '#domain/record-type.ts'
import { frugalThread, isOutOfMemory } from '#store/thread-limits.ts'
import type { FileImport, ImportedFile } from './import-file.ts'

/*
 * The thread in which an import runs, with a store of its own, for the service and the command alike: finding works takes
 * time, and no request should wait for it. The memory of a thread can be limited; that of a process only when it is started.
 */

export interface ImportThreadData {
  readonly databaseUrl: string
  readonly recordTypes: readonly RecordType[]
  readonly eventSource: string
  /** A job of the queue, or a file that a command names. */
  readonly work: { readonly job: string } | { readonly file: FileImport }
}

export type ImportThreadMessage =
  | { readonly kind: 'progress'; readonly handled: number; readonly bytes: number }
  | { readonly kind: 'done'; readonly imported: ImportedFile }

/** The import needed more memory than its thread may take. */
export class OutOfMemory extends Error {
  constructor() {
    super('The import needs more memory than it may take. What it did so far stays, and can be undone')
  }
}

export interface ImportThread {
  /** Asks it to end after the batch that it writes. */
  stop(): void
  /** Resolves when the thread has ended and released the database; to what became of a file. */
  readonly ended: Promise<ImportedFile | undefined>
}

/** Maximum memory of the thread. */
const maxMegabytes = 1024

export function startImportThread(
  data: ImportThreadData,
  { onProgress, input }: { onProgress?: (handled: number, bytes: number) => void; input?: NodeJS.ReadableStream } = {}
): ImportThread {
  const worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: frugalThread(maxMegabytes),
    stdin: input !== undefined
  })
  if (input !== undefined && worker.stdin !== null) input.pipe(worker.stdin)
  const ended = new Promise<ImportedFile | undefined>((resolve, reject) => {
    let imported: ImportedFile | undefined
    let failure: unknown
    worker.on('message', (message: ImportThreadMessage) => {
      if (message.kind === 'done') imported = message.imported
      else onProgress?.(message.handled, message.bytes)
    })
    worker.on('error', error => {
      failure = isOutOfMemory(error) ? new OutOfMemory() : error
    })
    worker.on('exit', () => (failure === undefined ? resolve(imported) : reject(failure)))
  })
  return { stop: () => worker.postMessage('stop'), ended }
}

import { Worker } from 'node:worker_threads'

import type { MediaSettings } from '#media/open-media.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { NamesInUse } from '#store/ports/queries.ts'
import { type SignsOfLife, watchSigns } from '#threads/signs-of-life.ts'
import { frugalThread, isOutOfMemory } from '#threads/thread-limits.ts'
import type { FileImport, ImportedFile } from './import-file.ts'
import { OutOfMemory } from './thread-failures.ts'

/*
 * The thread in which an import runs, with a store of its own, both for the service and the
 * command: finding works takes time, and no request should wait for it. The memory of a thread can
 * be limited at any time; that of a process only when it starts.
 */

export interface ImportThreadData {
  readonly databaseUrl: string
  readonly recordTypes: readonly RecordType[]
  readonly eventSource: string
  readonly timeZone: string
  /** Where the bytes of media files are stored. */
  readonly media?: MediaSettings
  /** The undeclared names in use, where the service knows them. */
  readonly namesInUse?: NamesInUse | undefined
  /** A job of the queue, or a file that a command names. */
  readonly work: { readonly job: string } | { readonly file: FileImport }
}

export type ImportThreadMessage =
  | { readonly kind: 'progress'; readonly handled: number; readonly bytes: number }
  | { readonly kind: 'done'; readonly imported: ImportedFile }
  | { readonly kind: 'alive' }

export interface ImportThread extends Pick<SignsOfLife, 'silence' | 'silentWork'> {
  /** Tells it to end after the current batch. */
  stop(): void
  /** Terminates it at once. Every batch is one transaction, so nothing is left half done. */
  terminate(): void
  /** Whether it was terminated instead of ending by itself. */
  readonly isTerminated: boolean
  /** Resolves when the thread has ended and released the database; to the outcome of a file. */
  readonly ended: Promise<ImportedFile | undefined>
}

/** Maximum memory of the thread, in megabytes. */
const maxMegabytes = 1024

export interface ImportThreadOptions {
  readonly onProgress?: (handled: number, bytes: number) => void
  readonly input?: NodeJS.ReadableStream
  /** The program of the thread; only tests have another. */
  readonly program?: URL
}

export function startImportThread(
  data: ImportThreadData,
  { onProgress, input, program = new URL('./import-thread.ts', import.meta.url) }: ImportThreadOptions = {}
): ImportThread {
  const worker = new Worker(program, {
    workerData: data,
    resourceLimits: frugalThread(maxMegabytes),
    stdin: input !== undefined
  })
  if (input !== undefined && worker.stdin !== null) input.pipe(worker.stdin)
  const signs = watchSigns(worker)
  let isTerminated = false
  const ended = new Promise<ImportedFile | undefined>((resolve, reject) => {
    let imported: ImportedFile | undefined
    let failure: unknown
    worker.on('message', (message: ImportThreadMessage) => {
      signs.note()
      if (message.kind === 'done') imported = message.imported
      else if (message.kind === 'progress') onProgress?.(message.handled, message.bytes)
    })
    worker.on('error', error => {
      failure = isOutOfMemory(error) ? new OutOfMemory() : error
    })
    worker.on('exit', code => {
      signs.end()
      isTerminated ||= code !== 0 && failure === undefined
      if (failure === undefined) resolve(imported)
      else reject(failure)
    })
  })
  return {
    stop: () => worker.postMessage('stop'),
    terminate: () => {
      isTerminated = true
      void worker.terminate()
    },
    get isTerminated() {
      return isTerminated
    },
    get silence() {
      return signs.silence
    },
    get silentWork() {
      return signs.silentWork
    },
    ended
  }
}

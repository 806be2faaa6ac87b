import { parentPort, workerData } from 'node:worker_threads'

import type { ImportJob } from '#domain/imports/job.ts'
import { openImportParts } from '#imports/open-import-parts.ts'
import type { Config } from '../config.ts'
import { eventSourceOf, modelOf } from '../main.ts'
import { type FileImport, importFile, summaryOf } from './import-file.ts'

/* The thread in which a file is imported by the command line: how much memory a thread may take can be said, that of a process only when it is started. */

export interface ImportThreadData {
  readonly config: Config
  readonly wanted: FileImport
}

export interface ImportedFile {
  readonly job: ImportJob
  readonly summary: string
}

export type ImportThreadMessage =
  | { readonly kind: 'progress'; readonly handled: number; readonly bytes: number }
  | { readonly kind: 'done'; readonly imported: ImportedFile }

const { config, wanted } = workerData as ImportThreadData
const port = parentPort
if (!port) throw new Error('import-thread.ts is started as a worker thread')
const tell = (message: ImportThreadMessage) => port.postMessage(message)

await using opened = await openImportParts(config.databaseUrl, modelOf(config), eventSourceOf(config))
const { parts } = opened
const job = await importFile(parts, wanted, ({ handled, bytes }) => tell({ kind: 'progress', handled, bytes }))
tell({ kind: 'done', imported: { job, summary: await summaryOf(parts.store, job) } })

import { randomUUIDv7 } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'

import type { Parts } from '#catalogue/parts.ts'
import {
  type ImportJob,
  type ImportOptions,
  type ImportRemark,
  newImportJob,
  type PreviewLine
} from '#domain/imports/job.ts'
import { isSameJson } from '#domain/json.ts'
import type { Store } from '#store/store.ts'
import { takeImportLock } from './import-lock.ts'
import { readItems } from './read-items.ts'
import { listPreview } from './preview.ts'
import { listReview } from './review.ts'
import { runImport } from './run-import.ts'
import { listJobs, listRemarks } from './state/import-state.ts'

/** A file that a command imports; `-` is standard input. */
export interface FileImport {
  readonly file: string
  readonly options: ImportOptions
  readonly isPreview: boolean
  readonly batchSize?: number
}

/** The outcome of the import of a file. */
export interface ImportedFile {
  readonly job: ImportJob
  /** The first of its remarks. */
  readonly remarks: readonly ImportRemark[]
  /** The first lines of a preview. */
  readonly preview: readonly PreviewLine[]
  /** Number of open review questions, counted up to a limit. */
  readonly questions: { readonly count: number; readonly areMore: boolean }
}

const maxShownRemarks = 1000
const maxShownLines = 20

/**
 * Imports a file, or resumes an interrupted import of it: the same file (by path, size and time)
 * with the same options. Waits while another import runs.
 */
export async function importFile(
  parts: Parts,
  { file, options, isPreview, batchSize }: FileImport,
  onProgress: (job: ImportJob) => void
): Promise<ImportedFile> {
  const { store } = parts
  await using _lock = await waitForLock(store)
  const isInput = file === '-'
  const { size, mtimeMs } = isInput ? { size: null, mtimeMs: 0 } : statSync(file)
  const origin = isInput ? 'standard input' : `${resolve(file)} ${size} ${mtimeMs}`
  const interrupted = isPreview || isInput ? undefined : await findInterrupted(store, origin, options)
  const job =
    interrupted ??
    newImportJob({
      id: randomUUIDv7(),
      name: isInput ? origin : basename(file),
      state: 'running',
      isPreview,
      options,
      by: 'operator',
      createdAt: new Date().toISOString(),
      size,
      origin
    })
  await store.logAct({
    at: new Date().toISOString(),
    by: 'operator',
    act: interrupted ? 'import.resume' : 'import.start',
    subject: job.id,
    address: null,
    details: { name: job.name, format: options.format ?? null, preview: isPreview }
  })
  const bytes = isInput ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 })
  const done = await runImport(parts, job, readItems(bytes, parts.model, options), {
    onProgress,
    ...(batchSize === undefined ? {} : { batchSize })
  })
  const { questions, next } = await listReview(store, done.id, { limit: 1000 })
  return {
    job: done,
    remarks: await listRemarks(store, done.id, maxShownRemarks),
    preview: await listPreview(store, done.id, maxShownLines),
    questions: { count: questions.length, areMore: next !== undefined }
  }
}

async function waitForLock(store: Store) {
  for (let isReported = false; ; isReported = true) {
    const lock = await takeImportLock(store)
    if (lock) return lock
    if (!isReported) console.error('Another import is running; waiting for it.')
    await new Promise(done => setTimeout(done, 1000))
  }
}

/**
 * Finds an interrupted import of the same file. The service never resumes imports of files: it does
 * not have the file.
 */
async function findInterrupted(store: Store, origin: string, options: ImportOptions): Promise<ImportJob | undefined> {
  for (let after: string | undefined; ; ) {
    const page = await listJobs(store, 1000, after)
    const found = page.find(job => job.origin === origin && job.state === 'running' && isSameJson(job.options, options))
    if (found || page.length < 1000) return found
    after = page.at(-1)?.id
  }
}

import { findJob, jobWrites, commitUnit } from './state/import-state.ts'
import { readItems } from './read-items.ts'
import { runImport } from './run-import.ts'
import { undoImport } from './undo-import.ts'
import type { Parts } from '#catalogue/parts.ts'
import { CatalogueError } from '#domain/errors.ts'
import { deleteUpload, readUpload } from './state/uploads.ts'

/** Runs the import of an upload, or undoes it, as its state requires, and records the outcome. */
export async function workOnImport(parts: Parts, id: string, isStopped: () => boolean): Promise<void> {
  const job = await findJob(parts.store, id)
  if (job === undefined) return
  const end = async (state: 'failed' | 'stopped', failure: string | null) => {
    const now = (await findJob(parts.store, id)) ?? job
    await commitUnit(parts, now, [], jobWrites({ ...now, state, failure, endedAt: new Date().toISOString() }))
  }
  try {
    if (job.state === 'undoing') {
      await undoImport(parts, job, { isStopped })
      return
    }
    const items = readItems(readUpload(parts.store, id), parts.model, job.options)
    const done = await runImport(parts, job, items, { isStopped })
    if (done.state === 'done') await deleteUpload(parts.store, id)
  } catch (error) {
    // While the database is unavailable, the outcome cannot be recorded either; the import is
    // resumed later.
    if (error instanceof CatalogueError && error.code === 'unavailable') throw error
    await end('failed', error instanceof Error ? error.message : String(error))
    if (!(error instanceof CatalogueError)) throw error
  }
}

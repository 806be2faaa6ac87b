import { commitUnit } from './commit.ts'
import { explainLinks, type Origin } from './explain-links.ts'
import { findJob, jobWrites, listJobs, listOpenJobs, listRemarks } from './state/import-state.ts'
import { listPreview } from './preview.ts'
import {
  type Answered,
  answerReview,
  type GivenAnswer,
  listReview,
  refuseMany,
  type ReviewPage,
  type ReviewWanted
} from './review.ts'
import { refuseUndo } from './undo-import.ts'
import type { Parts } from '#catalogue/parts.ts'
import { CatalogueError, notFound } from '#domain/errors.ts'
import {
  type ImportJob,
  type ImportOptions,
  type ImportRemark,
  newImportJob,
  type PreviewLine
} from '#domain/imports/job.ts'
import { importIsRunning, takeImportLock } from './import-lock.ts'
import { forgetUpload, keepUpload, TooLarge } from './state/uploads.ts'
import { type ImportThread, OutOfMemory, startImportThread } from './thread.ts'

export interface NewImport {
  readonly name: string
  readonly options: ImportOptions
  readonly isPreview: boolean
}

/** Takes files in, sees to it that they are imported, and says how far that is. Whatever names an import that is not there throws `not_found`. */
export interface ImportKeeper {
  /** Keeps a file and puts its import into the queue. Throws `invalid` when it is too large or empty; nothing is kept then. */
  create(wanted: NewImport, bytes: AsyncIterable<Uint8Array>, by: string): Promise<ImportJob>
  read(id: string): Promise<ImportJob>
  /** The oldest first; those after an id. */
  list(limit: number, after?: string): Promise<ImportJob[]>
  listRemarks(id: string, limit: number, after?: number): Promise<ImportRemark[]>
  listPreview(id: string, limit: number, after?: number): Promise<PreviewLine[]>
  listReview(id: string, wanted: ReviewWanted): Promise<ReviewPage>
  /** Throws `unavailable` while an import runs. */
  answer(id: string, answers: readonly GivenAnswer[], by: string): Promise<Answered>
  /** Puts the taking back of an import into the queue. */
  undo(id: string): Promise<ImportJob>
  /** Ends an import where it is; what it did stays, and can be taken back. */
  stop(id: string): Promise<ImportJob>
  /** Goes on with one that was stopped or failed. */
  resume(id: string): Promise<ImportJob>
  /** Where a manifestation came from, by any of its identifiers; undefined when no import made it. */
  explain(identifier: string): Promise<Origin | undefined>
  start(report: (error: unknown) => void): void
  close(): Promise<void>
}

const lookEvery = 1000

export interface ImportSettings {
  readonly databaseUrl: string
  /** Most bytes of a file. */
  readonly sizeLimit: number
}

export function createImportKeeper(parts: Parts, { databaseUrl, sizeLimit }: ImportSettings): ImportKeeper {
  const { store, model, eventSource, newUuid } = parts
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let current: { readonly id: string; readonly thread: ImportThread } | undefined
  let isClosing = false
  let report: (error: unknown) => void = () => {}

  const find = async (id: string): Promise<ImportJob> => {
    const job = await findJob(store, id)
    if (job === undefined) throw notFound('import', id)
    return job
  }
  const write = async (job: ImportJob): Promise<ImportJob> => {
    await commitUnit(parts, job, [], jobWrites(job))
    wake()
    return job
  }

  /** Works through the queue, one import after the other, while no other process does. */
  const work = async () => {
    for (let ids = await listOpenJobs(store); ids.length > 0 && !isClosing; ids = await listOpenJobs(store)) {
      await using lock = await takeImportLock(store)
      if (lock === undefined) return
      const [id = ''] = ids
      await runInThread(id, lock.isHeld)
      // Otherwise a job that cannot be finished would be restarted for ever.
      if ((await listOpenJobs(store)).includes(id) && !isClosing) return
    }
  }
  const runInThread = async (id: string, isHeld: () => boolean) => {
    const thread = startImportThread({ databaseUrl, recordTypes: model.recordTypes, eventSource, work: { job: id } })
    current = { id, thread }
    const watch = setInterval(() => {
      if (!isHeld() || isClosing) thread.stop()
    }, 200)
    try {
      await thread.ended
    } catch (error) {
      report(error)
      if (error instanceof OutOfMemory) await end(id, error.message).catch(report)
    } finally {
      clearInterval(watch)
      current = undefined
    }
  }
  /** Fails a job that could not end itself; otherwise it would be restarted for ever. */
  const end = async (id: string, failure: string) => {
    const job = await find(id)
    const failed: ImportJob = { ...job, state: 'failed', failure, endedAt: new Date().toISOString() }
    await commitUnit(parts, job, [], jobWrites(failed))
  }
  const wake = () => {
    if (timer === undefined || isClosing) return
    working ??= work()
      .catch(report)
      .finally(() => {
        working = undefined
      })
  }

  return {
    async create({ name, options, isPreview }, bytes, by) {
      const id = newUuid()
      const job = newImportJob({
        id,
        name,
        state: 'uploading',
        isPreview,
        options,
        by,
        createdAt: new Date().toISOString()
      })
      try {
        const size = await keepUpload(store, id, bytes, sizeLimit)
        if (size === 0) throw new CatalogueError('invalid', 'The file is empty')
        return await write({ ...job, state: 'waiting', size })
      } catch (error) {
        await forgetUpload(store, id)
        if (error instanceof TooLarge) throw new CatalogueError('invalid', error.message)
        throw error
      }
    },
    read: find,
    list: (limit, after) => listJobs(store, limit, after),
    async listRemarks(id, limit, after) {
      await find(id)
      return listRemarks(store, id, limit, after)
    },
    async listPreview(id, limit, after) {
      await find(id)
      return listPreview(store, id, limit, after)
    },
    async listReview(id, wanted) {
      await find(id)
      return listReview(store, id, wanted)
    },
    async answer(id, answers, by) {
      await find(id)
      refuseMany(answers)
      await using lock = await takeImportLock(store)
      if (lock === undefined) throw importIsRunning()
      return await answerReview(parts, id, answers, by)
    },
    async undo(id) {
      const job = await find(id)
      if (job.state === 'undoing') return job
      refuseUndo(job)
      return write({ ...job, state: 'undoing', endedAt: null, failure: null })
    },
    async stop(id) {
      const job = await find(id)
      if (!['waiting', 'running'].includes(job.state)) return job
      if (current?.id === id) {
        const { thread } = current
        thread.stop()
        await thread.ended.catch(() => undefined)
      } else if (job.state === 'running') throw importIsRunning()
      const now = await find(id)
      return now.state === 'done' ? now : write({ ...now, state: 'stopped', endedAt: new Date().toISOString() })
    },
    async resume(id) {
      const job = await find(id)
      if (!['stopped', 'failed'].includes(job.state)) return job
      return write({ ...job, state: 'waiting', endedAt: null, failure: null })
    },
    async explain(identifier) {
      const found = (await store.identify([identifier])).get(identifier)
      return found && explainLinks(store, found.id)
    },
    start(reportFault) {
      report = reportFault
      timer = setInterval(wake, lookEvery).unref()
      wake()
    },
    async close() {
      isClosing = true
      clearInterval(timer)
      await working
    }
  }
}

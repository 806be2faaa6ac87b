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
  openStates,
  type PreviewLine
} from '#domain/imports/job.ts'
import type { Authority } from '#domain/permissions.ts'
import { authorityStateKey, findAuthority, type IsInForce, keepAuthority, mayGoOn } from '#events/authority.ts'
import { importIsRunning, takeImportLock } from './import-lock.ts'
import { forgetUpload, storeUpload, TooLarge } from './state/uploads.ts'
import { type ImportThread, OutOfMemory, startImportThread } from './thread.ts'

export interface NewImport {
  readonly name: string
  readonly options: ImportOptions
  readonly isPreview: boolean
}

/**
 * Takes files in, sees to it that they are imported, and says how far that is. Whatever names an
 * import that is not there throws `not_found`.
 */
export interface ImportQueue {
  /**
   * Keeps a file and puts its import into the queue. Throws `invalid` when it is too large or
   * empty; nothing is kept then.
   */
  create(wanted: NewImport, bytes: AsyncIterable<Uint8Array>, by: Starter): Promise<ImportJob>
  read(id: string): Promise<ImportJob>
  /** The oldest first; those after an id. */
  list(limit: number, after?: string): Promise<ImportJob[]>
  listRemarks(id: string, limit: number, after?: number): Promise<ImportRemark[]>
  listPreview(id: string, limit: number, after?: number): Promise<PreviewLine[]>
  listReview(id: string, wanted: ReviewWanted): Promise<ReviewPage>
  /** Throws `unavailable` while an import runs. */
  answer(id: string, answers: readonly GivenAnswer[], by: string): Promise<Answered>
  /** Puts the taking back of an import into the queue. */
  undo(id: string, by: Starter): Promise<ImportJob>
  /** Ends an import where it is; what it did stays, and can be taken back. */
  stop(id: string): Promise<ImportJob>
  /** Goes on with one that was stopped or failed. */
  resume(id: string, by: Starter): Promise<ImportJob>
  /** Lets an import go on for as long as a newer token of the same person does. */
  renew(id: string, by: Starter): Promise<void>
  /**
   * Where a manifestation came from, by any of its identifiers; undefined when no import made it.
   */
  explain(identifier: string): Promise<Origin | undefined>
  start(report: (error: unknown) => void): void
  close(): Promise<void>
}

/** On whose behalf an import runs. It ends with their rights. */
export interface Starter extends Authority {
  readonly name: string
  /** Whether the import may delete records that its file says are deleted. */
  readonly deletesEverything?: boolean
}

const lookEvery = 1000
/** Milliseconds between two looks at the rights of whoever started the import that runs. */
const rightsInterval = 400
/** Milliseconds that an import whose rights have ended has to stop by itself. */
const maxGoingOn = 500
const rightsEnded = 'The token that started it was revoked or has expired; resume it to go on'
const noAnswer = (milliseconds: number) =>
  `The import has not responded for ${milliseconds / 1000} seconds and was stopped; what it wrote so far stays, and can be undone`
const noProgress = (attempts: number) =>
  `The import was started ${attempts} times and ended each time without progress; what it wrote so far stays, and can be undone`

/**
 * Maximum starts of an import between two batches that it writes. One more, and it counts as
 * failed.
 */
const maxAttempts = 3

export interface ImportSettings {
  readonly databaseUrl: string
  /** Most bytes of a file. */
  readonly sizeLimit: number
  /** The program of the thread; only tests have another. */
  readonly workerFile?: URL
  /** Maximum milliseconds that the thread may go without a sign of life before it is ended. */
  readonly maxSilence?: number
  /** Maximum milliseconds between the request to stop and the end of the thread. */
  readonly maxStopDelay?: number
  readonly isInForce: IsInForce
}

const importThread = new URL('./import-thread.ts', import.meta.url)

export function createImportQueue(parts: Parts, settings: ImportSettings): ImportQueue {
  const { databaseUrl, sizeLimit, workerFile = importThread, maxSilence = 120_000, maxStopDelay = 5_000 } = settings
  const { isInForce } = settings
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
  const write = async (job: ImportJob, by?: Starter): Promise<ImportJob> => {
    await commitUnit(parts, job, [], [...jobWrites(job), ...(by ? [authorityStateKey('import', job.id, by)] : [])])
    wake()
    return job
  }

  /** Works through the queue, one import after the other, while no other process does. */
  const work = async () => {
    for (let ids = await listOpenJobs(store); ids.length > 0 && !isClosing; ids = await listOpenJobs(store)) {
      await using lock = await takeImportLock(store)
      if (lock === undefined) return
      const [id = ''] = ids
      if (await mayGoOn(store, isInForce, 'import', id)) await runInThread(id, lock.isHeld)
      else await endWithoutRights(id)
      // Otherwise a job that cannot be finished would be restarted for ever.
      if ((await listOpenJobs(store)).includes(id) && !isClosing) return
    }
  }
  /**
   * An import that ended for reasons that are not its own, such as a database that is away: that
   * start does not count.
   */
  let excused: string | undefined

  /**
   * Runs one import in a thread, unless it was started too often without progress; then it is
   * marked as failed.
   */
  const runInThread = async (id: string, isHeld: () => boolean) => {
    const job = await find(id)
    const attempts = (job.attempts ?? 0) + (excused === id ? 0 : 1)
    excused = undefined
    if (attempts > maxAttempts) return end(id, noProgress(maxAttempts))
    await commitUnit(parts, job, [], jobWrites({ ...job, attempts }))
    const ending = await threadEnd(id, isHeld)
    if (!ending.hasRights) await endWithoutRights(id)
    else if (ending.failure !== undefined) await end(id, ending.failure)
    else if (ending.isExcused) excused = id
    if (ending.isExcused && isClosing) await forgetAttempts(id)
  }
  /**
   * Runs the thread of an import to its end, and ends it when it hangs, is to stop, or has no
   * rights any more.
   */
  const threadEnd = async (id: string, isHeld: () => boolean) => {
    const work = { job: id }
    const thread = startImportThread(
      { databaseUrl, recordTypes: model.recordTypes, eventSource, work },
      { program: workerFile }
    )
    current = { id, thread }
    let failure: string | undefined
    let isUnavailable = false
    let hasRights = true
    const watch = setInterval(() => {
      if (thread.silence > maxSilence) {
        failure = noAnswer(maxSilence)
        thread.terminate()
      } else if (!isHeld() || isClosing) void stopThread(thread)
    }, 200)
    const lookAtRights = async () => {
      if (!hasRights || (await mayGoOn(store, isInForce, 'import', id))) return
      hasRights = false
      thread.stop()
      setTimeout(thread.terminate, maxGoingOn).unref()
    }
    const rights = setInterval(() => lookAtRights().catch(report), rightsInterval)
    try {
      await thread.ended
    } catch (error) {
      report(error)
      if (error instanceof OutOfMemory) failure = error.message
      isUnavailable = error instanceof Error && 'code' in error && error.code === 'unavailable'
    } finally {
      clearInterval(watch)
      clearInterval(rights)
      current = undefined
    }
    const isExcused = isUnavailable || (stopping.has(thread) && !thread.isTerminated)
    return { isExcused, hasRights, failure }
  }
  const endWithoutRights = async (id: string) => {
    const { state } = await find(id)
    if (openStates.includes(state)) await end(id, rightsEnded, state === 'undoing' ? 'failed' : 'stopped')
  }
  /** Asks a thread to stop after its batch, and ends it when it does not. */
  const stopThread = (thread: ImportThread): Promise<void> => {
    const known = stopping.get(thread)
    if (known) return known
    thread.stop()
    const deadline = setTimeout(thread.terminate, maxStopDelay)
    const stopped = thread.ended.then(
      () => clearTimeout(deadline),
      () => clearTimeout(deadline)
    )
    stopping.set(thread, stopped)
    return stopped
  }
  const stopping = new WeakMap<ImportThread, Promise<void>>()
  /** Ends an import that nothing else could end: otherwise it would be started again for ever. */
  const end = async (id: string, failure: string, state: 'failed' | 'stopped' = 'failed') => {
    const job = await find(id)
    if (!openStates.includes(job.state)) return
    await commitUnit(parts, job, [], jobWrites({ ...job, state, failure, endedAt: new Date().toISOString() }))
  }
  const forgetAttempts = async (id: string) => {
    const job = await find(id)
    if (openStates.includes(job.state)) await commitUnit(parts, job, [], jobWrites({ ...job, attempts: 0 }))
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
        by: by.name,
        mayDelete: by.deletesEverything === true,
        createdAt: new Date().toISOString()
      })
      try {
        const size = await storeUpload(store, id, bytes, sizeLimit)
        if (size === 0) throw new CatalogueError('invalid', 'The file is empty')
        return await write({ ...job, state: 'waiting', size }, by)
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
    async undo(id, by) {
      const job = await find(id)
      if (job.state === 'undoing') return job
      refuseUndo(job)
      return write({ ...job, state: 'undoing', endedAt: null, failure: null, attempts: 0 }, by)
    },
    async stop(id) {
      const job = await find(id)
      if (!['waiting', 'running'].includes(job.state)) return job
      if (current?.id === id) await stopThread(current.thread)
      // Another process may be at work on it, or nobody since it was killed.
      else if (job.state === 'running') {
        await using lock = await takeImportLock(store)
        if (lock === undefined) throw importIsRunning()
      }
      const now = await find(id)
      if (!['waiting', 'running'].includes(now.state)) return now
      return write({ ...now, state: 'stopped', endedAt: new Date().toISOString() })
    },
    async resume(id, by) {
      const job = await find(id)
      if (!['stopped', 'failed'].includes(job.state)) return job
      return write(
        {
          ...job,
          mayDelete: by.deletesEverything === true,
          state: 'waiting',
          endedAt: null,
          failure: null,
          attempts: 0
        },
        by
      )
    },
    async renew(id, by) {
      const known = await findAuthority(store, 'import', id)
      if (by.until !== null && known?.key === by.key && known.until !== null && known.until < by.until)
        await keepAuthority(store, 'import', id, by)
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

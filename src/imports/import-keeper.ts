import { Worker } from 'node:worker_threads'

import { explainLinks, type Origin } from '#catalogue/imports/explain-links.ts'
import { findJob, jobPapers, listJobs, listOpenJobs, listRemarks } from '#catalogue/imports/jobs.ts'
import { listPreview, type PreviewLine } from '#catalogue/imports/preview.ts'
import {
  type Answered,
  answerReview,
  type GivenAnswer,
  listReview,
  refuseMany,
  type ReviewPage,
  type ReviewWanted
} from '#catalogue/imports/review.ts'
import { refuseUndo } from '#catalogue/imports/undo-import.ts'
import type { Parts } from '#catalogue/parts.ts'
import { CatalogueError, notFound } from '#domain/errors.ts'
import { type ImportJob, type ImportOptions, type ImportRemark, newImportJob, openStates } from '#domain/imports/job.ts'
import type { Authority } from '#domain/permissions.ts'
import { authorityPaper, findAuthority, type IsInForce, keepAuthority, mayGoOn } from '#events/authority.ts'
import { frugalThread, isOutOfMemory } from '#store/thread-limits.ts'
import { importIsRunning, takeImportTurn } from './import-turn.ts'
import type { ImportWorkerData } from './import-worker.ts'
import { forgetUpload, keepUpload, TooLarge } from './uploads.ts'

export interface NewImport {
  readonly name: string
  readonly options: ImportOptions
  readonly isPreview: boolean
}

/** Takes files in, sees to it that they are imported, and says how far that is. Whatever names an import that is not there throws `not_found`. */
export interface ImportKeeper {
  /** Keeps a file and puts its import into the queue. Throws `invalid` when it is too large or empty; nothing is kept then. */
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
  /** Where a manifestation came from, by any of its identifiers; undefined when no import made it. */
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
const outOfMemory = 'The import needs more memory than it may take; what it did so far stays, and can be taken back'
const noAnswer = (milliseconds: number) =>
  `The import has not responded for ${milliseconds / 1000} seconds and was stopped; what it wrote so far stays, and can be undone`
const noProgress = (attempts: number) =>
  `The import was started ${attempts} times and ended each time without progress; what it wrote so far stays, and can be undone`

/** Maximum starts of an import between two batches that it writes. One more, and it counts as failed. */
const maxAttempts = 3

/** The thread that works on an import. */
interface ImportThread {
  readonly id: string
  readonly worker: Worker
  /** Ends it, within a few seconds. */
  stop(): Promise<void>
}

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

const importWorker = new URL('./import-worker.ts', import.meta.url)

export function createImportKeeper(parts: Parts, settings: ImportSettings): ImportKeeper {
  const { databaseUrl, sizeLimit, workerFile = importWorker, maxSilence = 120_000, maxStopDelay = 5_000 } = settings
  const { isInForce } = settings
  const { store, model, eventSource, newUuid } = parts
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let current: ImportThread | undefined
  let isClosing = false
  let report: (error: unknown) => void = () => {}

  const find = async (id: string): Promise<ImportJob> => {
    const job = await findJob(store, id)
    if (job === undefined) throw notFound('import', id)
    return job
  }
  const write = async (job: ImportJob, by?: Starter): Promise<ImportJob> => {
    const papers = [...jobPapers(job), ...(by ? [authorityPaper('import', job.id, by)] : [])]
    await store.write({ writes: [], by: `import:${job.id}`, papers })
    wake()
    return job
  }

  /** Works through the queue, one import after the other, while no other process does. */
  const work = async () => {
    for (let ids = await listOpenJobs(store); ids.length > 0 && !isClosing; ids = await listOpenJobs(store)) {
      await using turn = await takeImportTurn(store)
      if (turn === undefined) return
      const [id = ''] = ids
      if (await mayGoOn(store, isInForce, 'import', id)) await runInThread(id, turn.isHeld)
      else await endWithoutRights(id)
      // One that could not be ended would be begun for ever.
      if ((await listOpenJobs(store)).includes(id) && !isClosing) return
    }
  }
  /** An import that ended for reasons that are not its own, such as a database that is away: that start does not count. */
  let excused: string | undefined

  /** Runs one import in a thread, unless it was started too often without progress; then it is marked as failed. */
  const runInThread = async (id: string, isHeld: () => boolean) => {
    const job = await find(id)
    const attempts = (job.attempts ?? 0) + (excused === id ? 0 : 1)
    excused = undefined
    if (attempts > maxAttempts) return end(id, noProgress(maxAttempts))
    await store.write({ writes: [], by: `import:${id}`, papers: jobPapers({ ...job, attempts }) })
    const ending = await threadEnd(id, isHeld)
    if (!ending.hasRights) await endWithoutRights(id)
    else if (ending.failure !== undefined) await end(id, ending.failure)
    else if (ending.isExcused) excused = id
    if (ending.isExcused && isClosing) await forgetAttempts(id)
  }
  const threadEnd = (id: string, isHeld: () => boolean) =>
    new Promise<{ readonly failure?: string; readonly hasRights: boolean; readonly isExcused: boolean }>(resolve => {
      const data: ImportWorkerData = { databaseUrl, recordTypes: model.recordTypes, eventSource, job: id }
      const worker = new Worker(workerFile, { workerData: data, resourceLimits: frugalThread(1024) })
      const thread: ImportThread = { id, worker, stop: () => stopThread(worker) }
      current = thread
      let lastSign = performance.now()
      let failure: string | undefined
      let isUnavailable = false
      worker.on('message', () => {
        lastSign = performance.now()
      })
      const watch = setInterval(() => {
        if (performance.now() - lastSign > maxSilence) {
          failure = noAnswer(maxSilence)
          void worker.terminate()
        } else if (!isHeld() || isClosing) void thread.stop()
      }, 200)
      let hasRights = true
      const lookAtRights = async () => {
        if (!hasRights || (await mayGoOn(store, isInForce, 'import', id))) return
        hasRights = false
        worker.postMessage('stop')
        setTimeout(() => void worker.terminate(), maxGoingOn).unref()
      }
      const rights = setInterval(() => lookAtRights().catch(report), rightsInterval)
      worker.on('error', error => {
        if (isOutOfMemory(error)) failure = outOfMemory
        isUnavailable = error instanceof Error && 'code' in error && error.code === 'unavailable'
        report(error)
      })
      worker.on('exit', code => {
        clearInterval(watch)
        clearInterval(rights)
        current = undefined
        const isExcused = isUnavailable || (code === 0 && stopping.has(worker))
        resolve({ isExcused, hasRights, ...(failure === undefined ? {} : { failure }) })
      })
    })
  const endWithoutRights = async (id: string) => {
    const { state } = await find(id)
    if (openStates.includes(state)) await end(id, rightsEnded, state === 'undoing' ? 'failed' : 'stopped')
  }
  /** Asks a thread to stop after its batch, and ends it when it does not. Every batch is one transaction: nothing is left half done. */
  const stopThread = async (worker: Worker) => {
    if (stopping.has(worker)) return stopping.get(worker)
    const stopped = (async () => {
      worker.postMessage('stop')
      const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
      const deadline = setTimeout(() => void worker.terminate(), maxStopDelay)
      await ended
      clearTimeout(deadline)
    })()
    stopping.set(worker, stopped)
    return stopped
  }
  const stopping = new WeakMap<Worker, Promise<void>>()
  /** Ends an import that nothing else could end: otherwise it would be started again for ever. */
  const end = async (id: string, failure: string, state: 'failed' | 'stopped' = 'failed') => {
    const job = await find(id)
    if (!openStates.includes(job.state)) return
    const papers = jobPapers({ ...job, state, failure, endedAt: new Date().toISOString() })
    await store.write({ writes: [], by: `import:${id}`, papers })
  }
  const forgetAttempts = async (id: string) => {
    const job = await find(id)
    if (openStates.includes(job.state))
      await store.write({ writes: [], by: `import:${id}`, papers: jobPapers({ ...job, attempts: 0 }) })
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
        const size = await keepUpload(store, id, bytes, sizeLimit)
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
      await using turn = await takeImportTurn(store)
      if (turn === undefined) throw importIsRunning()
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
      if (current?.id === id) await current.stop()
      // Another process may be at work on it, or nobody since it was killed.
      else if (job.state === 'running') {
        await using turn = await takeImportTurn(store)
        if (turn === undefined) throw importIsRunning()
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

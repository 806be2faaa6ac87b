import type { Parts } from '#catalogue/parts.ts'
import { notFound } from '#domain/errors.ts'
import { type ImportJob, openStates } from '#domain/imports/job.ts'
import { findAuthorities, type IsInForce, mayContinue } from '#events/authority.ts'
import type { MediaSettings } from '#media/open-media.ts'
import type { Store } from '#store/store.ts'
import { type SilenceLimits, silenceLimits } from '#threads/signs-of-life.ts'
import { commitUnit, findJob, jobWrites, listOpenJobs } from './state/import-state.ts'
import { takeImportLock } from './import-lock.ts'
import { type ImportThread, startImportThread } from './thread.ts'
import { endlessWork, noResponse, OutOfMemory } from './thread-failures.ts'

export interface RunnerSettings extends Partial<SilenceLimits> {
  readonly databaseUrl: string
  /** The program of the thread; only tests have another. */
  readonly workerFile?: URL
  /** Maximum milliseconds between the request to stop and the termination of the thread. */
  readonly maxStopDelay?: number
  readonly isInForce: IsInForce
  /** Where the bytes of media files are stored. */
  readonly media?: MediaSettings
}

/** Milliseconds between two reads of the queue. */
const queueInterval = 1000
/** Milliseconds between two checks of the rights that the running import needs. */
const rightsInterval = 400
/** Maximum milliseconds for an import to stop by itself after its rights have ended. */
const maxWithoutRights = 500
/**
 * Maximum starts of an import between two batches that it writes. After one more, it counts as
 * failed.
 */
const maxAttempts = 3

const rightsEnded = 'The token that started the import was revoked or has expired; resume the import to continue'
const noProgress = (attempts: number) =>
  `The import was started ${attempts} times and ended each time without progress; what it wrote so far stays, and can be undone`

/** Reads a job; throws `not_found`. */
export async function readJob(store: Store, id: string): Promise<ImportJob> {
  const job = await findJob(store, id)
  if (job === undefined) throw notFound('import', id)
  return job
}

/**
 * Runs the imports of the queue, one after the other, each in a thread, while no other process
 * does. Those for whom imports run take turns. Terminates a thread that hangs, has to stop, or has
 * no rights any more.
 */
export class ImportRunner {
  readonly #parts: Parts
  readonly #settings: Required<Omit<RunnerSettings, 'media'>> & Pick<RunnerSettings, 'media'>
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined
  #current: { readonly id: string; readonly thread: ImportThread } | undefined
  #isClosing = false
  /** The keys of those who have had a turn and still wait for another, the last one at the end. */
  #turns: string[] = []
  #report: (error: unknown) => void = () => {}
  readonly #stopping = new WeakMap<ImportThread, Promise<void>>()
  /**
   * The import that ended for a reason outside of it, such as an unavailable database: that start
   * does not count as an attempt.
   */
  #excused: string | undefined

  constructor(parts: Parts, settings: RunnerSettings) {
    const workerFile = new URL('./import-thread.ts', import.meta.url)
    this.#parts = parts
    this.#settings = { workerFile, ...silenceLimits, maxStopDelay: 5_000, ...settings }
  }

  start(report: (error: unknown) => void): void {
    this.#report = report
    this.#timer = setInterval(() => this.wake(), queueInterval).unref()
    this.wake()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#working
  }

  /** Reads the queue now. */
  wake(): void {
    if (this.#timer === undefined || this.#isClosing) return
    this.#working ??= this.#work()
      .catch(this.#report)
      .finally(() => {
        this.#working = undefined
      })
  }

  /** Stops an import that runs in this process; returns whether it ran here. */
  async stopThreadOf(id: string): Promise<boolean> {
    if (this.#current?.id !== id) return false
    await this.#stop(this.#current.thread)
    return true
  }

  async #work(): Promise<void> {
    const { store } = this.#parts
    for (let ids = await listOpenJobs(store); ids.length > 0 && !this.#isClosing; ids = await listOpenJobs(store)) {
      await using lock = await takeImportLock(store)
      if (lock === undefined) return
      const id = await this.#takeTurn(ids)
      if (await this.#hasRights(id)) await this.#runJob(id, lock.isHeld)
      else await this.#endWithoutRights(id)
      // Otherwise a job that cannot be finished would be restarted for ever.
      if ((await listOpenJobs(store)).includes(id) && !this.#isClosing) return
    }
  }

  /** Returns the oldest import of those whose last turn is the longest ago. */
  async #takeTurn(ids: readonly string[]): Promise<string> {
    const authorities = await findAuthorities(this.#parts.store, 'import', ids)
    const keyOf = (id: string) => authorities.get(id)?.key ?? ''
    const waiting = new Set(ids.map(keyOf))
    this.#turns = this.#turns.filter(key => waiting.has(key))
    const next = ids.find(id => !this.#turns.includes(keyOf(id))) ?? ids.find(id => keyOf(id) === this.#turns[0]) ?? ''
    this.#turns = [...this.#turns.filter(key => key !== keyOf(next)), keyOf(next)]
    return next
  }

  #hasRights(id: string): Promise<boolean> {
    return mayContinue(this.#parts.store, this.#settings.isInForce, 'import', id)
  }

  /** Runs one import, or marks it as failed when it was started too often without progress. */
  async #runJob(id: string, isHeld: () => boolean): Promise<void> {
    const job = await readJob(this.#parts.store, id)
    const attempts = (job.attempts ?? 0) + (this.#excused === id ? 0 : 1)
    this.#excused = undefined
    if (attempts > maxAttempts) return this.#end(id, noProgress(maxAttempts))
    await commitUnit(this.#parts, job, [], jobWrites({ ...job, attempts }))
    const { hasRights, failure, isExcused } = await this.#runThread(id, isHeld)
    if (!hasRights) await this.#endWithoutRights(id)
    else if (failure !== undefined) await this.#end(id, failure)
    else if (isExcused) this.#excused = id
    if (isExcused && this.#isClosing) await this.#resetAttempts(id)
  }

  async #runThread(id: string, isHeld: () => boolean) {
    const { model, eventSource, timeZone, undeclaredNames } = this.#parts
    const { databaseUrl, media, workerFile, maxSilence, maxSilentWork } = this.#settings
    const { recordTypes } = model
    const namesInUse = await undeclaredNames.list()
    const data = {
      databaseUrl,
      recordTypes,
      eventSource,
      timeZone,
      namesInUse,
      ...(media ? { media } : {}),
      work: { job: id }
    }
    const thread = startImportThread(data, { program: workerFile })
    this.#current = { id, thread }
    let failure: string | undefined
    let isUnavailable = false
    let hasRights = true
    const watch = setInterval(() => {
      if (thread.silence > maxSilence || thread.silentWork > maxSilentWork) {
        failure = thread.silence > maxSilence ? noResponse(maxSilence) : endlessWork(maxSilentWork)
        thread.terminate()
      } else if (!isHeld() || this.#isClosing) void this.#stop(thread)
    }, 200)
    const checkRights = async () => {
      if (!hasRights || (await this.#hasRights(id))) return
      hasRights = false
      thread.stop()
      setTimeout(thread.terminate, maxWithoutRights).unref()
    }
    const rights = setInterval(() => checkRights().catch(this.#report), rightsInterval)
    try {
      await thread.ended
    } catch (error) {
      this.#report(error)
      if (error instanceof OutOfMemory) failure = error.message
      isUnavailable = error instanceof Error && 'code' in error && error.code === 'unavailable'
    } finally {
      clearInterval(watch)
      clearInterval(rights)
      this.#current = undefined
    }
    const isExcused = isUnavailable || (this.#stopping.has(thread) && !thread.isTerminated)
    return { isExcused, hasRights, failure }
  }

  /** Tells a thread to stop after its batch, and terminates it when it does not. */
  #stop(thread: ImportThread): Promise<void> {
    const known = this.#stopping.get(thread)
    if (known) return known
    thread.stop()
    const deadline = setTimeout(thread.terminate, this.#settings.maxStopDelay)
    const clear = () => clearTimeout(deadline)
    const stopped = thread.ended.then(clear, clear)
    this.#stopping.set(thread, stopped)
    return stopped
  }

  async #endWithoutRights(id: string): Promise<void> {
    const { state } = await readJob(this.#parts.store, id)
    if (openStates.includes(state)) await this.#end(id, rightsEnded, state === 'undoing' ? 'failed' : 'stopped')
  }

  /** Ends an import whose thread did not: otherwise it would be started again for ever. */
  async #end(id: string, failure: string, state: 'failed' | 'stopped' = 'failed'): Promise<void> {
    const endedAt = new Date().toISOString()
    await this.#updateOpen(id, { state, failure, endedAt })
  }

  #resetAttempts(id: string): Promise<void> {
    return this.#updateOpen(id, { attempts: 0 })
  }

  async #updateOpen(id: string, change: Partial<ImportJob>): Promise<void> {
    const job = await readJob(this.#parts.store, id)
    if (openStates.includes(job.state)) await commitUnit(this.#parts, job, [], jobWrites({ ...job, ...change }))
  }
}

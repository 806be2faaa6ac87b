import { CatalogueError } from '#domain/errors.ts'
import type { Base } from '#index/base.ts'
import { bytesOf } from '#index/bytes-of.ts'
import type { FindingState } from '#store/ports/administration.ts'
import type { MaybePromise } from '#store/ports/maybe-promise.ts'
import { inTime } from '#threads/deadline.ts'
import { type BuildBase, type BuilderInput, type BuiltBase, minUnsaved, noSnapshot } from './builder.ts'
import { notIndexed, usualMaxBehind } from './find-in-index.ts'
import type { IndexState, Outcome } from './finder.ts'

/**
 * A new base is made when more records changed than this share of those that a query may apply, and
 * than this share of all: merging takes time in proportion to both.
 */
const shareOfMax = 0.1
const shareOfAll = 0.002
/** The pause after building, in times of its duration: it takes at most a quarter of a core. */
const pauseShare = 3
/** Minimum time between two snapshots, or attempts to save one, in milliseconds. */
const usualSaveEvery = 60_000
/** Milliseconds before another attempt, after one that failed. */
const retryDelay = 1000
/** Milliseconds between two looks at the last change. */
const followEvery = 2000
/** Maximum of a timer, in milliseconds. */
const maxTimeout = 2_147_483_647

/** The last change of a database, and the change of its last purge; 0 where there is none. */
export interface Followed {
  readonly change: number
  readonly purged: number
}

/**
 * Holds the newest base of a process, for all threads that find. A base is built in the background,
 * one at a time, when a thread lacks too many changes or has applied many.
 */
export class BaseHolder {
  readonly #build: BuildBase
  readonly #maxBehind: number
  readonly #saveEvery: number
  readonly #closing = new AbortController()
  #base: Base | undefined
  #building: Promise<void> | undefined
  #progress: { readonly done: number; readonly of: number } | undefined
  #notBefore = Number.NEGATIVE_INFINITY
  #fault: unknown
  #faults = 0
  /** Whether the last attempt to build a base failed. */
  #isLastFailed = false
  #isFromSnapshot = false
  /** Not after a base that did not agree with the database: a snapshot may be as wrong. */
  #mayReadSnapshot = true
  #savedChange = noSnapshot
  #saving: Promise<void> | undefined
  #saveTriedAt = Number.NEGATIVE_INFINITY
  #snapshot: FindingState['snapshot'] = { savedAt: undefined, failures: 0, failure: undefined }
  #answered = 0
  #refused = 0
  #turnedAway = 0
  #outages = 0
  /** Whether there is no base, and one has to be made. */
  #isOut = false
  #builds = 0
  #builtAt: number | undefined
  #bytes = 0
  /** The last change of the database, as far as is known. */
  #lastChange = 0
  /** Resolves when the base that is being built is there, or failed. */
  #next = Promise.withResolvers<void>()

  constructor(build: BuildBase, maxBehind = usualMaxBehind, saveEvery = usualSaveEvery) {
    this.#build = build
    this.#maxBehind = maxBehind
    this.#saveEvery = saveEvery
  }

  /** The newest base; undefined before the first, and for a catalogue that is small enough. */
  get base(): Base | undefined {
    return this.#base
  }

  /** Whether there is no base, and none could be built. */
  get isFailing(): boolean {
    return this.#base === undefined && this.#isLastFailed
  }

  get state(): Omit<FindingState, 'isBlocked'> {
    return {
      answered: this.#answered,
      refused: this.#refused,
      turnedAway: this.#turnedAway,
      isReady: this.#base !== undefined || !this.#isOut,
      // A base that replaces another is of no concern to anybody.
      building: this.#base ? undefined : this.#progress,
      outages: this.#outages,
      builds: this.#builds,
      builtAt: this.#base && this.#builtAt,
      missingChanges: this.#base ? Math.max(0, this.#lastChange - this.#base.change) : 0,
      records: this.#base?.size,
      bytes: this.#base ? this.#bytes : 0,
      isFromSnapshot: this.#isFromSnapshot,
      snapshot: this.#snapshot,
      faults: this.#faults,
      fault: this.#fault
    }
  }

  /** Takes note of a query, and of the state of the index that was used or not. */
  note({ isAnswered, lacks, base: noted, fault }: Outcome, state: IndexState | undefined) {
    if (isAnswered) this.#answered++
    else this.#refused++
    if (fault !== undefined) this.#noteFault(fault)
    if (state) this.#lastChange = state.change
    const base = noted ?? state?.base ?? -1
    // The thread gets the newest base with its next query.
    if (this.#base && base < this.#base.change) return
    // The base is of another history, or it does not agree with the database.
    if (lacks === 'all') {
      this.#mayReadSnapshot = fault === undefined
      this.#base = undefined
    }
    // A query may also have had little time, since others came first: then a base may wait.
    if (lacks && lacks !== 'speed') this.#notBefore = Number.NEGATIVE_INFINITY
    if (lacks) this.start()
    else this.#replace(state?.delta ?? 0)
  }

  /** Makes a new base if the last one lacks many changes. */
  #replace(lacking: number) {
    // There is no time to pause when the next changes would be too many.
    if (lacking > this.#maxBehind / 2) this.#notBefore = Number.NEGATIVE_INFINITY
    if (lacking > Math.max(this.#maxBehind * shareOfMax, (this.#base?.size ?? 0) * shareOfAll)) this.start()
  }

  /**
   * Makes a new base when the database has many changes that the last one lacks, so that the next
   * query need not wait for it, or when the last snapshot does, or contains a purged record. A
   * database that does not answer is asked again.
   */
  follow(read: () => MaybePromise<Followed>) {
    const look = async () => {
      if (!this.#base) return
      const { change, purged } = await read()
      this.#lastChange = change
      this.#replace(change - this.#base.change)
      const isOld = this.#base.change - this.#savedChange >= minUnsaved && this.#mayWriteSnapshot
      const isPurged = this.#savedChange !== noSnapshot && purged > this.#savedChange
      if (isOld || isPurged) this.start()
    }
    const timer = setInterval(() => void look().catch(() => {}), followEvery)
    timer.unref()
    this.#closing.signal.addEventListener('abort', () => clearInterval(timer))
  }

  /** The refusal of a query while there is no index that it can use. */
  refusal() {
    const { done, of } = this.#progress ?? { done: 0, of: 0 }
    return notIndexed(of === 0 ? undefined : done / of)
  }

  /**
   * Runs a query, and again with the next base where it found no index that it could use. Waits for
   * at most half of its time, so that a short wait for a snapshot is not seen.
   */
  async waitFor<Reply>(
    deadline: number,
    run: (deadline: number) => Promise<Reply>,
    isAnswered: (reply: Reply) => boolean
  ): Promise<Reply> {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    const retry = async (): Promise<Reply> => {
      for (;;) {
        const left = deadline / 2 - elapsed()
        if (left <= 0 || this.#closing.signal.aborted) throw this.refusal()
        await this.#untilNext(left)
        const reply = await run(deadline - elapsed())
        if (isAnswered(reply)) return reply
      }
    }
    const reply = await run(deadline)
    if (isAnswered(reply)) return reply
    try {
      return await inTime(retry(), Math.max(0, deadline - elapsed()), () => this.refusal())
    } catch (error) {
      if (error instanceof CatalogueError && error.isExpected) this.#turnedAway++
      throw error
    }
  }

  /** Waits for another base; at most some milliseconds. */
  async #untilNext(milliseconds: number): Promise<void> {
    this.start()
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>(resolve => {
      timer = setTimeout(resolve, Math.min(milliseconds, this.#building ? maxTimeout : retryDelay))
    })
    await Promise.race([this.#next.promise, timeout])
    clearTimeout(timer)
  }

  /** Builds a base unless one is being built, or was a moment ago. */
  start() {
    if (this.#building || this.#closing.signal.aborted || performance.now() < this.#notBefore) return
    this.#progress = { done: 0, of: 0 }
    if (!this.#base && !this.#isOut) this.#outages++
    this.#isOut = !this.#base
    this.#building = this.#make().finally(() => {
      this.#building = undefined
      this.#progress = undefined
      this.#next.resolve()
      this.#next = Promise.withResolvers()
    })
  }

  async close() {
    this.#closing.abort()
    await this.#building
    await this.#saving
  }

  async #make() {
    const started = performance.now()
    try {
      const report = (done: number, of: number) => {
        this.#progress = { done, of }
      }
      const input: BuilderInput = {
        previous: this.#base,
        isFromSnapshot: this.#isFromSnapshot,
        mayReadSnapshot: this.#mayReadSnapshot,
        mayWriteSnapshot: this.#mayWriteSnapshot,
        savedChange: this.#savedChange
      }
      this.#mayReadSnapshot = true
      const { base, isFromSnapshot, savedChange, saving } = await this.#build(this.#closing.signal, report, input)
      // A builder that found no changes returns the last base.
      if (base !== this.#base) this.#measure(base)
      this.#base = base
      this.#isLastFailed = false
      this.#isFromSnapshot = isFromSnapshot
      // One may have been saved meanwhile, by the last builder.
      if (savedChange !== input.savedChange) this.#savedChange = savedChange
      if (saving) this.#saving = this.#save(saving)
      const now = performance.now()
      this.#notBefore = now + pauseShare * (now - started)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#notBefore = performance.now() + retryDelay
      this.#isLastFailed = true
      this.#noteFault(error)
    }
  }

  #measure(base: Base) {
    this.#builds++
    this.#builtAt = Date.now()
    this.#bytes = bytesOf(base)
  }

  /** Takes note of a snapshot when it is saved, or why it is not. */
  async #save(saving: NonNullable<BuiltBase['saving']>) {
    this.#saveTriedAt = performance.now()
    try {
      this.#savedChange = await saving
      if (this.#savedChange !== noSnapshot) this.#snapshot = { ...this.#snapshot, savedAt: Date.now() }
    } catch (failure) {
      if (this.#closing.signal.aborted) return
      this.#snapshot = { ...this.#snapshot, failures: this.#snapshot.failures + 1, failure }
    } finally {
      this.#saving = undefined
    }
  }

  get #mayWriteSnapshot(): boolean {
    return !this.#saving && performance.now() - this.#saveTriedAt >= this.#saveEvery
  }

  #noteFault(fault: unknown) {
    this.#fault = fault
    this.#faults++
  }
}

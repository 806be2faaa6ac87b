import { CatalogueError } from '#domain/errors.ts'
import type { Base } from '#index/base.ts'
import { bytesOf } from '#index/bytes-of.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import { inTime } from '#threads/deadline.ts'
import { type BuildBase, type BuilderInput, type BuiltBase, minUnsaved, noSnapshot } from './builder.ts'
import { notIndexed, usualMaxBehind } from './find-in-index.ts'
import type { IndexState, Outcome } from './finder.ts'
import type { FindingState } from './finding-state.ts'

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

/** A base with what is known of it. */
interface HeldBase {
  readonly base: Base
  readonly isFromSnapshot: boolean
  readonly builtAt: number
  readonly bytes: number
}

interface Progress {
  readonly done: number
  readonly of: number
}

/**
 * The phase that a process is in, with regard to its base:
 * - `none`: there is no base, and nobody needs one: a small catalogue is searched without.
 * - `building`: there is no base, and one is being read or built; queries wait or are refused.
 * - `failed`: there is no base, and the last attempt failed.
 * - `current`: there is a base.
 * - `replacing`: there is a base, and a newer one is being built.
 */
type Phase =
  | { readonly name: 'none' }
  | { readonly name: 'building'; readonly progress: Progress; readonly isRetry: boolean }
  | { readonly name: 'failed' }
  | { readonly name: 'current'; readonly held: HeldBase }
  | { readonly name: 'replacing'; readonly held: HeldBase }

/** The snapshots that this process read and saved. */
interface Snapshots {
  /** Not after a base that did not agree with the database: a snapshot may be as wrong. */
  mayRead: boolean
  savedChange: number
  saving: Promise<void> | undefined
  triedAt: number
  outcome: FindingState['snapshot']
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
  readonly #counts = { answered: 0, refused: 0, turnedAway: 0, outages: 0, builds: 0, faults: 0 }
  readonly #snapshots: Snapshots = {
    mayRead: true,
    savedChange: noSnapshot,
    saving: undefined,
    triedAt: Number.NEGATIVE_INFINITY,
    outcome: { savedAt: undefined, failures: 0, failure: undefined }
  }
  #phase: Phase = { name: 'none' }
  #building: Promise<void> | undefined
  /** Resolves when the base that is being built is there, or failed. */
  #next = Promise.withResolvers<void>()
  /** The moment before which no base is built, by `performance.now()`. */
  #notBefore = Number.NEGATIVE_INFINITY
  #fault: unknown
  /** The last change of the database, as far as is known. */
  #lastChange = 0

  constructor(build: BuildBase, maxBehind = usualMaxBehind, saveEvery = usualSaveEvery) {
    this.#build = build
    this.#maxBehind = maxBehind
    this.#saveEvery = saveEvery
  }

  /** The newest base; undefined before the first, and for a catalogue that is small enough. */
  get base(): Base | undefined {
    return this.#held?.base
  }

  get #held(): HeldBase | undefined {
    return 'held' in this.#phase ? this.#phase.held : undefined
  }

  /** Whether there is no base, and none could be built. */
  get isFailing(): boolean {
    return this.#phase.name === 'failed' || (this.#phase.name === 'building' && this.#phase.isRetry)
  }

  get state(): Omit<FindingState, 'isBlocked'> {
    const held = this.#held
    return {
      ...this.#counts,
      isReady: this.#phase.name !== 'building' && this.#phase.name !== 'failed',
      // A base that replaces another is of no concern to anybody.
      building: this.#progress,
      builtAt: held?.builtAt,
      missingChanges: held ? Math.max(0, this.#lastChange - held.base.change) : 0,
      records: held?.base.size,
      bytes: held?.bytes ?? 0,
      isFromSnapshot: held?.isFromSnapshot ?? false,
      snapshot: this.#snapshots.outcome,
      fault: this.#fault
    }
  }

  get #progress(): Progress | undefined {
    return this.#phase.name === 'building' ? this.#phase.progress : undefined
  }

  /** Takes note of a query, and of the state of the index that was used or not. */
  note({ isAnswered, lacks, base: noted, fault }: Outcome, state: IndexState | undefined) {
    if (isAnswered) this.#counts.answered++
    else this.#counts.refused++
    if (fault !== undefined) this.#noteFault(fault)
    if (state) this.#lastChange = state.change
    const base = noted ?? state?.base ?? -1
    // The thread gets the newest base with its next query.
    if (this.base && base < this.base.change) return
    // The base is of another history, or it does not agree with the database.
    if (lacks === 'all') {
      this.#snapshots.mayRead = fault === undefined
      this.#drop()
    }
    // A query may also have had little time, since others came first: then a base may wait.
    if (lacks && lacks !== 'speed') this.#notBefore = Number.NEGATIVE_INFINITY
    if (lacks) this.start()
    else this.#replace(state?.changed ?? 0)
  }

  #drop() {
    if (this.#phase.name === 'current') this.#phase = { name: 'none' }
    if (this.#phase.name === 'replacing') this.#enterBuilding(false)
  }

  #enterBuilding(isRetry: boolean) {
    if (!isRetry) this.#counts.outages++
    this.#phase = { name: 'building', progress: { done: 0, of: 0 }, isRetry }
  }

  /** Makes a new base if the last one lacks many changes. */
  #replace(lacking: number) {
    // There is no time to pause when the next changes would be too many.
    if (lacking > this.#maxBehind / 2) this.#notBefore = Number.NEGATIVE_INFINITY
    if (lacking > Math.max(this.#maxBehind * shareOfMax, (this.base?.size ?? 0) * shareOfAll)) this.start()
  }

  /**
   * Makes a new base when the database has many changes that the last one lacks, so that the next
   * query need not wait for it, or when the last snapshot does, or contains a purged record. A
   * database that does not answer is asked again.
   */
  follow(read: () => MaybePromise<Followed>) {
    const look = async () => {
      if (!this.base) return
      const { change, purged } = await read()
      this.#lastChange = change
      if (!this.base) return
      this.#replace(change - this.base.change)
      const { savedChange } = this.#snapshots
      const isOld = this.base.change - savedChange >= minUnsaved && this.#mayWriteSnapshot
      const isPurged = savedChange !== noSnapshot && purged > savedChange
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
      if (error instanceof CatalogueError && error.isExpected) this.#counts.turnedAway++
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
    const held = this.#held
    if (held) this.#phase = { name: 'replacing', held }
    else this.#enterBuilding(this.#phase.name === 'failed')
    this.#building = this.#make().finally(() => {
      this.#building = undefined
      this.#next.resolve()
      this.#next = Promise.withResolvers()
    })
  }

  async close() {
    this.#closing.abort()
    await this.#building
    await this.#snapshots.saving
  }

  async #make() {
    const started = performance.now()
    const previous = this.#held
    try {
      const report = (done: number, of: number) => {
        if (this.#phase.name === 'building') this.#phase = { ...this.#phase, progress: { done, of } }
      }
      const input: BuilderInput = {
        previous: previous?.base,
        isFromSnapshot: previous?.isFromSnapshot ?? false,
        mayReadSnapshot: this.#snapshots.mayRead,
        mayWriteSnapshot: this.#mayWriteSnapshot,
        savedChange: this.#snapshots.savedChange
      }
      this.#snapshots.mayRead = true
      const built = await this.#build(this.#closing.signal, report, input)
      this.#hold(built, previous)
      // One may have been saved meanwhile, by the last builder.
      if (built.savedChange !== input.savedChange) this.#snapshots.savedChange = built.savedChange
      if (built.saving) this.#snapshots.saving = this.#save(built.saving)
      const now = performance.now()
      this.#notBefore = now + pauseShare * (now - started)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#notBefore = performance.now() + retryDelay
      this.#phase = this.#held ? { name: 'current', held: this.#held } : { name: 'failed' }
      this.#noteFault(error)
    }
  }

  /** Takes a base that was built; a builder that found no changes returns the last one. */
  #hold({ base, isFromSnapshot }: BuiltBase, previous: HeldBase | undefined) {
    if (base === previous?.base) {
      this.#phase = { name: 'current', held: { ...previous, isFromSnapshot } }
      return
    }
    this.#counts.builds++
    this.#phase = { name: 'current', held: { base, isFromSnapshot, builtAt: Date.now(), bytes: bytesOf(base) } }
  }

  /** Takes note of a snapshot when it is saved, or why it is not. */
  async #save(saving: NonNullable<BuiltBase['saving']>) {
    const snapshots = this.#snapshots
    snapshots.triedAt = performance.now()
    try {
      snapshots.savedChange = await saving
      if (snapshots.savedChange !== noSnapshot) snapshots.outcome = { ...snapshots.outcome, savedAt: Date.now() }
    } catch (failure) {
      if (this.#closing.signal.aborted) return
      snapshots.outcome = { ...snapshots.outcome, failures: snapshots.outcome.failures + 1, failure }
    } finally {
      snapshots.saving = undefined
    }
  }

  get #mayWriteSnapshot(): boolean {
    return !this.#snapshots.saving && performance.now() - this.#snapshots.triedAt >= this.#saveEvery
  }

  #noteFault(fault: unknown) {
    this.#fault = fault
    this.#counts.faults++
  }
}

import type { Base } from '#index/base.ts'
import type { FindingState } from '../ports/administration.ts'
import { maxChangesBetween } from './find-in-index.ts'
import type { IndexState, Outcome } from './finder.ts'

/** A base is built anew when more records than this, and than the share, changed since. */
const maxDelta = 2000
const maxDeltaShare = 0.02
/** The pause after building, in times of its duration: it takes at most a quarter of a core. */
const pauseShare = 3
/** Seconds before another attempt, after one that failed. */
const retryDelay = 5000

/** Tells how many records were read, and of how many. */
export type ReportProgress = (done: number, of: number) => void

/** Builds a base from the documents of a database as of one moment, or reads a stored one. */
export type BuildBase = (signal: AbortSignal, report: ReportProgress) => Promise<BuiltBase>

export interface BuiltBase {
  readonly base: Base
  readonly isFromSnapshot: boolean
}

/**
 * Holds the newest base of a process, for all threads that find. A base is built in the background,
 * one at a time, when a thread lacks too many changes or has applied many.
 */
export class BaseHolder {
  readonly #build: BuildBase
  readonly #closing = new AbortController()
  #base: Base | undefined
  #building: Promise<void> | undefined
  #progress: { readonly done: number; readonly of: number } | undefined
  #notBefore = Number.NEGATIVE_INFINITY
  #fault: unknown
  #faults = 0
  #isFromSnapshot = false
  readonly #answered = { memory: 0, sql: 0 }

  constructor(build: BuildBase) {
    this.#build = build
  }

  /** The newest base; undefined before the first, and for a catalogue that is small enough. */
  get base(): Base | undefined {
    return this.#base
  }

  get state(): FindingState {
    return {
      answered: { ...this.#answered },
      building: this.#progress,
      records: this.#base?.size,
      isFromSnapshot: this.#isFromSnapshot,
      faults: this.#faults,
      fault: this.#fault
    }
  }

  /**
   * Takes note of a query, and of the state of the index that was used or not. Returns whether the
   * index should apply the changes that it lacks before the next query.
   */
  note(outcome: Outcome, state: IndexState | undefined): boolean {
    this.#answered[outcome.by]++
    const { behind = 0, base = state?.base ?? -1 } = outcome.by === 'sql' ? outcome : {}
    if (outcome.by === 'sql' && outcome.fault !== undefined) this.#noteFault(outcome.fault)
    // The thread gets the newest base with its next query.
    if (this.#base && base < this.#base.change) return false
    // The base is of another history.
    if (behind === Number.POSITIVE_INFINITY) this.#base = undefined
    if (behind > maxChangesBetween || (state && state.delta > Math.max(maxDelta, state.size * maxDeltaShare)))
      this.start()
    return behind > 0 && behind <= maxChangesBetween
  }

  /** Builds a base unless one is being built, or was a moment ago. */
  start() {
    if (this.#building || this.#closing.signal.aborted || performance.now() < this.#notBefore) return
    this.#progress = { done: 0, of: 0 }
    this.#building = this.#make().finally(() => {
      this.#building = undefined
      this.#progress = undefined
    })
  }

  async close() {
    this.#closing.abort()
    await this.#building
  }

  async #make() {
    const started = performance.now()
    try {
      const { base, isFromSnapshot } = await this.#build(this.#closing.signal, (done, of) => {
        this.#progress = { done, of }
      })
      this.#base = base
      this.#isFromSnapshot = isFromSnapshot
      const now = performance.now()
      this.#notBefore = now + pauseShare * (now - started)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#notBefore = performance.now() + retryDelay
      this.#noteFault(error)
    }
  }

  #noteFault(fault: unknown) {
    this.#fault = fault
    this.#faults++
  }
}

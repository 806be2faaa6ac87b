import type { Base } from '#index/base.ts'

/*
 * How threads that find keep up with what is written. Each has an index: a base that all share, and a delta with what changed since. A
 * question is answered by the index when it knows of every change that the database knew of when it was asked; where it cannot know of them
 * soon enough, the database answers, and a new base is made meanwhile.
 */

/** A delta with more documents than this, and than `maxDeltaShare` of the base, is put into a new base. */
const maxDelta = 2000
const maxDeltaShare = 0.02

/** A thread that is further behind than this does not catch up by itself: a new base is quicker. */
export const maxChangesBehind = 5000

/** How a thread that finds stands. */
export interface FinderState {
  /** The change of the base it has; -1 for none. */
  readonly base: number
  /** Documents in its delta. */
  readonly delta: number
  readonly size: number
  /** Whether the question was left to the database. */
  readonly isBehind: boolean
}

/** Whether a new base should be made. */
export const wantsBase = ({ delta, size, isBehind }: FinderState) =>
  isBehind || delta > Math.max(maxDelta, size * maxDeltaShare)

/** What a thread found, and how it stands. */
export interface FinderReply<T> {
  readonly answer: T
  readonly state: FinderState
}

/** Keeps the newest base, and makes another when one is wanted: one at a time, and with pauses at least as long as it takes. */
export interface BaseKeeper {
  readonly base: Base | undefined
  /** Takes note of how a thread stands after a question. */
  note(state: FinderState): void
  /** Forgets the base: it is of another history. */
  discard(): void
  close(): Promise<void>
}

export function createBaseKeeper(build: (signal: AbortSignal) => Promise<Base>): BaseKeeper {
  const closing = new AbortController()
  let base: Base | undefined
  let building: Promise<void> | undefined
  let notBefore = 0

  const make = async () => {
    const started = performance.now()
    try {
      const made = await build(closing.signal)
      if (!base || made.change > base.change) base = made
    } catch {
      // The database answers until another attempt succeeds.
    } finally {
      const now = performance.now()
      notBefore = now + (now - started)
      building = undefined
    }
  }

  return {
    get base() {
      return base
    },
    note(state) {
      const isOld = base !== undefined && base.change > state.base
      if (building || closing.signal.aborted || isOld || !wantsBase(state) || performance.now() < notBefore) return
      building = make()
    },
    discard() {
      base = undefined
    },
    async close() {
      closing.abort()
      await building
    }
  }
}

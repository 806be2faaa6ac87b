import { CatalogueError } from '#domain/errors.ts'

/*
 * A deadline is a promise to whoever asks: so many milliseconds after a question came to the store
 * there is an answer or a refusal, whatever else is asked and whatever the database still does.
 * What it waits for its turn counts. What it takes to tell the asker has to fit in too, so work
 * stops a little before, and who has no answer then is refused a little later, still before the
 * deadline.
 */

/** In milliseconds. Short deadlines have short ones. */
const margin = (deadline: number) => Math.min(100, deadline / 20)

/** So long after it was asked, work on a question stops. */
export const stoppedAfter = (deadline: number) => deadline - 2 * margin(deadline)

/** So long after it was asked, a question that has no answer is refused. */
export const refusedAfter = (deadline: number) => deadline - margin(deadline)

/**
 * What a question gets that passes its deadline. `waited`: how long it had no turn; all in
 * milliseconds.
 */
export function tooSlow(deadline: number, waited: number, cause?: unknown): CatalogueError {
  const isHeldUp = waited > deadline / 10
  const message = isHeldUp
    ? `The question was not answered within ${deadline} ms: it waited ${Math.round(waited)} ms for its turn; ask for less, or try again`
    : `The question took longer than ${deadline} ms; ask for less`
  return new CatalogueError('query_timeout', message, { cause })
}

/** What a question gets whose turn does not come in time. */
export const noTurn = (deadline: number, cause?: unknown) =>
  new CatalogueError('query_timeout', `Others asked before, and no turn came within ${deadline} ms; try again`, {
    cause
  })

/** What tells the time, in milliseconds, and calls back later. */
export interface Clock {
  now(): number
  /** Gives what calls it off. */
  after(milliseconds: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    // After this thread itself was held up, an answer may lie ready; it is read before this.
    const timer = setTimeout(() => setImmediate(call), milliseconds)
    return () => clearTimeout(timer)
  }
}

/**
 * An answer, or the refusal when it does not come before the deadline. What comes later is let go.
 */
export function inTime<T>(
  answer: Promise<T>,
  deadline: number,
  refusal: () => CatalogueError,
  clock: Clock = systemClock
): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = clock.after(refusedAfter(deadline), () => reject(refusal()))
    answer.then(resolve, reject).finally(callOff)
  })
}

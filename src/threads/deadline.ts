import { CatalogueError } from '#domain/errors.ts'

/*
 * A deadline is a promise to the caller: this number of milliseconds after a query came to the
 * store there is an answer or a refusal, whatever else runs. Waiting counts. Sending the answer
 * must fit in too, so work stops a little before the deadline, and a query without an answer is
 * refused a little later, still before it.
 */

/** The time between these moments, in milliseconds; shorter for short deadlines. */
const margin = (deadline: number) => Math.min(100, deadline / 20)

/** The time after which work on a query stops, in milliseconds. */
export const stoppedAfter = (deadline: number) => deadline - 2 * margin(deadline)

/** The time after which a query without an answer is refused, in milliseconds. */
const refusedAfter = (deadline: number) => deadline - margin(deadline)

/** The refusal of a query that passes its deadline. `waited`: the time before it began. */
export function tooSlow(deadline: number, waited: number, cause?: unknown): CatalogueError {
  const isHeldUp = waited > deadline / 10
  const message = isHeldUp
    ? `The query was not answered within ${deadline} ms: it waited ${Math.round(waited)} ms for other queries; narrow it, or try again`
    : `The query took longer than ${deadline} ms; narrow it`
  return new CatalogueError('query_timeout', message, { cause })
}

/** The refusal of a query that could not begin in time. */
export const notBegun = (deadline: number, cause?: unknown) =>
  new CatalogueError(
    'query_timeout',
    `Other queries came first, and this one could not begin within ${deadline} ms; try again`,
    {
      cause
    }
  )

/** Tells the time, in milliseconds, and calls back later. */
export interface Clock {
  now(): number
  /** Returns a function that cancels the call. */
  after(milliseconds: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    // After this thread was blocked, an answer may be ready; it is read before this.
    const timer = setTimeout(() => setImmediate(call), milliseconds)
    return () => clearTimeout(timer)
  }
}

/** The answer, or the refusal when it does not come before the deadline; a later one is dropped. */
export function inTime<T>(
  answer: Promise<T>,
  deadline: number,
  refusal: () => CatalogueError,
  clock: Clock = systemClock
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(refusedAfter(deadline), () => reject(refusal()))
    answer.then(
      value => {
        cancel()
        resolve(value)
      },
      error => {
        cancel()
        reject(error)
      }
    )
  })
}

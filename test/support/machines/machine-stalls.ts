/*
 * Some promises are about time, and a machine whose cores are all busy lets every process wait.
 * While such a promise is tried, a timer of this process tells how long the machine lets a ready
 * process wait.
 */

/** Milliseconds between two looks. */
const interval = 20
/**
 * The number of times that an answer may meet the longest wait: on the way through client, service
 * and database and back.
 */
const waitsOnTheWay = 10

export interface StallWatch extends Disposable {
  /** The limit, in milliseconds, with what the machine itself may have added to an answer. */
  allow(limit: number): number
}

/** Begins to watch. */
export function watchStalls(): StallWatch {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - interval)
    last = now
  }, interval)
  return {
    allow: limit => limit + waitsOnTheWay * longest,
    [Symbol.dispose]: () => clearInterval(timer)
  }
}

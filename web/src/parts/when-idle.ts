/** Milliseconds to wait where the browser cannot report idle time, as in Safari. */
const idleDelay = 200

/** Runs a task when the browser has time for it. Returns a function that cancels it. */
export function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task)
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(task, idleDelay)
  return () => clearTimeout(timer)
}

/**
 * Work that follows a commit: counts, log entries, removals. It never fails the request that
 * committed, since the client would repeat a write that has happened. A failed attempt is reported
 * and repeated later, until it succeeds or the process ends.
 */
export interface FollowUps extends AsyncDisposable {
  /** Does work once; resolves after the first attempt, whether it succeeded or not. */
  run(name: string, work: () => Promise<unknown>): Promise<void>
  /** Attempts all work that has failed so far again, now. */
  retry(): Promise<void>
  /** Reports failures from now on. */
  start(report: (error: unknown) => void): void
}

/** Milliseconds until failed work is attempted again; doubled after each failure. */
const firstDelay = 1000
const maxDelay = 60_000
/** Maximum number of tasks that wait for another attempt: more would only fill the memory. */
const maxWaiting = 10_000

export function createFollowUps(): FollowUps {
  const waiting = new Map<() => Promise<unknown>, string>()
  let report: (error: unknown) => void = () => {}
  let delay = firstDelay
  let timer: NodeJS.Timeout | undefined
  let retrying: Promise<void> | undefined
  let isClosed = false

  const attempt = async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      waiting.delete(work)
      return true
    } catch (error) {
      waiting.delete(work)
      const isKept = waiting.size < maxWaiting
      // Behind the others: one that always fails must not hold them up.
      if (isKept) waiting.set(work, name)
      const next = isClosed || !isKept ? 'it is not done' : 'it is attempted again'
      report(new Error(`After a commit, "${name}" failed; ${next}`, { cause: error }))
      return false
    }
  }
  const retryAll = async () => {
    for (const [work, name] of [...waiting]) if (!(await attempt(name, work))) break
    delay = waiting.size === 0 ? firstDelay : Math.min(delay * 2, maxDelay)
  }
  const retry = (): Promise<void> => {
    retrying ??= retryAll().finally(() => {
      retrying = undefined
      schedule()
    })
    return retrying
  }
  const schedule = () => {
    clearTimeout(timer)
    if (waiting.size > 0 && !isClosed) timer = setTimeout(() => void retry(), delay).unref()
  }

  return {
    async run(name, work) {
      if (!(await attempt(name, work)) && !retrying) schedule()
    },
    retry,
    start(reportFault) {
      report = reportFault
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await retry()
    }
  }
}

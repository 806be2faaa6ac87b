import { type Clock, inTime, notBegun, stoppedAfter, systemClock, tooSlow } from './deadline.ts'

/*
 * The queue of queries for the reader threads. A thread runs one query at a time, to its end, also
 * when the caller was refused by then: SQLite cannot be stopped while it sorts or joins.
 *
 * Waiting queries are served in order, but cheap queries go first: they hardly delay the others,
 * and would otherwise wait for them. So that they cannot delay the others for ever, one of the
 * others goes first after some.
 */
export interface ReaderQueue<Thread> {
  /**
   * Does the work when a thread is free. Answers or refuses before the deadline, counted from now,
   * whatever the work does.
   */
  take<T>(work: (thread: Thread, waited: () => number) => Promise<T>, isQuick: boolean): Promise<T>
  readonly isIdle: boolean
}

/** Maximum number of cheap queries that go before one of the others. */
export const maxAhead = 16

interface Waiting<Thread> {
  /** Returns false when there is no time left for it. */
  begin(thread: Thread): boolean
}

/** Starts threads that were not used yet. */
export interface Preparation<Thread> {
  /** The number of threads that are ready at once; the others start when all of those are busy. */
  readonly readyAtStart: number
  makeReady(thread: Thread): Promise<void>
}

/**
 * Creates the queue of some threads. `deadline` gives the deadline of a query that comes now. A
 * query that finds no free thread starts another, but does not wait for that one: it takes the
 * first that is free.
 */
export function createReaderQueue<Thread>(
  threads: readonly Thread[],
  deadline: () => number,
  clock: Clock = systemClock,
  { readyAtStart, makeReady }: Preparation<Thread> = { readyAtStart: threads.length, makeReady: async () => {} }
): ReaderQueue<Thread> {
  const free = threads.slice(0, readyAtStart)
  const unprepared = threads.slice(readyAtStart)
  let running = 0
  const quick: Waiting<Thread>[] = []
  const others: Waiting<Thread>[] = []
  let ahead = 0

  const next = (): Waiting<Thread> | undefined => {
    const isQuickFirst = others.length === 0 || (quick.length > 0 && ahead < maxAhead)
    ahead = isQuickFirst && others.length > 0 ? ahead + 1 : 0
    return (isQuickFirst ? quick : others).shift()
  }

  const release = (thread: Thread) => {
    for (let waiting = next(); waiting; waiting = next()) if (waiting.begin(thread)) return
    free.push(thread)
    // The first free thread is taken, so that a service with little load starts only one.
    free.sort((one, other) => threads.indexOf(one) - threads.indexOf(other))
  }

  const startNext = () => {
    const thread = unprepared.shift()
    if (thread === undefined) return
    makeReady(thread).then(
      () => release(thread),
      () => unprepared.unshift(thread)
    )
  }

  return {
    take<T>(work: (thread: Thread, waited: () => number) => Promise<T>, isQuick: boolean): Promise<T> {
      const limit = deadline()
      const askedAt = clock.now()
      const waited = () => clock.now() - askedAt
      let waitedBefore: number | undefined
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const waiting: Waiting<Thread> = {
        begin(thread) {
          if (waited() >= stoppedAfter(limit)) {
            reject(notBegun(limit))
            return false
          }
          waitedBefore = waited()
          const done = work(thread, waited)
          resolve(done)
          running++
          const end = () => {
            running--
            release(thread)
          }
          done.then(end, end)
          return true
        }
      }
      const line = isQuick ? quick : others
      const thread = free.shift()
      if (thread !== undefined) {
        if (!waiting.begin(thread)) release(thread)
      } else {
        line.push(waiting)
        startNext()
      }
      const refuse = () => {
        if (waitedBefore !== undefined) return tooSlow(limit, waitedBefore)
        const index = line.indexOf(waiting)
        if (index >= 0) line.splice(index, 1)
        return notBegun(limit)
      }
      return inTime(promise, limit, refuse, clock)
    },
    get isIdle() {
      return running === 0 && quick.length === 0 && others.length === 0
    }
  }
}

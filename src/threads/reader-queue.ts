import { type Clock, inTime, notBegun, stoppedAfter, systemClock, tooSlow } from './deadline.ts'

/*
 * The queue of queries for the reader threads. A thread runs one query at a time. Work stops by
 * itself at the deadline, or SQLite ends a statement a little later; a thread that still works some
 * seconds after the deadline is ended, and the queries that wait get the one started instead.
 *
 * Waiting queries are served by lane: cheap queries go first, since they hardly delay the others,
 * and costly ones last. So that no lane waits for ever, one of its queries goes first after some of
 * the others. Costly queries never take the last thread: the others are answered while they run.
 * Within a lane the callers take turns, so that nobody waits behind all queries of another.
 */
export interface ReaderQueue<Thread> {
  /**
   * Does the work when a thread is free. Answers or refuses before the deadline, counted from now,
   * whatever the work does.
   */
  take<T>(work: (thread: Thread, waited: () => number) => Promise<T>, load?: Load): Promise<T>
  readonly isIdle: boolean
  /** Whether every thread works on a query that passed its deadline. */
  readonly isBlocked: boolean
}

/** The lanes of queries by their cost, the first to be served first. */
const lanes = ['quick', 'usual', 'costly'] as const

/** The load of a query on the threads. */
export interface Load {
  readonly lane: (typeof lanes)[number]
  /** Names the caller: queries of different callers take turns. */
  readonly caller: string
}

const usualLoad: Load = { lane: 'usual', caller: '' }

/** Maximum number of queries that go before one of a later lane. */
export const maxAhead = 16

/** Maximum number of milliseconds that a thread works on a query after its deadline. */
export const maxOverrun = 5000

interface Waiting<Thread> {
  readonly load: Load
  /** Returns false when there is no time left for it. */
  begin(thread: Thread): boolean
}

/** How threads are started and ended. */
export interface ThreadCare<Thread> {
  /** The number of threads that are ready at once; the others start when all of those are busy. */
  readonly readyAtStart: number
  /** Starts a thread that was not used yet. */
  makeReady(thread: Thread): Promise<void>
  /** Ends what a thread does, so that its work fails; it can then be used again. */
  end(thread: Thread): void
}

/**
 * Creates the queue of some threads. `deadline` gives the deadline of a query that comes now. A
 * query that finds no free thread starts another, but does not wait for that one: it takes the
 * first that is free.
 */
export function createReaderQueue<Thread>(
  threads: readonly Thread[],
  deadline: () => number,
  { readyAtStart, makeReady, end }: ThreadCare<Thread>,
  clock: Clock = systemClock
): ReaderQueue<Thread> {
  const free = threads.slice(0, readyAtStart)
  const unprepared = threads.slice(readyAtStart)
  const lines = lanes.map(lane => ({ lane, waiting: new Line<Waiting<Thread>>(), passedOver: 0 }))
  const maxCostly = Math.max(1, threads.length - 1)
  let [running, costly, late] = [0, 0, 0]

  const mayBegin = ({ lane }: Pick<Load, 'lane'>) => lane !== 'costly' || costly < maxCostly

  const next = (): Waiting<Thread> | undefined => {
    const able = lines.filter(line => line.waiting.size > 0 && mayBegin(line))
    const chosen = able.findLast(line => line.passedOver >= maxAhead) ?? able[0]
    if (!chosen) return undefined
    for (const line of able) line.passedOver = line === chosen ? 0 : line.passedOver + 1
    return chosen.waiting.shift()
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
    take<T>(work: (thread: Thread, waited: () => number) => Promise<T>, load = usualLoad): Promise<T> {
      const limit = deadline()
      const askedAt = clock.now()
      const waited = () => clock.now() - askedAt
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      let begun: { readonly thread: Thread; readonly waited: number } | undefined
      let isDone = false
      let cancelEnd: (() => void) | undefined
      const waiting: Waiting<Thread> = {
        load,
        begin(thread) {
          if (waited() >= stoppedAfter(limit)) {
            reject(notBegun(limit))
            return false
          }
          begun = { thread, waited: waited() }
          running++
          if (load.lane === 'costly') costly++
          const done = work(thread, waited)
          resolve(done)
          const finish = () => {
            isDone = true
            running--
            if (load.lane === 'costly') costly--
            if (cancelEnd) late--
            cancelEnd?.()
            release(thread)
          }
          done.then(finish, finish)
          return true
        }
      }
      const line = lines.find(({ lane }) => lane === load.lane)?.waiting
      const thread = mayBegin(load) ? free.shift() : undefined
      if (thread !== undefined) {
        if (!waiting.begin(thread)) release(thread)
      } else {
        line?.push(waiting)
        if (mayBegin(load)) startNext()
      }
      const endLater = (overdue: Thread) => {
        cancelEnd = clock.after(maxOverrun, () => {
          end(overdue)
          endLater(overdue)
        })
      }
      const refuse = () => {
        if (!begun) {
          line?.remove(waiting)
          return notBegun(limit)
        }
        // The answer may be on its way.
        if (!isDone) {
          late++
          endLater(begun.thread)
        }
        return tooSlow(limit, begun.waited)
      }
      return inTime(promise, limit, refuse, clock)
    },
    get isIdle() {
      return running === 0 && lines.every(({ waiting }) => waiting.size === 0)
    },
    get isBlocked() {
      return late === threads.length
    }
  }
}

/** Waiting queries of one lane: each caller's in their order, and the callers in turns. */
class Line<Item extends { readonly load: Load }> {
  /** The caller whose turn is next comes first. */
  readonly #byCaller = new Map<string, Item[]>()

  get size() {
    return this.#byCaller.size
  }

  push(item: Item) {
    const { caller } = item.load
    const items = this.#byCaller.get(caller)
    if (items) items.push(item)
    else this.#byCaller.set(caller, [item])
  }

  shift(): Item | undefined {
    for (const [caller, items] of this.#byCaller) {
      const item = items.shift()
      this.#byCaller.delete(caller)
      if (items.length > 0) this.#byCaller.set(caller, items)
      return item
    }
    return undefined
  }

  remove(item: Item) {
    const { caller } = item.load
    const left = this.#byCaller.get(caller)?.filter(each => each !== item) ?? []
    if (left.length > 0) this.#byCaller.set(caller, left)
    else this.#byCaller.delete(caller)
  }
}

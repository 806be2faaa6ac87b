import { CatalogueError } from '#domain/errors.ts'
import { tooSlow } from '../deadline.ts'
import type { Reader } from './reader.ts'
import type { ReaderData, ReaderRequest } from './reader-worker.ts'
import { linkWorker, type WorkerLink } from './worker-link.ts'

/**
 * The threads that answer questions. Each has one question at a time; others wait here for their turn, in the order in which they came.
 *
 * A thread looks at the deadline wherever it can, but what SQLite sorts or joins in one go cannot be stopped. So the deadline is also kept here:
 * whoever asked is answered, whatever the thread still does, and the thread is given nothing else until it has done with it.
 */
export interface ReaderThreads {
  ask<Name extends keyof Reader>(method: Name, ...asked: Parameters<Reader[Name]>): Promise<ReturnType<Reader[Name]>>
  close(): Promise<void>
}

/** How much longer than the deadline, in milliseconds, an answer is waited for: the thread that stops by itself is to be heard first. */
const grace = 100

/** Nobody waits longer than this for a turn, in milliseconds; where a question may take longer, as long as that. */
const longestTurn = 2000

interface Thread {
  readonly link: WorkerLink<ReaderRequest>
  isBusy: boolean
}

export function startReaderThreads(data: ReaderData, count: number): ReaderThreads {
  const { queryDeadline } = data
  const threads: Thread[] = Array.from({ length: count }, () => ({
    link: linkWorker<ReaderRequest>(new URL('./reader-worker.ts', import.meta.url), data),
    isBusy: false
  }))
  const queue: ((thread: Thread) => void)[] = []
  let isClosed = false

  /** The first that is free, so that a quiet service starts only one. */
  const takeTurn = (): Promise<Thread> => {
    const free = threads.find(thread => !thread.isBusy)
    if (free) {
      free.isBusy = true
      return Promise.resolve(free)
    }
    return new Promise((resolve, reject) => {
      const begin = (thread: Thread) => {
        clearTimeout(timer)
        resolve(thread)
      }
      const timer = setTimeout(
        () => {
          queue.splice(queue.indexOf(begin), 1)
          reject(new CatalogueError('unavailable', 'Too many wait for the database; try again'))
        },
        Math.max(longestTurn, queryDeadline)
      )
      queue.push(begin)
    })
  }

  const endTurn = (thread: Thread) => {
    const next = queue.shift()
    if (next) next(thread)
    else thread.isBusy = false
  }

  return {
    async ask<Name extends keyof Reader>(method: Name, ...asked: Parameters<Reader[Name]>) {
      if (isClosed) throw new CatalogueError('unavailable', 'The store is closed')
      const thread = await takeTurn()
      // Starting a thread takes a moment, which no question is to blame for.
      const begun = thread.link.untilUp()
      const answered = begun.then(() => thread.link.ask({ method, asked } as ReaderRequest))
      const end = () => endTurn(thread)
      answered.then(end, end)
      await begun
      return (await inTime(answered, queryDeadline)) as ReturnType<Reader[Name]>
    },
    async close() {
      isClosed = true
      // What was asked is still answered.
      while (threads.some(thread => thread.isBusy)) await new Promise(resolve => setTimeout(resolve, 2))
      await Promise.all(threads.map(({ link }) => link.close()))
    }
  }
}

/** An answer, or `query_timeout` when it does not come in time. */
function inTime<T>(answer: Promise<T>, queryDeadline: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // After this thread itself was held up the answer may lie ready, and is read before this.
      setImmediate(() => reject(tooSlow(queryDeadline)))
    }, queryDeadline + grace)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

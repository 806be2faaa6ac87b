import { CatalogueError } from '#domain/errors.ts'
import { BaseHolder } from '#finding/base-holder.ts'
import { buildInThread } from '#finding/build-in-thread.ts'
import { createReaderQueue } from '#threads/reader-queue.ts'
import { tooSlow } from '#threads/deadline.ts'
import { linkWorker, toError } from '#threads/worker-link.ts'
import { loadOf } from '../query/load.ts'
import { forwardReader, type Reader } from '../query/reader.ts'
import type { ReaderData, ReaderReply, ReaderRequest } from './reader-worker.ts'

/** The file with a snapshot of the index of a database. */
export const snapshotBeside = (path: string) => `${path}.index`

/** The threads that run queries, each one at a time; other queries wait (reader-queue.ts). */
export interface ReaderThreads {
  readonly reader: Reader
  /** The base of the index in memory. */
  readonly bases: BaseHolder
  /** Whether no query can be answered: every thread is late, or there is no index to find with. */
  readonly isBlocked: boolean
  close(): Promise<void>
}

export function startReaderThreads(data: ReaderData, count: number, deadline: () => number): ReaderThreads {
  const links = Array.from({ length: count }, () =>
    linkWorker<ReaderRequest>(new URL('./reader-worker.ts', import.meta.url), data)
  )
  const queue = createReaderQueue(links, deadline, {
    readyAtStart: 1,
    makeReady: link => link.untilUp(),
    end: link => link.end(tooSlow(deadline(), 0))
  })
  const bases = new BaseHolder(
    buildInThread(new URL('./sqlite-index-thread.ts', import.meta.url), {
      ...data,
      snapshot: snapshotBeside(data.path)
    }),
    data.maxBehind
  )
  /** The change of the base that each thread has. */
  const baseOfThread = new WeakMap<object, number>()
  let isFirstUp = false
  let starting = 0
  let isClosed = false

  /**
   * Waits for the first thread. That belongs to the start of the service, so no query's deadline
   * counts it.
   */
  const untilFirstUp = async () => {
    starting++
    try {
      await links[0]?.untilUp()
      isFirstUp = true
    } finally {
      starting--
    }
  }

  const ask = (method: keyof Reader, given: readonly unknown[], limit: number): Promise<ReaderReply> =>
    queue.take(
      async (link, waited) => {
        // A thread that was lost is started again; that counts as waiting.
        await link.untilUp()
        const { base } = bases
        const isNewer = base !== undefined && base.change > (baseOfThread.get(link) ?? -1)
        // Without a reply the thread is lost, and another begins with nothing.
        baseOfThread.delete(link)
        const reply = (await link.request({
          method,
          given,
          deadline: limit,
          waited: waited(),
          ...(isNewer ? { base } : {})
        })) as ReaderReply
        if (reply.state) baseOfThread.set(link, reply.state.base)
        if (reply.outcome) bases.note(reply.outcome, reply.state)
        if (reply.failure) throw toError(reply.failure)
        return reply
      },
      loadOf(method, given)
    )

  const call = async (method: keyof Reader, given: readonly unknown[]): Promise<unknown> => {
    if (isClosed) throw new CatalogueError('unavailable', 'The store is closed')
    if (!isFirstUp) await untilFirstUp()
    return bases
      .waitFor(
        deadline(),
        limit => ask(method, given, limit),
        reply => !reply.isNotReady
      )
      .then(({ result }) => result)
  }

  return {
    reader: forwardReader(call),
    bases,
    get isBlocked() {
      return queue.isBlocked || bases.isFailing
    },
    async close() {
      isClosed = true
      // Queries that were accepted are still answered.
      while (starting > 0 || !queue.isIdle) await new Promise(resolve => setTimeout(resolve, 2))
      await Promise.all([bases.close(), ...links.map(link => link.close())])
    }
  }
}

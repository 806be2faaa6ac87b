import { setImmediate } from 'node:timers/promises'

import { CatalogueError } from '#domain/errors.ts'
import { BaseHolder } from '#finding/base-holder.ts'
import { buildInThread } from '#finding/build-in-thread.ts'
import { createReaderQueue, type Load } from '#threads/reader-queue.ts'
import { tooSlow } from '#threads/deadline.ts'
import { linkWorker, toError } from '#threads/worker-link.ts'
import { loadOf } from '../query/load.ts'
import { forwardReader, type Reader } from '../query/reader.ts'
import type { Asked } from '../ports/queries.ts'
import type { ReaderAnswer, ReaderData, ReaderQuery, ReaderRequest } from './reader-worker.ts'

/** The file with a snapshot of the index of a database. */
export const snapshotBeside = (path: string) => `${path}.index`

/**
 * The threads that run queries, each one at a time, or those of a page one after the other; other
 * queries wait (reader-queue.ts).
 */
export interface ReaderThreads {
  readonly reader: Reader
  /** The base of the index in memory. */
  readonly bases: BaseHolder
  /** Whether no query can be answered: every thread is late, or there is no index to find with. */
  readonly isBlocked: boolean
  close(): Promise<void>
}

/** A query that waits for its turn. */
type Asking = Omit<ReaderQuery, 'waited'>

/**
 * Queries of a page that go to a thread by one message, and are answered by one. A message wakes a
 * thread, which takes 0.1 ms of processor time, and up to 0.4 in a virtual machine.
 */
interface Batch {
  readonly asked: Asking[]
  readonly answers: Promise<readonly ReaderAnswer[]>
}

/** Maximum number of queries in a batch: no other caller's query begins meanwhile. */
const maxTogether = 8

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
  /** Queries of each caller that were asked in this turn of the event loop, by their lane too. */
  const together = new Map<string, Batch>()
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

  const askAll = (asked: readonly Asking[], load: Load): Promise<readonly ReaderAnswer[]> =>
    queue.take(async (link, waited) => {
      // A thread that was lost is started again; that counts as waiting.
      await link.untilUp()
      const { base } = bases
      const isNewer = base !== undefined && base.change > (baseOfThread.get(link) ?? -1)
      // Without a reply the thread is lost, and another begins with nothing.
      baseOfThread.delete(link)
      const queries = asked.map(each => ({ ...each, waited: waited() }))
      const answers = (await link.request({ queries, base: isNewer ? base : undefined })) as ReaderAnswer[]
      const state = answers.at(-1)?.state
      if (state) baseOfThread.set(link, state.base)
      for (const { outcome, state } of answers) if (outcome) bases.note(outcome, state)
      return answers
    }, load)

  const askTogether = async (asked: Asking, load: Load): Promise<ReaderAnswer> => {
    const key = `${load.lane} ${load.caller}`
    const batch = together.get(key) ?? openBatch(key, load)
    const place = batch.asked.push(asked) - 1
    if (batch.asked.length === maxTogether) together.delete(key)
    return (await batch.answers)[place] as ReaderAnswer
  }

  /** Begins a batch, which is sent at the end of this turn. */
  const openBatch = (key: string, load: Load): Batch => {
    const asked: Asking[] = []
    starting++
    const answers = setImmediate().then(() => {
      starting--
      if (together.get(key)?.asked === asked) together.delete(key)
      return askAll(asked, load)
    })
    const batch = { asked, answers }
    together.set(key, batch)
    return batch
  }

  const ask = async (asked: Asking): Promise<ReaderAnswer> => {
    const load = loadOf(asked.method, asked.given)
    const { isTogether = false } = (asked.given[0] ?? {}) as Asked
    const answer =
      isTogether && load.lane !== 'costly' ? await askTogether(asked, load) : (await askAll([asked], load))[0]
    if (answer?.failure) throw toError(answer.failure)
    return answer as ReaderAnswer
  }

  const call = async (method: keyof Reader, given: readonly unknown[]): Promise<unknown> => {
    if (isClosed) throw new CatalogueError('unavailable', 'The store is closed')
    if (!isFirstUp) await untilFirstUp()
    return bases
      .waitFor(
        deadline(),
        limit => ask({ method, given, deadline: limit }),
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

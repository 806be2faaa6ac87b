import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Base } from '#index/base.ts'
import { BaseHolder } from '../finding/base-holder.ts'
import { buildInThread } from '../finding/build-in-thread.ts'
import type { Finder, IndexState, Outcome } from '../finding/finder.ts'
import type { StoreSettings } from '../ports/administration.ts'
import { createReaderQueue } from '../reader-queue.ts'
import { linkWorker, type WorkerLink } from '../worker-link.ts'
import type { BuilderData } from './postgres-index-thread.ts'
import type { IndexRequest, IndexReply, IndexWorkerData } from './index-worker.ts'
import type { LendIndex } from './reader.ts'

/** The threads that find in memory, so that no other request waits for a long query. */
export interface IndexThreads {
  readonly lend: LendIndex
  readonly bases: BaseHolder
  close(): Promise<void>
}

interface IndexThread {
  readonly link: WorkerLink<IndexRequest>
  /** The state of its index; undefined where it has none, or it is not known. */
  state: IndexState | undefined
  /** A base that it does not have yet, and that its state is of. */
  unsent: Base | undefined
  /** Whether its index is dropped before it is used again. */
  isDiscarded: boolean
}

/** `catchUp` is called when an index lacks more changes than are applied before a query. */
export function createIndexThreads(
  databaseUrl: string,
  model: Model,
  { readers: count }: Pick<StoreSettings, 'readers'>,
  deadline: () => number,
  catchUp: () => void
): IndexThreads {
  const { recordTypes } = model
  const data: IndexWorkerData = { recordTypes }
  const threads = Array.from(
    { length: count },
    (): IndexThread => ({
      link: linkWorker(new URL('./index-worker.ts', import.meta.url), data),
      state: undefined,
      unsent: undefined,
      isDiscarded: false
    })
  )
  const queue = createReaderQueue(threads, deadline, undefined, {
    readyAtStart: 1,
    makeReady: ({ link }) => link.untilUp()
  })
  const builderData: BuilderData = { databaseUrl, recordTypes }
  const bases = new BaseHolder(buildInThread(new URL('./postgres-index-thread.ts', import.meta.url), builderData))
  let isFirstUp = false
  let isClosed = false

  /** Starts the first thread; the database answers until it is up. */
  const startFirst = () => {
    threads[0]?.link.untilUp().then(
      () => {
        isFirstUp = true
      },
      () => {}
    )
  }

  /** Waits for a thread that is free, and takes it until it is released. */
  const take = () =>
    new Promise<readonly [IndexThread, release: () => void]>((resolve, reject) => {
      queue
        .take(async thread => {
          const { promise, resolve: release } = Promise.withResolvers<void>()
          await thread.link.untilUp()
          resolve([thread, release])
          await promise
        }, false)
        .catch(reject)
    })

  const lend: LendIndex = async () => {
    if (isClosed) return undefined
    if (!isFirstUp) {
      startFirst()
      return undefined
    }
    const taken = await take().catch(error => {
      if (error instanceof CatalogueError && error.code === 'query_timeout') throw error
      // The thread could not be started; the database answers.
      return undefined
    })
    if (!taken) return undefined
    const [thread, release] = taken
    if (thread.isDiscarded) thread.state = undefined
    thread.isDiscarded = false
    const newest = bases.base
    if (newest && newest.change > (thread.state?.base ?? -1)) {
      const { change, mark, size } = newest
      thread.unsent = newest
      thread.state = { change, mark, base: change, delta: 0, size }
    }
    const note = (outcome: Outcome) => {
      if (bases.note(outcome, thread.state)) catchUp()
    }
    return finderOf(thread, note, release)
  }

  return {
    lend,
    bases,
    async close() {
      isClosed = true
      while (!queue.isIdle) await new Promise(resolve => setTimeout(resolve, 2))
      await Promise.all([bases.close(), ...threads.map(({ link }) => link.close())])
    }
  }
}

function finderOf(thread: IndexThread, note: Finder['note'], release: () => void): Finder {
  return {
    get state() {
      return thread.state
    },
    async find(request) {
      const { state: before, unsent: base } = thread
      // If the request fails, nothing is known of the thread.
      thread.state = undefined
      thread.unsent = undefined
      const expected = request.update?.isWhole ? undefined : before?.change
      const { reply, state } = (await thread.link.request({ ...request, base, expected })) as IndexReply
      thread.state = state
      return reply
    },
    discard() {
      thread.isDiscarded = true
    },
    note,
    release
  }
}

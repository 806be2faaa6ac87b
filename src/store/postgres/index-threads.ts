import type { Model } from '#domain/record-types/model.ts'
import type { Base } from '#index/base.ts'
import { BaseHolder } from '../finding/base-holder.ts'
import { buildInThread } from '../finding/build-in-thread.ts'
import type { Finder, FindRequest, IndexState } from '../finding/finder.ts'
import type { StoreSettings } from '../ports/administration.ts'
import { createReaderQueue } from '../reader-queue.ts'
import { linkWorker, type WorkerLink } from '../worker-link.ts'
import type { BuilderData } from './postgres-index-thread.ts'
import type { IndexRequest, IndexReply, IndexWorkerData } from './index-worker.ts'
import type { IndexLender } from './reader.ts'

/** The threads that find in memory, so that no other request waits for a long query. */
export interface IndexThreads extends IndexLender {
  close(): Promise<void>
}

interface IndexThread {
  readonly link: WorkerLink<IndexRequest>
  /** The state of its index; undefined where it has none, or it is not known. */
  state: IndexState | undefined
  /** A base that it does not have yet, and that its state is of. */
  unsent: Base | undefined
  /** Whether changes after that base which it has applied are retained. */
  retainsChanges: boolean
  /** Whether its index is dropped before it is used again. */
  isDiscarded: boolean
}

export function createIndexThreads(
  databaseUrl: string,
  model: Model,
  {
    readers: count,
    indexSnapshot,
    maxBehind,
    recordsOfPart
  }: Pick<StoreSettings, 'readers' | 'indexSnapshot' | 'maxBehind' | 'recordsOfPart'>,
  deadline: () => number
): IndexThreads {
  const { recordTypes } = model
  const data: IndexWorkerData = { recordTypes }
  const threads = Array.from(
    { length: count },
    (): IndexThread => ({
      link: linkWorker(new URL('./index-worker.ts', import.meta.url), data),
      state: undefined,
      unsent: undefined,
      retainsChanges: false,
      isDiscarded: false
    })
  )
  const queue = createReaderQueue(threads, deadline, undefined, {
    readyAtStart: 1,
    makeReady: ({ link }) => link.untilUp()
  })
  const builderData: BuilderData = { databaseUrl, recordTypes, recordsOfPart, snapshot: indexSnapshot }
  const bases = new BaseHolder(
    buildInThread(new URL('./postgres-index-thread.ts', import.meta.url), builderData),
    maxBehind
  )
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

  const lend: IndexLender['lend'] = async () => {
    const [thread, release] = await take()
    if (thread.isDiscarded) thread.state = undefined
    thread.isDiscarded = false
    const newest = bases.base
    if (newest && newest.change > (thread.state?.base ?? -1)) {
      const { change, recent, size } = newest
      const { state } = thread
      thread.retainsChanges = state !== undefined && state.change > change
      thread.unsent = newest
      // How many of the changes are retained is known with the next answer.
      thread.state =
        state && thread.retainsChanges
          ? { ...state, base: change, size }
          : { change, recent, base: change, delta: 0, size }
    }
    return finderOf(thread, maxBehind, outcome => bases.note(outcome, thread.state), release)
  }

  let starting = 0

  return {
    async untilUp() {
      starting++
      try {
        await threads[0]?.link.untilUp()
      } finally {
        starting--
      }
    },
    lend,
    bases,
    async close() {
      while (starting > 0 || !queue.isIdle) await new Promise(resolve => setTimeout(resolve, 2))
      await Promise.all([bases.close(), ...threads.map(({ link }) => link.close())])
    }
  }
}

function finderOf(thread: IndexThread, maxBehind: number, note: Finder['note'], release: () => void) {
  let underWay: Promise<unknown> | undefined
  return {
    maxBehind,
    get state() {
      return thread.state
    },
    async find(request: FindRequest) {
      const { state: before, unsent: base, retainsChanges } = thread
      // If the request fails, nothing is known of the thread.
      thread.state = undefined
      thread.unsent = undefined
      const expected = request.update?.isWhole ? undefined : before?.change
      const requested = thread.link.request({ ...request, base, retainsChanges, expected })
      underWay = requested
      const { reply, state } = (await requested) as IndexReply
      thread.state = state
      return reply
    },
    discard() {
      thread.isDiscarded = true
    },
    note,
    /** A query that passed its deadline is over before the index is: then that is waited for. */
    release() {
      if (underWay) underWay.then(release, release)
      else release()
    }
  }
}

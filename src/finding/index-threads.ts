import type { Model } from '#domain/record-types/model.ts'
import type { Base } from '#index/base.ts'
import { tooSlow } from '#threads/deadline.ts'
import { createReaderQueue, type Load } from '#threads/reader-queue.ts'
import { linkWorker, type WorkerLink } from '#threads/worker-link.ts'
import { BaseHolder } from './base-holder.ts'
import type { BuildBase } from './builder.ts'
import type { Finder, FindRequest, IndexState, Outcome } from './finder.ts'
import type { IndexRequest, IndexReply, IndexWorkerData } from './index-worker.ts'

/** Lends the index in memory to queries. */
export interface IndexLender {
  /** Starts the first thread. That belongs to the start of the service: no deadline counts it. */
  untilUp(): Promise<void>
  /** Waits for a free index; it must be released. */
  lend(load: Load): Promise<Finder & { readonly release: () => void }>
  readonly bases: BaseHolder
}

/** The threads that find in memory, so that no other request waits for a long query. */
export interface IndexThreads extends IndexLender {
  /** Whether no query can be answered: every thread is late, or there is no index to find with. */
  readonly isBlocked: boolean
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
  model: Model,
  build: BuildBase,
  { readers: count, maxBehind }: { readonly readers: number; readonly maxBehind: number },
  deadline: () => number
): IndexThreads {
  const data: IndexWorkerData = { recordTypes: model.recordTypes }
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
  const queue = createReaderQueue(threads, deadline, {
    readyAtStart: 1,
    makeReady: ({ link }) => link.untilUp(),
    end: ({ link }) => link.end(tooSlow(deadline(), 0))
  })
  const bases = new BaseHolder(build, maxBehind)
  /** Waits for a thread that is free, and takes it until it is released. */
  const take = (load: Load) =>
    new Promise<readonly [IndexThread, release: () => void]>((resolve, reject) => {
      queue
        .take(async thread => {
          const { promise, resolve: release } = Promise.withResolvers<void>()
          await thread.link.untilUp()
          resolve([thread, release])
          await promise
        }, load)
        .catch(reject)
    })

  const lend: IndexLender['lend'] = async load => {
    const [thread, release] = await take(load)
    if (thread.isDiscarded) thread.state = undefined
    thread.isDiscarded = false
    const newest = bases.base
    if (newest && newest.change > (thread.state?.base ?? -1)) {
      const { state } = thread
      if (state && state.change > newest.change) {
        thread.retainsChanges = true
        thread.unsent = newest
        // How many of the changes are retained is known with the next answer.
        thread.state = { ...state, base: newest.change, size: newest.size }
      } else beginWith(thread, newest)
    }
    return finderOf(thread, maxBehind, bases, release)
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
    get isBlocked() {
      return queue.isBlocked || bases.isFailing
    },
    async close() {
      while (starting > 0 || !queue.isIdle) await new Promise(resolve => setTimeout(resolve, 2))
      await Promise.all([bases.close(), ...threads.map(({ link }) => link.close())])
    }
  }
}

/** Makes a thread begin with a base. */
function beginWith(thread: IndexThread, base: Base) {
  const { change, recent, size } = base
  thread.retainsChanges = false
  thread.unsent = base
  thread.state = { change, recent, base: change, changed: 0, size }
}

function finderOf(thread: IndexThread, maxBehind: number, bases: BaseHolder, release: () => void) {
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
    restart() {
      const { base } = bases
      if (!base || thread.state?.change === base.change) return false
      beginWith(thread, base)
      return true
    },
    discard() {
      thread.isDiscarded = true
    },
    note: (outcome: Outcome) => bases.note(outcome, thread.state),
    /** A query that passed its deadline is over before the index is: then that is waited for. */
    release() {
      if (underWay) underWay.then(release, release)
      else release()
    }
  }
}

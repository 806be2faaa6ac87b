import { CatalogueError } from '#domain/errors.ts'
import type { Filter } from '#domain/filter.ts'
import { Worker } from 'node:worker_threads'
import type { Base } from '#index/base.ts'
import { createBaseKeeper, type FinderReply } from '../finding.ts'
import type { IndexBuilderData } from './index-builder.ts'
import { createReaderTurns } from '../reader-turns.ts'
import type { Asked, ReaderData, ReaderMethods as Reader, ReaderRequest } from './reader-worker.ts'
import { linkWorker } from '../worker-link.ts'

/** The threads that answer questions. Each has one at a time; others wait for their turn (reader-turns.ts). */
export interface ReaderThreads {
  ask<Name extends keyof Reader>(method: Name, ...asked: Parameters<Reader[Name]>): Promise<ReturnType<Reader[Name]>>
  close(): Promise<void>
}

export function startReaderThreads(data: ReaderData, count: number, deadline: () => number): ReaderThreads {
  const links = Array.from({ length: count }, () =>
    linkWorker<ReaderRequest>(new URL('./reader-worker.ts', import.meta.url), data)
  )
  const turns = createReaderTurns(links, deadline, undefined, { readyAtStart: 1, prepare: link => link.untilUp() })
  /** For each thread the change of the base it has. */
  const baseOf = new WeakMap<(typeof links)[number], number>()
  const keeper = createBaseKeeper(signal => buildInThread(data, signal))
  let isFirstUp = false
  let starting = 0
  let isClosed = false

  /** Waits for the first thread. That belongs to the start of the service, so no query's deadline counts it. */
  const untilFirstUp = async () => {
    starting++
    try {
      await links[0]?.untilUp()
      isFirstUp = true
    } finally {
      starting--
    }
  }

  return {
    async ask<Name extends keyof Reader>(method: Name, ...asked: Parameters<Reader[Name]>) {
      if (isClosed) throw new CatalogueError('unavailable', 'The store is closed')
      const question = { method, asked } as Asked
      if (!isFirstUp) await untilFirstUp()
      const limit = deadline()
      return (await turns.take(async (link, waited) => {
        // A thread that was lost is started again; that counts as waiting.
        await link.untilUp()
        const { base } = keeper
        const isNew = base && (baseOf.get(link) ?? -1) < base.change
        const { answer, state } = (await link.ask({
          ...question,
          deadline: limit,
          waited: waited(),
          ...(isNew ? { base } : {})
        })) as FinderReply<unknown>
        baseOf.set(link, state.base)
        if (finding.has(method)) keeper.note(state)
        return answer
      }, isQuick(question))) as ReturnType<Reader[Name]>
    },
    async close() {
      isClosed = true
      // What was asked is still answered.
      while (starting > 0 || !turns.isIdle) await new Promise(resolve => setTimeout(resolve, 2))
      await Promise.all([keeper.close(), ...links.map(link => link.close())])
    }
  }
}

/** Methods that are answered by the index. */
const finding: ReadonlySet<keyof Reader> = new Set(['ask', 'suggest'])

/** Builds a base in a thread of its own, which does not keep the process from ending. */
function buildInThread({ path, recordTypes }: ReaderData, signal: AbortSignal): Promise<Base> {
  const { promise, resolve, reject } = Promise.withResolvers<Base>()
  const worker = new Worker(new URL('./index-builder.ts', import.meta.url), {
    workerData: { path, recordTypes } satisfies IndexBuilderData
  })
  worker.unref()
  worker.on('message', resolve)
  worker.on('error', reject)
  worker.on('exit', code => reject(new Error(`The thread that builds the index ended with ${code}`)))
  signal.addEventListener('abort', () => void worker.terminate(), { once: true })
  return promise
}

/** Methods that find what they are asked for by a key. */
const byKey: ReadonlySet<keyof Reader> = new Set([
  'findHistory',
  'findVersion',
  'findVersionByUuid',
  'identifyDeleted',
  'findMergesOf',
  'sequenceAt',
  'findEntitiesAt',
  'namesMergedInto',
  'findHarvested',
  'harvestState'
])

/** Whether it can be told beforehand that a question costs a few milliseconds: what is found by a key, and the first pages of a type. */
function isQuick({ method, asked }: Asked): boolean {
  if (method !== 'ask') return byKey.has(method)
  const [{ filter, order, facets, limits, skip }] = asked
  return !facets && !limits && skip <= 1000 && order.items.length === 1 && isPlain(filter)
}

function isPlain(filter: Filter): boolean {
  if (filter.kind === 'all') return filter.of.every(isPlain)
  return filter.kind === 'types' || filter.kind === 'identifiers'
}

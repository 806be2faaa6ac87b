import { CatalogueError } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Reader } from './reader.ts'
import { createReaderQueue } from './reader-queue.ts'
import type { Asked, ReaderData, ReaderRequest } from './reader-worker.ts'
import { linkWorker } from './worker-link.ts'

/**
 * The threads that answer questions. Each has one at a time; others wait for their turn
 * (reader-turns.ts).
 */
export interface ReaderThreads {
  ask<Name extends keyof Reader>(method: Name, ...asked: Parameters<Reader[Name]>): Promise<ReturnType<Reader[Name]>>
  close(): Promise<void>
}

export function startReaderThreads(data: ReaderData, count: number, deadline: () => number): ReaderThreads {
  const links = Array.from({ length: count }, () =>
    linkWorker<ReaderRequest>(new URL('./reader-worker.ts', import.meta.url), data)
  )
  const turns = createReaderQueue(links, deadline, undefined, { readyAtStart: 1, makeReady: link => link.untilUp() })
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

  return {
    async ask<Name extends keyof Reader>(method: Name, ...asked: Parameters<Reader[Name]>) {
      if (isClosed) throw new CatalogueError('unavailable', 'The store is closed')
      const question = { method, asked } as Asked
      if (!isFirstUp) await untilFirstUp()
      const limit = deadline()
      return (await turns.take(async (link, waited) => {
        // A thread that was lost is started again; that counts as waiting.
        await link.untilUp()
        return link.ask({ ...question, deadline: limit, waited: waited() })
      }, isQuick(question))) as ReturnType<Reader[Name]>
    },
    async close() {
      isClosed = true
      // What was asked is still answered.
      while (starting > 0 || !turns.isIdle) await new Promise(resolve => setTimeout(resolve, 2))
      await Promise.all(links.map(link => link.close()))
    }
  }
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

/**
 * Whether it can be told beforehand that a question costs a few milliseconds: what is found by a
 * key, and the first pages of a type.
 */
function isQuick({ method, asked }: Asked): boolean {
  if (method !== 'ask') return byKey.has(method)
  const [{ filter, order, facets, limits, skip }] = asked
  return !facets && !limits && skip <= 1000 && order.items.length === 1 && isPlain(filter)
}

function isPlain(filter: Filter): boolean {
  if (filter.kind === 'all') return filter.of.every(isPlain)
  return filter.kind === 'types' || filter.kind === 'identifiers'
}

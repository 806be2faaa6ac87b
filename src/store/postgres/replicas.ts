import { inTime, tooSlow } from '#threads/deadline.ts'
import { forwardReader, type Reader } from '../query/reader.ts'
import type { ReplicaState, StoreSettings } from '../ports/administration.ts'
import { readServers } from './connection.ts'
import { createLeased, delay, isWorthAnother } from './pool.ts'
import { createPostgresReader, OtherMoment, type ReaderParts } from './reader.ts'

/** Milliseconds for which a replica that is behind, or away, gets no queries. */
const pause = 1000
/**
 * Milliseconds to wait before each retry on a replica that is behind. Most replicas are behind by a
 * moment only.
 */
const retryDelays = [1, 2, 5, 10, 20]

/**
 * Queries that a replica may answer.
 *
 * No query sees an older state than the primary had when the query came: the primary is asked for
 * its last change, which is one short read, and a replica answers only when it has that change too,
 * after a short wait if need be. So every client reads its own writes, through any process. A query
 * does not see a newer state than the primary shows either: the next one might not see it any more.
 * A replica that stays behind or ahead, or is gone, gets no queries for a moment, and the primary
 * answers.
 */
export interface Replicas {
  readonly reader: Reader
  /** Makes the next query ask the primary for its last change, also where a delay is allowed. */
  expire(): void
  measure(): readonly ReplicaState[]
  close(): Promise<void>
}

export function createReplicas(
  primary: Reader,
  readLastChange: () => Promise<number>,
  parts: ReaderParts,
  { replicaUrls, poolSize, staleness, maxWait }: StoreSettings
): Replicas {
  const { currentDeadline } = parts
  /** The last change that queries need: the newest that any of those under way asked for. */
  let needed = 0
  const replicas = replicaUrls.map(url => {
    const connections = createLeased(readServers(url, 'any'), poolSize, maxWait)
    const state = { server: new URL(url).host, missingChanges: 0, answered: 0, passedOn: 0 }
    const reader = createPostgresReader(connections, parts, {
      async isCurrent(change) {
        state.missingChanges = Math.max(0, needed - change)
        if (change < needed) return false
        // A replica may have a commit for which the primary still waits for another server.
        if (change > needed) needed = Math.max(needed, await readLastChange())
        return change <= needed
      },
      // Leaves time for the primary.
      maxWait: deadline => deadline / 4
    })
    return { reader, connections, state, pausedUntil: 0 }
  })
  let next = 0
  let lastChange: { promise: Promise<number>; readAt: number } | undefined

  /** The last change as of now, or, where a delay is allowed, of a moment ago. */
  const newest = (): Promise<number> => {
    const now = performance.now()
    if (!lastChange || now - lastChange.readAt >= staleness) lastChange = { promise: readLastChange(), readAt: now }
    return lastChange.promise
  }

  const read = async (method: keyof Reader, given: readonly unknown[]): Promise<unknown> => {
    const run = (reader: Reader) => (reader[method] as (...given: readonly unknown[]) => Promise<unknown>)(...given)
    const now = performance.now()
    const able = replicas.filter(replica => replica.pausedUntil <= now)
    const replica = able[next++ % Math.max(1, able.length)]
    if (!replica) return run(primary)
    needed = Math.max(needed, await newest())
    for (const wait of [...retryDelays, undefined]) {
      try {
        const answer = await run(replica.reader)
        replica.state.answered++
        return answer
      } catch (error) {
        const isOtherMoment = error instanceof OtherMoment
        if (!isOtherMoment && !isWorthAnother(error)) throw error
        if (!isOtherMoment || wait === undefined) break
        await delay(wait)
      }
    }
    replica.state.passedOn++
    replica.pausedUntil = performance.now() + pause
    return run(primary)
  }

  // The deadline counts for all servers together. One server by itself says why it was passed.
  const readAny = forwardReader((method, given) => {
    const deadline = currentDeadline()
    return inTime(read(method, given), deadline, () => tooSlow(deadline, 0))
  })
  return {
    reader: replicas.length === 0 ? primary : readAny,
    expire() {
      lastChange = undefined
    },
    measure: () => replicas.map(({ state }) => ({ ...state })),
    async close() {
      await Promise.all(replicas.map(replica => replica.connections.close()))
    }
  }
}

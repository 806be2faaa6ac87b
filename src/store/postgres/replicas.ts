import type { Model } from '#domain/record-types/model.ts'
import type { StoreSettings } from '../store.ts'
import { inTime, tooSlow } from '../deadline.ts'
import { readServers } from './connection.ts'
import { createLeased, delay, isWorthAnother } from './pool.ts'
import { createReader, type Reader, StaleReplica } from './reader.ts'

/** A replica that was behind, or away, is left out for so long, in milliseconds. */
const leftOutFor = 1000
/**
 * Most are behind by a moment only: so long, in milliseconds, is waited between looks before one
 * counts as behind.
 */
const waits = [1, 2, 5, 10, 20]

/**
 * Reads that may be answered by a replica.
 *
 * Nobody sees an older state than the primary had when they asked: it is asked for its last change,
 * which is one short read, and a replica answers only when it knows of that one too, which is
 * waited for a little. So whoever wrote reads what they wrote, through any process. A replica that
 * stays behind, or is gone, is left out for a moment, and the primary answers.
 */
export interface Replicas {
  read<Name extends keyof Reader>(method: Name, ...asked: Parameters<Reader[Name]>): ReturnType<Reader[Name]>
  /** The next question asks the primary anew, also where a delay is allowed. */
  forgetTime(): void
  close(): Promise<void>
}

export function createReplicas(
  urls: readonly string[],
  primary: Reader,
  model: Model,
  { poolSize, staleness }: StoreSettings,
  currentDeadline: () => number,
  lastChange: () => Promise<number>
): Replicas {
  /**
   * The last change that a question needs. Questions that wait at the same time are asked for
   * together, so the newest of them counts.
   */
  let needed = 0
  const replicas = urls.map(url => {
    const connections = createLeased(readServers(url, 'any'), poolSize)
    const reader = createReader(connections, model, currentDeadline, {
      isFresh: change => change >= needed,
      // There is time left for the primary.
      longestTurn: deadline => deadline / 4
    })
    return { reader, connections, outUntil: 0 }
  })
  let turn = 0
  let asking: { promise: Promise<number>; since: number } | undefined

  /** The last change as of now, or, where a delay is allowed, of a moment ago. */
  const newest = (): Promise<number> => {
    const now = performance.now()
    if (!asking || now - asking.since >= staleness) asking = { promise: lastChange(), since: now }
    return asking.promise
  }

  const read = async (method: keyof Reader, asked: readonly unknown[]): Promise<unknown> => {
    const ask = (reader: Reader) => (reader[method] as (...asked: readonly unknown[]) => Promise<unknown>)(...asked)
    const now = performance.now()
    const able = replicas.filter(replica => replica.outUntil <= now)
    const replica = able[turn++ % Math.max(1, able.length)]
    if (!replica) return ask(primary)
    needed = Math.max(needed, await newest())
    for (const wait of [...waits, undefined]) {
      try {
        return await ask(replica.reader)
      } catch (error) {
        const isBehind = error instanceof StaleReplica
        if (!isBehind && !isWorthAnother(error)) throw error
        if (!isBehind || wait === undefined) break
        await delay(wait)
      }
    }
    replica.outUntil = performance.now() + leftOutFor
    return ask(primary)
  }

  return {
    // Whoever is asked, and how many: for the asker it is one question.
    read: (method, ...asked) => {
      const deadline = currentDeadline()
      return inTime(read(method, asked), deadline, () => tooSlow(deadline, 0)) as never
    },
    forgetTime() {
      asking = undefined
    },
    async close() {
      await Promise.all(replicas.map(replica => replica.connections.close()))
    }
  }
}

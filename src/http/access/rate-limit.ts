import type { FastifyReply } from 'fastify'

import { HttpError } from '../reply/errors.ts'

/** Maximum requests in a number of seconds. */
export interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

/** Number of windows at which expired ones are removed. */
const maxWindows = 10_000

/** The subject whose requests are counted. */
export type RateSubject = 'token' | 'address'

/**
 * Counts requests by token or by address, in windows of fixed length. Sends the remaining number
 * with every answer (RateLimit header fields, draft 11), and throws `rate_limited` at zero.
 */
export function createRateLimiter(subject: RateSubject, { requests, seconds }: RateLimit, now: () => number) {
  const windows = new Map<string, { left: number; ends: number }>()
  return (key: string, reply: FastifyReply) => {
    const moment = now()
    let window = windows.get(key)
    if (!window || window.ends <= moment) {
      if (windows.size >= maxWindows) {
        for (const [each, { ends }] of windows) if (ends <= moment) windows.delete(each)
        // A client with very many addresses must not fill the memory.
        if (windows.size >= maxWindows) windows.clear()
      }
      window = { left: requests, ends: moment + seconds * 1000 }
      windows.set(key, window)
    }
    const wait = Math.ceil((window.ends - moment) / 1000)
    const isOver = window.left === 0
    if (!isOver) window.left--
    reply.header('ratelimit-policy', `"${subject}";q=${requests};w=${seconds}`)
    reply.header('ratelimit', `"${subject}";r=${window.left};t=${wait}`)
    if (!isOver) return
    throw new HttpError(
      'rate_limited',
      `This ${subject} may send at most ${requests} requests in ${seconds} seconds; try again in ${wait} seconds`,
      [],
      wait
    )
  }
}

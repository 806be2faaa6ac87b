import type { FastifyReply } from 'fastify'

import type { Principal } from '#domain/permissions.ts'
import { HttpError } from './errors.ts'

/** So many requests in so many seconds, for each token. */
export interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

/** After so many callers that came once, those whose time is over are let go. */
const mostRemembered = 10_000

/**
 * Counts requests for each token, in windows of fixed length. Says on every answer how many are left (RateLimit header fields, draft 11), and
 * throws `rate_limited` when there are none.
 */
export function createRateLimiter({ requests, seconds }: RateLimit, now: () => number) {
  const windows = new Map<string, { left: number; ends: number }>()
  return (principal: Principal, reply: FastifyReply) => {
    const moment = now()
    let window = windows.get(principal.key)
    if (!window || window.ends <= moment) {
      if (windows.size >= mostRemembered)
        for (const [key, each] of windows) if (each.ends <= moment) windows.delete(key)
      window = { left: requests, ends: moment + seconds * 1000 }
      windows.set(principal.key, window)
    }
    const wait = Math.ceil((window.ends - moment) / 1000)
    const isOver = window.left === 0
    if (!isOver) window.left--
    reply.header('ratelimit-policy', `"token";q=${requests};w=${seconds}`)
    reply.header('ratelimit', `"token";r=${window.left};t=${wait}`)
    if (!isOver) return
    reply.header('retry-after', String(wait))
    throw new HttpError(
      'rate_limited',
      `This token may send ${requests} requests in ${seconds} seconds; try again in ${wait}`
    )
  }
}

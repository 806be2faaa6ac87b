import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Lets a client wait for an answer for as long as it takes. A connection on which nothing moves is
 * closed after a minute otherwise, and to hash some gigabytes and bring them to a bucket takes
 * longer. The next request on the connection has the usual limit again.
 */
export function keepWaiting({ raw }: FastifyRequest) {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(0)
}

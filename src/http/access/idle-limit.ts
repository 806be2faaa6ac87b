import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Removes the time limit of an idle connection for this request. Otherwise a connection is closed
 * after a minute without traffic, and hashing some gigabytes and sending them to a bucket takes
 * longer. The next request on the connection has the usual limit again.
 */
export function liftIdleLimit({ raw }: FastifyRequest) {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(0)
}

import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'

import { endedRights } from '#auth/live-rights.ts'

/*
 * A long request is admitted once, at its beginning. It may continue only while its token is valid.
 */

/** Milliseconds a body may take before the token of its sender is checked again. */
const maxTrustTime = 400

/**
 * A signal that aborts when the token of a request is revoked or expires. The watch ends with the
 * answer.
 */
export function rightsOf(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const { key, until } = request.principal
  const watched = request.server.liveRights.watch({ key, until })
  const release = () => watched[Symbol.dispose]()
  reply.raw.once('close', release).once('finish', release)
  return watched.signal
}

/** Ends a stream when the rights of its principal end. */
export function endWithRights<Stream extends Readable>(stream: Stream, signal: AbortSignal): Stream {
  const end = () => stream.destroy(signal.reason as Error)
  if (signal.aborted) end()
  else {
    signal.addEventListener('abort', end, { once: true })
    stream.once('close', () => signal.removeEventListener('abort', end))
  }
  return stream
}

/**
 * Yields the chunks of a stream until the rights of its sender end; then throws, and leaves the
 * connection open for the answer.
 */
export async function* whileInForce(stream: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  const end = () => ended.reject(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  try {
    for (;;) {
      const { value, done } = await Promise.race([chunks.next(), ended.promise])
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Checks the token again for a body that arrived slowly. */
export const recheckRights: preValidationHookHandler = (request, _, done) => {
  if (performance.now() - request.admittedAt < maxTrustTime) return done()
  const { key, until } = request.principal
  request.server.liveRights
    .isInForce({ key, until })
    .then(isInForce => done(isInForce ? undefined : endedRights()), done)
}

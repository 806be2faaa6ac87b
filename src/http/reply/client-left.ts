import type { FastifyRequest } from 'fastify'

/** Errors of a stream whose other end was closed. */
const codes: ReadonlySet<unknown> = new Set([
  'ABORT_ERR',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE'
])

/** Whether an error only tells that the client closed the connection, which is no fault. */
export const isClientLeaving = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.socket.destroyed && error instanceof Error && 'code' in error && codes.has(error.code)

export const clientLeft = 'The client closed the connection'

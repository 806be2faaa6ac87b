import { Socket } from 'node:net'

import type { FastifyReply, FastifyRequest, preParsingHookHandler, preValidationHookHandler } from 'fastify'

import { refuseEncoded } from './body-headers.ts'
import { HttpError, sendProblem } from '../reply/errors.ts'
import { isLeftUnread } from './unread-body.ts'

/** Begins to count the time that a body takes; `bodyArrived` of the request ends it. */
export const startBodyClock: preParsingHookHandler = (request, reply, payload, done) => {
  request.bodyArrived = limitBodyTime(request, reply)
  try {
    refuseEncoded(request)
    done(null, payload)
  } catch (error) {
    done(error as Error)
  }
}

export const stopBodyClock: preValidationHookHandler = (request, _, done) => {
  request.bodyArrived()
  done()
}

/**
 * A body that was refused half-way is read no further: what is left of it must not keep the
 * connection.
 */
export const closeUnread: preParsingHookHandler = (request, reply, payload, done) => {
  const { socket } = request.raw
  reply.raw.once('finish', () => {
    if (isLeftUnread(request) && socket instanceof Socket) socket.destroySoon()
  })
  try {
    refuseEncoded(request)
    done(null, payload)
  } catch (error) {
    done(error as Error)
  }
}

/** How long a body may take to arrive, in milliseconds. */
const bodyTime = 30_000

/** A body that drips in is not waited for without end. Gives what stops the clock. */
function limitBodyTime(request: FastifyRequest, reply: FastifyReply): () => void {
  const timer = setTimeout(() => {
    reply.header('connection', 'close')
    sendProblem(new HttpError('request_timeout', 'The body did not arrive in time'), request, reply)
    request.raw.destroy()
  }, bodyTime)
  const stop = () => clearTimeout(timer)
  request.raw.once('close', stop)
  // A request that is refused before its body was read never gets further; its answer stops the
  // clock.
  reply.raw.once('finish', stop)
  return stop
}

import { Socket } from 'node:net'

import type { FastifyReply, FastifyRequest, preParsingHookHandler, preValidationHookHandler } from 'fastify'

import { HttpError, sendProblem } from '../reply/errors.ts'
import { isLeftUnread } from './unread-body.ts'

/** Starts the time limit of a body; `bodyArrived` of the request stops it. */
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

/** Closes the connection after a body that was refused half-way, instead of reading the rest. */
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

/** Maximum time for a body to arrive, in milliseconds. */
const maxBodyTime = 30_000

/** Limits the time of a body. Returns a function that stops the clock. */
function limitBodyTime(request: FastifyRequest, reply: FastifyReply): () => void {
  const timer = setTimeout(() => {
    reply.header('connection', 'close')
    sendProblem(new HttpError('request_timeout', 'The body did not arrive in time'), request, reply)
    request.raw.destroy()
  }, maxBodyTime)
  const stop = () => clearTimeout(timer)
  request.raw.once('close', stop)
  // A request that is refused before its body is read gets no further; its answer stops the clock.
  reply.raw.once('finish', stop)
  return stop
}

/** Throws for a compressed body; otherwise its bytes would be reported as malformed JSON. */
function refuseEncoded({ headers }: FastifyRequest) {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new HttpError(
      'unsupported_media_type',
      `"Content-Encoding: ${encoding}" is not supported; send the body uncompressed`
    )
}

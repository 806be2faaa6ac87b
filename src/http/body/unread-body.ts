import type { IncomingHttpHeaders, Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Maximum bytes of a refused body that is still read to its end, which is quicker than a new
 * connection.
 */
const maxBytesReadOn = 65_536
/** Milliseconds for which a larger one is read and discarded, until the client has the answer. */
const maxLingerTime = 5000
/** Milliseconds for the rest of a body to arrive after its request was answered. */
const maxRestTime = 20_000
/** Milliseconds between two checks of such connections. */
const restInterval = 5000

/** Whether too much of a refused body is unread; then the connection is closed after the answer. */
export const isLeftUnread = ({ raw, headers }: FastifyRequest) =>
  hasBody(headers) && !raw.complete && !(Number(headers['content-length']) <= maxBytesReadOn)

/**
 * Makes the end of a connection wait for the client, whose body is unread. A connection that is
 * closed at once is reset when further bytes arrive, and the client may lose the answer: of 40
 * uploads of 8 MB and more that were refused, 13 ended as a broken connection.
 */
export function lingerAtEnd({ raw }: FastifyRequest) {
  const { socket } = raw
  if (!(socket instanceof Socket)) return
  // Node calls this after the answer to a request that closes the connection.
  socket.destroySoon = () => {
    socket.end()
    raw.unpipe()
    raw.resume()
    const timer = setTimeout(() => socket.destroy(), maxLingerTime)
    socket.once('close', () => clearTimeout(timer))
  }
}

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Closes connections whose bodies still trickle in after the answer. */
export function reapUnread(server: Server) {
  const waiting = new Map<Socket, number>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, until] of waiting) {
      if (socket.destroyed) waiting.delete(socket)
      else if (until <= now) socket.destroy()
    }
  }, restInterval).unref()
  server.on('close', () => clearInterval(timer))
  server.prependListener('request', (request, response) => {
    if (!hasBody(request.headers)) return
    response.once('finish', () => {
      const { socket } = request
      if (request.complete || !(socket instanceof Socket)) return
      waiting.set(socket, performance.now() + maxRestTime)
      // Not on the socket: one connection may carry any number of such requests.
      request.once('close', () => waiting.delete(socket))
    })
  })
}

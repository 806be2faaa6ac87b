import type { IncomingHttpHeaders, Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Maximum length in bytes of a refused body that is still read to its end: quicker than a new
 * connection.
 */
const maxReadOn = 65_536
/** Milliseconds that the rest of a body may take to arrive after its request was answered. */
const maxRestTime = 20_000
/** Milliseconds between two looks at such connections. */
const restInterval = 5000

/**
 * Whether more may be left of a refused body than is read on: then the connection ends with the
 * answer.
 */
export const isLeftUnread = ({ raw, headers }: FastifyRequest) =>
  hasBody(headers) && !raw.complete && !(Number(headers['content-length']) <= maxReadOn)

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Ends connections whose bodies drip in behind an answer that was sent, whatever the path was. */
export function reapUnread(server: Server) {
  const waiting = new Map<Socket, number>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, until] of waiting) if (until <= now) socket.destroy()
  }, restInterval).unref()
  server.on('close', () => clearInterval(timer))
  server.prependListener('request', (request, response) => {
    if (!hasBody(request.headers)) return
    response.once('finish', () => {
      const { socket } = request
      if (request.complete || !(socket instanceof Socket)) return
      const forget = () => waiting.delete(socket)
      waiting.set(socket, performance.now() + maxRestTime)
      request.once('close', forget)
      socket.once('close', forget)
    })
  })
}

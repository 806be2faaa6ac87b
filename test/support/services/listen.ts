import { type ClientRequest, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { adminToken, type TestService } from './start.ts'

/**
 * The port of a service on a real socket. Closing the service, which the end of the test does, ends
 * it.
 */
export async function listen({ app }: TestService): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

export interface SocketOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
}

/** Begins a request over a socket of its own; its body is the caller's to write and to end. */
export function beginRequest(port: number, path: string, options: SocketOptions = {}): ClientRequest {
  const { method = 'GET', headers = {}, token = adminToken } = options
  return request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...headers }
  })
}

/** Resolves when the head of the answer is there; its body has not been read yet. */
export const answerOf = (sent: ClientRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })

/** The lines of a body, one by one, as they come. */
export async function* linesOf(body: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Ends a server and its connections, if it listens. */
export async function closeServer(server: Server) {
  server.closeAllConnections()
  if (server.listening) await new Promise(resolve => server.close(resolve))
}

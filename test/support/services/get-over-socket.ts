import { request } from 'node:http'

import { adminToken } from './start.ts'

/** An answer as it was sent, but for its moment and its connection. */
export interface Sent {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  /** A character for each byte. */
  readonly body: string
}

/** Sends a GET over a socket, with these headers only, `Host` and the token of the tests. */
export function getOverSocket(port: number, path: string, headers: Record<string, string> = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sent = { authorization: `Bearer ${adminToken}`, ...headers }
    request({ host: '127.0.0.1', port, path, headers: sent, agent: false }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () => {
        // The order of headers differs between Fastify and Node, and is no part of an answer.
        const { date: _, connection: __, 'keep-alive': ___, ...others } = answer.headers
        resolve({ status: answer.statusCode, headers: others, body: Buffer.concat(chunks).toString('latin1') })
      })
    })
      .on('error', reject)
      .end()
  })
}

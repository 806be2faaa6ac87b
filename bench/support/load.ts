import { connect, type Socket } from 'node:net'

import { adminToken } from './processes.ts'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The next request of any connection, as bytes. */
  readonly next: () => Buffer
  /** Whether to ask again, after so many answers; until the seconds are over where left out. */
  readonly goOn?: (answers: number) => boolean
  /** Handed each body with its request. */
  readonly onBody?: (body: Buffer, request: Buffer) => void
}

export interface Measured {
  readonly requests: number
  readonly perSecond: number
  /** In milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/**
 * Sends requests as fast as answers arrive: each connection sends its next request when the last
 * one is answered. Any answer except 200 or 201 ends the measurement with an error.
 *
 * Written on sockets, because the client must not be what is measured: it takes about a third of
 * the processor time that autocannon takes for a request, and shares two cores with the server.
 */
export async function measure({ port, connections, seconds, next, goOn, onBody }: Load): Promise<Measured> {
  const started = performance.now()
  const end = started + seconds * 1000
  const times: number[] = []
  await Promise.all(
    Array.from({ length: connections }, () =>
      askUntil(port, next, onBody, took => {
        times.push(took)
        return goOn ? goOn(times.length) : performance.now() < end
      })
    )
  )
  const elapsed = performance.now() - started
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    requests: sorted.length,
    perSecond: (sorted.length / elapsed) * 1000,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99)
  }
}

/** One connection. `goOn` is told how long each answer took, and says whether to ask again. */
function askUntil(
  port: number,
  next: () => Buffer,
  onBody: Load['onBody'],
  goOn: (took: number) => boolean
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received: Buffer = nothing
    let request: Buffer = nothing
    let wanted = 0
    let bodyAt = 0
    let sent = 0
    const ask = () => {
      wanted = 0
      received = nothing
      request = next()
      sent = performance.now()
      socket.write(request)
    }
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.on('connect', ask)
    socket.on('error', fail)
    socket.on('close', () => reject(new Error('The server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (wanted === 0) {
        bodyAt = received.indexOf('\r\n\r\n') + 4
        if (bodyAt === 3) return
        const head = received.toString('latin1', 0, bodyAt)
        const length = /content-length: (\d+)/i.exec(head)?.[1]
        if (!/^HTTP\/1\.1 20[01]/.test(head) || length === undefined) {
          fail(new Error(`Not a good answer: ${received.toString().slice(0, 1000)}`))
          return
        }
        wanted = bodyAt + Number(length)
      }
      if (received.length < wanted) return
      const took = performance.now() - sent
      onBody?.(received.subarray(bodyAt, wanted), request)
      if (goOn(took)) return ask()
      socket.removeAllListeners('close')
      socket.end()
      resolve()
    })
  })
}

const nothing = Buffer.alloc(0)

export function getRequest(path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${adminToken}\r\nAccept: application/json\r\n\r\n`
  )
}

export function postRequest(path: string, body: unknown): Buffer {
  return bodyRequest('POST', path, body)
}

export function bodyRequest(method: 'POST' | 'PATCH', path: string, body: unknown): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${adminToken}\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )
}

/** Goes through the requests again and again. */
export function inTurn(requests: readonly Buffer[]): () => Buffer {
  let at = -1
  return () => {
    at = (at + 1) % requests.length
    return requests[at] as Buffer
  }
}

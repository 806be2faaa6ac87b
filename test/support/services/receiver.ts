import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Teardown } from './start.ts'
import { hangLimit } from '../machines/hang-limit.ts'

/** One request as a receiver of webhooks got it. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes into an event
  readonly event: any
  /** Milliseconds, of the clock that never goes back. */
  readonly at: number
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Resolves once so many requests have come; rejects when that takes too long. */
  waitFor(count: number, milliseconds?: number): Promise<readonly Received[]>
}

/** Answers a request that has come whole. `count` is 1 for the first. */
export type Respond = (response: ServerResponse, count: number, request: IncomingMessage) => void

const agree: Respond = response => void response.writeHead(204).end()

/** Starts a receiver of webhooks on a port of its own; it is gone when the test is over. */
export async function startReceiver(t: Teardown, respond: Respond = agree): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    received.push({
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body),
      at: performance.now()
    })
    respond(response, received.length, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async waitFor(count, milliseconds) {
      await until(
        () => received.length >= count,
        milliseconds,
        () => `${count} requests, got ${received.length}`
      )
      return received
    }
  }
}

/**
 * Resolves once something is so; rejects when it is not after so many milliseconds, and after
 * `hangLimit`.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  milliseconds = hangLimit,
  describe: () => string = () => 'it'
) {
  const longest = Math.max(milliseconds, hangLimit)
  const last = performance.now() + longest
  while (!(await isSo())) {
    if (performance.now() > last) throw new Error(`Waited ${longest} ms for ${describe()}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

/** Lets webhooks reach the receivers of tests, which are on this machine. */
export const allowLoopback = { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8' }

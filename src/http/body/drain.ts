import type { Server as HttpServer } from 'node:http'
import { Server as NetServer } from 'node:net'

/**
 * So long, in milliseconds, may an open connection bring one more request after the closing began.
 */
const longestDrain = 1000

/**
 * Takes no new connections, and waits for the open ones to be used once more and told to close. To
 * close them at once, as Node does by itself, would fail the requests that are on their way on
 * them: tried at 100 requests a second on 10 connections, up to 4 of them.
 */
export async function drain(server: HttpServer) {
  NetServer.prototype.close.call(server)
  const connections = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count ?? 0)))
  const started = performance.now()
  while ((await connections()) > 0 && performance.now() - started < longestDrain)
    await new Promise(resolve => setTimeout(resolve, 10))
}

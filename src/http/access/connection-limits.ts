import type { Server } from 'node:http'
import { Socket } from 'node:net'

import { HttpError } from '../reply/errors.ts'
import { rawRefusal } from '../reply/raw-problem.ts'

/** Maximum numbers of what is open at once, in each process. */
export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly connectionsPerToken: number
  readonly streams: number
  readonly streamsPerToken: number
}

/** Seconds after which a refused client may try again. */
const retryAfter = 5

/** Counts what is open, by address and by token. */
export interface ConnectionCounter {
  /** Counts a connection for a token, until it closes. Throws `rate_limited`. */
  claim(socket: unknown, key: string): void
  /**
   * Counts an event stream for a token. Throws `rate_limited` or `unavailable`. Gives what releases
   * it, once.
   */
  claimStream(key: string): () => void
}

export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean
): ConnectionCounter {
  const byAddress = createTally()
  const byToken = createTally()
  const streamsByToken = createTally()
  const owners = new WeakMap<Socket, string>()
  let streams = 0

  server.maxConnections = limits.connections
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // The connections of a proxy are those of many people.
    if (address === undefined || isTrustedProxy(address)) return
    socket.once('close', () => byAddress.subtract(address))
    if (byAddress.add(address) <= limits.connectionsPerAddress) return
    const words = `An address may have ${limits.connectionsPerAddress} connections at once`
    socket.end(rawRefusal(new HttpError('rate_limited', words), retryAfter))
    socket.destroySoon()
  })

  return {
    claim(socket, key) {
      if (!(socket instanceof Socket) || socket.destroyed) return
      const owner = owners.get(socket)
      if (owner === key) return
      if (byToken.of(key) >= limits.connectionsPerToken)
        throw tooMany(`A token may have ${limits.connectionsPerToken} connections at once`)
      if (owner === undefined) socket.once('close', () => byToken.subtract(owners.get(socket) ?? ''))
      else byToken.subtract(owner)
      owners.set(socket, key)
      byToken.add(key)
    },
    claimStream(key) {
      if (streams >= limits.streams) throw tooMany(`There are ${limits.streams} event streams already`)
      if (streamsByToken.of(key) >= limits.streamsPerToken)
        throw tooMany(`A token may have ${limits.streamsPerToken} event streams at once`)
      streams++
      streamsByToken.add(key)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        streams--
        streamsByToken.subtract(key)
      }
    }
  }
}

const tooMany = (words: string) =>
  new HttpError('rate_limited', `${words}; try again in ${retryAfter} seconds`, [], retryAfter)

/** Counts by name, and forgets names that nothing is counted for. */
function createTally() {
  const counts = new Map<string, number>()
  const of = (name: string) => counts.get(name) ?? 0
  return {
    of,
    add(name: string): number {
      counts.set(name, of(name) + 1)
      return of(name)
    },
    subtract(name: string) {
      if (of(name) > 1) counts.set(name, of(name) - 1)
      else counts.delete(name)
    }
  }
}

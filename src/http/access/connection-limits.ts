import type { Server } from 'node:http'
import { Socket } from 'node:net'

import { HttpError } from '../reply/errors.ts'
import { rawRefusal } from '../reply/raw-problem.ts'

/** Maximum numbers of open connections and streams, for each process. */
export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly connectionsPerToken: number
  readonly streams: number
  readonly streamsPerToken: number
  readonly streamsPerAddress: number
}

/** Seconds after which a refused client may try again. */
const retryAfter = 5

/** Counts open connections and streams, by address and by token. */
export interface ConnectionCounter {
  /** Counts a connection for a token, until it closes. Throws `rate_limited`. */
  claim(socket: unknown, key: string): void
  /**
   * Counts an event stream for a token and an address. Throws `rate_limited`. Returns a function
   * that releases it, once.
   */
  claimStream(key: string, address: string): () => void
}

export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean
): ConnectionCounter {
  const byAddress = createTally()
  const byToken = createTally()
  const streamsByToken = createTally()
  const streamsByAddress = createTally()
  const owners = new WeakMap<Socket, string>()
  let streams = 0

  server.maxConnections = limits.connections
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // A proxy holds the connections of many clients.
    if (address === undefined || isTrustedProxy(address)) return
    socket.once('close', () => byAddress.subtract(address))
    if (byAddress.add(address) <= limits.connectionsPerAddress) return
    const message = `An address may have at most ${limits.connectionsPerAddress} connections`
    socket.end(rawRefusal(new HttpError('rate_limited', message), retryAfter))
    socket.destroySoon()
  })

  return {
    claim(socket, key) {
      if (!(socket instanceof Socket) || socket.destroyed) return
      const owner = owners.get(socket)
      if (owner === key) return
      if (byToken.of(key) >= limits.connectionsPerToken)
        throw tooMany(`A token may have at most ${limits.connectionsPerToken} connections`)
      if (owner === undefined) socket.once('close', () => byToken.subtract(owners.get(socket) ?? ''))
      else byToken.subtract(owner)
      owners.set(socket, key)
      byToken.add(key)
    },
    claimStream(key, address) {
      if (streams >= limits.streams) throw tooMany(`The maximum of ${limits.streams} event streams is reached`)
      if (streamsByToken.of(key) >= limits.streamsPerToken)
        throw tooMany(`A token may have at most ${limits.streamsPerToken} event streams`)
      if (streamsByAddress.of(address) >= limits.streamsPerAddress)
        throw tooMany(`An address may have at most ${limits.streamsPerAddress} event streams`)
      streams++
      streamsByToken.add(key)
      streamsByAddress.add(address)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        streams--
        streamsByToken.subtract(key)
        streamsByAddress.subtract(address)
      }
    }
  }
}

const tooMany = (message: string) =>
  new HttpError('rate_limited', `${message}; try again in ${retryAfter} seconds`, [], retryAfter)

/** Counts by name; names without a count take no memory. */
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

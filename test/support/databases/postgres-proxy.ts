import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

import type { Teardown } from '../machines/temporary-folder.ts'

/*
 * A proxy before a PostgreSQL server that reads along and cuts a connection at a COMMIT:
 *
 *   before  the COMMIT is not passed on, so the server rolls the transaction back
 *   after   the server has committed and says so, but the client never hears of it
 *
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

export interface CuttingProxy {
  readonly url: string
  /**
   * Cuts a connection once, at the COMMIT with this number from now on; new connections are held
   * until `release`.
   */
  cutAt(when: 'before' | 'after', number?: number): { readonly done: Promise<void> }
  /** Lets those through who waited. */
  release(): void
}

export async function startCuttingProxy(t: Teardown, databaseUrl: string): Promise<CuttingProxy> {
  const target = Number(new URL(databaseUrl).port)
  const sockets = new Set<Socket>()
  let plan: { when: 'before' | 'after'; commits: number; cut: () => void } | undefined
  let held: (() => void)[] | undefined

  const server = createServer({ noDelay: true }, client => {
    const join = () => {
      const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true })
      const ends = [client, upstream]
      const cut = () => {
        for (const end of ends) end.destroy()
      }
      for (const end of ends) {
        sockets.add(end)
        end.on('error', () => {}).on('close', cut)
      }
      const cutNow = () => {
        held = []
        cut()
        plan?.cut()
        plan = undefined
      }
      let isLast = false
      const isCommit = createCommitFinder()
      const readRequest = createMessageReader({ hasStart: true })
      const readReply = createMessageReader({ hasStart: false })
      client.on('data', (chunk: Buffer) => {
        for (const message of readRequest(chunk)) {
          if (isCommit(message) && plan && --plan.commits === 0) {
            if (plan.when === 'before') return cutNow()
            isLast = true
          }
          upstream.write(message)
        }
      })
      upstream.on('data', (chunk: Buffer) => {
        for (const message of readReply(chunk)) {
          if (isLast && message.includes('COMMIT\0')) return cutNow()
          client.write(message)
        }
      })
    }
    if (held) held.push(join)
    else join()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const through = new URL(databaseUrl)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    cutAt(when, number = 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      plan = { when, commits: number, cut: resolve }
      return { done: promise }
    },
    release() {
      const waiting = held ?? []
      held = undefined
      for (const join of waiting) join()
    }
  }
}

/** Splits a stream into messages. The first of a client has no letter before its length. */
function createMessageReader({ hasStart }: { hasStart: boolean }): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0)
  let isStart = hasStart
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    const messages: Buffer[] = []
    for (;;) {
      const head = isStart ? 0 : 1
      if (rest.length < head + 4) return messages
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return messages
      messages.push(rest.subarray(0, length))
      rest = rest.subarray(length)
      isStart = false
    }
  }
}

/** Finds the requests that run a COMMIT: a Bind of a statement that was prepared as one. */
function createCommitFinder(): (message: Buffer) => boolean {
  const statements = new Map<string, string>()
  return message => {
    const kind = String.fromCharCode(message[0] ?? 0)
    const [first = '', second = ''] = message.toString('latin1', 5).split('\0', 2)
    if (kind === 'P') statements.set(first, second)
    return kind === 'B' && statements.get(second) === 'COMMIT'
  }
}

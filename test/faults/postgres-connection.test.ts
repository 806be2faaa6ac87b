import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { ConnectionLost, openLink, readServers } from '#store/postgres/connection.ts'
import { createDatabase, whyNoServer } from '../support/postgres-server.ts'
import type { Teardown } from '../support/temporary-folder.ts'

/* One connection to PostgreSQL, through a proxy that can end it in each way a network does. */

describe('a connection to PostgreSQL', { skip: whyNoServer() }, () => {
  for (const [how, cut] of [
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.destroy()]
  ] as const)
    it(`that is ${how} is lost at once: what it owes is refused, and so is what follows`, async t => {
      const proxy = await startProxy(t, await createDatabase(t))
      const link = await openLink(readServers(proxy.url, 'any'))
      t.after(() => link.destroy())
      const owed = [link.run('SELECT pg_sleep(10)'), link.run('SELECT 1')]
      // Asked in the very moment in which the first is refused.
      const next = owed[0]?.catch(() => link.run('SELECT 2'))
      setTimeout(() => cut(proxy.client()), 100)
      for (const each of [...owed, next]) await assert.rejects(within(2000, each), ConnectionLost)
      assert.equal(link.isLost, true)
    })
})

async function startProxy(t: Teardown, url: string) {
  const sockets: Socket[] = []
  const target = Number(new URL(url).port)
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    sockets.push(client, upstream)
    client.pipe(upstream)
    upstream.pipe(client)
    for (const each of [client, upstream]) each.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return { url: through.href, client: () => sockets[0] as Socket }
}

const within = <T>(milliseconds: number, work: Promise<T> | undefined) =>
  Promise.race([
    work,
    delay(milliseconds, undefined, { ref: false }).then(() => {
      throw new Error(`Nothing was heard for ${milliseconds} ms`)
    })
  ])

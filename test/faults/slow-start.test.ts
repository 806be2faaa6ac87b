import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { createDatabase, whyNoServer } from '../support/databases/postgres-server.ts'
import { createClient, startServer } from '../support/services/server-process.ts'
import { type Teardown, temporaryFolder } from '../support/services/start.ts'

/*
 * A busy machine starts threads and opens connections slowly. Here each takes longer than the
 * deadline of queries, on a machine of any speed.
 */

describe('A start that takes longer than the deadline of queries', () => {
  it('succeeds, with the sample, and an empty catalogue answers its first query, where threads start slowly', async t => {
    const folder = temporaryFolder(t)
    const slow = join(folder, 'slow-threads.mjs')
    writeFileSync(
      slow,
      `import { isMainThread } from 'node:worker_threads'
       if (!isMainThread) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)`
    )
    const environment = { NODE_OPTIONS: `--import=${pathToFileURL(slow).href}`, QUERY_DEADLINE: '2000' }

    const withSample = await startServer(t, `sqlite:${join(folder, 'sample.db')}`, { ...environment, SAMPLE_DATA: '1' })
    assert.equal(await countOf(t, withSample.port), 596)

    const empty = await startServer(t, `sqlite:${join(folder, 'empty.db')}`, { ...environment, SAMPLE_DATA: '0' })
    assert.equal(await countOf(t, empty.port), 0)
  })

  it('succeeds, and answers, where connections to PostgreSQL open slowly', { skip: whyNoServer() }, async t => {
    const url = await startSlowProxy(t, await createDatabase(t), 1200)
    const server = await startServer(t, url, { QUERY_DEADLINE: '1000', SAMPLE_DATA: '0' })
    assert.equal(await countOf(t, server.port), 0)
  })
})

async function countOf(t: Teardown, port: number): Promise<number> {
  const client = createClient(port)
  t.after(() => client.close())
  const { status, text, headers } = await client.call('GET', '/entities?limit=1')
  assert.equal(status, 200, text)
  return Number(headers['x-total-count'])
}

/** A way to a database on which each connection opens so many milliseconds late. */
async function startSlowProxy(t: Teardown, databaseUrl: string, milliseconds: number): Promise<string> {
  const to = new URL(databaseUrl)
  const sockets = new Set<{ destroy(): unknown }>()
  const proxy = createServer({ noDelay: true, pauseOnConnect: true }, client => {
    sockets.add(client.on('error', () => {}))
    setTimeout(() => {
      // A connection to PostgreSQL without a client would stay open until that gives it up.
      if (client.destroyed) return
      const server = connect({ host: to.hostname, port: Number(to.port), noDelay: true })
      sockets.add(server.on('error', () => client.destroy()))
      server.on('close', () => client.destroy())
      client.on('close', () => server.destroy())
      client.pipe(server).pipe(client)
      client.resume()
    }, milliseconds)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  const through = new URL(databaseUrl)
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return through.href
}

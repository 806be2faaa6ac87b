import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { createTestDatabase } from '../support/databases/database.ts'
import { until } from '../support/services/receiver.ts'
import { createClient, pause, startServer } from '../support/services/server-process.ts'
import { type Teardown, temporaryFolder } from '../support/services/start.ts'

/*
 * A thread that never ends what it does. No query makes one do so that we know of, so these do
 * when they look for a certain text.
 */

const endless = 'never ends'

describe('Threads that do not end their queries', () => {
  it('are replaced, while the service says that it is not ready, and everything is found again', async t => {
    const server = await startServer(t, await createTestDatabase(t), {
      ...endlessThreads(t),
      QUERY_DEADLINE: '1000',
      READERS: '2',
      SAMPLE_DATA: '1'
    })
    const [client, watcher] = [createClient(server.port), createClient(server.port)]
    t.after(() => {
      client.close()
      watcher.close()
    })
    const countAll = async () => Number((await client.call('GET', '/entities?limit=1')).headers['x-total-count'])
    await until(async () => (await countAll()) === 596)

    const seen: string[] = []
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        const { status, text } = await watcher.call('GET', '/health/ready')
        const answer = `${status} ${text}`
        if (answer !== seen.at(-1)) seen.push(answer)
        await pause(20)
      }
    })()
    const ask = () =>
      client.call('POST', '/entities/filter', [{ type: 'text', key: 'properties.title.value', value: endless }])
    for (const { status, text } of await Promise.all([ask(), ask()])) {
      assert.equal(status, 503, text)
      assert.equal((JSON.parse(text) as { code: string }).code, 'query_timeout')
    }
    assert.equal((await client.call('GET', '/health/live')).status, 200)
    await until(async () => (await countAll()) === 596)
    const ready = async () => (await client.call('GET', '/health/ready')).status
    await until(async () => (await ready()) === 200)
    isOver = true
    await watching
    assert.deepEqual(seen.slice(0, 3), ['200 {"status":"ok"}', '503 {"status":"unavailable"}', '200 {"status":"ok"}'])
    assert.equal(await server.stop(), 0)
  })

  it('leave a thread to lists and searches where their queries are costly, whoever asks', async t => {
    const server = await startServer(t, await createTestDatabase(t), {
      ...endlessThreads(t),
      READERS: '2',
      SAMPLE_DATA: '1'
    })
    const client = createClient(server.port)
    t.after(() => client.close())
    const value = [endless, ...Array.from({ length: 999 }, (_, at) => `value ${at}`)]
    const ask = (caller: ReturnType<typeof createClient>) =>
      caller.call('POST', '/entities/filter', [{ type: 'selection', key: 'properties.title.value', value }])
    let ended = 0
    for (let at = 0; at < 6; at++) {
      const asking = createClient(server.port)
      t.after(() => asking.close())
      const end = () => ended++
      void ask(asking).then(end, end)
    }
    for (let at = 0; at < 5; at++) {
      assert.equal((await client.call('GET', '/entities?limit=1')).status, 200)
      const searched = await client.call('POST', '/entities/filter', [{ type: 'search', value: 'water' }])
      assert.equal(searched.status, 200)
    }
    assert.equal(ended, 0)
    await server.kill()
  })
})

/** Settings by which threads stop for ever at that text. */
function endlessThreads(t: Teardown): { NODE_OPTIONS: string } {
  const preload = join(temporaryFolder(t), 'endless-threads.mjs')
  writeFileSync(
    preload,
    `import { isMainThread } from 'node:worker_threads'
     const { encode } = TextEncoder.prototype
     if (!isMainThread)
       TextEncoder.prototype.encode = function (text) {
         if (text === ${JSON.stringify(endless)}) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
         return encode.call(this, text)
       }`
  )
  return { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` }
}

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { until } from '../support/services/receiver.ts'
import { aProduction } from '../support/records/entities.ts'
import { type Client, createClient, startServer, waitForEnd } from '../support/services/server-process.ts'

const diskSize = 16 * 1_048_576
const fillerSize = 6 * 1_048_576

describe('a full disk', () => {
  it('refuses writes with 507, goes on reading, loses nothing, and writes again once there is room', async t => {
    const disk = mountSmallDisk(t)
    if (disk === undefined) return
    const path = join(disk, 'catalogue.db')
    const filler = join(disk, 'filler')
    writeFileSync(filler, Buffer.alloc(fillerSize))
    const server = await startServer(t, `sqlite:${path}`)
    const clients = Array.from({ length: 8 }, () => createClient(server.port))
    const [client = createClient(server.port)] = clients
    t.after(() => {
      for (const each of clients) each.close()
    })
    const acknowledged = new Map<string, string>()

    const refusal = await writeUntilRefused(clients, acknowledged)
    assert.equal(refusal.status, 507, refusal.text)
    const problem = JSON.parse(refusal.text) as Record<string, unknown>
    assert.equal(problem.code, 'storage_full')
    assert.ok(refusal.headers['retry-after'])
    assert.ok(acknowledged.size > 50, `only ${acknowledged.size} writes were acknowledged`)

    // Reading goes on: by id, as a list, and by the service of its own health.
    await assertAllThere(client, acknowledged)
    const list = await client.call('GET', '/entities?limit=0&envelope=1')
    assert.equal((JSON.parse(list.text) as { count: number }).count, acknowledged.size)
    assert.equal((await client.call('GET', '/health/ready')).status, 200)
    // It goes on refusing in words, not only once. A small write may still fit where a large one
    // did not, and is then as good as any.
    const ids = [...acknowledged.keys()]
    for (const [n, id] of ids.slice(0, 10).entries()) {
      const changed = await client.call('PUT', `/entities/${id}`, aProduction({ title: `Another ${n}` }))
      assert.ok([200, 507].includes(changed.status), changed.text)
      if (changed.status === 200) acknowledged.set(id, changed.text)
    }
    const deleted = await client.call('DELETE', `/entities/${ids[10]}`)
    assert.ok([204, 507].includes(deleted.status), deleted.text)
    if (deleted.status === 204) acknowledged.delete(ids[10] ?? '')
    assert.equal((await writeUntilRefused(clients, acknowledged)).status, 507)
    await assertAllThere(client, acknowledged)

    rmSync(filler)
    await untilWritten(client, acknowledged)
    for (let n = 0; n < 20; n++) await write(client, acknowledged)
    await assertAllThere(client, acknowledged)

    for (const each of clients) each.close()
    server.child.kill('SIGTERM')
    assert.deepEqual(await waitForEnd(server), { code: 0, signal: null }, server.output().err)
    await using store = await openStore(`sqlite:${path}`, createModel(builtInRecordTypes), {
      queryDeadline: 60_000,
      readers: 1
    })
    assert.deepEqual(await store.check(), { ok: true, entities: acknowledged.size, problems: [], notices: [] })
    for (const [id, json] of acknowledged) assert.equal((await store.findEntity(id))?.json, json)
  })
})

/**
 * A file system of its own in memory, gone when the test is over. Skips the test, and says why,
 * where none can be made.
 */
function mountSmallDisk(t: TestContext): string | undefined {
  if (process.getuid?.() !== 0) {
    t.skip('only root can mount a small disk to fill')
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'libretto-test-'))
  // Lazily, so that a process which still holds a file there does not keep it.
  const unmount = () => spawnSync('umount', ['-l', folder])
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'libretto-test', folder], {
    encoding: 'utf8'
  })
  const isMounted = mounted.status === 0
  const cleanUp = () => {
    if (isMounted) unmount()
    rmSync(folder, { recursive: true, force: true })
  }
  t.after(cleanUp)
  process.once('exit', cleanUp)
  if (isMounted) return folder
  t.skip(`no small disk can be mounted here: ${mounted.stderr ?? mounted.error?.message}`)
  return undefined
}

const anything = () => aProduction({ title: 'x', description: 'Lorem ipsum dolor sit amet. '.repeat(200) })

async function write(client: Client, acknowledged: Map<string, string>) {
  const answer = await client.call('POST', '/entities', anything())
  if (answer.status === 201) acknowledged.set((JSON.parse(answer.text) as Entity).id, answer.text)
  return answer
}

/**
 * All clients at a time, so that a group of writes meets the full disk, not only a single one;
 * until all of them are refused three times.
 */
async function writeUntilRefused(clients: readonly Client[], acknowledged: Map<string, string>) {
  let refusals = 0
  for (let tries = 0; tries < 5000; tries++) {
    const answers = await Promise.all(clients.map(client => write(client, acknowledged)))
    const odd = answers.find(answer => answer.status !== 201 && answer.status !== 507)
    if (odd) return odd
    refusals = answers.every(answer => answer.status === 507) ? refusals + 1 : 0
    const [refused] = answers
    if (refused && refusals === 3) return refused
  }
  throw new Error('The disk does not fill up')
}

async function untilWritten(client: Client, acknowledged: Map<string, string>) {
  await until(async () => {
    const { status, text } = await write(client, acknowledged)
    if (status !== 201) assert.equal(status, 507, text)
    return status === 201
  })
}

async function assertAllThere(client: Client, acknowledged: ReadonlyMap<string, string>) {
  for (const [id, json] of acknowledged) {
    const answer = await client.call('GET', `/entities/${id}`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.text, json)
  }
}

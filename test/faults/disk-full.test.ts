import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { fillDisk, mountSmallDisk, putFromElsewhere } from '../support/machines/small-disk.ts'
import { aProduction } from '../support/records/entities.ts'
import { sha256 } from '../support/records/media.ts'
import { until } from '../support/services/receiver.ts'
import { runCli } from '../support/services/run-cli.ts'
import { type Client, createClient, type ServerProcess, startServer } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'
import { findMetrics } from '../support/services/watched-service.ts'

const megabyte = 1_048_576
const diskSize = 16 * megabyte
const diskSpace = 10 * megabyte

describe('a full disk', () => {
  it('refuses writes with 507, goes on reading, loses nothing, and writes again once there is room', async t => {
    const disk = mountSmallDisk(t, diskSize)
    if (disk === undefined) return
    const path = join(disk, 'catalogue.db')
    const makeRoom = fillDisk(disk, diskSpace)
    const server = await startServer(t, `sqlite:${path}`)
    const clients = createClients(t, server)
    const [client] = clients
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

    makeRoom()
    await untilWritten(client, acknowledged)
    for (let n = 0; n < 20; n++) await write(client, acknowledged)
    await assertAllThere(client, acknowledged)
    assert.equal(await server.stop(), 0, server.complaints())
    await assertAllStored(path, acknowledged)
  })

  it('that has the write-ahead log alone refuses writes with 507, and loses nothing', async t => {
    const disk = mountSmallDisk(t, diskSize)
    if (disk === undefined) return
    const path = join(disk, 'catalogue.db')
    putFromElsewhere(t, join(temporaryFolder(t), 'catalogue.db'), path)
    const makeRoom = fillDisk(disk, 3 * megabyte)
    const server = await startServer(t, `sqlite:${path}`, { CACHE_FILE_MEGABYTES: '0' })
    const clients = createClients(t, server)
    const [client] = clients
    const acknowledged = new Map<string, string>()
    assert.equal((await writeUntilRefused(clients, acknowledged)).status, 507)
    assert.ok(acknowledged.size > 10, `only ${acknowledged.size} writes were acknowledged`)
    await assertAllThere(client, acknowledged)
    await server.kill()
    // A start may have to write. Without room for that it ends, and says why.
    const restart = () => startServer(t, `sqlite:${path}`, { CACHE_FILE_MEGABYTES: '0' })
    const early = await restart().catch(error => assert.match(String(error), /database or disk is full/))
    if (early) await assertAllThere(createClients(t, early)[0], acknowledged)
    makeRoom()
    const again = early ?? (await restart())
    const [other] = createClients(t, again)
    await untilWritten(other, acknowledged)
    await assertAllThere(other, acknowledged)
    assert.equal(await again.stop(), 0, again.complaints())
    await assertAllStored(path, acknowledged)
  })

  it('that has the database alone loses nothing: the log has what was acknowledged', async t => {
    const disk = mountSmallDisk(t, diskSize)
    if (disk === undefined) return
    const [folder, small] = [temporaryFolder(t), join(disk, 'catalogue.db')]
    const path = join(folder, 'catalogue.db')
    putFromElsewhere(t, small, path)
    const makeRoom = fillDisk(disk, 4 * megabyte)
    const server = await startServer(t, `sqlite:${path}`)
    const clients = createClients(t, server)
    const acknowledged = new Map<string, string>()
    // Beyond the size at which the log is written back.
    while (statSync(`${path}-wal`).size < 24 * megabyte) {
      const answers = await Promise.all(clients.map(client => write(client, acknowledged)))
      for (const { status, text } of answers) assert.ok([201, 507].includes(status), text)
    }
    assert.ok(statfsSync(disk).bavail < 16, 'the disk of the database is not full')
    await assertAllThere(clients[0], acknowledged)
    await server.kill()
    const again = await startServer(t, `sqlite:${path}`)
    const [other] = createClients(t, again)
    await assertAllThere(other, acknowledged)
    makeRoom()
    await untilWritten(other, acknowledged)
    assert.equal(await again.stop(), 0, again.complaints())
    assert.ok(statSync(small).size > 4 * megabyte, 'the log was not written back')
    await assertAllStored(path, acknowledged)
  })

  it('without room for the snapshot of the index leaves no part of it, and lists are answered', async t => {
    const disk = mountSmallDisk(t, 4 * diskSize)
    if (disk === undefined) return
    const path = join(disk, 'catalogue.db')
    const url = `sqlite:${path}`
    const snapshot = `${path}.index`
    const isSaved = () => existsSync(snapshot)
    const lines = Array.from({ length: 3000 }, (_, n) => JSON.stringify({ id: `P-${n}`, ...aProduction() })).join('\n')
    const env = { DATABASE_URL: url, SAMPLE_DATA: '0' }
    const made = await runCli(['import', '-', '--json', '--create-database'], { env, input: lines })
    assert.equal(made.code, 0, made.err)
    const settings = { METRICS_PORT: '0', CACHE_FILE_MEGABYTES: '0' }
    const first = await startServer(t, url, settings)
    await until(isSaved)
    assert.equal(await first.stop(), 0, first.complaints())
    rmSync(snapshot)
    const makeRoom = fillDisk(disk, 100_000)
    const server = await startServer(t, url, settings)
    const [client] = createClients(t, server)
    await until(async () => (await measure(server, 'libretto_index_snapshot_failures_total')) > 0)
    const { status, text } = await client.call('GET', '/entities?limit=0&envelope=1')
    assert.deepEqual([status, (JSON.parse(text) as { count: number }).count], [200, 3000])
    assert.deepEqual(
      readdirSync(disk).filter(name => name.includes('.index')),
      []
    )
    assert.equal((await client.call('PATCH', '/entities/P-1', { metadata: [] })).status, 200)
    assert.equal(await server.stop(), 0, server.complaints())
    makeRoom()
    const again = await startServer(t, url, settings)
    await until(isSaved)
    assert.equal(await again.stop(), 0, again.complaints())
    await using store = await openStore(url, createModel(builtInRecordTypes))
    assert.deepEqual((await store.check()).problems, [])
  })

  for (const place of ['on it', 'elsewhere'])
    it(`of media files, with uploads ${place}, refuses bytes with 507, loses none, and finishes uploads once there is room`, async t => {
      const disk = mountSmallDisk(t, diskSize)
      if (disk === undefined) return
      const folder = temporaryFolder(t)
      const url = `sqlite:${join(folder, 'catalogue.db')}`
      const environment = {
        ...{ MEDIA_URL: `file:${join(disk, 'media')}`, SAMPLE_DATA: '0' },
        // Refused bytes do not count.
        MAX_MEDIA_BYTES_PER_DAY: String(diskSize),
        ...(place === 'elsewhere' ? { MEDIA_UPLOADS: join(folder, 'uploads') } : {})
      }
      const makeRoom = fillDisk(disk, diskSpace)
      const server = await startServer(t, url, environment)
      const [client] = createClients(t, server)
      const kept = new Map<string, Buffer>()
      for (let refusals = 0; refusals < 3; ) {
        const { status, text } = await sendFile(client, kept)
        const said = `${text}\n${server.complaints()}`
        if (status !== 200) assert.deepEqual([status, /"code":"(\w+)"/.exec(text)?.[1]], [507, 'storage_full'], said)
        refusals = status === 200 ? 0 : refusals + 1
      }
      assert.ok(kept.size > 3, `only ${kept.size} files were stored`)
      await assertSent(client, kept)
      // The database is on another disk.
      assert.equal((await client.call('POST', '/entities', aProduction())).status, 201)

      const upload = await beginUpload(client)
      const refused = await client.call('PATCH', upload.path, upload.bytes, { ...piece, 'upload-offset': '0' })
      assert.equal(refused.status, 507, refused.text)
      makeRoom()
      const { headers } = await client.call('HEAD', upload.path, undefined, tus)
      const offset = Number(headers['upload-offset'])
      const rest = upload.bytes.subarray(offset)
      if (rest.length > 0)
        assert.equal(
          (await client.call('PATCH', upload.path, rest, { ...piece, 'upload-offset': String(offset) })).status,
          204
        )
      kept.set(upload.id, upload.bytes)
      assert.equal((await sendFile(client, kept)).status, 200)
      assert.equal(await server.stop(), 0, server.complaints())

      const again = await startServer(t, url, environment)
      const [other] = createClients(t, again)
      await assertSent(other, kept)
      assert.equal(await again.stop(), 0, again.complaints())
      const contents = readdirSync(join(disk, 'media', 'content'), { recursive: true, withFileTypes: true })
      assert.deepEqual(
        new Set(contents.filter(each => each.isFile()).map(each => `${each.parentPath.slice(-2)}${each.name}`)),
        new Set([...kept.values()].map(sha256))
      )
      const checked = await runCli(['check', '--json', '--read-media'], { env: { DATABASE_URL: url, ...environment } })
      assert.equal(checked.code, 0, checked.out)
    })
})

const tus = { 'tus-resumable': '1.0.0' }
const piece = { ...tus, 'content-type': 'application/offset+octet-stream' }
const fileSize = megabyte

async function newMediaFile(client: Client): Promise<string> {
  const { text } = await client.call('POST', '/mediafiles', { filename: 'a.bin', mediafile_type: 'posters' })
  return (JSON.parse(text) as { id: string }).id
}

async function sendFile(client: Client, kept: Map<string, Buffer>) {
  const id = await newMediaFile(client)
  const bytes = randomBytes(fileSize * (1 + (kept.size % 3)))
  const type = { 'content-type': 'application/octet-stream' }
  const answer = await client.call('PUT', `/mediafiles/${id}/content`, bytes, type)
  if (answer.status === 200) kept.set(id, bytes)
  return answer
}

/** Begins an upload of a file; where the disk is too full even for that, once there is room. */
async function beginUpload(client: Client) {
  const id = await newMediaFile(client)
  const bytes = randomBytes(2 * fileSize)
  const begun = await client.call('POST', `/mediafiles/${id}/uploads`, undefined, {
    ...tus,
    'upload-length': String(bytes.length)
  })
  assert.equal(begun.status, 201, begun.text)
  return { id, bytes, path: String(begun.headers.location) }
}

/** Compares the bytes of media files with those that were sent, by their hashes. */
async function assertSent(client: Client, kept: ReadonlyMap<string, Buffer>) {
  for (const [id, bytes] of kept) {
    const { text } = await client.call('GET', `/mediafiles/${id}`)
    assert.ok(text.includes(sha256(bytes)), text)
    const { status, headers } = await client.call('GET', `/mediafiles/${id}/content`)
    assert.deepEqual([status, Number(headers['content-length'])], [200, bytes.length])
  }
}

/** Clients that work at the same time. */
function createClients(t: TestContext, { port }: ServerProcess): [Client, ...Client[]] {
  const clients = Array.from({ length: 8 }, () => createClient(port))
  t.after(() => {
    for (const each of clients) each.close()
  })
  return clients as [Client, ...Client[]]
}

/** A database that no service has open has exactly these records. */
async function assertAllStored(path: string, acknowledged: ReadonlyMap<string, string>) {
  await using store = await openStore(`sqlite:${path}`, createModel(builtInRecordTypes), {
    queryDeadline: 60_000,
    readers: 1
  })
  assert.deepEqual(await store.check(), { ok: true, entities: acknowledged.size, problems: [], notices: [] })
  for (const [id, json] of acknowledged) assert.equal((await store.findEntity(id))?.json, json)
}

/** The value of a metric of a service. */
async function measure(server: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(await findMetrics(server))).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
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

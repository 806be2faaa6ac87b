import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { findPostgres, whyNoPostgres } from '../support/databases/postgres-binaries.ts'
import { newDatabase } from '../support/databases/postgres-server.ts'
import { runTool } from '../support/machines/debian.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { assertNoneLost, changeShared, createShared } from '../support/records/shared-records.ts'
import { until } from '../support/services/receiver.ts'
import { runCli } from '../support/services/run-cli.ts'
import { startServer } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'
import {
  assertWrittenOnce,
  createSender,
  readFeed,
  type SteadySender,
  writeSteadily
} from '../support/services/steady-clients.ts'

/*
 * Backups are made and restored while clients write. Each must be the state of one moment: its feed
 * is the beginning of that of the service, with all that was acknowledged before it began, and
 * every record is as it was written at its last change in that feed.
 */

const rounds = howMany({ short: 3, long: 100, onPostgres: 2 })
/** Writes before each backup. */
const writesBetween = 100

describe(`backups during writes (${testStore})`, { skip: whyNoDumps() }, () => {
  it(`are each the state of one moment, ${rounds} times, and a restored one goes on (seed ${seed})`, async t => {
    const url = await createTestDatabase(t)
    const server = await startServer(t, url, { SAMPLE_DATA: '0', READERS: '1' })
    const sender = createSender(server.port, 8)
    t.after(() => sender.close())
    const shared = await createShared(sender, 5)
    let isOver = false
    let writes = 0
    const working = Promise.all([
      Promise.all(
        [0, 1, 2].map(number =>
          writeSteadily(sender, `W${number}`, { isOver: () => isOver, onSuccess: () => writes++, withKeys: number > 0 })
        )
      ),
      Promise.all(
        [0, 1, 2].map(number =>
          changeShared([sender], shared, `S${number}`, { isOver: () => isOver, chance: createChance(seed + number) })
        )
      )
    ])
    working.catch(() => {})
    const findVersion = rememberVersions(sender)
    const missing: number[] = []
    for (let round = 0; round < rounds; round++) {
      const enough = writes + writesBetween
      await Promise.race([until(() => writes > enough), working])
      const before = (await feedOf(sender)).length
      const copy = await copyAndRestore(t, url)
      const restored = await startServer(t, copy.url, { SAMPLE_DATA: '0', READERS: '1' })
      const reader = createSender(restored.port, 2)
      const [feed, whole] = [await feedOf(reader), await feedOf(sender)]
      assert.ok(feed.length >= before, `the backup has ${feed.length} changes, there were ${before} when it began`)
      missing.push(whole.length - feed.length)
      assert.deepEqual(feed, whole.slice(0, feed.length))
      await assertStateOf(feed, reader, findVersion)
      const patch = { metadata: [{ key: 'city', value: 'Restored' }] }
      const { status, text } = await reader.send('PATCH', '/entities/SHARED-0', patch)
      assert.equal(status, 200, text)
      reader.close()
      assert.equal(await restored.stop(), 0, restored.complaints())
      const checked = await runCli(['check', '--json'], { env: { DATABASE_URL: copy.url } })
      assert.equal(checked.code, 0, checked.out)
      await copy.drop()
    }
    isOver = true
    const [ledgers, told] = await working
    await assertWrittenOnce(sender, ledgers)
    await assertNoneLost(sender, told.flat())
    assert.ok(
      missing.some(count => count > 0),
      'nothing was written while the backups were made'
    )
    t.diagnostic(`SEED=${seed} ${writes} writes; written since each backup: ${missing.join(', ')}`)
  })
})

/** The changes of a feed, in their order. */
const feedOf = async (sender: SteadySender) =>
  (await readFeed(sender)).map(({ subject, data }) => `${subject} ${data.version}`)

/** Asserts that a catalogue has exactly the records of a feed, at their last versions in it. */
async function assertStateOf(feed: readonly string[], reader: SteadySender, findVersion: FindVersion) {
  const last = new Map(feed.map(change => change.split(' ') as [string, string]))
  const { text } = await reader.send('GET', '/export?format=ndjson')
  const records = text.split('\n').filter(Boolean)
  const entities = records.map(line => JSON.parse(line) as Entity)
  assert.deepEqual(new Map(entities.map(({ id, version }) => [id, String(version)])), last)
  for (const { id, version, metadata } of entities)
    assert.deepEqual(metadata, await findVersion(id, version), `${id}, version ${version}`)
}

type FindVersion = (id: string, version: number) => Promise<Entity['metadata']>

/** Reads past versions, each of them once. */
function rememberVersions(sender: SteadySender): FindVersion {
  const known = new Map<string, Entity['metadata']>()
  return async (id, version) => {
    const name = `${id} ${version}`
    const before = known.get(name)
    if (before) return before
    const { text } = await sender.send('GET', `/entities/${id}?version=${version}`)
    const { metadata } = JSON.parse(text) as Entity
    known.set(name, metadata)
    return metadata
  }
}

/** Copies a database in use, and restores the copy beside it. */
async function copyAndRestore(t: TestContext, url: string) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'backup')
  if (testStore === 'postgres') {
    const copy = await newDatabase()
    await runTool(findDumpTool('pg_dump'), ['--format=custom', `--file=${file}`, url])
    await runTool(findDumpTool('pg_restore'), ['--exit-on-error', `--dbname=${copy.url}`, file])
    return copy
  }
  const copy = `sqlite:${join(folder, 'copy.db')}`
  const backup = await runCli(['backup', file], { env: { DATABASE_URL: url } })
  assert.deepEqual([backup.code, backup.err], [0, ''])
  const restored = await runCli(['restore', file], { env: { DATABASE_URL: copy } })
  assert.deepEqual([restored.code, restored.err], [0, ''])
  return { url: copy, drop: async () => {} }
}

/** Beside the other programs of PostgreSQL: an older one refuses the server. */
function findDumpTool(name: string): string {
  return join(dirname(findPostgres('').postgres), name)
}

function whyNoDumps(): string | false {
  if (testStore === 'sqlite') return false
  const reason = whyNoPostgres()
  if (reason !== undefined) return reason
  return existsSync(findDumpTool('pg_dump'))
    ? false
    : 'no pg_dump is beside the other programs of PostgreSQL: POSTGRES_BIN names a folder with it'
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'

import { createTestDatabase, runStatement, testStore } from '../support/databases/database.ts'
import {
  findGrowth,
  type GrowthLimits,
  growthOf,
  type Holding,
  openMeasurement
} from '../support/machines/service-growth.ts'
import { createChance, howMany, isLong, seed } from '../support/records/chance.ts'
import { pause, startServer } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'
import { createMixedWork } from './mixed-work.ts'

/*
 * The real program under mixed work for long: its memory, handles, threads and temporary files must
 * not grow, nor its database beyond the changes.
 */

/** Seconds; on PostgreSQL the long form is as long as on SQLite. */
const duration = howMany({ short: 20, long: testStore === 'postgres' ? 9000 : 900, onPostgres: 20 })
const measurements = isLong ? 64 : 24
const megabyte = 1_048_576
const limits: GrowthLimits = {
  heap: 8 * megabyte,
  external: 8 * megabyte,
  resident: 96 * megabyte,
  handles: 12,
  threads: 3,
  files: 40,
  database: { perChange: 6000, besides: 12 * megabyte }
}

describe(`mixed work (${testStore})`, { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  it(`of ${duration} seconds leaves nothing behind (seed ${seed})`, async t => {
    const { holdings, counts, server } = await soak(t, duration)
    t.diagnostic(`SEED=${seed} ${JSON.stringify([...counts])}`)
    t.diagnostic(`growth after the first quarter: ${JSON.stringify(growthOf(holdings))}`)
    t.diagnostic(`at the end: ${JSON.stringify(holdings.at(-1))}`)
    assert.deepEqual([...findGrowth(holdings, limits).values()], [])
    assert.equal(await server.stop(), 0, server.complaints())
    const logged = server
      .complaints()
      .split('\n')
      .filter(line => line.startsWith('{'))
    assert.deepEqual(
      logged.filter(line => !isOfBusyServer(line)),
      []
    )
  })

  it('notices everything that a service leaks', async t => {
    const { holdings } = await soak(t, isLong ? 60 : 16, ['heap', 'external', 'handles', 'files', 'threads'])
    assert.deepEqual(
      new Set(findGrowth(holdings, limits).keys()),
      new Set(['heap', 'external', 'resident', 'handles', 'threads', 'files', 'database'])
    )
  })
})

/**
 * On a busy machine PostgreSQL lets writers wait too long now and then. Requests are sent again,
 * and what is done in the background is done again.
 */
const isOfBusyServer = (line: string) =>
  testStore === 'postgres' && (JSON.parse(line) as { err?: { code?: string } }).err?.code === 'unavailable'

/** Works so many seconds, and measures meanwhile; with leaks that are planted in the service. */
async function soak(t: TestContext, seconds: number, leaks: readonly string[] = []) {
  const url = await createTestDatabase(t)
  const folder = temporaryFolder(t)
  const [media, temporary] = [join(folder, 'media'), join(folder, 'temporary')]
  mkdirSync(temporary)
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'support', 'machines', 'plant-leaks.ts')).href
  const server = await startServer(t, url, {
    ...{ NODE_OPTIONS: `--inspect=127.0.0.1:0 --import=${preload}`, TEST_LEAKS: leaks.join(',') },
    ...{ SAMPLE_DATA: '1', METRICS_PORT: '0', MEDIA_URL: `file:${media}`, TMPDIR: temporary, LOG_LEVEL: 'warn' },
    ...{ ANONYMOUS_ACCESS: 'read', ADDRESS_RATE_LIMIT: '1000000/60', CACHE_MEGABYTES: '8', CACHE_FILE_MEGABYTES: '8' }
  })
  const folders = [
    temporary,
    join(media, 'uploads'),
    ...(testStore === 'sqlite' ? [dirname(new URL(url).pathname)] : [])
  ]
  using measurement = await openMeasurement({ server, databaseUrl: url, folders })
  const { work, counts } = createMixedWork(server.port, createChance(seed))
  let isOver = false
  const working = work(() => isOver)
  working.catch(() => {})
  const holdings: Holding[] = []
  const began = performance.now()
  for (let at = 1; at <= measurements; at++) {
    const due = began + (at * seconds * 1000) / measurements
    await Promise.race([pause(Math.max(0, due - performance.now())), working])
    if (leaks.length > 0) await leakRow(url)
    holdings.push(await measurement.take())
  }
  isOver = true
  await working
  return { holdings, counts, server }
}

/** Writes a row that belongs to no record. */
async function leakRow(url: string) {
  await runStatement(url, 'CREATE TABLE IF NOT EXISTS leak (text TEXT)')
  await runStatement(url, 'INSERT INTO leak VALUES ($1)', randomBytes(3_000_000).toString('base64'))
}

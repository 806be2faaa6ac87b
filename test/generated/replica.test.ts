import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { readFeedCursor } from '#domain/events/change-event.ts'
import { digestOfReplica, digestOfService } from '../support/databases/catalogue-digest.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { type Chance, createChance, howMany, isLong, seed } from '../support/records/chance.ts'
import { runWriters } from '../support/records/random-writers.ts'
import {
  type ReplicaDefect,
  type ReplicaMode,
  readEventStream,
  readPlace,
  replicaDefects,
  replicaModes
} from '../support/services/replica.ts'
import { compileCache, type ServerProcess, startServer } from '../support/services/server-process.ts'
import { adminToken, temporaryFolder } from '../support/services/start.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'

/*
 * A mirror of the catalogue needs only the change feed, read in any way, and may be killed at any
 * time. One load of writers serves both ways of reading. A copy is equal if the digest of all
 * documents is, and every event was applied once.
 */

const operations = howMany({ short: 1500, long: 100_000, onPostgres: 500 })
const kills = howMany({ short: 8, long: 50, onPostgres: 3 })

describe('a replica that is built only from the change feed', () => {
  it(`equals its source after ${operations} operations by 8 writers, killed ${kills} times, read by page and as a stream (seed ${seed})`, async t => {
    const { service, folder } = await startService(t)
    const started = performance.now()
    const followers = replicaModes.map((mode, number) =>
      follow(t, { service, mode, file: join(folder, `${mode}.db`), kills, chance: createChance(seed + number) })
    )
    // The writers are at work until the last kill, so that each replica has something to apply
    // whenever it is killed.
    let isEnough = false
    const allKilled = Promise.allSettled(followers).finally(() => {
      isEnough = true
    })
    const report = await runWriters({
      url: service.url,
      writers: 8,
      operations,
      seed,
      isEnough: () => isEnough,
      someOf: ['merge', 'unmerge', 'revert', 'single delete']
    })
    t.diagnostic(`seed ${seed}: the writers took ${since(started)}: ${JSON.stringify(report)}`)
    await allKilled
    const seldom = Math.floor(operations / 2000)
    for (const kind of ['merge', 'unmerge', 'revert', 'batch delete', 'single delete'])
      assert.ok((report[kind] ?? 0) > seldom, `There were only ${report[kind]} of "${kind}"`)
    const source = await stateOfSource(service)
    assert.ok(source.entities > operations / 20, `Only ${source.entities} entities are left`)
    for (const { mode, file, killedAtWork } of await Promise.all(followers)) {
      const copy = await stateOfReplica(file, source.cursor)
      assert.deepEqual(copy, source, `The ${mode} replica is not the same as its source`)
      assert.equal(killedAtWork, kills)
      t.diagnostic(`${mode}: ${copy.entities} entities from ${copy.applied} events, ${since(started)} in all`)
    }
    assert.equal(service.complaints(), '')
  })

  // This is about the replicas of this test, not about a database.
  if (testStore === 'sqlite' || isLong)
    it('is found out when it is written carelessly', async t => {
      const { service, folder } = await startService(t)
      await runWriters({ url: service.url, writers: 4, operations: 1500, seed })
      const source = await stateOfSource(service)
      const copyWith = async (mode: ReplicaMode, defect?: ReplicaDefect) => {
        const file = join(folder, `${mode} ${defect ?? 'none'}.db`)
        const options = { service, mode, file, kills: 4, idle: delay(2000), chance: createChance(seed) }
        await follow(t, { ...options, ...(defect === undefined ? {} : { defect }) })
        return stateOfReplica(file, source.cursor)
      }
      for (const mode of replicaModes) assert.deepEqual(await copyWith(mode), source)
      for (const defect of replicaDefects)
        assert.notDeepEqual(await copyWith('pages', defect), source, `"${defect}" was not noticed`)
    })

  it('may be cut off after any block of the stream: the last event id never runs ahead of the events', async t => {
    const { service } = await startService(t)
    await runWriters({ url: service.url, writers: 2, operations: 400, seed })
    const newest = await endOfFeed(service)
    const last = readFeedCursor(newest)?.sequence ?? 0
    const response = await fetch(`${service.url}/changes`, {
      headers: { authorization: `Bearer ${adminToken}`, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(hangLimit)
    })
    assert.ok(response.body)
    let told = 0
    for await (const blocks of readEventStream(response.body)) {
      for (const { id, data } of blocks) {
        const place = id === undefined ? told : readFeedCursor(id)?.sequence
        if (data !== '') told++
        assert.equal(place, told, 'An event id names another place than the events before it')
      }
      if (told === last) break
    }
    assert.equal(told, last)
  })
})

async function startService(t: TestContext) {
  const folder = temporaryFolder(t)
  const service = await startServer(t, await createTestDatabase(t), { READERS: '1', LOG_LEVEL: 'error' })
  return { service, folder }
}

interface Following {
  readonly service: ServerProcess
  readonly mode: ReplicaMode
  readonly file: string
  readonly kills: number
  /** Before this, a kill waits for a sign of work. Without it, for as long as it takes. */
  readonly idle?: Promise<unknown>
  readonly chance: Chance
  readonly defect?: ReplicaDefect
}

/**
 * Starts a replica, kills it so many times, each time at a moment when it has just begun to work,
 * and leaves the last one running.
 */
async function follow(t: TestContext, { service, mode, file, kills, idle, chance, defect }: Following) {
  let killedAtWork = 0
  for (let killed = 0; ; killed++) {
    const replica = startReplica(t, service, mode, file, defect)
    if (killed === kills) return { mode, file, killedAtWork }
    // A dot says that something was applied; where nothing is left to apply, there is none.
    const isAtWork = await Promise.race([replica.firstDot, ...(idle ? [idle.then(() => false)] : [])])
    if (isAtWork) killedAtWork++
    await delay(chance.below(250))
    assert.equal(replica.child.exitCode, null, `The ${mode} replica ended by itself:\n${replica.complaints()}`)
    await kill(replica.child)
  }
}

function startReplica(t: TestContext, service: ServerProcess, mode: ReplicaMode, file: string, defect?: ReplicaDefect) {
  const program = fileURLToPath(new URL('../support/services/replica.ts', import.meta.url))
  const child: ChildProcess = spawn(
    process.execPath,
    [program, mode, service.url, file, ...(defect === undefined ? [] : [defect])],
    {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, TOKEN: adminToken },
      stdio: ['ignore', 'pipe', 'pipe']
    }
  )
  let words = ''
  child.stderr?.on('data', chunk => {
    words = `${words}${chunk}`.slice(-5000)
  })
  child.stdout?.resume()
  t.after(async () => {
    await kill(child)
  })
  const firstDot = Promise.race([
    once(child.stdout ?? child, 'data').then(() => true),
    once(child, 'exit').then(() => false)
  ])
  return { child, firstDot, complaints: () => words }
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** The cursor after everything that has happened. */
async function endOfFeed(service: ServerProcess): Promise<string> {
  let cursor: string | undefined
  for (;;) {
    const response = await fetch(`${service.url}/changes?limit=1000${cursor === undefined ? '' : `&since=${cursor}`}`, {
      headers: { authorization: `Bearer ${adminToken}` }
    })
    const page = (await response.json()) as { cursor: string; more: boolean }
    cursor = page.cursor
    if (!page.more) return cursor
  }
}

/**
 * Returns the values in which a copy must be equal. Changes are numbered without gaps, so the last
 * number says how many there were, and each must match.
 */
async function stateOfSource(service: ServerProcess) {
  const cursor = await endOfFeed(service)
  return { ...(await digestOfService(service.url)), cursor, applied: readFeedCursor(cursor)?.sequence, misfits: 0 }
}

async function stateOfReplica(file: string, cursor: string) {
  await until(() => isAt(file, cursor), `${file} to be at ${cursor}`)
  return { ...digestOfReplica(file), ...readPlace(file) }
}

/** On a busy machine a copy may not even have made its file yet. */
function isAt(file: string, cursor: string): boolean {
  try {
    return readPlace(file).cursor === cursor
  } catch {
    return false
  }
}

async function until(isSo: () => boolean, what: string) {
  const giveUp = performance.now() + hangLimit
  while (!isSo()) {
    if (performance.now() > giveUp) assert.fail(`Waited too long for ${what}`)
    await delay(50)
  }
}

const since = (started: number) => `${((performance.now() - started) / 1000).toFixed(1)} s`

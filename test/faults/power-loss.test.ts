import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import { aRecord, insert, write } from '../contract/promises/contract-support.ts'
import { type Chance, createChance, howMany, isLong, seed } from '../support/records/chance.ts'
import { needDebian } from '../support/machines/debian.ts'
import { createDisk, readTrace, type Step, tracedCalls } from '../support/databases/power-loss.ts'
import { program } from '../support/services/program.ts'
import { createClient, pause } from '../support/services/server-process.ts'
import { adminToken } from '../support/services/start.ts'
import { quickFolder, type Teardown, temporaryFolder } from '../support/machines/temporary-folder.ts'

/*
 * The service runs under strace on a new data folder; then the disk is made as a loss of power
 * could have left it, at many moments. On each of these disks every write that a client was told of
 * is there, the database is sound, and the bytes of each media file that a record names are whole.
 */

const writes = isLong ? 300 : 40
/** Disks that are looked at. */
const images = howMany({ short: 30, long: 50_000, onPostgres: 30 })
/**
 * One in this number of images, including the first, is opened by the service; the others are
 * opened by SQLite alone.
 */
const oneInOpened = 25
const model = createModel(builtInRecordTypes)
const ways = ['nothing', 'some', 'all'] as const
type Way = (typeof ways)[number]

describe('a loss of power', () => {
  it(`loses nothing that was acknowledged, on ${images} disks as it could leave them`, {
    timeout: 4_500_000
  }, async t => {
    if (!needDebian(t, ['strace'])) return
    const root = temporaryFolder(t)
    const steps = await traceService(t, root)
    const told = steps.filter(each => each.kind === 'told').length
    assert.ok(told >= writes, `only ${told} answers in the trace`)
    const lost = await loseOften(t, root, steps, images)
    t.diagnostic(`${steps.length} steps, ${told} answers; SEED=${seed}`)
    assert.deepEqual(lost.slice(0, 5), [])

    // The same disks, had something not been flushed: the test finds what it looks for.
    const faults: Record<string, (step: Step) => boolean> = {
      'the log of the database': step => step.kind === 'flush' && step.path.endsWith('-wal'),
      'media files': step => step.kind === 'flush' && step.path.endsWith('.bytes'),
      'the folders above the database': step => step.kind === 'flush folder' && step.path === root
    }
    for (const [what, isFault] of Object.entries(faults)) {
      const careless = steps.filter(step => !isFault(step))
      assert.notEqual(careless.length, steps.length, `${what} are never flushed`)
      assert.notDeepEqual(await loseOften(t, root, careless, 24), [], `${what} need not be flushed`)
    }
  })
})

describe('a backup', () => {
  it('is on the disk, whole, when it is said to be made', { timeout: 600_000 }, async t => {
    if (!needDebian(t, ['strace'])) return
    const root = temporaryFolder(t)
    const file = join(root, 'catalogue.db')
    {
      await using store = await openStore(`sqlite:${file}`, model)
      await write(store, ...Array.from({ length: 50 }, (_, number) => insert(aRecord(`B-${number}`))))
    }
    const { child, read } = startTraced(t, root, ['backup', join(root, 'backup.db')], file)
    child.stdout?.resume()
    const steps = await read()
    const end = steps.findIndex(step => step.kind === 'told' && step.text.startsWith('Backup written'))
    assert.ok(end >= 0, 'nothing was said')
    const expected = new Map(Array.from({ length: 50 }, (_, number) => [`B-${number}`, 1]))
    const after = async (isDone: (step: Step) => boolean) => {
      const disk = createDisk(root, createChance(seed))
      for (const step of steps.slice(0, end).filter(isDone)) disk.apply(step)
      const image = temporaryFolder(t)
      disk.lose(image, 'nothing')
      return lookAt(join(image, 'backup.db'), expected)
    }
    assert.deepEqual(await after(() => true), [])
    assert.notDeepEqual(await after(({ kind }) => kind !== 'flush'), [], 'its bytes need not be flushed')
    assert.notDeepEqual(await after(({ kind }) => kind !== 'flush folder'), [], 'its name need not be flushed')
  })
})

/**
 * Starts a command of the program under strace. Gives it, and how to read what it did once it has
 * ended.
 */
function startTraced(t: Teardown, root: string, words: readonly string[], file?: string) {
  const output = join(temporaryFolder(t), 'trace')
  // -D: the process that is started is the program, and strace looks on from beside.
  const options = ['-D', '-f', '-y', '-xx', '-s', '100000000', '-o', output, '-e', `trace=${tracedCalls}`]
  const child = spawn('strace', [...options, process.execPath, program, ...words], {
    env: {
      PATH: process.env.PATH ?? '',
      // Its calls would not be seen.
      UV_USE_IO_URING: '0',
      ADMIN_TOKEN: adminToken,
      ...(file === undefined ? {} : { DATABASE_URL: `sqlite:${file}` }),
      SAMPLE_DATA: '0',
      PORT: '0'
    },
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.after(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const read = async (): Promise<Step[]> => {
    const [code] = await ended
    assert.equal(code, 0)
    const giveUp = performance.now() + 60_000
    // The first thread is the last to end.
    while (!new RegExp(`^${child.pid} +\\+\\+\\+ exited`, 'm').test(readFileSync(output, 'latin1'))) {
      if (performance.now() > giveUp) assert.fail('strace does not end')
      await pause(50)
    }
    return readTrace(readFileSync(output, 'latin1'), root)
  }
  return { child, read }
}

/**
 * Runs the service on a folder, writes through it, and gives what happened to the folder meanwhile.
 */
async function traceService(t: Teardown, root: string): Promise<Step[]> {
  // The default file, in a folder that the service creates.
  const { child, read } = startTraced(t, root, ['serve'])
  await writeThrough(await portOf(child))
  child.kill('SIGTERM')
  return read()
}

async function portOf(child: ChildProcess): Promise<number> {
  let said = ''
  const stop = AbortSignal.timeout(240_000)
  for (;;) {
    const [, port] = /listens at http:\/\/[^:]+:(\d+)/.exec(said) ?? []
    if (port !== undefined) return Number(port)
    const [chunk] = await once(child.stdout ?? child, 'data', { signal: stop })
    said += String(chunk)
  }
}

/** Creates and changes records, some at once, and sends media files. */
async function writeThrough(port: number) {
  const client = createClient(port, 4)
  const send = async (method: string, path: string, body: unknown, wanted: number) => {
    const { status, text } = await client.call(method, path, body)
    assert.equal(status, wanted, text)
    return JSON.parse(text) as { id: string }
  }
  const venue = (id: string, name: string) => ({ id, type: 'venue', metadata: [{ key: 'name', value: name }] })
  for (let number = 0; number < writes; number += 4) {
    await Promise.all(
      [0, 1, 2].map(each => send('POST', '/entities', venue(`PL-${number + each}`, `Venue ${number}`), 201))
    )
    const { id } = await send('POST', '/mediafiles', { mediafile_type: 'trailer' }, 201)
    await Promise.all([
      send('PATCH', `/entities/PL-${number}`, { metadata: [{ key: 'name', value: 'Changed' }] }, 200),
      putBytes(port, id, `bytes of ${number} `.repeat(500))
    ])
  }
  client.close()
}

async function putBytes(port: number, id: string, body: string) {
  const answer = await fetch(`http://127.0.0.1:${port}/mediafiles/${id}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'text/plain' },
    body
  })
  assert.ok(answer.ok, await answer.text())
}

/**
 * Loses power so many times, half of them just after an answer, half at any moment. Gives what is
 * missing then.
 */
async function loseOften(t: Teardown, root: string, steps: readonly Step[], times: number): Promise<string[]> {
  const chance = createChance(seed)
  const disk = createDisk(root, chance)
  const folder = temporaryFolder(t, quickFolder())
  const told = new Map<string, number>()
  const wrong: string[] = []
  const losses = chooseLosses(steps, times, chance)
  let made = 0
  for (const [index, step] of steps.entries()) {
    disk.apply(step)
    if (step.kind === 'told')
      for (const [, id = '', version] of step.text.matchAll(/"id":"([^"]+)","_id":"[^"]+".{0,200}?"version":(\d+)/g))
        told.set(id, Math.max(told.get(id) ?? 0, Number(version)))
    for (const way of losses.get(index) ?? []) {
      const image = join(folder, `${made}`)
      mkdirSync(image)
      disk.lose(image, way)
      const file = join(image, 'data', 'libretto.db')
      const problems = await (made++ % oneInOpened === 0 ? lookAt(file, told) : lookAtRows(file, told))
      for (const each of problems) wrong.push(`${way} at ${index} of ${steps.length}: ${each}`)
      rmSync(image, { recursive: true })
    }
  }
  assert.equal(made, times)
  return wrong
}

/** The losses by the step after which they come: each of them leaves another disk. */
function chooseLosses(steps: readonly Step[], times: number, chance: Chance): ReadonlyMap<number, readonly Way[]> {
  const answers = [...steps.keys()].filter(index => steps[index]?.kind === 'told')
  const losses = new Map<number, Way[]>()
  for (let number = 0; number < times; number++) {
    const index = number % 2 === 0 ? chance.pickOr(answers, 0) : chance.below(steps.length)
    const chosen = losses.get(index) ?? []
    const way = chance.pick(ways)
    // Only the one that leaves some of it can come twice to something else.
    losses.set(index, [...chosen, chosen.includes(way) ? 'some' : way])
  }
  return losses
}

/** Returns the faults of a catalogue, given the versions that were acknowledged to clients. */
async function lookAt(file: string, told: ReadonlyMap<string, number>): Promise<string[]> {
  if (!existsSync(file)) return told.size === 0 ? [] : ['there is no database']
  try {
    await using store = await openStore(`sqlite:${file}`, model)
    const { problems } = await store.check()
    return [...problems, ...missing(file, await store.findEntities([...told.keys()]), told)]
  } catch (error) {
    return [(error as Error).message]
  }
}

/** The same by SQLite alone: quicker, but without a look at what rows mean to each other. */
function lookAtRows(file: string, told: ReadonlyMap<string, number>): string[] {
  if (!existsSync(file)) return told.size === 0 ? [] : ['there is no database']
  try {
    using db = new DatabaseSync(file)
    const unsound = db
      .prepare('PRAGMA integrity_check')
      .all()
      .map(row => String(row.integrity_check))
      .filter(text => text !== 'ok')
    if (told.size === 0) return unsound
    const rows = db.prepare('SELECT id, version, document AS json FROM entities').all()
    const found = new Map(rows.map(row => [String(row.id), { version: Number(row.version), json: String(row.json) }]))
    return [...unsound, ...missing(file, found, told)]
  } catch (error) {
    return [(error as Error).message]
  }
}

type Stored = Pick<StoredEntity, 'version' | 'json'>

function missing(file: string, found: ReadonlyMap<string, Stored>, told: ReadonlyMap<string, number>): string[] {
  const wrong: string[] = []
  for (const [id, version] of told) {
    const stored = found.get(id)
    if ((stored?.version ?? 0) < version) wrong.push(`${id} has version ${stored?.version}, ${version} was told`)
    const hash = stored && hashIn(JSON.parse(stored.json) as Entity)
    if (hash && !isWhole(join(dirname(file), 'media', 'content', hash.slice(0, 2), hash.slice(2)), hash))
      wrong.push(`the bytes of ${id} are not there`)
  }
  return wrong
}

const hashIn = ({ metadata }: Entity) => {
  const value = metadata.find(({ key }) => key === 'sha256')?.value
  return typeof value === 'string' ? value : undefined
}

const isWhole = (path: string, hash: string) =>
  existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === hash

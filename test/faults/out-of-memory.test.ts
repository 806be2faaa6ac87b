import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { howMany, seed } from '../support/records/chance.ts'
import { aVenue } from '../support/records/entities.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { allowLoopback, startReceiver, until } from '../support/services/receiver.ts'
import { pause, runLibretto, waitForEnd } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'
import {
  assertWrittenOnce,
  createSender,
  type SteadySender,
  writeSteadily
} from '../support/services/steady-clients.ts'

/*
 * Each thread of the service in turn runs out of memory while clients write: another takes its
 * place, what was acknowledged stays, and refused clients are told to come again.
 */

const rounds = howMany({ short: 1, long: 20, onPostgres: 1 })
/** As many records as make the index be built in a thread. */
const records = 1100

const ownThreads = {
  sqlite: ['writer-worker', 'reader-worker', 'sqlite-index-thread'],
  postgres: ['index-worker', 'postgres-index-thread']
}
/** The programs of the threads, and the process itself. */
const threads = [
  ...ownThreads[testStore],
  ...['import-thread', 'describing-thread', 'webhook-sender-worker', 'watchdog-worker', 'main']
]
const search = [{ type: 'search', value: 'venue' }]

describe(`threads that run out of memory (${testStore})`, () => {
  it(`are replaced, each ${rounds} times, and lose no acknowledged write (seed ${seed})`, async t => {
    const { service, sender, url, exhaust, restore } = await startExhaustible(t)
    const receiver = await startReceiver(t)
    await createRecords(sender)
    assert.equal((await sender.send('POST', '/webhooks', { url: receiver.url })).status, 201)
    const isFound = async () => (await sender.send('POST', '/entities/filter?limit=1', search)).status === 200
    await until(isFound)
    let isOver = false
    const working = Promise.all(
      [0, 1, 2, 3].map(number =>
        writeSteadily(sender, `W${number}`, { isOver: () => isOver, withKeys: number % 2 === 0 })
      )
    )
    working.catch(() => {})
    const during = <T>(work: Promise<T>) => Promise.race([work, working.then(() => assert.fail('too early'))])
    let purged = 0
    let files = 0
    for (let round = 0; round < rounds; round++)
      for (const name of threads) {
        const isImport = name === 'import-thread' || name === 'describing-thread'
        const exhausted = exhaust(name)
        // A snapshot with a purged record is replaced.
        if (name.endsWith('index-thread')) await sender.send('DELETE', `/entities/R-${purged++}?purge=1`)
        const id = isImport ? await beginImport(sender, files++) : ''
        const isExhausted = async () => {
          await isFound()
          return exhausted()
        }
        await during(until(isExhausted))
        if (isImport) assert.match(await during(endOf(sender, id)), /"state":"failed".*memory/)
        // Nothing asks the watchdog for anything: another one fails as well.
        if (name === 'watchdog-worker') await during(until(() => exhausted(2)))
        restore()
        if (isImport) {
          assert.equal((await sender.send('POST', `/imports/${id}/resume`)).status, 202)
          assert.match(await during(endOf(sender, id)), /"state":"done"/)
        }
        const heard = receiver.received.length
        await during(until(isFound))
        await during(until(() => receiver.received.length > heard))
      }
    isOver = true
    const ledgers = await working
    t.diagnostic(`SEED=${seed} ${JSON.stringify([...sender.statuses])}`)
    assert.deepEqual(
      [...sender.statuses.keys()].filter(status => status >= 500 && status !== 503),
      []
    )
    await assertWrittenOnce(sender, ledgers)
    const lost = service.output().err.match(/^Worker \d+ ended/gm) ?? []
    assert.equal(lost.length, rounds, service.output().err)
    service.child.kill('SIGTERM')
    assert.equal((await waitForEnd(service)).code, 0)
    await using store = await openStore(url, createModel(builtInRecordTypes))
    assert.deepEqual((await store.check()).problems, [])
  })
})

/** Starts the service as operators do, with a process above that replaces the one that serves. */
async function startExhaustible(t: TestContext) {
  const url = await createTestDatabase(t)
  const folder = temporaryFolder(t)
  const file = join(folder, 'exhausted')
  const log = `${file}.log`
  writeFileSync(file, '')
  writeFileSync(log, '')
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'support', 'machines', 'exhaust-memory.ts')).href
  const service = runLibretto(t, ['serve', '--workers', '1'], {
    ...{ DATABASE_URL: url, PORT: '0', SAMPLE_DATA: '0', READERS: '2', WEBHOOK_RETRIES: '1,1,1,1,1,1,1,1' },
    ...{ NODE_OPTIONS: `--import=${preload} --max-old-space-size=160`, EXHAUSTED: file, ...allowLoopback },
    ...(testStore === 'postgres' ? { INDEX_SNAPSHOT: join(folder, 'snapshot') } : {})
  })
  const listens = /listens at http:\/\/[^:]+:(\d+)/
  await until(() => listens.test(service.output().out))
  const plain = createSender(Number(listens.exec(service.output().out)?.[1]), 8)
  t.after(() => plain.close())
  /** A process that is gone answers nothing; it is asked again like one that refuses. */
  const sender: SteadySender = {
    ...plain,
    send: (...request) =>
      plain.send(...request).catch(async () => {
        await pause(50)
        return { status: 503, headers: { 'retry-after': '1' }, text: 'no answer' }
      })
  }
  return {
    ...{ url, service, sender },
    /** Returns a function that tells whether it has happened, so many times. */
    exhaust(name: string) {
      writeFileSync(log, '')
      writeFileSync(file, name)
      return (times = 1) => readFileSync(log, 'utf8').split(`${name}\n`).length > times
    },
    restore: () => writeFileSync(file, '')
  }
}

async function createRecords(sender: SteadySender) {
  const lines = Array.from({ length: records }, (_, at) => ({ op: 'create', ...aVenue('Venue', { id: `R-${at}` }) }))
  for (let at = 0; at < records; at += 500)
    assert.equal((await sender.send('POST', '/entities/batch', lines.slice(at, at + 500))).status, 200)
}

/** Imports a file of MARC that is long enough to be described in threads. */
async function beginImport(sender: SteadySender, number: number): Promise<string> {
  const note = 'A long note. '.repeat(500)
  const shelf = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`m${at}`, `245 10 $aBook ${at} of ${number}\n520 ## $a${note}`])
  )
  const type = { 'content-type': 'application/marc' }
  const { status, text } = await sender.send('POST', '/imports?name=books.mrc', marcFile(shelf), type)
  assert.equal(status, 202, text)
  return (JSON.parse(text) as { id: string }).id
}

/** Returns an import once it has ended, as text. */
async function endOf(sender: SteadySender, id: string): Promise<string> {
  let seen = ''
  await until(async () => {
    const { status, text } = await sender.send('GET', `/imports/${id}`)
    seen = text
    return status === 200 && !/"state":"(?:waiting|running)"/.test(text)
  })
  return seen
}

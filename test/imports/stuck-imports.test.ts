import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { findJob, jobWrites } from '#imports/state/import-state.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { createImportQueue, type ImportQueue, type ImportSettings, maxOpenImports } from '#imports/import-queue.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { start } from '../support/services/start.ts'

/* Threads of imports that hang or die. Real threads; only their program is another. */

const fixture = (name: string) => new URL(`./fixtures/${name}-import-worker.ts`, import.meta.url)
const generous = 60_000
const starter = { name: 'token:test', key: 'test', until: null }

async function open(t: TestContext, wanted: Partial<ImportSettings>) {
  const { libretto } = await start(t)
  const { store } = libretto
  const queues: ImportQueue[] = []
  t.after(() => Promise.all(queues.map(each => each.close())))
  const create = (settings: Partial<ImportSettings> = wanted) => {
    const url = libretto.config.databaseUrl
    const queue = createImportQueue(libretto.parts, {
      databaseUrl: url,
      sizeLimit: 1_000_000,
      isInForce: async () => true,
      ...settings
    })
    queues.push(queue)
    return queue
  }
  const keep = (settings?: Partial<ImportSettings>) => {
    const queue = create(settings)
    queue.start(() => {})
    return queue
  }
  const send = (queue: ImportQueue, by = starter) =>
    queue.create({ name: 'x', options: {}, isPreview: false }, bytesOf(marcFile(saltRoad)), by)
  return { store, create, keep, send }
}

describe('The imports of several tokens', () => {
  const other = { name: 'token:other', key: 'other', until: null }

  it('are run in turn, however many one of them has sent', async t => {
    const { store, create, send } = await open(t, {})
    const queue = create()
    const jobs: ImportJob[] = []
    for (const by of [starter, starter, starter, starter, other]) jobs.push(await send(queue, by))
    queue.start(() => {})
    const ended: ImportJob[] = []
    for (const { id } of jobs)
      ended.push(
        await until(
          () => findJob(store, id),
          each => each.state === 'done'
        )
      )
    const order = ended.sort((one, next) => ((one.endedAt ?? '') < (next.endedAt ?? '') ? -1 : 1)).map(({ by }) => by)
    assert.ok(order.indexOf(other.name) <= 1, order.join(', '))
  })

  it(`are refused for a token of which ${maxOpenImports} wait, until one of them has ended`, async t => {
    const { create, send } = await open(t, {})
    const queue = create()
    const outcomes = await Promise.allSettled(Array.from({ length: maxOpenImports + 5 }, () => send(queue)))
    const sent = outcomes.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    assert.equal(sent.length, maxOpenImports)
    await assert.rejects(send(queue), { code: 'too_many_imports' })
    await send(queue, other)
    const [first] = sent
    assert.ok(first)
    await queue.stop(first.id)
    await send(queue)
    await assert.rejects(queue.resume(first.id, starter), { code: 'too_many_imports' })
    assert.equal((await queue.list(100)).length, maxOpenImports + 2)
  })
})

async function* bytesOf(file: Buffer) {
  yield file
}

async function until(read: () => Promise<ImportJob | undefined>, isWanted: (job: ImportJob) => boolean) {
  const deadline = Date.now() + generous
  for (;;) {
    const job = await read()
    if (job !== undefined && isWanted(job)) return job
    assert.ok(Date.now() < deadline, `It never came to that: ${JSON.stringify(job)}`)
    await delay(50)
  }
}

describe('An import whose thread hangs', () => {
  it('is ended and marked as failed, and the next one runs', async t => {
    const { store, keep, send } = await open(t, { workerFile: fixture('spinning'), maxSilence: 1000 })
    const queue = keep()
    const job = await send(queue)
    const failed = await until(
      () => findJob(store, job.id),
      each => each.state === 'failed'
    )
    assert.match(failed.failure ?? '', /has not responded/)
    await queue.close()
    const sound = keep({})
    const other = await send(sound)
    await until(
      () => findJob(store, other.id),
      each => each.state === 'done'
    )
    assert.equal((await findJob(store, job.id))?.state, 'failed')
  })

  it('is ended sooner if it works all the time', async t => {
    const { store, keep, send } = await open(t, { workerFile: fixture('spinning'), maxSilentWork: 200 })
    const job = await send(keep())
    const failed = await until(
      () => findJob(store, job.id),
      each => each.state === 'failed'
    )
    assert.match(failed.failure ?? '', /during 0.2 seconds of work on the same records/)
  })

  it('is ended by stop', async t => {
    const { store, keep, send } = await open(t, { workerFile: fixture('spinning'), maxStopDelay: 200 })
    const queue = keep()
    const job = await send(queue)
    await until(
      () => findJob(store, job.id),
      each => each.attempts === 1
    )
    const stopped = await queue.stop(job.id)
    assert.equal(stopped.state, 'stopped')
    assert.equal((await findJob(store, job.id))?.state, 'stopped')
  })

  it('does not hold up the end of the service, and is not started for ever', async t => {
    const { store, keep, send } = await open(t, { workerFile: fixture('spinning'), maxStopDelay: 200 })
    const first = keep()
    const job = await send(first)
    for (let attempts = 1; attempts <= 3; attempts++) {
      const queue = attempts === 1 ? first : keep()
      await until(
        () => findJob(store, job.id),
        each => each.attempts === attempts
      )
      await queue.close()
    }
    keep()
    const failed = await until(
      () => findJob(store, job.id),
      each => each.state === 'failed'
    )
    assert.match(failed.failure ?? '', /started 3 times/)
  })
})

describe('An import whose thread dies', () => {
  it('is started 3 times and then marked as failed; resume begins anew', async t => {
    const { store, keep, send } = await open(t, { workerFile: fixture('ending') })
    const queue = keep()
    const job = await send(queue)
    const failed = await until(
      () => findJob(store, job.id),
      each => each.state === 'failed'
    )
    assert.match(failed.failure ?? '', /started 3 times/)
    await queue.close()
    const sound = keep({})
    await sound.resume(job.id, starter)
    const done = await until(
      () => findJob(store, job.id),
      each => each.state === 'done'
    )
    assert.equal(done.counts.created, 4)
  })

  it('goes on when it was killed after progress, however often that was before', async t => {
    const { store, keep, send } = await open(t, {})
    const queue = keep({ workerFile: fixture('spinning'), maxStopDelay: 200 })
    const job = await send(queue)
    await until(
      () => findJob(store, job.id),
      each => each.attempts === 1
    )
    await queue.close()
    const now = await findJob(store, job.id)
    assert.ok(now)
    await store.write({ writes: [], by: 'test', state: jobWrites({ ...now, attempts: 2 }) })
    keep({})
    const done = await until(
      () => findJob(store, job.id),
      each => each.state === 'done'
    )
    assert.equal(done.attempts, 0)
  })
})

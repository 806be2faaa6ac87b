import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { createTestDatabase } from '../support/databases/database.ts'
import { pause, runLibretto, waitForEnd } from '../support/services/server-process.ts'
import { type Teardown, temporaryFolder } from '../support/services/start.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { childrenOf } from '../support/machines/processes.ts'

/* A main thread that loops for ever: the watchdog ends the process, the one above replaces it. */

describe('a main thread that does not answer', () => {
  it('is reported with the function that it is in, and its process is replaced', async t => {
    const { service, port, worker } = await startWithFault(t)
    const lost = worker()
    process.kill(lost, 'SIGUSR2')
    await until(() => worker() !== lost && worker() !== 0, 'another worker')
    assert.match(service.output().err, /has not answered for \d+ s\. It was in: loopForEver \(\S*fault\.mjs:2\)/)
    const isReady = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
      return answer?.status === 200
    }
    await until(isReady, 'answers')
    service.child.kill('SIGTERM')
    assert.equal((await waitForEnd(service)).code, 0)
  })

  it('is left alone if it does not run, as on a machine without time for it', async t => {
    const { service, port } = await startWithFault(
      t,
      [],
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 14_000)'
    )
    service.child.kill('SIGUSR2')
    // Answered when it runs again.
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`)
    assert.equal(answer.status, 200)
    assert.equal(service.output().err, '')
    service.child.kill('SIGTERM')
    assert.equal((await waitForEnd(service)).code, 0)
  })

  it('ends a service without a process above it', async t => {
    const { service } = await startWithFault(t, [])
    service.child.kill('SIGUSR2')
    const { signal } = await waitForEnd(service)
    assert.equal(signal, 'SIGKILL')
    assert.match(service.output().err, /It was in: loopForEver/)
  })
})

describe('workers that end again and again', () => {
  it('end the service with a message', async t => {
    const { service, worker } = await startWithFault(t)
    const giveUp = performance.now() + hangLimit
    while (service.child.exitCode === null && performance.now() < giveUp) {
      const current = worker()
      if (current !== 0) killQuietly(current)
      await pause(20)
    }
    assert.equal((await waitForEnd(service)).code, 1)
    assert.match(service.output().err, /workers ended within 60 s, the last one with SIGKILL\. The service stops/)
  })
})

/** Starts a service whose main thread does this after SIGUSR2: by default, it loops for ever. */
async function startWithFault(t: Teardown, words: readonly string[] = ['--workers', '1'], fails = 'for (;;);') {
  const fault = join(temporaryFolder(t), 'fault.mjs')
  writeFileSync(
    fault,
    `import { isMainThread } from 'node:worker_threads'
function loopForEver() { ${fails} }
if (isMainThread) process.on('SIGUSR2', loopForEver)`
  )
  const service = runLibretto(t, ['serve', ...words], {
    DATABASE_URL: await createTestDatabase(t),
    PORT: '0',
    SAMPLE_DATA: '0',
    NODE_OPTIONS: `--import=${pathToFileURL(fault).href}`
  })
  const listens = /listens at http:\/\/[^:]+:(\d+)/
  await until(() => listens.test(service.output().out), 'it to listen')
  const port = Number(listens.exec(service.output().out)?.[1])
  return { service, port, worker: () => childrenOf(service.child.pid ?? 0)[0] ?? 0 }
}

function killQuietly(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string) {
  const giveUp = performance.now() + hangLimit
  while (!(await isTrue())) {
    if (performance.now() > giveUp) assert.fail(`Waited in vain for ${what}`)
    await pause(100)
  }
}

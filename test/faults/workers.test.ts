import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'

import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { pause, runLibretto, waitForEnd } from '../support/services/server-process.ts'
import { childrenOf, isRunning } from '../support/machines/processes.ts'
import { createSender, type SteadySender } from '../support/services/steady-clients.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'

/* `libretto serve --workers N`: several processes on one port. */

describe(`serve --workers on ${testStore}`, () => {
  it('serves on one port, shows what any of them wrote, and replaces one that is lost', async t => {
    const { service, sender, workers } = await startWorkers(t, 3)
    for (let number = 0; number < 30; number++) await writeAndRead(sender, `VE-${number}`)
    const [lost = 0] = workers()
    assert.equal(workers().length, 3)

    process.kill(lost, 'SIGKILL')
    await until(() => workers().length === 3 && !workers().includes(lost), 'another worker')
    for (let number = 0; number < 30; number++) await writeAndRead(createSender(service.port, 1), `VE-again-${number}`)

    service.child.kill('SIGTERM')
    assert.equal((await waitForEnd(service)).code, 0)
    assert.deepEqual(workers(), [])
  })

  it('ends with the process above, should that be killed', async t => {
    const { service, workers } = await startWorkers(t, 2)
    const all = workers()
    service.child.kill('SIGKILL')
    await until(() => all.every(pid => !isRunning(pid)), 'the workers to end')
  })

  it('says what is wrong and ends, when the port is taken', async t => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    t.after(() => void server.close())
    const { port } = server.address() as { port: number }
    const url = await createTestDatabase(t)
    const service = runLibretto(t, ['serve', '--workers', '2'], { DATABASE_URL: url, PORT: String(port) })
    assert.equal((await waitForEnd(service)).code, 1)
    assert.match(service.output().err, new RegExp(`Port ${port} of 127.0.0.1 is in use`))
  })

  it('refuses a number that is none', async t => {
    for (const given of ['0', 'many', '-1', '1.5']) {
      const service = runLibretto(t, ['serve', `--workers=${given}`], { DATABASE_URL: 'sqlite:never.db' })
      assert.equal((await waitForEnd(service)).code, 2)
      assert.match(service.output().err, /--workers must be a whole number/)
    }
  })
})

async function startWorkers(t: Parameters<typeof createTestDatabase>[0], count: number) {
  const url = await createTestDatabase(t)
  const environment = { DATABASE_URL: url, PORT: '0', SAMPLE_DATA: '0' }
  const started = runLibretto(t, ['serve', '--workers', String(count)], environment)
  const listens = /listens at http:\/\/[^:]+:(\d+)/
  await until(() => listens.test(started.output().out), 'it to listen')
  const port = Number(listens.exec(started.output().out)?.[1])
  const sender = createSender(port, 8)
  t.after(() => sender.close())
  return { service: { ...started, port }, sender, workers: () => childrenOf(started.child.pid ?? 0) }
}

/** Each request on a connection of its own, as it comes, so that another worker may answer it. */
async function writeAndRead(sender: SteadySender, id: string) {
  const entity = { id, type: 'venue', metadata: [{ key: 'name', value: id }] }
  const created = await sender.send('POST', '/entities', entity, { connection: 'close' })
  assert.equal(created.status, 201, created.text)
  const read = await sender.send('GET', `/entities/${id}`, undefined, { connection: 'close' })
  assert.equal(read.status, 200, read.text)
}

async function until(isSo: () => boolean, what: string) {
  const giveUp = performance.now() + hangLimit
  while (!isSo()) {
    if (performance.now() > giveUp) assert.fail(`Waited too long for ${what}`)
    await pause(20)
  }
}

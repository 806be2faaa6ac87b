import assert from 'node:assert/strict'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { until } from '../support/services/receiver.ts'
import { aProduction } from '../support/records/entities.ts'
import { adminToken, temporaryFolder } from '../support/services/start.ts'
import { createClient, pause, type ServerProcess, startServer, waitForEnd } from '../support/services/server-process.ts'

const restarts = process.env.LONG ? 50 : 2
const connections = 10
/** Of each connection; all together make 100 requests a second. */
const interval = 100

const start = (t: TestContext, environment: Record<string, string> = {}) =>
  startServer(t, `sqlite:${join(temporaryFolder(t), 'catalogue.db')}`, environment)

describe('SIGTERM', () => {
  it(`fails no request at 100 a second on open connections, and ends within 2 s of the last answer, ${restarts} times`, async t => {
    const path = join(temporaryFolder(t), 'catalogue.db')
    for (let restart = 1; restart <= restarts; restart++) {
      const server = await startServer(t, `sqlite:${path}`)
      const load = createLoad(server.port)
      await load.warmUp()
      const running = load.run()
      await pause(700 + restart * 17)
      server.child.kill('SIGTERM')
      const ending = await waitForEnd(server)
      const endedAt = performance.now()
      const { answered, failures, lastAnswer, refused } = await running
      assert.deepEqual(failures, [])
      assert.deepEqual(ending, { code: 0, signal: null }, server.output().err)
      assert.ok(endedAt - lastAnswer <= 2000, `it ended ${Math.round(endedAt - lastAnswer)} ms after the last answer`)
      assert.ok(answered >= 30, `only ${answered} requests were made`)
      // Each connection was told to go elsewhere, and found the door closed.
      assert.equal(refused, connections)
    }
  })

  it('answers a request that has begun, tells the connection to close, and takes no new connection', async t => {
    const server = await start(t)
    const slow = beginSlowRequest(server.port)
    await untilReceived(server)
    server.child.kill('SIGTERM')
    await untilRefused(server.port)
    const response = await slow.finish()
    assert.equal(response.statusCode, 201)
    assert.equal(response.headers.connection, 'close')
    assert.equal((await waitForEnd(server, 2000)).code, 0)
  })

  it('ends at once when it comes a second time', async t => {
    const server = await start(t, { SHUTDOWN_GRACE: '60000' })
    const slow = beginSlowRequest(server.port)
    await untilReceived(server)
    server.child.kill('SIGTERM')
    await untilRefused(server.port)
    assert.equal(server.child.exitCode, null)
    server.child.kill('SIGTERM')
    assert.deepEqual(await waitForEnd(server, 2000), { code: 1, signal: null })
    slow.abandon()
  })

  it('ends when the grace is over, even with a request under way', async t => {
    const server = await start(t, { SHUTDOWN_GRACE: '400' })
    const slow = beginSlowRequest(server.port)
    await untilReceived(server)
    server.child.kill('SIGTERM')
    assert.deepEqual(await waitForEnd(server, 3000), { code: 1, signal: null })
    slow.abandon()
  })

  it('is the same as SIGINT, and ends an idle service with connections open', async t => {
    const server = await start(t)
    const clients = Array.from({ length: 5 }, () => createClient(server.port))
    for (const client of clients) assert.equal((await client.call('GET', '/entities')).status, 200)
    server.child.kill('SIGINT')
    assert.deepEqual(await waitForEnd(server, 3000), { code: 0, signal: null })
    for (const client of clients) client.close()
  })
})

interface LoadOutcome {
  readonly answered: number
  readonly refused: number
  readonly failures: readonly string[]
  readonly lastAnswer: number
}

/**
 * Connections that are kept open and used at a steady pace, for reading, searching and writing,
 * until no new one can be made.
 */
function createLoad(port: number) {
  const failures: string[] = []
  let answered = 0
  let refused = 0
  let lastAnswer = 0
  const clients = Array.from({ length: connections }, () => createClient(port))
  const kinds: readonly [method: string, path: string, body?: unknown][] = [
    ['GET', '/entities?limit=5'],
    ['POST', '/entities', aProduction()],
    ['GET', '/health/ready'],
    ['POST', '/entities/filter', [{ type: 'type', value: 'production' }]]
  ]

  const useOne = async (client: (typeof clients)[number], which: number) => {
    await pause((which * interval) / connections)
    for (let n = which; ; n++) {
      const [method, path, body] = kinds[n % kinds.length] ?? ['GET', '/health/live']
      try {
        const { status, text } = await client.call(method, path, body)
        if (status >= 300) failures.push(`${method} ${path}: ${status} ${text}`)
        answered++
        lastAnswer = performance.now()
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (code === 'ECONNREFUSED') refused++
        else failures.push(`${method} ${path}: ${code ?? message}`)
        return client.close()
      }
      await pause(interval)
    }
  }
  return {
    /**
     * The threads that write and search are started by their first use; that is not what is looked
     * at here.
     */
    async warmUp() {
      for (const client of clients) {
        for (const [method, path, body] of kinds) assert.ok((await client.call(method, path, body)).status < 300)
      }
    },
    async run(): Promise<LoadOutcome> {
      await Promise.all(clients.map(useOne))
      return { answered, refused, failures, lastAnswer }
    }
  }
}

/** A request whose body comes in two parts; the second when the test says so. */
function beginSlowRequest(port: number) {
  const body = JSON.stringify(aProduction())
  const agent = new Agent({ keepAlive: true })
  const sent: ClientRequest = request({
    agent,
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/entities',
    headers: {
      authorization: `Bearer ${adminToken}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body)
    }
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
  })
  // The caller may abandon the request; its failure is then expected.
  answer.catch(() => {})
  sent.write(body.slice(0, 10))
  return {
    async finish() {
      sent.end(body.slice(10))
      const response = await answer
      response.resume()
      return response
    },
    abandon: () => agent.destroy()
  }
}

/** The service has read what was sent before once it answers what is sent after. */
async function untilReceived(server: ServerProcess) {
  const client = createClient(server.port)
  for (let n = 0; n < 3; n++) await client.call('GET', '/health/live')
  client.close()
}

const untilRefused = (port: number) =>
  until(
    () =>
      new Promise<boolean>(resolve => {
        const socket = connect(port, '127.0.0.1')
        socket.on('connect', () => {
          socket.destroy()
          resolve(false)
        })
        socket.on('error', () => resolve(true))
      })
  )

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { limitConnections } from '../../src/http/access/connection-limits.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { until } from '../support/services/receiver.ts'
import { aVenue } from '../support/records/entities.ts'
import { answerOf, beginRequest, listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'

const streamHead = (token = adminToken) =>
  `GET /changes HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`

describe('Event streams', () => {
  it('that are dropped before their first page was read are released', async t => {
    const service = await start(t, { MAX_STREAMS: '5' })
    const port = await listen(service)
    for (let count = 0; count < 20; count++) await service.create(aVenue(`${count}`))
    for (let times = 0; times < 60; times++) {
      const socket = await connected(t, port)
      socket.write(streamHead())
      await new Promise(resolve => setImmediate(resolve))
      socket.resetAndDestroy()
    }

    await untilStreamIs(200, port)
  })

  it('are limited for each token, and free again when one ends', async t => {
    const service = await start(t, { MAX_STREAMS_PER_TOKEN: '2' })
    const port = await listen(service)
    const token = await service.tokenWith('read')
    const open = [await openStream(port, token), await openStream(port, token)]
    t.after(() => {
      for (const each of open) each.sent.destroy()
    })

    const refused = await openStream(port, token)
    assert.equal(refused.answer.statusCode, 429)
    assert.match(String(refused.answer.headers['retry-after']), /^\d+$/)
    // Another token is not refused.
    await untilStreamIs(200, port)
    open[0]?.sent.destroy()
    await untilStreamIs(200, port, token)
  })

  it('are limited for each address, also behind a proxy, whatever their tokens', async t => {
    const service = await start(t, { MAX_STREAMS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' })
    const port = await listen(service)
    const from = async (address: string) =>
      openStream(port, await service.tokenWith('read'), { 'x-forwarded-for': address })
    const open = [await from('192.0.2.1'), await from('192.0.2.1')]
    const [refused, other] = [await from('192.0.2.1'), await from('192.0.2.2')]
    t.after(() => {
      for (const each of [...open, refused, other]) each.sent.destroy()
    })

    assert.deepEqual(
      [...open, refused, other].map(({ answer }) => answer.statusCode),
      [200, 200, 429, 200]
    )
  })

  it('are released once, however often that is asked for', () => {
    const limits = {
      connections: 9,
      connectionsPerAddress: 9,
      connectionsPerToken: 9,
      streams: 2,
      streamsPerToken: 2,
      streamsPerAddress: 2
    }
    const counter = limitConnections(createServer(), limits, () => false)
    const release = counter.claimStream('a', '192.0.2.1')
    counter.claimStream('a', '192.0.2.1')
    release()
    release()
    counter.claimStream('a', '192.0.2.1')
    assert.throws(() => counter.claimStream('b', '192.0.2.2'), /maximum of 2 event streams/)
  })
})

describe('Connections', () => {
  it('are limited for each address', async t => {
    const service = await start(t, { MAX_CONNECTIONS_PER_ADDRESS: '3' })
    const port = await listen(service)
    const open = await Promise.all([connected(t, port), connected(t, port), connected(t, port)])
    // Each is counted once it has brought something.
    for (const socket of open) {
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
    }
    const [text] = await once(await connected(t, port), 'data')

    assert.match(String(text), /^HTTP\/1\.1 429 [\s\S]*\r\nRetry-After: \d+\r\n[\s\S]*rate_limited/)
  })

  it('of a trusted proxy are not counted', async t => {
    const service = await start(t, { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '127.0.0.1' })
    const port = await listen(service)
    for (const socket of await Promise.all([connected(t, port), connected(t, port)])) {
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
    }
  })

  it('are limited for each token', async t => {
    const service = await start(t, { MAX_CONNECTIONS_PER_TOKEN: '2' })
    const port = await listen(service)
    const { token } = (await service.post('/tokens', { name: 'kiosk', scopes: ['read'] })).body as { token: string }
    const asks = async (socket: Socket, bearer = adminToken) => {
      socket.write(`GET /me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n\r\n`)
      return String((await once(socket, 'data'))[0]).slice(9, 12)
    }
    const [one, two, three] = [await connected(t, port), await connected(t, port), await connected(t, port)]
    // Several requests over one connection count once.
    assert.deepEqual([await asks(one), await asks(one), await asks(two)], ['200', '200', '200'])
    assert.equal(await asks(three), '429')
    // A connection counts for the token that used it last.
    assert.deepEqual([await asks(one, token), await asks(await connected(t, port))], ['200', '200'])
    assert.equal(await asks(await connected(t, port)), '429')
    // A connection that has ended counts no more.
    two.destroy()
    while ((await asks(await connected(t, port))) !== '200') await sleep(50)
  })

  it('are not kept by a body that drips in behind its answer', { timeout: hangLimit }, async t => {
    const service = await start(t)
    const port = await listen(service)
    for (const path of ['/health/live', '/nothing', '/entities']) {
      const socket = await connected(t, port)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`)
      await once(socket, 'data')
      const dripping = setInterval(() => socket.write('x'), 500)
      t.after(() => clearInterval(dripping))
      socket.on('close', () => clearInterval(dripping))
    }
    const count = () => new Promise<number>(resolve => service.app.server.getConnections((_, n) => resolve(n)))
    // Fewer bytes come than the bodies have before the test gives up.
    while ((await count()) > 0) await sleep(200)
  })
})

describe('The rate limit by address', () => {
  it('counts wrong bearers and people who sign in, each address for itself', async t => {
    const service = await start(t, { ADDRESS_RATE_LIMIT: '3/60', TRUST_PROXY: '127.0.0.1' })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const statuses = async (address: string) => {
      const wrong = await service.get('/entities', { token: 'wrong', headers: from(address) })
      const signing = await service.post('/sign-in/start', {}, { token: undefined, headers: from(address) })
      return [wrong.status, signing.status]
    }

    assert.deepEqual([...(await statuses('192.0.2.1')), ...(await statuses('192.0.2.1'))], [401, 400, 401, 429])
    assert.deepEqual(await statuses('192.0.2.2'), [401, 400])
    assert.equal((await service.get('/entities', { headers: from('192.0.2.1') })).status, 200)
  })

  it('counts those who send no bearer each by their address', async t => {
    const service = await start(t, {
      ADDRESS_RATE_LIMIT: '2/60',
      RATE_LIMIT: '1/60',
      ANONYMOUS_ACCESS: 'read',
      TRUST_PROXY: '127.0.0.1'
    })
    const ask = async (address: string) =>
      (await service.get('/oai?verb=Identify', { token: undefined, headers: { 'x-forwarded-for': address } })).status

    assert.deepEqual([await ask('192.0.2.1'), await ask('192.0.2.1'), await ask('192.0.2.1')], [200, 200, 429])
    assert.equal(await ask('192.0.2.2'), 200)
  })
})

async function connected(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function openStream(port: number, token = adminToken, headers: Readonly<Record<string, string>> = {}) {
  const sent = beginRequest(port, '/changes', { token, headers: { accept: 'text/event-stream', ...headers } })
  sent.end()
  const answer = await answerOf(sent)
  sent.on('error', () => {})
  answer.on('error', () => {})
  return { sent, answer }
}

/** Tries until a stream is answered with this status. */
async function untilStreamIs(status: number, port: number, token?: string) {
  const statusOf = async () => {
    const { sent, answer } = await openStream(port, token)
    sent.destroy()
    return answer.statusCode
  }
  await until(async () => (await statusOf()) === status)
}

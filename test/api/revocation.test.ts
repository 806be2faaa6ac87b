import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { hangLimit } from '../support/machines/hang-limit.ts'
import { testStore } from '../support/databases/database.ts'
import { aVenue, metadata } from '../support/records/entities.ts'
import { openStream } from '../support/services/event-stream.ts'
import { answerOf, beginRequest, linesOf, listen } from '../support/services/listen.ts'
import { createMediafile } from '../support/records/media.ts'
import { audience, startIssuer } from '../support/services/oidc-issuer.ts'
import { allowLoopback, startReceiver, until } from '../support/services/receiver.ts'
import { start, type TestService } from '../support/services/start.ts'

/*
 * Work that continues after its request was admitted ends when its token is revoked. Tokens are
 * revoked directly in the store, as another process would do it.
 */

/** Milliseconds after a revocation from which on nothing may happen. */
const grace = 1000
/** Records of an import that must still run when its token is revoked. */
const records = testStore === 'sqlite' ? 8000 : 2000
const ndjson = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }

interface Holder {
  readonly service: TestService
  readonly port: number
  readonly token: string
  /** Ends the rights of the token, and waits until nothing may happen any more. */
  readonly revoke: () => Promise<void>
}

async function hold(t: TestContext, scopes = ['admin'], environment: Record<string, string> = {}): Promise<Holder> {
  const service = await start(t, environment)
  const port = await listen(service)
  const { token, id } = await service.libretto.tokens.create({ name: 'leaked', scopes }, 'test')
  const revoke = async () => {
    await service.libretto.store.deleteToken(id)
    await sleep(grace)
  }
  return { service, port, token, revoke }
}

const countOf = async (service: TestService) => (await service.get('/entities?limit=0&envelope=1')).body.count as number

describe('A token that is revoked', () => {
  it('writes nothing more down an open batch, which ends with a problem', async t => {
    const { service, port, token, revoke } = await hold(t)
    const sent = beginRequest(port, '/entities/batch', { method: 'POST', headers: ndjson, token })
    sent.on('error', () => {})
    const line = `${JSON.stringify({ op: 'create', entity: aVenue() })}\n`
    sent.write(line.repeat(250))
    const lines = linesOf(await answerOf(sent))
    for (let count = 0; count < 250; count++) await lines.next()
    await revoke()
    const before = await countOf(service)
    sent.write(line.repeat(250))

    const last = JSON.parse(String((await lines.next()).value))
    assert.equal(last.problem.code, 'unauthenticated')
    assert.equal((await lines.next()).done, true)
    assert.equal(await countOf(service), before)
  })

  it('writes nothing by an atomic batch that is still coming in', async t => {
    const { service, port, token, revoke } = await hold(t)
    const sent = beginRequest(port, '/entities/batch?atomic=1', { method: 'POST', headers: ndjson, token })
    const answered = answerOf(sent)
    sent.write(`${JSON.stringify({ op: 'create', entity: aVenue() })}\n`)
    await untilOpen(service)
    await revoke()

    assert.equal((await answered).statusCode, 401)
    sent.destroy()
    assert.equal(await countOf(service), 0)
  })

  it('writes nothing by a body that arrives afterwards', async t => {
    const { service, port, token, revoke } = await hold(t)
    const body = JSON.stringify(aVenue())
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const sent = beginRequest(port, '/entities', { method: 'POST', headers, token })
    const answered = answerOf(sent)
    sent.write(body.slice(0, 5))
    await untilOpen(service)
    await revoke()
    sent.end(body.slice(5))

    assert.equal((await answered).statusCode, 401)
    assert.equal(await countOf(service), 0)
  })

  it('hears nothing more of an open event stream, which ends', async t => {
    const { service, port, token, revoke } = await hold(t)
    const stream = await openStream(port, '', { token })
    t.after(() => stream.close())
    await service.create(aVenue())
    await stream.take(1)
    await revoke()
    await service.create(aVenue())

    assert.equal(await stream.next(), undefined)
  })

  it('reads nothing more of an open export', async t => {
    const { service, port, token, revoke } = await hold(t)
    // More than the buffers between the two can hold.
    const address = 'x'.repeat(9000)
    const entity = aVenue('De Schouwburg', { metadata: metadata({ name: 'De Schouwburg', address }) })
    for (let batch = 0; batch < 20; batch++) {
      const { body } = await service.post('/entities/batch', Array(100).fill({ op: 'create', entity }))
      assert.equal(body[99].status, 201, JSON.stringify(body[99]))
    }
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(`GET /export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    let size = (await once(socket, 'data'))[0].length as number
    socket.pause()
    await revoke()
    socket.on('data', chunk => (size += chunk.length))
    socket.resume()
    if (!socket.closed) await once(socket, 'close')

    assert.ok(size > 10_000 && size < 15_000_000, `${size} bytes came`)
  })

  it('sends nothing more of an upload, which is not attached', async t => {
    const { service, port, token, revoke } = await hold(t)
    const { mediafile } = await createMediafile(service)
    for (const [method, path, extra] of [
      ['PUT', `/mediafiles/${mediafile}/content`, {}],
      [
        'POST',
        `/mediafiles/${mediafile}/uploads`,
        { 'upload-length': '10', 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' }
      ]
    ] as const) {
      const { token: other, id } = await service.libretto.tokens.create({ name: 'other', scopes: ['admin'] }, 'test')
      const headers = { 'content-length': '10', ...extra }
      const sent = beginRequest(port, path, { method, headers, token: other })
      const ended = new Promise<number | undefined>(resolve => {
        sent.on('response', answer => resolve(answer.statusCode))
        sent.on('error', () => resolve(undefined))
      })
      sent.write('12345')
      await untilOpen(service)
      await service.libretto.store.deleteToken(id)
      await sleep(grace)
      sent.end('67890')

      assert.ok([undefined, 401].includes(await ended))
      assert.notEqual((await service.get(`/mediafiles/${mediafile}/content`)).text, '1234567890')
    }
    await revoke()
    assert.equal((await service.get('/me', { token })).status, 401)
  })

  it('reads nothing more of a media file', async t => {
    const { service, port, token, revoke } = await hold(t)
    const { mediafile } = await createMediafile(service)
    const size = 40_000_000
    const put = await service.call('PUT', `/mediafiles/${mediafile}/content`, { body: Buffer.alloc(size, 'a') })
    assert.equal(put.status, 200, put.text)
    const sent = beginRequest(port, `/mediafiles/${mediafile}/content`, { token })
    sent.end()
    const answer = await answerOf(sent)
    await revoke()
    let read = 0
    try {
      for await (const chunk of answer) read += (chunk as Buffer).length
    } catch {}

    assert.ok(read < size, `${read} bytes came`)
  })

  it('imports nothing more: the import stops, and another token can resume it', async t => {
    const { service, token, revoke } = await hold(t)
    service.libretto.startBackground(() => {})
    const file = Array.from({ length: records }, (_, index) =>
      JSON.stringify(aVenue(`Zaal ${index}`, { id: `VE-${index}` }))
    ).join('\n')
    const { body: job } = await service.post('/imports?format=ndjson', file, {
      token,
      headers: { 'content-type': 'application/x-ndjson' }
    })
    await until(
      async () => (await service.get(`/imports/${job.id}`)).body.records > 0,
      30_000,
      () => 'the import begins'
    )
    await revoke()
    const before = await countOf(service)
    await sleep(500)

    assert.equal(await countOf(service), before)
    await until(
      async () => (await service.get(`/imports/${job.id}`)).body.state === 'stopped',
      10_000,
      () => 'the import stops'
    )
    assert.match((await service.get(`/imports/${job.id}`)).body.failure, /revoked/)
    assert.equal((await service.post(`/imports/${job.id}/resume`, {})).status, 202)
    await until(
      async () => (await service.get(`/imports/${job.id}`)).body.state === 'done',
      300_000,
      () => 'the import is done'
    )
    assert.equal(await countOf(service), records)
  })

  it('has its webhooks told nothing more: they pause, until another token resumes them', async t => {
    const receiver = await startReceiver(t)
    const { service, token, revoke } = await hold(t, ['admin'], allowLoopback)
    service.libretto.startBackground(() => {})
    const { body: webhook } = await service.post('/webhooks', { url: receiver.url }, { token })
    await service.create(aVenue())
    await receiver.waitFor(1)
    await revoke()
    await service.create(aVenue())
    await until(
      async () => (await service.get(`/webhooks/${webhook.id}`)).body.state === 'paused',
      10_000,
      () => 'the webhook pauses'
    )

    assert.equal(receiver.received.length, 1)
    assert.equal((await service.post(`/webhooks/${webhook.id}/resume`, {})).status, 200)
    await receiver.waitFor(2)
  })
})

describe('A token that expires', () => {
  it('ends what it has open, be it made here or by an issuer', { timeout: hangLimit }, async t => {
    const issuer = await startIssuer(t)
    const service = await start(t, { OIDC_ISSUERS: JSON.stringify([{ issuer: issuer.url, audience }]) })
    const port = await listen(service)
    const end = Date.now() + 6000
    const own = await service.libretto.tokens.create(
      { name: 'x', scopes: ['read'], expiresAt: new Date(end).toISOString() },
      ''
    )
    const exp = Math.ceil(end / 1000)
    const jwt = await issuer.sign({ iss: issuer.url, aud: audience, sub: 'a', scope: 'read', exp })
    const streams = await Promise.all([own.token, jwt].map(token => openStream(port, '', { token })))
    for (const stream of streams) t.after(() => stream.close())

    assert.deepEqual(
      streams.map(({ response }) => response.statusCode),
      [200, 200]
    )
    for (const stream of streams) assert.equal(await stream.next(), undefined)
  })
})

/** Waits until the service has taken in a request whose body is not whole. */
async function untilOpen({ app }: TestService) {
  const count = () => new Promise<number>(resolve => app.server.getConnections((_, many) => resolve(many)))
  await until(
    async () => (await count()) > 0,
    10_000,
    () => 'a connection'
  )
  await sleep(100)
}

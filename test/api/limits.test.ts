import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'

import { aVenue } from '../support/records/entities.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { adminToken, start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/*
 * Over a real socket: what a client sends before there is a request, and bodies that are larger
 * than they may be.
 */

const service = await start({ after }, { BODY_LIMIT: '4096' })
await service.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = service.app.server.address() as AddressInfo

interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes into an answer
  readonly body: any
}

/** Writes bytes and reads until the server closes; a server that does not is cut off. */
async function exchange(...chunks: (string | Buffer)[]): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  // A server that has refused a request may reset the connection while the rest is still being
  // sent.
  socket.on('error', () => {})
  const timer = setTimeout(() => socket.destroy(), hangLimit)
  await once(socket, 'connect')
  for (const chunk of chunks) socket.write(chunk)
  await new Promise(resolve => socket.on('close', resolve))
  clearTimeout(timer)
  const [head = '', ...rest] = Buffer.concat(received).toString().split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)])
  )
  const text = rest.join('\r\n\r\n')
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {}
  return { status: Number(statusLine.split(' ')[1]), headers, text, body }
}

const head = (method: string, path: string, ...lines: string[]) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${adminToken}`,
    'Connection: close',
    ...lines,
    '',
    ''
  ].join('\r\n')

describe('Headers', () => {
  it('of an ordinary size pass', async () => {
    const answer = await exchange(head('GET', '/entities', `X-Long: ${'x'.repeat(16_000)}`))

    assert.equal(answer.status, 200)
  })

  it('that are too large get 431 as a problem, and the connection is closed', async () => {
    for (const bytes of [40_000, 200_000]) {
      const answer = await exchange(head('GET', '/entities', `X-Long: ${'x'.repeat(bytes)}`))
      assertProblem(answer, 'headers_too_large')
      assert.equal(answer.headers.connection, 'close')
      assert.equal(answer.headers['api-version'], '1')
    }
  })

  it('in great number get 431 or are passed over', async () => {
    const answer = await exchange(
      head('GET', '/entities', ...Array.from({ length: 5000 }, (_, index) => `X-${index}: 1`))
    )

    assert.ok([200, 431].includes(answer.status), String(answer.status))
  })

  it('in an address that is too long get 431 or 414', async () => {
    const answer = await exchange(head('GET', `/entities/${'x'.repeat(40_000)}`))
    assertProblem(answer, 'headers_too_large')
    assertProblem(await exchange(head('GET', `/entities/${'x'.repeat(10_000)}`)), 'uri_too_long')
  })
})

describe('What is no HTTP request', () => {
  const garbage: Readonly<Record<string, string | Buffer>> = {
    'plain text': 'hello\r\n\r\n',
    'a TLS greeting': Buffer.from('16030100a5010000a10303', 'hex'),
    'a header without a colon': 'GET /entities HTTP/1.1\r\nHost localhost\r\n\r\n',
    'two lengths of the body': `POST /entities HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    'a length beside chunks': `POST /entities HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'a length that is no number': `POST /entities HTTP/1.1\r\nHost: x\r\nContent-Length: five\r\n\r\n`,
    'a space before the colon': `GET /entities HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\n`,
    'a control character in a header': 'GET /entities HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n'
  }
  for (const [what, bytes] of Object.entries(garbage)) {
    it(`${what} gets 400 as a problem, and the connection is closed`, async () => {
      const answer = await exchange(bytes)

      assertProblem(answer, 'bad_request')
      assert.equal(answer.headers.connection, 'close')
      assert.equal(answer.headers['api-version'], '1')
    })
  }
})

describe('The host of a request', () => {
  for (const [what, hosts] of Object.entries({
    'given twice': ['x', 'y'],
    'given twice alike': ['x', 'x'],
    'that is no host': ['x y'],
    'with a path': ['x/y'],
    'with a user': ['a@x']
  }))
    it(`${what} gets 400, at every path`, async () => {
      const lines = hosts.map((host, at) => `${at === 0 ? 'Host' : 'hOST'}: ${host}\r\n`).join('')
      for (const path of ['/health/live', '/entities', '/no-such-path'])
        assertProblem(await exchange(`GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`), 'bad_request')
    })

  it('may be empty, an address with a port, or international', async () => {
    for (const host of ['', '127.0.0.1:8080', '[::1]:8080', 'xn--caf-dma.example', 'a_b.example'])
      assert.equal(
        (await exchange(`GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status,
        200
      )
  })
})

describe('Bodies', () => {
  const json = 'Content-Type: application/json'

  it('larger than BODY_LIMIT get 413, by their declared length alone', async () => {
    const answer = await exchange(head('POST', '/entities', json, 'Content-Length: 1000000000'))

    assertProblem(answer, 'body_too_large')
    assert.equal(answer.headers['api-version'], '1')
  })

  it('larger than BODY_LIMIT get 413 when they come in chunks without a length', async () => {
    const chunk = `${(1000).toString(16)}\r\n${'x'.repeat(1000)}\r\n`
    const answer = await exchange(
      head('POST', '/entities', json, 'Transfer-Encoding: chunked'),
      ...Array.from({ length: 6 }, () => chunk),
      '0\r\n\r\n'
    )

    assertProblem(answer, 'body_too_large')
  })

  it('within it pass, whole or in chunks', async () => {
    const body = JSON.stringify(aVenue())
    const whole = await exchange(head('POST', '/entities', json, `Content-Length: ${Buffer.byteLength(body)}`), body)
    assert.equal(whole.status, 201)
    const chunks = [...body].map(letter => `1\r\n${letter}\r\n`)
    const chunked = await exchange(
      head('POST', '/entities', json, 'Transfer-Encoding: chunked'),
      ...chunks,
      '0\r\n\r\n'
    )
    assert.equal(chunked.status, 201)
  })

  it('of a stranger are not waited for', async () => {
    const answer = await exchange(
      `POST /entities HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${json}\r\nContent-Length: 4000\r\n\r\n{`
    )

    assertProblem(answer, 'unauthenticated')
  })

  it('that are shorter than their length write nothing', async () => {
    const before = (await service.get('/entities?limit=0&envelope=1')).body.count
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(head('POST', '/entities', json, 'Content-Length: 500') + JSON.stringify(aVenue()))
    await new Promise(resolve => setTimeout(resolve, 50))
    socket.destroy()
    await new Promise(resolve => setTimeout(resolve, 50))

    assert.equal((await service.get('/entities?limit=0&envelope=1')).body.count, before)
  })

  it('compressed ones are refused rather than read as JSON', async () => {
    const answer = await exchange(
      head('POST', '/entities', json, 'Content-Encoding: gzip', 'Content-Length: 3'),
      Buffer.from([0x1f, 0x8b, 0x08])
    )

    assertProblem(answer, 'unsupported_media_type')
  })
})

describe('A body that is refused before it was read', () => {
  it('ends the connection only where the answer says so', async t => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => agent.destroy())
    const send = async (method: string, path: string, body?: Buffer) => {
      const headers = { authorization: `Bearer ${adminToken}`, 'content-length': body?.length ?? 0 }
      const sent = request({ agent, port, host: '127.0.0.1', method, path, headers })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return [answer.statusCode, answer.headers.connection]
    }
    for (const [bytes, connection] of [
      [10, 'keep-alive'],
      [1_000_000, 'close']
    ] as const) {
      assert.deepEqual(await send('PUT', '/mediafiles/unknown/content', Buffer.alloc(bytes)), [404, connection])
      assert.deepEqual(await send('GET', '/health/live'), [200, 'keep-alive'])
    }
  })
})

describe('The service', () => {
  it('still answers after all that', async () => {
    assert.equal((await exchange(head('GET', '/health/ready'))).status, 200)
  })
})

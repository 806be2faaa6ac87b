import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'

import { readConfig } from '../../src/config.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import { createTestDatabase, runStatement, testStore } from '../support/databases/database.ts'
import { startReceiver, until } from '../support/services/receiver.ts'
import { type ServerProcess, startServer } from '../support/services/server-process.ts'
import { adminToken, temporaryFolder } from '../support/services/start.ts'

/* The log of requests, metrics and request ids, of a service in a process of its own. */

interface Line {
  readonly msg: string
  readonly [member: string]: unknown
}

const linesOf = (server: ServerProcess): Line[] =>
  server
    .output()
    .out.split('\n')
    .filter(line => line.startsWith('{"level":'))
    .map(line => JSON.parse(line))
const requestLines = (server: ServerProcess) => linesOf(server).filter(({ msg }) => msg === 'request')

async function startObserved(environment: Readonly<Record<string, string>>) {
  return startServer({ after }, await createTestDatabase({ after }), {
    MEDIA_URL: `file:${temporaryFolder({ after })}`,
    ...environment
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const json = { 'content-type': 'application/json' }

async function send(server: ServerProcess, path: string, init: RequestInit = {}) {
  const response = await fetch(server.url + path, { headers: bearer(adminToken), ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('REQUEST_LOG=all', async () => {
  const server = await startObserved({ REQUEST_LOG: 'all', WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' })

  it('writes one line for each request: method, route, status, time, bytes, id and principal', async () => {
    const made = await send(server, '/entities', {
      method: 'POST',
      headers: { ...bearer(adminToken), ...json },
      body: JSON.stringify({ id: 'PERS-LOGGED', type: 'person', metadata: [{ key: 'name', value: 'One' }] })
    })
    assert.equal(made.status, 201, made.text)
    const read = await send(server, '/entities/PERS-LOGGED')
    await send(server, '/entities/PERS-LOGGED', { headers: {} })
    await send(server, '/no/such/path')
    await until(() => requestLines(server).length >= 4)
    const lineOf = (status: number) => requestLines(server).find(line => line.status === status)
    const [create, get, refused, unknown] = [201, 200, 401, 404].map(lineOf)
    const { level, time, pid, hostname, ms, bytes, ...rest } = get ?? assert.fail()
    assert.deepEqual(rest, {
      requestId: read.headers.get('x-request-id'),
      method: 'GET',
      route: '/entities/:id',
      status: 200,
      principal: create?.principal,
      msg: 'request'
    })
    assert.equal(typeof create?.principal, 'string')
    assert.ok(Number(ms) > 0 && Number(bytes) > read.text.length)
    assert.ok(level && time && pid && hostname)
    assert.deepEqual([create?.method, create?.route, create?.status], ['POST', '/entities', 201])
    assert.deepEqual([refused?.status, refused?.principal], [401, undefined])
    assert.deepEqual([unknown?.route, unknown?.status], ['unknown', 404])
  })

  it('writes a line for each refused bearer and right, whatever the level of the log', async () => {
    const security = () => linesOf(server).filter(({ msg }) => msg === 'security')
    const before = security().length
    const wrong = bearer('planted-wrong-bearer-0123456789')
    await send(server, '/entities/PERS-LOGGED?ticket=planted-ticket', { headers: wrong })
    const { text } = await send(server, '/tokens', {
      method: 'POST',
      headers: { ...bearer(adminToken), ...json },
      body: JSON.stringify({ name: 'kiosk', scopes: ['read'] })
    })
    await send(server, '/tokens', { headers: bearer(JSON.parse(text).token) })
    await until(() => security().length >= before + 2)
    const [unknown, narrow] = security().slice(before)
    const shown = (line: Line | undefined) =>
      line && [line.event, line.method, line.path, line.address, line.principal, typeof line.requestId]
    assert.deepEqual(shown(unknown), [
      'unauthenticated',
      'GET',
      '/entities/PERS-LOGGED',
      '127.0.0.1',
      undefined,
      'string'
    ])
    assert.deepEqual(shown(narrow), ['forbidden', 'GET', '/tokens', '127.0.0.1', 'token:kiosk', 'string'])
    assert.ok(!JSON.stringify(linesOf(server)).includes('planted-'))
  })

  it('takes over the id that a proxy gave, if it is a plain word', async () => {
    const given = await send(server, '/health/live', { headers: { 'x-request-id': 'proxy-17' } })
    assert.equal(given.headers.get('x-request-id'), 'proxy-17')
    const other = await send(server, '/health/live', { headers: { 'x-request-id': 'two words' } })
    assert.match(other.headers.get('x-request-id') ?? '', /^[0-9a-f]{10}-[0-9a-z]+$/)
  })

  it('counts a client that goes away as 499', async () => {
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const head = `GET /changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nAccept: text/event-stream\r\n\r\n`
    socket.write(head)
    await once(socket, 'data')
    socket.destroy()
    const isStream = ({ route }: Line) => route === '/changes'
    await until(() => requestLines(server).some(isStream))
    assert.equal(requestLines(server).find(isStream)?.status, 499)
  })

  it('holds no secret: no token, password, ticket or secret of a webhook', async t => {
    const receiver = await startReceiver(t, response => void response.writeHead(500).end())
    const planted = ['planted-token-0123456789', 'planted-password', 'planted-ticket-0123456789', 'planted-basic']
    const { token } = JSON.parse(
      (
        await send(server, '/tokens', {
          method: 'POST',
          headers: { ...bearer(adminToken), ...json },
          body: JSON.stringify({ name: 'reader', scopes: ['read'] })
        })
      ).text
    )
    const webhook = await send(server, '/webhooks', {
      method: 'POST',
      headers: { ...bearer(adminToken), ...json },
      body: JSON.stringify({ url: receiver.url.replace('http://', `http://user:${planted[1]}@`) })
    })
    const { secret } = JSON.parse(webhook.text)
    const before = requestLines(server).length
    await send(server, '/entities/PERS-LOGGED', { headers: bearer(planted[0] ?? '') })
    await send(server, '/entities/PERS-LOGGED', { headers: bearer(token) })
    await send(server, `/mediafiles/MF-1/content?ticket=${planted[2]}`, { headers: {} })
    await send(server, `/entities?access_token=${planted[0]}`)
    const basic = Buffer.from(`anybody:${planted[3]}`).toString('base64')
    await send(server, '/oai?verb=Identify', { headers: { authorization: `Basic ${basic}` } })
    await send(server, '/entities', {
      method: 'POST',
      headers: { ...bearer(adminToken), ...json },
      body: `{"password":"${planted[1]}"`
    })
    await until(() => requestLines(server).length >= before + 6)
    const { out, err } = server.output()
    const secrets = [...planted, token, secret, adminToken, basic].filter(each => each !== undefined)
    assert.ok(secrets.length >= 7)
    for (const each of secrets) assert.ok(!(out + err).includes(each), `"${each}" is in the log`)
  })
})

describe('REQUEST_LOG=errors', async () => {
  const server = await startObserved({ REQUEST_LOG: 'errors' })

  it('writes lines for refused requests only', async () => {
    await send(server, '/health/live')
    await send(server, '/entities/NOTHING')
    await until(() => requestLines(server).length > 0)
    assert.deepEqual(
      requestLines(server).map(({ status }) => status),
      [404]
    )
  })
})

/** The address of the metrics of a service. */
async function metricsUrl(server: ServerProcess): Promise<string> {
  await until(() => server.output().out.includes('Metrics: '))
  return /Metrics: (\S+)/.exec(server.output().out)?.[1] ?? ''
}

const sampleOf = (text: string, sample: string) =>
  Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${sample} `))
      ?.slice(sample.length + 1)
  )

/** Reads the metrics of a service, each time into a function that finds one. */
async function metricsOf(server: ServerProcess) {
  const url = await metricsUrl(server)
  return async () => {
    const text = await (await fetch(url)).text()
    return (name: string) => sampleOf(text, name)
  }
}

describe('METRICS_PORT', async () => {
  const server = await startObserved({ METRICS_PORT: '0' })
  const metrics = async () => {
    const url = await metricsUrl(server)
    const response = await fetch(url)
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    return { url, text: await response.text() }
  }

  it('counts requests by route and status, in a histogram too, and logs nothing', async () => {
    for (let count = 0; count < 3; count++) await send(server, '/health/live')
    await send(server, '/entities/NOTHING')
    await until(async () => {
      const { text } = await metrics()
      return sampleOf(text, 'libretto_http_requests_total{method="GET",route="/entities/:id",status="404"}') === 1
    })
    const { text } = await metrics()
    assert.equal(sampleOf(text, 'libretto_http_requests_total{method="GET",route="/health/live",status="200"}'), 3)
    const labels = 'method="GET",route="/health/live"'
    assert.equal(sampleOf(text, `libretto_http_request_duration_seconds_count{${labels}}`), 3)
    assert.equal(sampleOf(text, `libretto_http_request_duration_seconds_bucket{${labels},le="+Inf"}`), 3)
    assert.ok(sampleOf(text, `libretto_http_request_duration_seconds_sum{${labels}}`) > 0)
    const buckets = text
      .split('\n')
      .filter(line => line.startsWith(`libretto_http_request_duration_seconds_bucket{${labels}`))
      .map(line => Number(line.split(' ')[1]))
    assert.deepEqual(
      buckets,
      buckets.toSorted((one, other) => one - other)
    )
    assert.deepEqual(requestLines(server), [])
  })

  it('gives the event loop, memory, caches, imports, webhooks and the database', async () => {
    await send(server, '/webhooks', {
      method: 'POST',
      headers: { ...bearer(adminToken), ...json },
      body: JSON.stringify({ url: 'https://example.org/hook' })
    })
    const { text } = await metrics()
    const families = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name]) => name)
    for (const name of [
      'libretto_info',
      'libretto_event_loop_lag_seconds',
      'libretto_event_loop_busy_seconds',
      'process_resident_memory_bytes',
      'libretto_cache_bytes',
      'libretto_index_ready',
      'libretto_import_handled_records',
      'libretto_webhook_lag_changes',
      ...(testStore === 'postgres' ? ['libretto_database_connections', 'libretto_database_waiting'] : [])
    ])
      assert.ok(families.includes(name), name)
    for (const line of text.split('\n').filter(each => each !== '' && !each.startsWith('#')))
      assert.match(line, /^[a-z_]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? -?[\d.e+-]+$/)
  })

  it('is on its own port only, and answers nothing else there', async () => {
    assert.equal((await send(server, '/metrics')).status, 404)
    const { url } = await metrics()
    assert.equal((await fetch(url.replace('/metrics', '/entities'))).status, 404)
  })
})

describe('an index that is being built', () => {
  it('is one line of the log and a metric; queries that it refuses are no errors', async () => {
    const url = await createTestDatabase({ after })
    await fillCatalogue(url, 1100)
    // It cannot be read, so the index cannot be built.
    await runStatement(url, `UPDATE entities SET document = '!' || document WHERE pk = 7`)
    const server = await startServer({ after }, url, {
      MEDIA_URL: `file:${temporaryFolder({ after })}`,
      METRICS_PORT: '0',
      LOG_LEVEL: 'debug',
      QUERY_DEADLINE: '4000'
    })
    const metrics = await metricsOf(server)
    const refused = await send(server, '/entities?limit=1')
    assert.equal(refused.status, 503, refused.text)
    const before = await metrics()
    assert.deepEqual(
      ['ready', 'refused_total', 'builds_total', 'bytes'].map(name => before(`libretto_index_${name}`)),
      [0, 1, 0, 0]
    )
    assert.ok(before('libretto_index_faults_total') > 0)
    await runStatement(url, `UPDATE entities SET document = substr(document, 2) WHERE pk = 7`)
    await until(async () => (await send(server, '/entities?limit=1')).status === 200)
    const later = await metrics()
    assert.deepEqual(
      ['ready', 'builds_total', 'records', 'lag_changes'].map(name => later(`libretto_index_${name}`)),
      [1, 1, 1101, 0]
    )
    assert.ok(later('libretto_index_bytes') > 10_000 && later('libretto_index_age_seconds') >= 0)
    assert.ok(later('libretto_index_answered_total') >= 1)
    if (testStore === 'sqlite')
      await until(async () => (await metrics())('libretto_index_snapshot_saved_seconds') > 1_700_000_000)
    const ofIndex = (level: number) =>
      linesOf(server).filter(line => line.level === level && line.msg.startsWith('index: '))
    await until(() => ofIndex(30).some(({ msg }) => msg === 'index: ready'))
    assert.equal(ofIndex(30).length, 2)
    // A busy machine may also let a query time out, which is an error.
    const refusals = linesOf(server).filter(({ msg }) => msg.startsWith('The index is being'))
    assert.ok(refusals.length > 0)
    assert.deepEqual(
      refusals.filter(({ level, err }) => level !== 20 || err !== undefined),
      []
    )
  })
})

/** Writes genres to a database, beside any service. */
async function fillCatalogue(url: string, count: number) {
  await using store = await openStore(url, createModel(builtInRecordTypes))
  const writes = Array.from({ length: count }, (_, number) => ({
    kind: 'insert' as const,
    content: {
      id: `GEN-${number}`,
      uuid: `0190aaaa-0000-7000-8000-${String(number).padStart(12, '0')}`,
      type: 'genre',
      metadata: [{ key: 'name', value: `genre ${number}` }],
      relations: [],
      otherIdentifiers: []
    }
  }))
  await store.write({ writes, by: 'test' })
}

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('sends a span for each request, in the trace that the client began, unless that is not sampled', async t => {
    const collector = await startReceiver(t, response => void response.writeHead(200).end('{}'))
    const { origin } = new URL(collector.url)
    const server = await startObserved({ OTEL_EXPORTER_OTLP_ENDPOINT: origin })
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const withParent = (flags: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` })
    await send(server, '/health/live', { headers: withParent('00') })
    await send(server, '/entities/NOTHING?ticket=planted-ticket', {
      headers: { ...bearer(adminToken), ...withParent('01') }
    })
    await send(server, '/health/ready')
    assert.equal(await server.stop(), 0)
    const sent = collector.received.map(({ event }) => event)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes into a message
    const spans = sent.flatMap(({ resourceSpans }: any) => resourceSpans[0].scopeSpans[0].spans)
    assert.deepEqual(
      spans.map(({ name }) => name),
      ['GET /entities/:id', 'GET /health/ready']
    )
    const [first, second] = spans
    assert.deepEqual([first.traceId, first.parentSpanId, first.kind], [traceId, '00f067aa0ba902b7', 2])
    assert.match(second.traceId, /^[0-9a-f]{32}$/)
    assert.equal(second.parentSpanId, undefined)
    assert.ok(BigInt(first.endTimeUnixNano) > BigInt(first.startTimeUnixNano))
    assert.ok(
      JSON.stringify(first.attributes).includes('{"key":"http.response.status_code","value":{"intValue":"404"}}')
    )
    assert.ok(!JSON.stringify(sent).includes('planted-ticket') && !JSON.stringify(sent).includes(adminToken))
  })

  it('is sent with the headers and the name of the service that are set, and with no other protocol', async t => {
    const collector = await startReceiver(t, response => void response.writeHead(200).end('{}'))
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin, OTEL_SERVICE_NAME: 'the-mill' }
    const server = await startObserved({
      ...traces,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20planted-key, x-tenant = mill'
    })
    await send(server, '/health/live')
    assert.equal(await server.stop(), 0)
    const [first] = collector.received
    assert.equal(first?.headers.authorization, 'Bearer planted-key')
    assert.equal(first?.headers['x-tenant'], 'mill')
    assert.ok(JSON.stringify(first?.event).includes('"the-mill"'))
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318'
    assert.throws(
      () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
      /OTEL_EXPORTER_OTLP_PROTOCOL.*http\/json/
    )
    // Without a collector these are for other programs.
    readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
    for (const headers of ['planted-key', '=planted-key', 'a=%zz', 'a b=planted-key'])
      assert.throws(
        () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers }),
        ({ message }: Error) => message.includes('OTEL_EXPORTER_OTLP_HEADERS') && !message.includes('planted-key')
      )
  })

  it('goes on without the collector, and says so once', async () => {
    const server = await startObserved({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    const complaints = () => linesOf(server).filter(({ msg }) => msg.startsWith('Traces cannot be sent to 127.0.0.1:1'))
    await until(async () => {
      assert.equal((await send(server, '/health/live')).status, 200)
      return complaints().length > 0
    })
    assert.equal(complaints().length, 1)
  })
})

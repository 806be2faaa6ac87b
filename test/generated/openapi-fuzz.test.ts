import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

import { type Chance, createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { start } from '../support/services/start.ts'
import { createAskedCatalogue } from './asked-catalogue.ts'
import {
  createRequestGenerator,
  findOperation,
  type GeneratedRequest,
  type OpenApiDocument,
  type Operation
} from './request-generator.ts'

/*
 * Requests made from the OpenAPI document of the service. Every answer is one that the document
 * describes: its status, its media type, and a body that matches the schema; never a 5xx, never a
 * stack trace.
 */

const requests = howMany({ quick: 600, short: 4000, long: 1_000_000, onPostgres: 800 })
const rawRequests = howMany({ quick: 120, short: 400, long: 20_000, onPostgres: 200 })
const clients = 32
/** In milliseconds. */
const maxExchangeTime = 120_000
/**
 * With so many clients at once a question may wait for its turn, which is not what is asked here.
 * In milliseconds.
 */
const patience = '600000'
/** Small, so that a body which is too large is cheap to send. */
const bodyLimit = 65_536
/** After so many requests the whole log of acts is not asked for any more. */
const lastWholeLog = 50_000
/** Maximum number of different problems in one message. */
const maxReportedProblems = 10

describe('the interface, asked at random from its own OpenAPI document', () => {
  it('answers every request as the document says', () =>
    repeatable(async after => {
      const service = await start({ after }, { BODY_LIMIT: String(bodyLimit), QUERY_DEADLINE: patience })
      const world = await createAskedCatalogue((method, url, body) => service.call(method, url, { body }))
      const document = (await service.get('/openapi.json')).body as OpenApiDocument
      const check = createAnswerCheck(document)
      const { next } = createRequestGenerator(document, createChance(seed), world)
      const slowest = { milliseconds: 0, what: '' }
      const statuses = new Map<number, number>()
      const problems = new Map<string, string>()
      let sent = 0

      const client = async () => {
        while (sent < requests && problems.size < maxReportedProblems) {
          if (++sent % 4000 === 0) await world.restore()
          const request = next()
          // An event stream has no end.
          if (request.headers.accept === 'text/event-stream') continue
          // The log of acts grows with the run, and the answers with it.
          if (sent > lastWholeLog && request.url.startsWith('/audit/export')) continue
          const before = performance.now()
          const response = await service.app
            .inject({
              method: request.method as 'GET',
              url: request.url,
              headers: request.headers,
              ...(request.body === undefined ? {} : { payload: request.body })
            })
            .catch(cause => {
              // Without a connection, a refused stream of bytes ends before its answer.
              if (!/uploads|content|mediafiles|imports/.test(request.url))
                assert.fail(`${cause}: ${describeRequest(request)}`)
            })
          if (!response) continue
          const milliseconds = performance.now() - before
          if (milliseconds > slowest.milliseconds)
            Object.assign(slowest, { milliseconds, what: describeRequest(request) })
          statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
          const answer = {
            status: response.statusCode,
            mediaType: String(response.headers['content-type'] ?? ''),
            apiVersion: response.headers['api-version'],
            text: response.body
          }
          const problem = check(request, answer)
          if (problem !== undefined && !problems.has(problem)) {
            const shown = `${answer.status} ${answer.mediaType} ${answer.text.slice(0, 1500)}`
            problems.set(problem, `${problem}\n${describeRequest(request)}\n→ ${shown}`)
          }
          await world.note(request, answer, response.headers)
        }
      }
      await Promise.all(Array.from({ length: clients }, client))

      assert.equal(problems.size, 0, [...problems.values()].join('\n\n'))
      const spread = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`)
      console.log(`${sent} requests (SEED=${seed}): ${spread.join(', ')}`)
      console.log(
        `slowest, with ${clients} at once: ${slowest.milliseconds.toFixed(0)} ms for ${slowest.what.slice(0, 300)}`
      )
      // Some are seldom: a short run may do without them.
      const seldom = [...(requests >= 10_000 ? [412] : []), ...(requests >= 100_000 ? [304, 406, 409, 413, 415] : [])]
      for (const status of [200, 201, 204, 400, 401, 403, 404, 405, ...seldom]) {
        assert.ok(
          (statuses.get(status) ?? 0) > 0,
          `no request was answered ${status}: the generator has become too narrow`
        )
      }
      const report = await service.libretto.store.check()
      assert.deepEqual(report.problems, [], 'the database is damaged')
    }))
})

describe('the interface, sent raw bytes over a real connection', () => {
  it('answers or hangs up, never with a fault of its own', () =>
    repeatable(async after => {
      const service = await start({ after }, { BODY_LIMIT: String(bodyLimit), QUERY_DEADLINE: patience })
      const world = await createAskedCatalogue((method, url, body) => service.call(method, url, { body }))
      const document = (await service.get('/openapi.json')).body as OpenApiDocument
      const chance = createChance(seed + 1)
      const { next } = createRequestGenerator(document, chance, world)
      const isProblem = createAnswerCheck(document)
      const port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
      const slowest = { milliseconds: 0, what: '' }
      const statuses = new Map<number, number>()
      const expected = [200, 400, 401, 404, 405, 413, 431]
      let sent = 0
      let isOver = false
      // Some are seldom: the run goes on until it has seen them.
      const isEnough = () => sent >= rawRequests && expected.every(each => statuses.has(each))

      const client = async () => {
        while (!isEnough() && sent < 10 * rawRequests && !isOver) {
          if (++sent % 1000 === 0) await world.restore()
          const bytes = toBytes(next(), chance)
          const before = performance.now()
          const received = await exchange(port, bytes)
          const milliseconds = performance.now() - before
          const shown = JSON.stringify(bytes.toString('latin1').slice(0, 1500))
          if (milliseconds > slowest.milliseconds) Object.assign(slowest, { milliseconds, what: shown })
          assert.notEqual(received, undefined, `no answer and no end within ${maxExchangeTime} ms\n${shown}`)
          for (const answer of readAnswers(received ?? '')) {
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            const words = `${shown}\n→ ${received?.slice(0, 1500)}`
            const isFault = answer.status >= 500 || answer.text.includes('"code":"internal"')
            assert.ok(!isFault, `a fault of the service\n${words}`)
            assert.doesNotMatch(
              answer.text,
              /\n\s+at |node_modules|\.ts:\d|node:internal/,
              `a stack trace is shown\n${words}`
            )
            if (answer.mediaType.startsWith('application/problem+json') && answer.text !== '') {
              const nowhere = { method: 'GET', url: '/nowhere', headers: {}, body: undefined }
              const problem = isProblem(nowhere, answer)
              assert.ok(problem === undefined || problem.endsWith('not in the document'), `${problem}\n${words}`)
            }
          }
        }
      }
      await Promise.all(Array.from({ length: 16 }, () => client().finally(() => (isOver = true))))

      const spread = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`)
      console.log(`${sent} connections (SEED=${seed}): ${spread.join(', ')}`)
      console.log(`slowest: ${slowest.milliseconds.toFixed(0)} ms for ${slowest.what.slice(0, 300)}`)
      assert.equal((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, 200, 'the service no longer answers')
      for (const status of expected) {
        assert.ok(
          (statuses.get(status) ?? 0) > 0,
          `nothing was answered ${status}: the generator has become too narrow`
        )
      }
    }))
})

/**
 * Sends bytes, waits for the answer and ends; gives what came back, or undefined when nothing ended
 * in time. A service that waits for more is told after a while that there is no more: before that
 * would be giving up, and a request that was given up is not answered.
 */
function exchange(port: number, bytes: Buffer): Promise<string | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const received = () => Buffer.concat(chunks).toString('latin1')
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const finish = (answer: string | undefined) => {
      clearTimeout(limit)
      clearTimeout(patience)
      socket.destroy()
      resolve(answer)
    }
    const limit = setTimeout(() => finish(undefined), maxExchangeTime)
    let patience = setTimeout(() => socket.end(), 250)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (/^HTTP\/1\.1 100/.test(received()) && chunks.length === 1) return
      clearTimeout(patience)
      patience = setTimeout(() => socket.end(), 10)
    })
    socket.on('error', () => finish(received()))
    socket.on('end', () => finish(received()))
    socket.write(bytes)
  })
}

/** The answers in what a connection gave, one after the other. */
function readAnswers(received: string): ShortAnswer[] {
  const answers: ShortAnswer[] = []
  let rest = received
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*((?:\r\n[^\r\n]+)*)\r\n\r\n/.exec(rest)
    assert.ok(
      head,
      `not an HTTP answer: ${JSON.stringify(rest.slice(0, 300))} in ${JSON.stringify(received.slice(0, 1500))}`
    )
    const [whole, status, headers = ''] = head
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim()
    rest = rest.slice(whole.length)
    let text = ''
    // A body follows, unless it was a HEAD: then the next answer does.
    if (header('transfer-encoding') === 'chunked') [text, rest] = readChunks(rest)
    else if (!rest.startsWith('HTTP/1.1 ')) {
      // Without a length, to a client of HTTP/1.0, it goes on until the end of the connection.
      const isUntilEnd = header('content-length') === undefined && header('connection') === 'close'
      const length = isUntilEnd ? rest.length : Number(header('content-length') ?? 0)
      text = rest.slice(0, length)
      rest = rest.slice(length)
    }
    answers.push({
      status: Number(status),
      mediaType: header('content-type') ?? '',
      apiVersion: header('api-version'),
      text: Buffer.from(text, 'latin1').toString()
    })
  }
  return answers
}

/**
 * A body that came in chunks, and what follows it; a service that was given up on may not have sent
 * all.
 */
function readChunks(received: string): [text: string, rest: string] {
  let text = ''
  let rest = received
  for (;;) {
    const [head = '', size] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? []
    if (size === undefined) return [text, '']
    const length = Number.parseInt(size, 16)
    // Behind the last chunk there may be headers that were not known before.
    const [end] = length === 0 ? (/^0+\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(rest) ?? ['']) : []
    if (end !== undefined) return [text, end === '' ? '' : rest.slice(end.length)]
    text += rest.slice(head.length, head.length + length)
    rest = rest.slice(head.length + length + 2)
  }
}

/**
 * A request as bytes, most of the time with something wrong in them that no client library would
 * send.
 */
function toBytes({ method, url, headers, body }: GeneratedRequest, chance: Chance): Buffer {
  const payload = Buffer.isBuffer(body) ? body : Buffer.from(body ?? '')
  const target = url.replace(/[^\x21-\x7e]/g, '')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, ' ')}`)
  const length = `content-length: ${payload.length}`
  const whole = (first: string, rest: readonly string[], after: Buffer | string = payload, end = '\r\n') =>
    Buffer.concat([Buffer.from([first, 'host: localhost', ...rest, '', ''].join(end), 'latin1'), Buffer.from(after)])
  const line = `${method} ${target} HTTP/1.1`
  const plain = () => whole(line, [...lines, length])
  return chance.pick<() => Buffer>([
    plain,
    plain,
    plain,
    () => Buffer.concat([plain(), plain()]),
    () => whole(line, [...lines, `content-length: ${payload.length + 5}`]),
    () => whole(line, [...lines, `content-length: ${Math.max(0, payload.length - 2)}`]),
    () => whole(line, [...lines, length, `content-length: ${payload.length + 1}`]),
    () =>
      whole(line, [
        ...lines,
        `content-length: ${chance.pick(['-1', 'x', '1e3', '+5', '0x5', '99999999999999999999', ''])}`
      ]),
    () =>
      whole(
        line,
        [...lines, 'transfer-encoding: chunked'],
        `${payload.length.toString(16)}\r\n${payload.toString('latin1')}\r\n0\r\n\r\n`
      ),
    () =>
      whole(
        line,
        [...lines, 'transfer-encoding: chunked'],
        chance.pick(['zz\r\n', '5\r\nab', '-1\r\n', '0\r\nx: y\r\n\r\n', 'ffffffffff\r\n'])
      ),
    () => whole(line, [...lines, length, 'transfer-encoding: chunked']),
    () => whole(line, [...lines, 'transfer-encoding: gzip, chunked']),
    () =>
      whole(`${method} ${target} HTTP/${chance.pick(['1.0', '2.0', '0.9', '9.9', '1.1.1', ''])}`, [...lines, length]),
    () => whole(`${chance.pick(['FOO', 'CONNECT', 'get', '', ' GET', 'PRI', 'QUERY'])} ${target} HTTP/1.1`, lines),
    () =>
      whole(
        `${method} ${chance.pick(['*', 'http://evil.example/entities', '//entities', '/a b', '?', '\\', '/\x80\xff', '/\t'])} HTTP/1.1`,
        lines
      ),
    () => whole(line, [...lines, length], payload, '\n'),
    () => whole(line, [...lines, length], payload, '\r'),
    () => whole(line, [...lines, `x: ${'y'.repeat(chance.pick([10_000, 31_000, 40_000]))}`]),
    () => whole(line, [...lines, ...Array.from({ length: 2500 }, (_, index) => `x-${index}: y`)]),
    () =>
      whole(line, [
        ...lines,
        `${chance.pick(['no colon', ': nothing', 'a b: c', 'x\x00: y', '\xe9: y', ' folded: line', 'x: \x01'])}`
      ]),
    () => whole(line, [...lines, 'host: other', length]),
    () => whole(line, [...lines, length, `expect: ${chance.pick(['100-continue', 'nothing', ''])}`]),
    () => whole(line, [...lines, length, 'connection: upgrade', `upgrade: ${chance.pick(['websocket', 'h2c', ''])}`]),
    () => whole(`GET /${'x'.repeat(chance.pick([4000, 20_000, 40_000]))} HTTP/1.1`, lines, ''),
    () => whole('POST /entities HTTP/1.1', [...lines, `content-length: ${bodyLimit + 1}`], 'x'.repeat(bodyLimit + 1)),
    () => plain().subarray(0, chance.below(plain().length)),
    () => {
      const bytes = plain()
      for (let times = chance.below(4); times >= 0; times--) bytes[chance.below(bytes.length)] = chance.below(256)
      return bytes
    },
    () => Buffer.from(Array.from({ length: 1 + chance.below(200) }, () => chance.below(256))),
    () => Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x01])
  ])()
}

interface ShortAnswer {
  readonly status: number
  readonly mediaType: string
  readonly apiVersion: unknown
  readonly text: string
}

type AnswerCheck = (request: GeneratedRequest, answer: ShortAnswer) => string | undefined

/** Tells what is wrong with an answer, held against the document. */
function createAnswerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  const operations = createRequestGenerator(document, createChance(0), {
    tokens: [],
    ids: new Map(),
    leftBehind: [],
    seen: [],
    made: new Map()
  }).operations
  const validators = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer)
    if (known) return known
    const made = ajv.compile({ $ref: `document#${pointer}` })
    validators.set(pointer, made)
    return made
  }
  const isProblem = validatorAt('/components/schemas/Problem')

  return (request, { status, mediaType, apiVersion, text }) => {
    const media = mediaType.split(';')[0] ?? ''
    // While an import runs, some requests are refused for now.
    const isRefusedForNow = status === 503 && text.includes('"code":"unavailable"')
    if ((status >= 500 && !isRefusedForNow) || text.includes('"code":"internal"')) return 'a fault of the service'
    if (apiVersion !== '1') return 'API-Version is missing'
    if (/\n\s+at |node_modules|\.ts:\d|node:internal/.test(text)) return 'a stack trace is shown'
    // Node leaves out the body of a problem too, but only on a real connection.
    if (request.method === 'HEAD') return text === '' || status >= 400 ? undefined : 'HEAD has a body'
    if (isPage(request) && media === 'text/html') return undefined
    if (status >= 400) {
      if (media !== 'application/problem+json') return `a problem is sent as "${media}"`
      const problem = parse(text)
      if (!isProblem(problem)) return `not a problem: ${ajv.errorsText(isProblem.errors)}`
      if ((problem as { status: number }).status !== status) return 'the problem has another status'
    }
    const operation = findOperation(operations, request.method, request.url)
    // The router answers what is no operation: no such path, no such method, or no readable path at
    // all.
    if (request.method === 'OPTIONS' && status === 204) return text === '' ? undefined : 'a preflight has a body'
    if (!operation && isPage(request) && [304, 406].includes(status)) return undefined
    if (!operation)
      return [400, 404, 405, 414].includes(status) ? undefined : `${status} for what is not in the document`
    return fits(operation, status, media, text)
  }

  /**
   * The web page has addresses of its own; the document is about the interface, and leaves them
   * out.
   */
  function isPage({ method, url }: GeneratedRequest): boolean {
    const path = (url.split(/[?#]/)[0] ?? '').replace(/^\/elody\/v1(?=\/|$)/, '')
    return method === 'GET' && /^\/*$|^\/(?:find|new|manage|record|assets)(?:\/|$)/.test(path)
  }

  function fits(operation: Operation, status: number, media: string, text: string): string | undefined {
    const response = operation.responses[String(status)]
    const name = `${operation.method} ${operation.path}`
    if (!response) return `the document of ${name} has no ${status}`
    if (!response.content) return text === '' ? undefined : `${name} should have no body with ${status}`
    if (response.content['*/*']) return undefined
    if (!response.content[media]) return `the document of ${name} has no "${media}" for ${status}`
    if (media === 'text/html') return undefined
    const pointer = [
      operation.path,
      operation.method.toLowerCase(),
      'responses',
      String(status),
      'content',
      media,
      'schema'
    ]
    const validate = validatorAt(
      `/paths/${pointer.map(each => encodeURIComponent(each.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    )
    // A file of one document a line is text as a whole.
    const isText = (response.content[media] as { schema?: { type?: unknown } }).schema?.type === 'string'
    return validate(/[/+]json$/.test(media) && !isText ? parse(text) : text)
      ? undefined
      : `${name} ${status} does not fit its schema: ${ajv.errorsText(validate.errors)}`
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const describeRequest = ({ method, url, headers, body }: GeneratedRequest) =>
  `${method} ${url.slice(0, 1500)} ${JSON.stringify(headers).slice(0, 500)} ${String(body ?? '').slice(0, 1500)}`

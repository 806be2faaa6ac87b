import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'

import { isLong } from '../support/records/chance.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { aPerson, aProduction } from '../support/records/entities.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { createClient, type HttpAnswer, pause, startServer } from '../support/services/server-process.ts'
import { adminToken } from '../support/services/start.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'
import { type Collector, openCollector } from '../support/machines/collect-garbage.ts'
import { watchService } from '../support/services/watched-service.ts'

/*
 * Requests of a security review that once stopped the service, held its main thread or filled its
 * memory, in their original sizes, sent to the real program. After each the service answers as
 * quickly as before, memory is back, and no answer was a fault. Findings that are about rights and
 * secrets have their tests elsewhere; docs/explanation/security.md lists them all.
 */

/** Milliseconds that `/health/live` may take longer than before. */
const maxDelay = 100
/** Bytes that the used heap may have more than before, after a garbage collection. */
const maxGrowth = 50 * 1024 * 1024

const t = { after }
const server = await startServer(t, await createTestDatabase(t), {
  METRICS_PORT: '0',
  MEDIA_URL: `file:${temporaryFolder(t)}`,
  NODE_OPTIONS: '--inspect=127.0.0.1:0',
  QUERY_DEADLINE: '20000'
})
const watch = await watchService(server)
after(watch.close)
const collector: Collector = await openCollector(server)
after(collector.close)
const client = createClient(server.port, 4)
after(client.close)
const reader = await tokenWith('read:language')
const writer = await tokenWith('write:production', 'write:person', 'read:person')

type Send = (
  method: string,
  path: string,
  media?: string,
  body?: string | Buffer,
  headers?: Record<string, string>
) => Promise<HttpAnswer>

/** Sends bytes as they are; an answer that arrives before all of them were sent counts too. */
const sendAs =
  (token: string): Send =>
  async (method, path, media, body, headers = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(media === undefined ? {} : { 'content-type': media }),
        ...headers
      },
      ...(body === undefined ? {} : { body })
    })
    return { status: response.status, headers: {}, text: await response.text() }
  }
const [admin, write, read] = [sendAs(adminToken), sendAs(writer), sendAs(reader)]
const create = (send: Send, body: string) => send('POST', '/entities?dry_run=1', 'application/json', body)
const production = (metadata: string, more = '') => `{"type":"production","metadata":[${metadata}]${more}}`
const listOf = (count: number, make: (index: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator)
const entry = (key: string, value: string) => `{"key":"${key}","value":${JSON.stringify(value)}}`

interface Proof {
  readonly finding: string
  readonly what: string
  /** The statuses that the answers may have. */
  readonly statuses: readonly number[]
  readonly run: () => Promise<readonly (HttpAnswer | number)[]>
}

const bom = Buffer.from('69642c747970650aefbbbf226162630a', 'hex')
const unclosed = (opened: number, blocks: number) =>
  production(
    `${entry('title', 'x')},${entry('description_short', `<p>${listOf(opened, index => `<b title=${index}>`, '')}${'<p>x'.repeat(blocks)}`)}`
  )
const copies = listOf(15, times => `{"op":"copy","from":"/a","path":"${'/a'.repeat(2 ** times + 1)}"}`)

const proofs: readonly Proof[] = [
  {
    finding: 'H1',
    what: '16 bytes of CSV that never ended',
    statuses: [400, 403, 202],
    run: async () => [
      await read('PUT', '/entities', 'text/csv', bom),
      await admin('PUT', '/entities', 'text/csv', bom),
      await importUntilEnd(bom)
    ]
  },
  {
    finding: 'H2',
    what: 'HTML whose elements are opened again in every paragraph',
    statuses: [400],
    run: async () => [await create(write, unclosed(400, 2_000)), await create(write, unclosed(3_000, 6_000))]
  },
  {
    finding: 'H3',
    what: 'a batch of 205 MB, and arrays of empty operations, from tokens that may not write them',
    statuses: [400, 403, 413],
    run: async () => {
      const line = `[${'{},'.repeat(340_000)}{}]\n`
      const lines = Buffer.from(line.repeat(isLong ? 195 : 20))
      return [
        await sentOrCut(read('POST', '/entities/batch?atomic=1', 'application/x-ndjson', lines)),
        await sentOrCut(read('POST', '/entities/batch?atomic=0', 'application/x-ndjson', lines)),
        await sentOrCut(read('POST', '/entities/batch', 'application/json', `[${'{},'.repeat(340_000)}{}]`)),
        await admin('POST', '/entities/batch', 'application/json', `[${'{},'.repeat(340_000)}{}]`)
      ]
    }
  },
  {
    finding: 'H4',
    what: 'event streams that are reset as soon as they are begun',
    statuses: [],
    run: async () => {
      const head = `GET /changes HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${adminToken}\r\n\r\n`
      for (let times = 0; times < (isLong ? 4_000 : 500); times++) {
        const socket = connect(server.port, '127.0.0.1')
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(head)
        await new Promise(resolve => setImmediate(resolve))
        socket.resetAndDestroy()
      }
      return []
    }
  },
  {
    finding: 'H5',
    what: 'forms of a&a&a',
    statuses: [400, 413, 200],
    run: () =>
      Promise.all(
        ['/reconcile', '/sru', '/oai'].flatMap(path =>
          [1_048_000, 60_000].map(bytes =>
            sentOrCut(admin('POST', path, 'application/x-www-form-urlencoded', 'a&'.repeat(bytes / 2)))
          )
        )
      )
  },
  {
    finding: 'H6',
    what: 'long lists: columns, words of a name, identifiers, relations',
    statuses: [400, 403],
    run: async () => [
      await read('PUT', '/entities', 'text/csv', `id,${listOf(120_000, index => `c${index}`)}\n`),
      await admin('PUT', '/entities', 'text/csv', `id,${listOf(120_000, index => `c${index}`)}\n`),
      await create(admin, `{"type":"person","metadata":[${entry('name', 'word '.repeat(60_000))}]}`),
      await create(
        admin,
        production(entry('title', 'x'), `,"identifiers":[${listOf(80_000, index => `"i${index}"`)}]`)
      ),
      await create(
        admin,
        production(entry('title', 'x'), `,"relations":[${listOf(25_000, () => '{"type":"refVenues","key":"VE-1"}')}]`)
      )
    ]
  },
  {
    finding: 'M6',
    what: 'lists and exports of records of a megabyte',
    statuses: [200, 201],
    run: async () => {
      const answers: (HttpAnswer | number)[] = []
      const text = 'x'.repeat(90_000)
      for (let count = 0; count < (isLong ? 560 : 12); count++) {
        const metadata = listOf(10, index => entry(`large_${index}`, text))
        const body = `{"id":"LARGE-${count}","type":"person","metadata":[${entry('name', 'Large')},${metadata}]}`
        answers.push(await admin('POST', '/entities', 'application/json', body))
      }
      const paths = ['/entities?limit=1000', '/entities?limit=1000&type=person', '/changes?limit=1000', '/export']
      const large = await Promise.all(paths.map(path => admin('GET', path)))
      return [...answers, ...large.map(({ status }) => status)]
    }
  },
  {
    finding: 'L1',
    what: '170,000 numbers that are too large',
    statuses: [400],
    run: async () => [
      await create(admin, production(`{"key":"title","value":[${'9e999,'.repeat(170_000)}1]}`)),
      await admin(
        'POST',
        '/entities/filter',
        'application/json',
        `[{"type":"type","value":[${'9e999,'.repeat(170_000)}1]}]`
      )
    ]
  },
  {
    finding: 'L2',
    what: 'an unknown element with 125,000 children',
    statuses: [400],
    run: async () => [
      await create(
        write,
        production(`${entry('title', 'x')},${entry('description_short', `<x>${'<i>'.repeat(125_000)}</x>`)}`)
      )
    ]
  },
  {
    finding: 'L3',
    what: 'a JSON Patch whose copies nest 32,768 deep',
    statuses: [400],
    run: async () => {
      const { text } = await client.call('POST', '/entities', aProduction())
      const { id } = JSON.parse(text) as { id: string }
      const patch = `[{"op":"add","path":"/a","value":{}},${copies}]`
      return [await admin('PATCH', `/entities/${id}`, 'application/json-patch+json', patch)]
    }
  },
  {
    finding: 'L4',
    what: 'a Host that is none',
    statuses: [200, 400],
    run: () => Promise.all(['[', 'a b', '%'].map(host => client.call('GET', '/sru', undefined, { host })))
  },
  {
    finding: 'L10',
    what: 'a scan of many terms without publications',
    statuses: [200],
    run: async () => {
      const lines = listOf(
        isLong ? 2_000 : 600,
        index => JSON.stringify({ op: 'create', entity: aPerson(`Nobody ${index}`) }),
        '\n'
      )
      return [
        await admin('POST', '/entities/batch', 'application/x-ndjson', lines),
        await admin('GET', '/sru?scanClause=dc.creator%3Dnobody&maximumTerms=20')
      ]
    }
  },
  {
    finding: 'L12',
    what: 'the reference and its page, very often, without a bearer',
    statuses: [200],
    run: async () => {
      const statuses: number[] = []
      for (let times = 0; times < (isLong ? 100 : 20); times++)
        for (const path of ['/docs', '/openapi.json']) {
          const response = await fetch(server.url + path)
          await response.arrayBuffer()
          statuses.push(response.status)
        }
      return statuses
    }
  },
  {
    finding: 'L18',
    what: 'an array of 100,000 values',
    statuses: [400],
    run: async () => [
      await create(admin, production(`{"key":"title","value":[${listOf(100_000, index => `"v${index}"`)}]}`))
    ]
  }
]

describe('The service is as quick and as small as before after', () => {
  for (const { finding, what, statuses, run } of proofs)
    it(`${finding}: ${what}`, async () => {
      const before = await measure()
      const answers = await run()
      const later = await measure()

      const given = answers.map(answer => (typeof answer === 'number' ? answer : answer.status))
      const others = given.filter(status => !statuses.includes(status))
      assert.deepEqual(others, [], JSON.stringify(answers).slice(0, 600))
      assert.ok(later.live - before.live < maxDelay, `/health/live took ${before.live} ms, then ${later.live} ms`)
      const growth = later.heap - before.heap
      assert.ok(growth < maxGrowth, `the heap grew by ${Math.round(growth / 1024 / 1024)} MB`)
    })

  it('all of them: it has said nothing but that the inspector is open', () => {
    const said = server.complaints().split('\n')
    const isOfInspector = (line: string) => /^(?:Debugger|For help, see|$)/.test(line)
    assert.deepEqual(
      said.filter(line => !isOfInspector(line)),
      []
    )
  })
})

/** The quickest of some answers of `/health/live`, and the used heap after garbage collections. */
async function measure(): Promise<{ readonly live: number; readonly heap: number }> {
  const times: number[] = []
  for (let count = 0; count < 8; count++) {
    const begun = performance.now()
    assert.equal((await client.call('GET', '/health/live')).status, 200)
    times.push(performance.now() - begun)
  }
  await collector.collect()
  return { live: Math.min(...times), heap: (await watch.look()).heap }
}

async function tokenWith(...scopes: string[]): Promise<string> {
  const { text } = await createClient(server.port).call('POST', '/tokens', { name: 'proof', scopes })
  return (JSON.parse(text) as { token: string }).token
}

/** A service that refuses a body may close the connection before the client has sent it all. */
const sentOrCut = (sent: Promise<HttpAnswer>): Promise<HttpAnswer | number> => sent.catch(() => 413)

/** Imports a table; fails when the import does not end. */
async function importUntilEnd(file: Buffer): Promise<HttpAnswer> {
  const sent = await admin('POST', '/imports?format=csv', 'text/csv', file)
  const { id } = JSON.parse(sent.text) as { id: string }
  for (const giveUp = performance.now() + hangLimit; ; await pause(50)) {
    const { ended_at: endedAt } = JSON.parse((await client.call('GET', `/imports/${id}`)).text) as { ended_at?: string }
    if (endedAt) return sent
    assert.ok(performance.now() < giveUp, 'the import does not end')
  }
}

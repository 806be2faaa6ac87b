import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { describe, it } from 'node:test'

import { createChance, howMany, isLong, repeatable, seed } from '../support/records/chance.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { createClient, pause, type ServerProcess, startServer } from '../support/services/server-process.ts'
import { type Look, type WatchedService, watchService } from '../support/services/watched-service.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'
import { createAskedCatalogue } from './asked-catalogue.ts'
import { findAnswered, importShelf, unanswerable } from './drive-routes.ts'
import { exchange, maxWait, type ProgrammeAnswer } from './exchange.ts'
import { createHostileSizes } from './hostile-sizes.ts'
import {
  createRequestGenerator,
  type GeneratedRequest,
  type OpenApiDocument,
  type RequestGenerator
} from './request-generator.ts'

/*
 * Generated requests to every route of the real program over real connections, some of them of
 * hostile sizes. No answer is a fault, no request holds the event loop, and memory does not grow.
 * The routes come from the OpenAPI document, which has every route but those of the page
 * (`test/api/openapi.test.ts`); a route that no generated request succeeds on fails the test.
 */

/** Requests of all seeds together, on each database. */
const requests = howMany({ short: 1_000, long: testStore === 'postgres' ? 5_000_000 : 500_000, onPostgres: 500 })
const seeds = isLong ? 10 : 1
const clients = 16
/** One request in so many has a hostile size. */
const hostileShare = 40
/** One request in so many is given up before its answer. */
const abandonedShare = 60
/** Milliseconds; the short tier runs beside other tests, so it notices only larger stalls. */
const maxStall = isLong ? 250 : 1_000
const lookInterval = 500
/** Bytes that the used heap may grow by, after the first quarter of a long run. */
const maxGrowth = 50 * 1024 * 1024
/** Different faults that are reported. */
const maxFaults = 10

/** Pages for browsers, which the document leaves out. */
const pages = [
  '/',
  '/find',
  '/browse',
  '/record/W-1',
  '/new',
  '/manage',
  '/sign-in',
  '/robots.txt',
  '/favicon.ico',
  '/assets/x.js'
]

describe('The service under generated requests', () => {
  it(`answers ${requests} of them without a fault, a stall or growth`, () =>
    repeatable(async cleanUp => {
      const t = { after: cleanUp }
      const server = await startServer(t, await createTestDatabase(t), {
        METRICS_PORT: '0',
        MEDIA_URL: `file:${temporaryFolder(t)}`,
        WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8',
        WEBHOOK_TIMEOUT: '1000',
        ADDRESS_RATE_LIMIT: '1000000/60',
        QUERY_DEADLINE: '2000',
        LOG_LEVEL: 'error'
      })
      const watch = await watchService(server)
      cleanUp(watch.close)
      const admin = createClient(server.port, 2)
      cleanUp(admin.close)
      const programme = createProgramme(server, watch)
      const document = JSON.parse((await admin.call('GET', '/openapi.json')).text) as OpenApiDocument
      const world = await createAskedCatalogue((method, url, body) => admin.call(method, url, body))

      await importShelf(admin, world)

      const tryRoutes = () =>
        findMissed(watch, createRequestGenerator(document, createChance(seed), world), async request => {
          const answer = await programme.send(request, false)
          if (answer) await world.note(request, answer, answer.headers)
          return answer?.status ?? 500
        })
      // Many requests may answer every review question that there can be; then none is left to try.
      if (isLong) await tryRoutes()

      for (let round = 0; round < seeds; round++) {
        const chance = createChance(seed + round)
        const { next } = createRequestGenerator(document, chance, world)
        const hostile = createHostileSizes(chance, world)
        const make = () => {
          if (chance.oneIn(hostileShare)) return hostile.next()
          if (chance.oneIn(200)) return { method: 'GET', url: chance.pickOr(pages, '/'), headers: {}, body: undefined }
          return next()
        }
        let left = Math.ceil(requests / seeds)
        await programme.watched(async () => {
          const client = async () => {
            while (left-- > 0 && programme.faults.size < maxFaults) {
              if (left % 4000 === 0) await world.restore()
              const given = make()
              const answer = await programme.send(given, chance.oneIn(abandonedShare))
              if (answer) await world.note(given, answer, answer.headers)
            }
          }
          await Promise.all(Array.from({ length: clients }, client))
        })
        console.log(programme.describe(`seed ${seed + round}`))
      }

      assert.equal(programme.faults.size, 0, [...programme.faults.values()].join('\n\n'))
      assert.equal((await admin.call('GET', '/health/ready')).status, 200)
      // A 503 is logged; everything else that is said was not foreseen.
      const complaints = server.complaints().split('\n')
      assert.deepEqual(
        complaints.filter(line => line !== '' && !/"code":"(?:unavailable|query_timeout)"/.test(line)),
        []
      )
      // Once is enough for the short tier: both databases have the same routes.
      if (isLong || testStore === 'sqlite') {
        // The requests may have undone the first one, and answered its questions.
        world.forget('imports', 'questions')
        await importShelf(admin, world)
        assert.deepEqual(
          await tryRoutes(),
          [],
          'no generated request succeeds: mend test/generated/request-generator.ts'
        )
        assert.equal(programme.faults.size, 0, [...programme.faults.values()].join('\n\n'))
      }
      if (!isLong) return
      checkGrowth(programme.looks)
      const judged = programme.looks.filter(({ isDisturbed }) => !isDisturbed).length
      assert.ok(judged * 2 > programme.looks.length, 'other virtual machines took too much of the time: run it again')
    }))
})

/** The last error that the service logged about the path of a request. */
function logged(server: ServerProcess, { url }: GeneratedRequest): string {
  const path = JSON.stringify(url.split('?')[0])
  const isAbout = (line: string) => line.includes('"level":50') && line.includes(`"path":${path}`)
  const { out, err } = server.output()
  return `${out}\n${err}`.split('\n').findLast(isAbout) ?? 'The service logged nothing about it'
}

/** Sends requests, and collects what is wrong: faults, missing answers and stalls. */
function createProgramme(server: ServerProcess, watch: WatchedService) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const faults = new Map<string, string>()
  const statuses = new Map<string, number>()
  const looks: Look[] = []
  const underway = new Set<{ readonly request: GeneratedRequest; readonly since: number }>()
  let recent: { readonly request: GeneratedRequest; readonly since: number; readonly until: number }[] = []
  let sent = 0
  let began = performance.now()

  const complain = (kind: string, words: string) => {
    if (faults.has(kind)) return
    faults.set(kind, `${kind}\n${words}`)
    if (isLong) console.log(kind, words)
  }

  async function send(request: GeneratedRequest, isAbandoned: boolean): Promise<ProgrammeAnswer | undefined> {
    const entry = { request, since: performance.now() }
    underway.add(entry)
    sent++
    const answer = await exchange(agent, server.port, request, isAbandoned)
    underway.delete(entry)
    recent.push({ ...entry, until: performance.now() })
    const name = typeof answer === 'string' ? answer : String(answer.status)
    statuses.set(name, (statuses.get(name) ?? 0) + 1)
    const route = `${request.method} ${request.url.split('?')[0]?.slice(0, 60)}`
    if (answer === 'no answer') complain(`no answer to ${route} within ${maxWait} ms`, describeRequest(request))
    if (typeof answer === 'string') return undefined
    const { status, headers, text } = answer
    const isPatient = status === 503 && headers['retry-after'] !== undefined
    if (status >= 500 && !isPatient)
      complain(`${status} to ${route}`, `${describeRequest(request)}\n→ ${text}\n${logged(server, request)}`)
    if (/\n\s+at |node_modules|\.ts:\d|node:internal/.test(text) && status >= 400)
      complain(`a stack trace in the answer to ${route}`, `${describeRequest(request)}\n→ ${text}`)
    return answer
  }

  /** Looks at the service now and then while work is done. */
  async function watched(work: () => Promise<void>) {
    let isOver = false
    const looking = (async () => {
      while (!isOver) {
        await pause(lookInterval)
        const look = await watch.look()
        looks.push(look)
        if (look.stall > maxStall && !look.isDisturbed) {
          const suspects = [...[...underway].map(each => ({ ...each, until: look.at })), ...recent]
            .map(each => ({ request: each.request, took: each.until - each.since }))
            .filter(({ took }) => took > look.stall * 0.8)
            .sort((one, other) => weightOf(other.request) - weightOf(one.request))
            .slice(0, 6)
            .map(({ request, took }) => `  ${took.toFixed(0)} ms: ${describeRequest(request).slice(0, 400)}`)
          complain(
            `a stall of ${look.stall.toFixed(0)} ms, and ${look.machine.toFixed(0)} ms of the machine`,
            suspects.join('\n')
          )
        }
        recent = recent.filter(({ until }) => until > look.at - lookInterval)
      }
    })()
    try {
      await work()
    } finally {
      isOver = true
      await looking
    }
  }

  return {
    faults,
    looks,
    send,
    watched,
    describe(title: string): string {
      const seconds = (performance.now() - began) / 1000
      const spread = [...statuses].sort(([one], [other]) => (one < other ? -1 : 1))
      const disturbed = looks.filter(({ isDisturbed }) => isDisturbed).length
      const maxStallOf = (isDisturbed: boolean) =>
        Math.max(0, ...looks.filter(each => each.isDisturbed === isDisturbed).map(({ stall }) => stall)).toFixed(0)
      const { heap = 0, resident = 0 } = looks.at(-1) ?? {}
      began = performance.now()
      const line = [
        `${title}: ${sent} requests in ${seconds.toFixed(0)} s (${(sent / seconds).toFixed(0)} a second)`,
        `longest stall ${maxStallOf(false)} ms`,
        `${disturbed} of ${looks.length} looks disturbed by other machines (${maxStallOf(true)} ms)`,
        `heap ${toMegabytes(heap)}, resident ${toMegabytes(resident)} MB`,
        spread.map(([status, count]) => `${status}: ${count}`).join(', ')
      ].join('; ')
      sent = 0
      return line
    }
  }
}

const toMegabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

const weightOf = ({ url, body }: GeneratedRequest) => url.length + (body?.length ?? 0)

/** Routes on which no request succeeded, although each was tried many times. */
async function findMissed(
  watch: WatchedService,
  generator: RequestGenerator,
  send: (request: GeneratedRequest) => Promise<number>
): Promise<string[]> {
  const counts = [...(await watch.countRequests()).keys()]
  const succeeded = new Set(counts.filter(each => / [23]\d\d$/.test(each)).map(each => each.slice(0, -' 200'.length)))
  const missed: string[] = []
  for (const operation of generator.operations) {
    const name = `${operation.method} ${operation.path}`
    if (name in unanswerable || succeeded.has(name.replaceAll(/\{(\w+)\}/g, ':$1'))) continue
    if (!(await findAnswered(operation, generator, send))) missed.push(name)
  }
  return missed
}

/** The used heap after garbage collections must not grow after the first quarter of the run. */
function checkGrowth(looks: readonly Look[]) {
  const quarter = Math.floor(looks.length / 4)
  const least = (part: readonly Look[], of: 'heap' | 'resident') => Math.min(...part.map(each => each[of]))
  const [early, late] = [looks.slice(quarter, 2 * quarter), looks.slice(-quarter)]
  const growth = least(late, 'heap') - least(early, 'heap')
  const resident = least(late, 'resident') - least(early, 'resident')
  console.log(`growth after the first quarter: heap ${toMegabytes(growth)}, resident ${toMegabytes(resident)} MB`)
  assert.ok(growth < maxGrowth, `the heap grew by ${toMegabytes(growth)} MB`)
}

const describeRequest = ({ method, url, headers, body }: GeneratedRequest) =>
  `${method} ${url.slice(0, 600)} ${JSON.stringify(headers).slice(0, 300)} ${String(body ?? '').slice(0, 600)} (${body?.length ?? 0} bytes)`

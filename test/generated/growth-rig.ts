import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { Agent } from 'node:http'

import { createTestDatabase } from '../support/databases/database.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { type Teardown, temporaryFolder } from '../support/machines/temporary-folder.ts'
import { growthOver } from '../support/oracles/measure-growth.ts'
import { createClient, pause, type ServerProcess, startServer } from '../support/services/server-process.ts'
import { adminToken } from '../support/services/start.ts'
import { timeBetween, type WatchedService, watchService } from '../support/services/watched-service.ts'
import { exchange, type ProgrammeAnswer } from './exchange.ts'
import type { GrownRecord } from './grown-catalogue.ts'
import type { GrownRequest } from './grown-requests.ts'
import type { GeneratedRequest } from './request-generator.ts'

/*
 * The real program on catalogues of several sizes, and the processor time that all its threads take
 * for starts and answers. Clocks decide nothing. A cost that looks too high is measured
 * again, and judged by the least cost of each size.
 */

/** 8 times the size may cost so many times as much; quadratic work costs 64 times as much. */
const maxGrowth = 16
/** Milliseconds of processor time. A lower cost cannot be told from noise. */
const minCost = 2
/** The same for the cost of a start beyond that of an empty catalogue. */
const minStartCost = 100
/** Milliseconds of processor time that the event loop may use without a pause. */
const maxStall = 250
/** Number of times that a stall must be seen. */
const stallAttempts = 4
/** Milliseconds of processor time that an idle thread may use between two looks. */
const idleCost = 60
/** A request that is refused is tried with a part of its size, until it has fewer characters. */
const [reduction, minRequest] = [4, 400]
/** Faults after which the rest is not tried: costs that grow too fast take long to measure. */
const maxFaults = 4
/** Characters of the headers that have the tokens of callers. */
const maxToken = 200
/** Bytes that a visitor may send. */
const maxVisit = 60_000

const settings = {
  METRICS_PORT: '0',
  ANONYMOUS_ACCESS: 'read',
  ADDRESS_RATE_LIMIT: '1000000/60',
  WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8',
  WEBHOOK_TIMEOUT: '1000',
  QUERY_DEADLINE: '5000',
  LOG_LEVEL: 'error'
}

export interface GrownService {
  /** Of its records, in eighths of the largest. */
  readonly size: number
  readonly server: ServerProcess
  readonly watch: WatchedService
  /** Milliseconds of processor time until it found records. */
  readonly startCost: number
  readonly startStall: number
}

const callers = ['anonymous', 'reading', 'writing'] as const
type Caller = (typeof callers)[number]

interface Cost {
  readonly all: number
  readonly main: number
  readonly status: number
}

/** Milliseconds of processor time. */
const ms = (cost: number) => `${cost.toFixed(0)} ms`

export class GrowthRig {
  readonly #t: Teardown
  readonly #sizes: readonly number[]
  readonly #agent = new Agent({ keepAlive: true })
  readonly #media: string
  readonly #databases = new Map<number, string>()
  /** One for each size. */
  readonly #readingTokens = new Map<number, string>()
  readonly #faults: string[] = []
  readonly #statuses = new Map<number, number>()
  readonly #dearest = { cost: 0, stall: 0, growth: 0, names: { cost: '', stall: '', growth: '' } }
  readonly services: GrownService[] = []
  #turn = 0

  constructor(t: Teardown, sizes: readonly number[]) {
    this.#t = t
    this.#sizes = sizes
    this.#media = temporaryFolder(t)
    t.after(() => this.#agent.destroy())
  }

  #tokenOf({ size }: GrownService, caller: Caller): string | undefined {
    return caller === 'writing' ? adminToken : caller === 'reading' ? this.#readingTokens.get(size) : undefined
  }

  async #startOne(size: number): Promise<GrownService> {
    const environment = { ...settings, MEDIA_URL: `file:${this.#media}/${size}` }
    const server = await startServer(this.#t, this.#databases.get(size) ?? '', environment)
    const watch = await watchService(server)
    this.#t.after(watch.close)
    const client = createClient(server.port)
    const isReady = async () => (await client.call('GET', '/entities?limit=1')).status === 200
    for (const giveUp = performance.now() + hangLimit; !(await isReady()); await pause(20))
      assert.ok(performance.now() < giveUp, 'the service finds nothing')
    client.close()
    const startCost = watch.times().all
    return { size, server, watch, startCost, startStall: await watch.maxPiece() }
  }

  async send({ server }: GrownService, request: GeneratedRequest, token: string | undefined): Promise<ProgrammeAnswer> {
    const headers = { ...request.headers }
    const isGrown = (headers.authorization ?? '').length > maxToken
    if (token === undefined && !isGrown) delete headers.authorization
    else if (!isGrown) headers.authorization = `Bearer ${token}`
    const answer = await exchange(this.#agent, server.port, { ...request, headers }, false)
    if (answer === 'no answer') this.#faults.push(`no answer to ${request.method} ${request.url.slice(0, 300)}`)
    return typeof answer === 'string' ? { status: 0, headers: {}, text: answer } : answer
  }

  /** Sends a request, and waits for the job that it may have begun. */
  async #costOf(service: GrownService, request: GeneratedRequest, token: string | undefined): Promise<Cost> {
    const before = service.watch.times()
    const { status, text } = await this.send(service, request, token)
    if (status === 202 && request.url.startsWith('/imports')) await this.#waitForImport(service, text)
    const after = service.watch.times()
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    if (status >= 500 && status !== 503)
      this.#faults.push(`${status} to ${request.method} ${request.url.slice(0, 300)}: ${text.slice(0, 300)}`)
    return { all: timeBetween(before, after), main: after.main - before.main, status }
  }

  async #waitForImport(service: GrownService, text: string) {
    const { id } = JSON.parse(text) as { id: string }
    const url = `/imports/${id}`
    for (const giveUp = performance.now() + hangLimit; ; await pause(20)) {
      const job = await this.send(service, { method: 'GET', url, headers: {}, body: undefined }, adminToken)
      if ((JSON.parse(job.text) as { ended_at?: string | null }).ended_at) return
      assert.ok(performance.now() < giveUp, `the import ${id} does not end`)
    }
  }

  /**
   * Judges the cost of the largest size against those of the others, and the longest time that it
   * holds the event loop. Most cost so little that this is one measurement.
   */
  async #judge<Size>(
    name: string,
    all: readonly Size[],
    measure: (size: Size) => Promise<Cost>,
    of: (size: Size) => GrownService
  ) {
    const largest = all.at(-1) as Size
    const first = await measure(largest)
    if (first.all > this.#dearest.cost) [this.#dearest.cost, this.#dearest.names.cost] = [first.all, name]
    if (first.all > minCost * maxGrowth) {
      const costs: string[] = []
      const growth = await growthOver(
        all,
        async size => {
          const { all: cost } = await measure(size)
          costs.push(`${all.indexOf(size)}: ${ms(cost)}`)
          return cost
        },
        { minCost, goodGrowth: maxGrowth, maxAttempts: 6 }
      )
      if (growth > this.#dearest.growth) [this.#dearest.growth, this.#dearest.names.growth] = [growth, name]
      if (growth > maxGrowth)
        this.#tell(`${name} costs ${growth.toFixed(0)} times as much for 8 times the size (${costs})`)
    }
    if (first.main <= maxStall) return first.status
    let stall = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < stallAttempts && stall > maxStall; attempt++) {
      await of(largest).watch.maxPiece()
      await measure(largest)
      stall = Math.min(stall, await of(largest).watch.maxPiece())
    }
    if (stall > this.#dearest.stall) [this.#dearest.stall, this.#dearest.names.stall] = [stall, name]
    if (stall > maxStall) this.#tell(`${name} holds the event loop for ${ms(stall)} of processor time`)
    return first.status
  }

  #tell(fault: string) {
    console.log(fault)
    this.#faults.push(fault)
    assert.ok(this.#faults.length < maxFaults, this.#faults.join('\n'))
  }

  /** Starts a service on each catalogue. Returns the least cost of a start. */
  async startAll(): Promise<number> {
    for (const size of this.#sizes) {
      this.#databases.set(size, await createTestDatabase(this.#t))
      this.services.push(await this.#startOne(size))
    }
    return Math.min(...this.services.map(({ startCost }) => startCost))
  }

  /** Stores the records of each size. Returns the ids of those that every catalogue accepted. */
  async storeAll(recordsOf: (size: number) => readonly GrownRecord[]): Promise<string[]> {
    const accepted: Set<string>[] = []
    const costs: number[] = []
    for (const service of this.services) {
      const records = recordsOf(service.size)
      const before = service.watch.times()
      accepted.push(new Set(await storeRecords(service, records)))
      costs.push(Math.max(minStartCost, timeBetween(before, service.watch.times())))
    }
    console.log(`storing, by size: ${costs.map(ms).join(', ')}`)
    const growth = (costs.at(-1) ?? 0) / (costs[0] ?? 0)
    if (growth > maxGrowth) this.#tell(`storing costs ${growth.toFixed(0)} times as much: ${costs.map(ms)}`)
    const [first, ...others] = accepted
    return [...(first ?? [])].filter(id => others.every(each => each.has(id)))
  }

  async makeTokens() {
    for (const service of this.services) {
      const body = JSON.stringify({ name: 'reading', scopes: ['read'] })
      const headers = { 'content-type': 'application/json' }
      const { text } = await this.send(service, { method: 'POST', url: '/tokens', headers, body }, adminToken)
      this.#readingTokens.set(service.size, (JSON.parse(text) as { token: string }).token)
    }
  }

  /** Starts cost more with larger records, but not more than in proportion. */
  async judgeStarts(when: string, hasSnapshot: boolean, empty: number) {
    const started = new Map<number, GrownService[]>(this.#sizes.map(size => [size, []]))
    const startAgain = async (size: number) => {
      const at = this.services.findIndex(each => each.size === size)
      const running = this.services[at]
      await (hasSnapshot ? running?.server.stop() : running?.server.kill())
      // A snapshot may have been saved before: without it the index is built from all records.
      if (!hasSnapshot) rmSync(`${(this.#databases.get(size) ?? '').replace(/^sqlite:/, '')}.index`, { force: true })
      const service = await this.#startOne(size)
      this.services[at] = service
      started.get(size)?.push(service)
      return service.startCost - empty
    }
    const growth = await growthOver(this.#sizes, startAgain, {
      minCost: minStartCost,
      goodGrowth: maxGrowth,
      maxAttempts: 3
    })
    const costs = [...started].map(([size, list]) => `${size}: ${list.map(({ startCost }) => ms(startCost))}`)
    console.log(`start ${when}, by size (the first: ${ms(empty)}): ${costs.join('; ')}`)
    if (growth > maxGrowth) this.#tell(`the start ${when} costs ${growth.toFixed(0)} times as much: ${costs}`)
    const stalls = (started.get(this.#sizes.at(-1) ?? 0) ?? []).map(({ startStall }) => startStall)
    if (Math.min(...stalls) > maxStall) this.#tell(`the start ${when} holds the event loop for ${stalls.map(ms)}`)
  }

  /** Sends a request to the this.services, each of which has the record in another size. */
  async judgeStored(name: string, request: (service: GrownService) => GeneratedRequest | Promise<GeneratedRequest>) {
    const caller = callers[this.#turn++ % callers.length] ?? 'anonymous'
    const measure = async (service: GrownService) =>
      this.#costOf(service, await request(service), this.#tokenOf(service, caller))
    return this.#judge(`${name} (${caller})`, this.services, measure, service => service)
  }

  /** Sends a request of the largest size, and of the largest that is accepted, by every caller. */
  async judgeRequest(service: GrownService, operation: string, grown: GrownRequest) {
    const judgeFrom = (largest: number, caller: Caller) => {
      const token = this.#tokenOf(service, caller)
      const all = [largest / 8, largest / 4, largest / 2, largest].map(Math.floor)
      const name = `${operation}, ${grown.name}, ${largest} characters (${caller})`
      return this.#judge(
        name,
        all,
        size => this.#costOf(service, grown.make(size), token),
        () => service
      )
    }
    let { largest } = grown
    let status = await judgeFrom(largest, 'writing')
    while ((status === 0 || status >= 400) && largest > minRequest) {
      largest = Math.floor(largest / reduction)
      status = (await this.send(service, grown.make(largest), adminToken)).status
    }
    const isAccepted = status > 0 && status < 400
    if (isAccepted && largest < grown.largest) await judgeFrom(largest, 'writing')
    await judgeFrom(grown.largest, 'reading')
    await judgeFrom(Math.min(grown.largest, maxVisit), 'anonymous')
    return isAccepted
  }

  /** Waits until no thread works. One that works past the deadline would do so for ever. */
  async assertIdle({ watch }: GrownService) {
    for (const giveUp = performance.now() + hangLimit; ; ) {
      const before = watch.times().threads
      await pause(500)
      const busy = [...watch.times().threads].filter(([id, ran]) => ran - (before.get(id) ?? 0) > idleCost)
      if (busy.length === 0) return
      assert.ok(performance.now() < giveUp, `${busy.length} threads work although nobody asks`)
    }
  }

  assertNoFaults() {
    assert.deepEqual(this.#faults.splice(0), [])
  }

  describe(): string {
    const spread = [...this.#statuses]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`)
    const { cost, stall, growth, names } = this.#dearest
    return [
      `measured answers: ${spread.join(', ')}`,
      `dearest answer: ${ms(cost)}, ${names.cost}`,
      `largest growth of what costs more than ${minCost * maxGrowth} ms: ${growth.toFixed(1)} times, ${names.growth}`,
      stall === 0 ? `no answer used ${maxStall} ms of the main thread` : `longest stall: ${ms(stall)}, ${names.stall}`
    ].join('\n')
  }
}

/** Stores records. Returns the ids of those that were accepted. */
async function storeRecords({ server }: GrownService, records: readonly GrownRecord[]): Promise<string[]> {
  const answer = await fetch(`${server.url}/entities/batch?allow_dangling=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/x-ndjson' },
    body: records.map(entity => `${JSON.stringify({ op: 'create', entity })}\n`).join('')
  })
  assert.equal(answer.status, 200)
  const lines = (await answer.text()).trim().split('\n')
  assert.equal(lines.length, records.length, lines.at(-1) ?? '')
  return lines.flatMap(line => {
    const { status, id } = JSON.parse(line) as { status: number; id?: string }
    assert.ok(status === 201 || status === 400, line.slice(0, 500))
    return status === 201 && id !== undefined ? [id] : []
  })
}

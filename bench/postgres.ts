import { copyFileSync, createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'

import postgres from 'postgres'

import { startPostgresServer } from '../test/support/databases/postgres-server.ts'
import { findSamples, manifestationIds, prepareCatalogue, scratchFolder } from './support/catalogue-file.ts'
import { generateCatalogue } from './support/generate-catalogue.ts'
import { getRequest, inTurn, type Measured, measure, postRequest } from './support/load.ts'
import { ownCheckout, processorOfFamily, processorSince, runLibretto, startLibretto } from './support/processes.ts'
import { askOnce, type AskedQuestion, findDeepCursor, manifestations, questionsAbout } from './support/questions.ts'
import { createChance } from './support/random.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/**
 * Compares the same service on SQLite and on PostgreSQL: WEM, get, write, filter and bulk load,
 * alternating; then the throughput by the number of processes on PostgreSQL. The client, the
 * processes of the service and PostgreSQL share the machine, so growth ends with the number of
 * cores.
 */
export async function run(options: RunOptions) {
  const catalogue = await prepareCatalogue(options.manifestations)
  const scratch = scratchFolder()
  const server = await startPostgresServer({ durable: true, settings: { shared_buffers: '512MB' } })
  try {
    await compareImports(server.url, scratch, options)
    const { file, url, took } = await copyToBoth(catalogue, server.url, 'catalogue')
    console.log(`moved to PostgreSQL in ${took.toFixed(0)} s\n`)
    const ids = shuffled(manifestationIds(catalogue))
    await compareRequests(file, url, ids, options)
    await compareQuestions(file, url, findSamples(catalogue), options)
    await measureGrowth(url, server.process.pid, ids, options)
  } finally {
    await server.stop()
  }
}

/**
 * The catalogue was made with a key of its own, which the database of PostgreSQL does not get; this
 * is the key of every process on it.
 */
export const keys = { SECRET_KEY: 'a key for benchmarks, of 32 characters', SECRET_KEY_PREVIOUS: 'none' }

/** Copies a catalogue, which is written into, into a SQLite file and a database of PostgreSQL. */
export async function copyToBoth(catalogue: string, serverUrl: string, name: string, checkout = ownCheckout) {
  const file = join(scratchFolder(), 'copy.db')
  copyFileSync(catalogue, file)
  const url = await createDatabase(serverUrl, name)
  const words = ['move', '--from', `sqlite:${file}`]
  const environment = { ...keys, MOVE_TO: url }
  const took = await timed(() => runLibretto(words, file, { environment, checkout }))
  return { file, url, took }
}

/** Ids that are asked for again and again, as a front page does. */
const hotIds = 1000
export const connections = 16
/** As many as SQLite has reader threads. */
const askers = 2
export const processCounts = [1, 2, 4]

/** A request that is sent to a server repeatedly. */
interface Work {
  readonly name: string
  readonly next: () => Buffer
}

/** The requests that databases are compared by, over `connections`; ids in no order. */
export function worksOf(ids: readonly string[]): Work[] {
  const each = (path: string, some: readonly string[]) => inTurn(some.map(id => getRequest(path + id)))
  const hot = ids.slice(0, hotIds)
  return [
    { name: `WEM, ${hot.length} hot ids`, next: each('/entities/wem/', hot) },
    { name: `WEM, ${ids.length} cold ids`, next: each('/entities/wem/', ids) },
    { name: `get, ${hot.length} hot ids`, next: each('/entities/', hot) },
    { name: `get, ${ids.length} cold ids`, next: each('/entities/', ids) },
    { name: 'create a record', next: newRecord }
  ]
}

let made = 0
export const newRecord = () => {
  made++
  return postRequest('/entities', {
    type: 'person',
    metadata: [
      { key: 'name', value: `Writer ${made} of ${process.pid}` },
      { key: 'life_dates', value: `19${10 + (made % 80)}-` }
    ]
  })
}

/** The same records through `libretto import`, into an empty database of each kind, in turns. */
async function compareImports(serverUrl: string, scratch: string, options: RunOptions) {
  const records = join(scratch, 'records.ndjson')
  const count = await writeRecords(records, Math.max(1000, options.manifestations / 10))
  const speeds: { sqlite: number; postgres: number }[] = []
  for (let round = 0; round < Math.min(2, options.rounds); round++) {
    const file = join(scratch, `import-${round}.db`)
    const url = await createDatabase(serverUrl, `import_${round}`)
    const onSqlite = await timed(() => runLibretto(['import', records, '--create-database'], file))
    const onPostgres = await timed(() => runLibretto(['import', records], url))
    speeds.push({ sqlite: count / onSqlite, postgres: count / onPostgres })
  }
  const [sqlite, onPostgres] = [median(speeds.map(each => each.sqlite)), median(speeds.map(each => each.postgres))]
  console.log(`\`libretto import\` of ${count} records into an empty database`)
  printTable(
    ['database', 'records/s', 'share of SQLite'],
    [
      ['SQLite', sqlite.toFixed(0), ''],
      ['PostgreSQL', onPostgres.toFixed(0), percent(median(speeds.map(each => each.postgres / each.sqlite)))]
    ]
  )
}

async function writeRecords(file: string, size: number): Promise<number> {
  const output = createWriteStream(file)
  let count = 0
  for (const { id, type, metadata, relations } of generateCatalogue({ manifestations: size, seed: 7 })) {
    output.write(`${JSON.stringify({ id, type, metadata, relations })}\n`)
    count++
  }
  output.end()
  await once(output, 'finish')
  return count
}

/** Each kind of request on each database, one server asleep while the other is asked. */
async function compareRequests(file: string, url: string, ids: readonly string[], options: RunOptions) {
  await using sqlite = await startLibretto(file)
  await using strict = await startLibretto(url, keys)
  await using lax = await startLibretto(url, { ...keys, STALENESS: '100' })
  const servers = [
    { name: 'SQLite', server: sqlite },
    { name: 'PostgreSQL', server: strict },
    { name: 'PostgreSQL, STALENESS=100', server: lax }
  ]
  for (const { server } of servers) server.pause()
  const rows: string[][] = []
  for (const { name, next } of worksOf(ids)) {
    const measured = servers.map((): Measured[] => [])
    for (let round = -1; round < options.rounds; round++) {
      for (const [place, { server }] of servers.entries()) {
        server.resume()
        const seconds = round === -1 ? 3 : options.seconds
        const result = await measure({ port: server.port, connections, seconds, next })
        server.pause()
        if (round >= 0) measured[place]?.push(result)
      }
    }
    const [base = []] = measured
    servers.forEach((each, place) => {
      const own = measured[place] ?? []
      const shares = own.map((result, round) => result.perSecond / (base[round]?.perSecond ?? Number.NaN))
      rows.push([name, each.name, ...figures(own), place === 0 ? '' : percent(median(shares))])
    })
  }
  console.log(`${connections} connections; share is of the throughput on SQLite`)
  printTable(['request', 'database', 'requests/s', 'p50 ms', 'p99 ms', 'share of SQLite'], rows)
}

/**
 * Each question on each database: when its count is known from before, and when something was
 * written since.
 */
async function compareQuestions(
  file: string,
  url: string,
  samples: ReturnType<typeof findSamples>,
  { seconds }: RunOptions
) {
  await using sqlite = await startLibretto(file)
  await using onPostgres = await startLibretto(url, keys)
  const servers = [sqlite, onPostgres]
  const cursor = await findDeepCursor(sqlite)
  const byTitle = 'order_by=title'
  const further: AskedQuestion[] = [
    { name: 'page 2000 by cursor', filters: [manifestations], query: `cursor=${cursor}` },
    { name: 'everything, newest first', filters: [], query: 'asc=0' },
    { name: 'a type, by title downwards', filters: [manifestations], query: `${byTitle}&asc=0` },
    { name: 'a type, by change downwards', filters: [manifestations], query: 'order_by=date_updated&asc=0' },
    { name: 'a type, by year and title', filters: [manifestations], query: 'order_by=year_of_publication,title' }
  ]
  const rows: string[][] = []
  for (const { name, filters, query = '' } of [...questionsAbout(samples), ...further]) {
    const request = postRequest(`/entities/filter?${query}`, filters)
    const known: number[] = []
    const anew: number[] = []
    let count = 0
    for (const { port } of servers) {
      count = (await askOnce(port, request)).count
      await measure({ port, connections: askers, seconds: 0.3, next: () => request })
      known.push((await measure({ port, connections: askers, seconds: seconds / 4, next: () => request })).p50)
      anew.push(await timeAfterWrites(port, request))
    }
    const ratio = ([one = Number.NaN, other = Number.NaN]: readonly number[]) => (other / one).toPrecision(2)
    const times = (of: readonly number[]) => [...of.map(each => each.toFixed(1)), ratio(of)]
    rows.push([name, String(count), ...times(known), ...times(anew)])
  }
  console.log(
    `p50 in ms of ${askers} connections when nothing is written (a count is remembered), and of one when each is asked after a write`
  )
  printTable(
    ['question', 'matches', 'SQLite', 'PostgreSQL', 'ratio', 'SQLite anew', 'PostgreSQL anew', 'ratio anew'],
    rows
  )
}

async function timeAfterWrites(port: number, request: Buffer): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    await askOnce(port, newRecord())
    const { p50 } = await measure({ port, connections: 1, seconds: 1, next: () => request, goOn: () => false })
    times.push(p50)
  }
  return median(times)
}

interface Grown {
  readonly perSecond: number
  /** Processor time for one request, in microseconds. */
  readonly service: number
  readonly database: number
}

/**
 * The same requests to one, two and four processes on one PostgreSQL. Where the machine has no core
 * left for another process, the processor time of a request tells what there would be to gain: as
 * long as it stays the same, another core brings as much as the first.
 */
async function measureGrowth(url: string, postgresPid: number, ids: readonly string[], options: RunOptions) {
  const works = worksOf(ids)
  const results = works.map(() => processCounts.map((): Grown[] => []))
  for (let round = 0; round < Math.ceil(options.rounds / 2); round++) {
    for (const [place, workers] of processCounts.entries()) {
      await using service = await startLibretto(url, keys, { workers })
      const { port, pid } = service
      for (const [row, { next }] of works.entries()) {
        // Each process has a cache of its own to fill.
        await measure({ port, connections: 32, seconds: 1 + workers, next })
        const before = [processorOfFamily(pid), processorOfFamily(postgresPid)] as const
        const { requests, perSecond } = await measure({ port, connections: 32, seconds: options.seconds, next })
        results[row]?.[place]?.push({
          perSecond,
          service: (processorSince(pid, before[0]) * 1000) / requests,
          database: (processorSince(postgresPid, before[1]) * 1000) / requests
        })
      }
    }
  }
  const medians = (row: number, of: keyof Grown) => (results[row] ?? []).map(each => median(each.map(one => one[of])))
  const whole = (numbers: readonly number[]) => numbers.map(each => each.toFixed(0))
  const rows = works.map(({ name }, row) => {
    const speeds = medians(row, 'perSecond')
    const [one = Number.NaN] = speeds
    return [
      name,
      ...whole(speeds),
      ...speeds.slice(1).map(each => (each / one).toFixed(2)),
      whole(medians(row, 'service')).join(', '),
      whole(medians(row, 'database')).join(', ')
    ]
  })
  console.log(
    `\`serve --workers\` ${processCounts.join(', ')}: requests/s over 32 connections, as many times those of one process, and processor time of a request`
  )
  printTable(
    [
      'request',
      ...processCounts.map(count => `${count} process${count === 1 ? '' : 'es'}`),
      ...processCounts.slice(1).map(count => `${count} : 1`),
      'service µs/request',
      'PostgreSQL µs/request'
    ],
    rows
  )
}

const figures = (measured: readonly Measured[]) => [
  median(measured.map(each => each.perSecond)).toFixed(0),
  median(measured.map(each => each.p50)).toFixed(2),
  median(measured.map(each => each.p99)).toFixed(2)
]

const percent = (share: number) => `${Math.round(share * 100)} %`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(`CREATE DATABASE ${name}`)
  await sql.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export function shuffled(list: readonly string[]): string[] {
  const chance = createChance(1)
  const keyed = list.map(each => [chance.below(1_000_000_000), each] as const)
  return keyed.sort(([one], [other]) => one - other).map(([, each]) => each)
}

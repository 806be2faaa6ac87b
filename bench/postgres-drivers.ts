import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import pg from 'pg'
import postgres from 'postgres'

import { startPostgresServer } from '../test/support/databases/postgres-server.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/*
 * `pg` beside `postgres` on statements like those of the store: what they cost, and how they take a
 * server that goes away. Decision 0007 tells what followed from it.
 */

const records = 10_000
const clients = 32
const poolSize = 10
const document = JSON.stringify({ title: 'x'.repeat(1900), list: Array.from({ length: 10 }, (_, n) => n) })

/** One driver, with a pool of connections and every statement prepared once on each. */
interface Driver {
  readonly name: string
  /** A statement by itself. */
  read(statement: Statement, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /**
   * Statements one after the other in a transaction, each sent when the one before was answered.
   */
  stepByStep(statements: readonly (readonly [Statement, readonly unknown[]])[]): Promise<unknown>
  /** The same statements, sent at once. */
  atOnce(statements: readonly (readonly [Statement, readonly unknown[]])[]): Promise<unknown>
  end(): Promise<void>
}

interface Statement {
  readonly name: string
  readonly text: string
}

const statements = {
  one: { name: 'one', text: 'SELECT document FROM entities WHERE id = $1' },
  many: { name: 'many', text: 'SELECT id, document FROM entities WHERE id = ANY($1::text[])' },
  lock: { name: 'lock', text: 'SELECT pg_advisory_xact_lock($1::bigint)' },
  unnest: {
    name: 'unnest',
    text: 'INSERT INTO changes (id, kind) SELECT * FROM unnest($1::text[], $2::text[])'
  },
  recordset: {
    name: 'recordset',
    text: 'INSERT INTO relations (source, target) SELECT source, target FROM jsonb_to_recordset($1::text::jsonb) AS x(source text, target text)'
  }
} as const

export async function run({ rounds, seconds }: RunOptions) {
  tellPackages()
  const server = await startPostgresServer({ settings: { shared_buffers: '256MB' } })
  try {
    await fill(server.url)
    await compare(server.url, rounds, seconds)
  } finally {
    await server.stop()
  }
  await tellFaults()
}

/** The packages that each driver brings, counted in the lock file. */
function tellPackages() {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: object; optionalDependencies?: object }>
  }
  const closure = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[`node_modules/${name}`] ?? {}
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) closure(each, seen)
    return seen
  }
  printTable(
    ['driver', 'packages in all'],
    ['pg', 'postgres'].map(name => [name, String(closure(name).size)])
  )
}

async function fill(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`
    CREATE TABLE entities (id text COLLATE "C" PRIMARY KEY, document text NOT NULL);
    CREATE TABLE changes (sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL, kind text NOT NULL);
    CREATE TABLE relations (pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source text NOT NULL, target text NOT NULL);
    CREATE TABLE marks (mark text PRIMARY KEY)`)
  await sql`INSERT INTO entities SELECT 'VE-' || n, ${document} FROM generate_series(0, ${records - 1}) AS n`
  await sql.unsafe('VACUUM ANALYZE entities')
  await sql.end()
}

const anId = () => `VE-${Math.floor(Math.random() * records)}`
const ids = (count: number) => Array.from({ length: count }, anId)

/** The transaction of a write: wait for the turn, five rows by one statement, five by another. */
const aWrite = () => {
  const five = ids(5)
  return [
    [statements.lock, [7]],
    [statements.unnest, [five, five.map(() => 'entity.updated')]],
    [statements.recordset, [JSON.stringify(five.map(id => ({ source: id, target: anId() })))]]
  ] as const
}

const workloads: Readonly<Record<string, { readonly clients: number; work(driver: Driver): Promise<unknown> }>> = {
  'one by id, 1 client': { clients: 1, work: driver => driver.read(statements.one, [anId()]) },
  [`one by id, ${clients} clients`]: { clients, work: driver => driver.read(statements.one, [anId()]) },
  [`12 by id, ${clients} clients`]: { clients, work: driver => driver.read(statements.many, [ids(12)]) },
  'write, step by step, 1 client': { clients: 1, work: driver => driver.stepByStep(aWrite()) },
  'write, sent at once, 1 client': { clients: 1, work: driver => driver.atOnce(aWrite()) },
  [`write, step by step, ${clients} clients`]: { clients, work: driver => driver.stepByStep(aWrite()) },
  [`write, sent at once, ${clients} clients`]: { clients, work: driver => driver.atOnce(aWrite()) }
}

async function compare(url: string, rounds: number, seconds: number) {
  const rows: string[][] = []
  const drivers = [
    openPg(url, false),
    openPg(url, true),
    openPostgres(url),
    openLinks('pg, pipeline: true, a pool of ours', () => linkOfPg(url)),
    openLinks('postgres, a pool of ours', () => linkOfPostgres(url))
  ]
  for (const [what, workload] of Object.entries(workloads)) {
    const measured = new Map(drivers.map(driver => [driver.name, [] as Measured[]]))
    for (const driver of drivers) await measure(driver, workload, 0.3)
    for (let round = 0; round < rounds; round++)
      for (const driver of drivers) measured.get(driver.name)?.push(await measure(driver, workload, seconds))
    const base = median((measured.get('pg') ?? []).map(each => each.rate))
    for (const [name, each] of measured) {
      const rate = median(each.map(({ rate }) => rate))
      rows.push([
        what,
        name,
        rate.toFixed(0),
        median(each.map(({ microseconds }) => microseconds)).toFixed(0),
        median(each.map(({ p99 }) => p99)).toFixed(2),
        (rate / base).toFixed(2)
      ])
    }
  }
  for (const driver of drivers) await driver.end()
  printTable(['statement', 'driver', 'per second', 'our µs of CPU each', 'p99 ms', 'times pg'], rows)
}

interface Measured {
  readonly rate: number
  /** Processor time of this process for one of them. */
  readonly microseconds: number
  readonly p99: number
}

async function measure(
  driver: Driver,
  { clients, work }: (typeof workloads)[string],
  seconds: number
): Promise<Measured> {
  const times: number[] = []
  const cpu = process.cpuUsage()
  const started = performance.now()
  const end = started + seconds * 1000
  const client = async () => {
    for (let now = performance.now(); now < end; ) {
      await work(driver)
      const then = performance.now()
      times.push(then - now)
      now = then
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const elapsed = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  times.sort((one, other) => one - other)
  return {
    rate: (times.length / elapsed) * 1000,
    microseconds: (user + system) / times.length,
    p99: times[Math.floor(times.length * 0.99)] ?? 0
  }
}

function openPg(url: string, pipeline: boolean): Driver {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, pipeline })
  pool.on('error', () => {})
  const inTransaction = async (work: (client: pg.PoolClient) => Promise<unknown>) => {
    const client = await pool.connect()
    await work(client)
    client.release()
  }
  return {
    name: pipeline ? 'pg, pipeline: true' : 'pg',
    read: async (statement, values) => (await pool.query({ ...statement, values })).rows,
    stepByStep: all =>
      inTransaction(async client => {
        await client.query('BEGIN')
        for (const [statement, values] of all) await client.query({ ...statement, values })
        await client.query('COMMIT')
      }),
    // Without `pipeline` it takes them all and still sends one after the other.
    atOnce: all =>
      inTransaction(client =>
        Promise.all([
          client.query('BEGIN'),
          ...all.map(([statement, values]) => client.query({ ...statement, values })),
          client.query('COMMIT')
        ])
      ),
    end: () => pool.end()
  }
}

const prepared = { prepare: true, simple: false } as object

function openPostgres(url: string): Driver {
  const sql = postgres(url, { max: poolSize, fetch_types: false, onnotice: () => {} })
  return {
    name: 'postgres',
    read: async ({ text }, values) => sql.unsafe(text, encode(values), prepared),
    stepByStep: async all => {
      await sql.begin(async transaction => {
        for (const [{ text }, values] of all) await transaction.unsafe(text, encode(values), prepared)
      })
    },
    atOnce: async all => {
      const reserved = await sql.reserve()
      await sendAtOnce(reserved, all)
      reserved.release()
    },
    end: () => sql.end()
  }
}

/** One connection, on which what is sent meanwhile follows at once. */
interface Link {
  send(statement: Statement, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  end(): Promise<void>
}

const toBegin = { name: 'begin', text: 'BEGIN' }
const toCommit = { name: 'commit', text: 'COMMIT' }

/**
 * As the store uses a driver: it has one connection, and who gets which is decided outside of it.
 * Reads share them; a write has one for itself.
 */
function openLinks(name: string, open: () => Promise<Link>): Driver {
  const links = Promise.all(Array.from({ length: poolSize }, async () => ({ link: await open(), waiting: 0 })))
  const idle = links.then(all => all.map(({ link }) => link))
  const queue: ((link: Link) => void)[] = []
  const lease = async (work: (link: Link) => Promise<unknown>) => {
    const link = (await idle).pop() ?? (await new Promise<Link>(give => queue.push(give)))
    await work(link)
    const next = queue.shift()
    if (next) next(link)
    else (await idle).push(link)
  }
  return {
    name,
    read: async (statement, values) => {
      const place = (await links).reduce((best, each) => (each.waiting < best.waiting ? each : best))
      place.waiting++
      const rows = await place.link.send(statement, values)
      place.waiting--
      return rows
    },
    stepByStep: all =>
      lease(async link => {
        await link.send(toBegin, [])
        for (const [statement, values] of all) await link.send(statement, values)
        await link.send(toCommit, [])
      }),
    atOnce: all =>
      lease(link =>
        Promise.all([
          link.send(toBegin, []),
          ...all.map(([statement, values]) => link.send(statement, values)),
          link.send(toCommit, [])
        ])
      ),
    end: async () => {
      for (const { link } of await links) await link.end()
    }
  }
}

async function linkOfPg(url: string): Promise<Link> {
  const client = new pg.Client({ connectionString: url, pipeline: true })
  await client.connect()
  return {
    send: async (statement, values) => (await client.query({ ...statement, values })).rows,
    end: () => client.end()
  }
}

async function linkOfPostgres(url: string): Promise<Link> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  return {
    send: ({ text }, values) => sql.unsafe(text, encode(values), prepared),
    end: () => sql.end()
  }
}

const sendAtOnce = (
  sql: Pick<postgres.Sql, 'unsafe'>,
  all: readonly (readonly [Statement, readonly unknown[]])[]
): Promise<unknown> =>
  Promise.all([
    sql.unsafe('BEGIN', [], prepared),
    ...all.map(([{ text }, values]) => sql.unsafe(text, encode(values), prepared)),
    sql.unsafe('COMMIT', [], prepared)
  ])

/**
 * `postgres` writes lists only where it has read the server's types, which costs a question for
 * each connection; a text crosses as it is.
 */
const encode = (values: readonly unknown[]): (string | number)[] =>
  values.map(value =>
    Array.isArray(value) ? `{${value.map(each => JSON.stringify(String(each))).join(',')}}` : (value as string | number)
  )

// Faults of the server

/**
 * Runs something, and gives in words what became of it, and after how long. Gives up after
 * `longest` milliseconds.
 */
async function outcome(work: () => Promise<unknown>, longest = 8000): Promise<string> {
  const started = performance.now()
  const told = await Promise.race([
    work().then(
      () => 'answered',
      error => `${error.code ?? ''} ${String(error.message).split('\n')[0]}`.trim()
    ),
    delay(longest, 'nothing', { ref: false })
  ])
  return `${told}, ${((performance.now() - started) / 1000).toFixed(2)} s`
}

/** Opens a pool of `postgres` on sockets of our own. */
function openOwned(url: string) {
  const sockets: Socket[] = []
  const { hostname, port } = new URL(url)
  const owned = postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: 2,
    socket: () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = createConnection({ host: hostname, port: Number(port) })
        sockets.push(socket)
        socket.once('connect', () => resolve(socket)).once('error', reject)
      })
  } as object)
  return { sockets, owned }
}

async function tellFaults() {
  const rows: string[][] = []
  const server = await startPostgresServer()
  const { url } = server
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await fill(url)
  const cutAll = () =>
    admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`
  const sleep = 'SELECT pg_sleep(5)'
  const tell = async (
    what: string,
    withPg: () => Promise<unknown>,
    withPostgres: () => Promise<unknown>,
    longest?: number
  ) => {
    rows.push([what, await outcome(withPg, longest), await outcome(withPostgres, longest)])
  }

  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 2000 })
  pool.on('error', () => {})
  const sql = postgres(url, { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => {} })
  const ask = [() => pool.query('SELECT 1'), () => sql.unsafe('SELECT 1')] as const
  await ask[0]()
  await ask[1]()

  const cut = async (work: () => Promise<unknown>) => {
    const asked = work()
    asked.catch(() => {})
    await delay(300)
    await cutAll()
    return asked
  }
  await tell(
    'connection cut in a statement',
    () => cut(() => pool.query(sleep)),
    () => cut(() => sql.unsafe(sleep))
  )
  await tell('the next statement', ...ask)

  server.process.freeze()
  const frozen = [outcome(() => pool.query('SELECT 1')), outcome(() => sql.unsafe('SELECT 1'))]
  rows.push(['server frozen, statement on an open connection', ...(await Promise.all(frozen))])
  await tell(
    'server frozen, new connection (limit 2 s)',
    () => new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 2000 }).query('SELECT 1'),
    () => postgres(url, { max: 1, connect_timeout: 2, fetch_types: false }).unsafe('SELECT 1')
  )
  server.process.thaw()
  await delay(500)

  // How one bounds it.
  const bounded = new pg.Pool({ connectionString: url, max: 1, query_timeout: 1000 })
  bounded.on('error', () => {})
  await bounded.query('SELECT 1')
  const cancelled = postgres(url, { max: 1, fetch_types: false })
  await cancelled`SELECT 1`
  const { sockets, owned } = openOwned(url)
  await owned`SELECT 1`
  server.process.freeze()
  await tell(
    'frozen: query_timeout 1 s; query.cancel() after 1 s',
    () => bounded.query('SELECT 1'),
    async () => {
      const query = cancelled`SELECT 1`
      const timer = setTimeout(() => query.cancel(), 1000)
      await query.finally(() => clearTimeout(timer))
    },
    4000
  )
  await tell(
    'frozen: a new connection, 1 s at most after 1 s; socket of ours destroyed after 1 s',
    async () => {
      const single = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 1000 })
      single.on('error', () => {})
      const client = await single.connect()
      await client.query('SELECT 1')
    },
    async () => {
      setTimeout(() => sockets.at(-1)?.destroy(), 1000)
      await owned`SELECT 1`
    },
    4000
  )
  const afterwards = [outcome(() => bounded.query('SELECT 1')), outcome(() => owned`SELECT 1`)]
  await delay(500)
  server.process.thaw()
  rows.push(['frozen for another 0.5 s: the statement after that', ...(await Promise.all(afterwards))])

  // A statement whose connection goes in the moment it is asked.
  const doomed = async () => {
    const asked = owned`SELECT 1`
    asked.catch(() => {})
    await null
    sockets.at(-1)?.destroy()
    return asked
  }
  rows.push(['connection of ours destroyed in the moment of asking', 'not tried', await outcome(doomed)])
  rows.push(['the next statement of that pool', 'not tried', await outcome(() => owned`SELECT 1`)])

  printTable(['what', 'pg', 'postgres'], rows)
  await Promise.race([
    Promise.all([
      pool.end(),
      bounded.end(),
      sql.end({ timeout: 0 }),
      owned.end({ timeout: 0 }),
      cancelled.end({ timeout: 0 })
    ]),
    delay(1000)
  ])
  await admin.end({ timeout: 0 })
  await server.stop()
}

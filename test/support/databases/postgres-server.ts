import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import postgres from 'postgres'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import { createCertificate } from '../services/certificate.ts'
import { whyNoPostgres } from './postgres-binaries.ts'
import {
  give,
  initialise,
  makePostgresHome,
  type PostgresProcess,
  startPostgres,
  superuser
} from './postgres-process.ts'
import type { Teardown } from '../services/start.ts'

/*
 * A real PostgreSQL for tests: the one that TEST_DATABASE_URL names, as a user who may create
 * databases, else one of our own. test/run.ts starts one for a whole run and names it there; a test
 * file that is run by itself starts its own with the first database.
 */

export interface PostgresServer {
  /** Of its maintenance database, as a superuser. */
  readonly url: string
  readonly process: PostgresProcess
  /** Everything it wrote. */
  readonly folder: string
  /** Ends it and removes its data. Where nobody calls this, the end of the process does. */
  stop(): Promise<void>
}

export interface ServerOptions {
  /**
   * Waits for the disk, as in earnest. Without it a test is quicker, and a server that is killed
   * may lose what it said it had.
   */
  readonly durable?: boolean
  /** Also speaks TLS, with a certificate that only vouches for itself. */
  readonly tls?: boolean
  readonly settings?: Readonly<Record<string, string | number>>
}

/** Why tests on PostgreSQL cannot run here, for `{ skip: whyNoServer() }`: false where they can. */
export const whyNoServer = (): string | false => (process.env.TEST_DATABASE_URL ? false : (whyNoPostgres() ?? false))

const quick = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '128MB'
}

/** Starts a server with an empty cluster in a temporary folder. */
export async function startPostgresServer({
  durable = false,
  tls = false,
  settings = {}
}: ServerOptions = {}): Promise<PostgresServer> {
  const home = makePostgresHome({ quick: !durable })
  const data = join(home.folder, 'data')
  await initialise(home, data)
  if (tls) {
    const { certificate, key } = createCertificate()
    for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
      writeFileSync(join(data, name), text, { mode: 0o600 })
      give(join(data, name), home.binaries.owner)
    }
  }
  const server = await startPostgres(home, data, {
    max_connections: 300,
    shared_buffers: '128MB',
    ...(durable ? {} : quick),
    ssl: tls ? 'on' : 'off',
    ...settings
  })
  return {
    url: `postgres://${superuser}:${home.password}@127.0.0.1:${server.port}/postgres`,
    process: server,
    folder: home.folder,
    stop: () => home.remove()
  }
}

let ownServer: Promise<PostgresServer> | undefined

/** The URL of the server that the tests of this process share. */
export async function serverUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  ownServer ??= startPostgresServer()
  return (await ownServer).url
}

export interface TestDatabase {
  readonly url: string
  /** Ends all open connections. */
  drop(): Promise<void>
}

/** Creates an empty database that is gone when the test is over, and gives its URL. */
export async function createDatabase(t: Teardown): Promise<string> {
  const { url, drop } = await newDatabase()
  t.after(drop)
  return url
}

/**
 * Creates an empty database, which the caller drops at a time of its own: `after` runs in the order
 * of its calls. With a template it is a copy of that database.
 */
export async function newDatabase(template = 'template0'): Promise<TestDatabase> {
  const server = await serverUrl()
  const name = `libretto_test_${randomBytes(8).toString('hex')}`
  // Copying the files takes 12 ms; the other way, through the log, 49 ms. Both measured in memory.
  await run(
    server,
    `CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'nl' STRATEGY file_copy`
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/**
 * Creates a database like `newDatabase`, with all tables in it where test/run.ts has prepared a
 * template: to create those takes four times as long as to copy them.
 */
export async function newPreparedDatabase(): Promise<TestDatabase> {
  const template = process.env.TEST_DATABASE_TEMPLATE
  const database = await newDatabase(template)
  // Two catalogues never have the same epoch.
  if (template)
    await run(database.url, `UPDATE properties SET value = left(md5(random()::text), 16) WHERE name = 'epoch'`)
  return database
}

/** Creates a database with all tables in it and nobody connected, and gives its name. */
export async function createTemplate(): Promise<string> {
  const { url } = await newDatabase()
  await using _ = await openStore(url, createModel(builtInRecordTypes))
  return new URL(url).pathname.slice(1)
}

/**
 * Runs a statement on a connection of its own. One that stayed open would keep the process of a
 * test alive.
 */
async function run(url: string, statement: string) {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connect_timeout: 120 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

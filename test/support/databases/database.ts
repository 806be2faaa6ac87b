import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import postgres from 'postgres'

import '../services/built-threads.ts'
import { newPreparedDatabase, type TestDatabase } from './postgres-server.ts'
import { quickFolder, type Teardown } from '../machines/temporary-folder.ts'

/*
 * The database that tests run on: SQLite, or PostgreSQL where TEST_STORE=postgres. A test that does
 * not say which is run on both.
 */

export const testStore = readTestStore(process.env.TEST_STORE)

/** An empty database of the store under test. It is gone when the test is over. Gives its URL. */
export async function createTestDatabase(t: Teardown): Promise<string> {
  const { url, drop } = await newTestDatabase()
  t.after(drop)
  return url
}

/**
 * Creates an empty database of the store under test; the caller drops it. SQLite waits for the disk
 * at each commit, and in memory that is no wait.
 */
export async function newTestDatabase(): Promise<TestDatabase> {
  if (testStore === 'postgres') return newPreparedDatabase()
  const folder = mkdtempSync(join(quickFolder(), 'libretto-test-'))
  return {
    url: `sqlite:${join(folder, 'catalogue.db')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a statement beside the service, with values for `$1`, `$2` …, and gives its rows. Whole
 * numbers come as texts: not every one is a number here.
 */
export async function runStatement(
  databaseUrl: string,
  statement: string,
  ...values: (string | number)[]
): Promise<Record<string, unknown>[]> {
  if (databaseUrl.startsWith('sqlite:')) {
    using db = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 5000 })
    const prepared = db.prepare(statement.replace(/\$(?=\d)/g, '?'))
    prepared.setReadBigInts(true)
    const plain = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)
    return prepared
      .all(...values)
      .map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
  }
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(statement, values))]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Everything that a database holds, its schema included: the rows of each table as lines of JSON.
 */
export async function readTables(databaseUrl: string): Promise<Record<string, string[]>> {
  const { schema, tables } = databaseUrl.startsWith('sqlite:') ? catalogues.sqlite : catalogues.postgres
  const names = (await runStatement(databaseUrl, tables)).map(({ name }) => String(name))
  const lines = async (statement: string) =>
    (await runStatement(databaseUrl, statement)).map(row =>
      JSON.stringify(row, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
      )
    )
  const read: Record<string, string[]> = { 'the schema': await lines(schema) }
  for (const name of names) read[name] = await lines(`SELECT * FROM "${name}"`)
  return read
}

const catalogues = {
  sqlite: {
    schema: 'SELECT * FROM sqlite_master',
    tables: "SELECT name FROM sqlite_master WHERE type = 'table'"
  },
  postgres: {
    schema:
      'SELECT relname, relkind, attname, atttypid::text, attnum FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid',
    tables:
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
  }
}

function readTestStore(named = 'sqlite'): 'sqlite' | 'postgres' {
  if (named !== 'sqlite' && named !== 'postgres')
    throw new Error(`TEST_STORE must be sqlite or postgres, got "${named}"`)
  return named
}

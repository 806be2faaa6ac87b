import { DatabaseSync, constants, type StatementSync } from 'node:sqlite'

import { runSteps, type Steps } from '../administration/steps.ts'
import type { Row } from '../query/dialect.ts'
import type { Sql } from '../query/sql.ts'

/**
 * The first version of SQLite without the bug that loses pages at a reset of the write-ahead log.
 */
const minSqlite = [3, 51, 3] as const

/**
 * Opens the connection that writes.
 *
 * `synchronous = FULL` because an acknowledged write must survive a power cut: with NORMAL most
 * simulated cuts lose some. The cost is paid once for a group of writes (writer-worker.ts).
 */
export function openWriting(path: string, logMegabytes = 16): DatabaseSync {
  refuseOldSqlite()
  const db = new DatabaseSync(path, { timeout: 250 })
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA wal_autocheckpoint = ${logMegabytes * 250};
    PRAGMA journal_size_limit = 16777216;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = MEMORY;
  `)
  return db
}

/**
 * Prepares a statement for `run`. Each run also returns the last row id, and the full-text index
 * leaves ids that are too large for a number (2^53 and more, after it deletes): as numbers they
 * would make the run throw.
 */
export function prepareWriting(db: DatabaseSync, text: string): StatementSync {
  const statement = db.prepare(text)
  statement.setReadBigInts(true)
  return statement
}

/** Runs statements that are prepared at their first use: few texts, which are repeated. */
export function cacheStatements(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>()
  return ({ text, parameters }: Sql): Row[] => {
    const statement = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, statement)
    return statement.all(...parameters)
  }
}

/** Runs work in one transaction, which waits for other writers first. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Runs the steps in one transaction. */
export const transact = <T>(db: DatabaseSync, steps: Steps<T>): T =>
  inTransaction(db, () => runSteps(steps, ({ text, parameters }) => db.prepare(text).all(...parameters)))

/** Opens a connection that can only read, whatever statement it gets. */
export function openReading(path: string, cacheMegabytes = 32): DatabaseSync {
  const db = new DatabaseSync(path, {
    readOnly: true,
    timeout: 1000,
    limits: { attach: 0, exprDepth: 500, compoundSelect: 100, likePatternLength: 32_768 }
  })
  db.exec(
    `PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${cacheMegabytes * 1024}; PRAGMA temp_store = MEMORY;`
  )
  db.setAuthorizer(action => (readingActions.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY))
  return db
}

const readingActions = new Set<number>([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_PRAGMA,
  constants.SQLITE_TRANSACTION
])

function refuseOldSqlite() {
  const version = process.versions.sqlite ?? '0'
  const parts = version.split('.').map(Number)
  for (const [index, minPart] of minSqlite.entries()) {
    const part = parts[index] ?? 0
    if (part > minPart) return
    if (part < minPart)
      throw new Error(`SQLite ${version} can lose data; version ${minSqlite.join('.')} or newer is required`)
  }
}

import { DatabaseSync } from 'node:sqlite'

import type { Model } from '#domain/record-types/model.ts'
import type { CheckOptions, DatabaseState } from '../ports/administration.ts'
import { type CheckedDatabase, checkRows, checkSchema, lastChange, type StateKey, textOr } from '../query/check.ts'
import { Findings, restoreAdvice } from '../query/findings.ts'
import { schemaVersion } from '../tables.ts'
import { cacheStatements } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { expectedIndexes } from './migrations.ts'

/** The last number of a table that was given, and the last that a row has. */
const numbersOf = (table: string, used: string) =>
  `SELECT '${table}' AS name, (SELECT seq FROM sqlite_sequence WHERE name = '${table}') AS given, (${used}) AS used`

const numbers = [
  numbersOf('entities', 'SELECT max(pk) FROM (SELECT pk FROM entities UNION ALL SELECT entity_pk FROM versions)'),
  numbersOf('changes', 'SELECT max(sequence) FROM changes'),
  ...['merges', 'webhooks', 'deliveries', 'acts'].map(table => numbersOf(table, `SELECT max(number) FROM ${table}`))
].join(' UNION ALL ')

export const database: CheckedDatabase = {
  columns: `SELECT m.name AS table_name, c.name AS column_name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table'`,
  indexes: `SELECT name FROM sqlite_schema WHERE type = 'index'`,
  expectedIndexes,
  furtherTables: [],
  numbers,
  rowChecks: [
    {
      kind: 'missing acts',
      // Acts are never deleted.
      select: () => `SELECT given, n FROM (SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'acts') AS given,
        (SELECT count(*) FROM acts) AS n) counted WHERE n < given`,
      say: ({ given, n }) => `${Number(given) - Number(n)} administrative acts are missing in the log`,
      advice: restoreAdvice
    }
  ]
}

/**
 * Tables and columns that are gone from a file with the present schema. Opening a store tells of a
 * file that cannot be read.
 */
export async function findMissingTables(path: string): Promise<readonly string[]> {
  const findings = new Findings()
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    if (Number(db.prepare('PRAGMA user_version').get()?.user_version) !== schemaVersion) return []
    return (await checkSchema({ run: cacheStatements(db) }, database, findings)) ? [] : findings.report.problems
  } catch {
    return []
  }
}

/** Describes a file without changing it. Throws where it cannot be read. */
export function describeDatabase(path: string, entry: StateKey): DatabaseState {
  using db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  const value = (text: string, ...parameters: string[]) => db.prepare(text).get(...parameters)?.value
  const engine = `SQLite ${value('SELECT sqlite_version() AS value')}`
  const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version) || undefined
  const state = { engine, schema, records: 0, lastChange: undefined, now: Date.now(), entry: undefined }
  if (schema === undefined) return state
  return {
    ...state,
    records: Number(value('SELECT count(*) AS value FROM entities')),
    lastChange: textOr(value(lastChange)),
    entry: textOr(value('SELECT value FROM papers WHERE kind = ? AND key = ?', entry.kind, entry.key))
  }
}

/** Looks for damage of the file, and for rows that contradict each other. */
export async function checkDatabase(db: DatabaseSync, model: Model, options: CheckOptions, snapshot: string) {
  const findings = new Findings()
  try {
    db.exec('BEGIN')
    for (const { integrity_check } of db.prepare('PRAGMA integrity_check').all())
      if (integrity_check !== 'ok')
        findings.add('file', `The file of the database is damaged: ${integrity_check}. ${restoreAdvice}`)
    const session = { dialect: sqliteDialect, model, run: cacheStatements(db) }
    await checkRows({ session, findings, options }, database, snapshot)
  } catch (error) {
    // A page that cannot be read ends the check; the problems found so far are still reported.
    if (!(error instanceof Error && 'errcode' in error)) throw error
    findings.add('file', `The file of the database is damaged: ${error.message}. ${restoreAdvice}`)
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
  return findings.report
}

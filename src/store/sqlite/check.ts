import type { DatabaseSync } from 'node:sqlite'

import type { Model } from '#domain/record-types/model.ts'
import type { IntegrityReport } from '../ports/administration.ts'
import { checkRows, Findings } from '../query/check.ts'
import { cacheStatements } from './connection.ts'
import { sqliteDialect } from './dialect.ts'

/** Looks for damage of the file, and for rows that do not match the documents. */
export async function checkDatabase(db: DatabaseSync, model: Model): Promise<IntegrityReport> {
  const findings = new Findings()
  try {
    db.exec('BEGIN')
    for (const { integrity_check } of db.prepare('PRAGMA integrity_check').all())
      if (integrity_check !== 'ok') findings.add(`The file is damaged: ${integrity_check}`)
    await checkRows({ dialect: sqliteDialect, model, run: cacheStatements(db) }, findings)
  } catch (error) {
    // A page that cannot be read ends the check; the problems found so far are still reported.
    if (!(error instanceof Error && 'errcode' in error)) throw error
    findings.add(`The file is damaged: ${error.message}`)
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
  return findings.report
}

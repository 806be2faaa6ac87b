import type { Model } from '#domain/record-types/model.ts'
import type { IntegrityReport } from '../ports/administration.ts'
import { checkRows, Findings } from '../query/check.ts'
import type { Sql } from '../query/sql.ts'
import type { Link } from './connection.ts'
import { postgresDialect } from './dialect.ts'

/**
 * Looks for rows that do not match the documents. The server itself reports damage of its
 * files.
 */
export async function checkDatabase(link: Link, model: Model): Promise<IntegrityReport> {
  const findings = new Findings()
  await link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    const run = ({ text, parameters }: Sql) => link.run(text, parameters)
    await checkRows({ dialect: postgresDialect, model, run }, findings)
  } finally {
    await link.run('ROLLBACK').catch(() => {})
  }
  return findings.report
}

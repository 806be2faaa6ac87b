import type { Model } from '#domain/record-types/model.ts'
import type { CheckOptions, DatabaseState, IntegrityReport } from '../ports/administration.ts'
import { type CheckedDatabase, checkRows, checkSchema, lastChange, type StateKey, textOr } from '../query/check.ts'
import { Findings, restoreAdvice } from '../query/findings.ts'
import type { Sql } from '../query/sql.ts'
import { columnsOf, schemaVersion, tableNames } from '../tables.ts'
import { beginSnapshot, type Link, openLink, readServers } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { expectedIndexes } from './migrations.ts'

/** The last number of a table that was given, and the last that a row has. */
const numbers = [
  `SELECT 'entities' AS name, (SELECT entity FROM counters) AS given, (SELECT max(pk) FROM (
    SELECT max(pk) AS pk FROM entities UNION ALL SELECT max(entity_pk) FROM versions WHERE document IS NULL) numbered) AS used`,
  `SELECT 'changes', (SELECT change FROM counters), (SELECT max(sequence) FROM changes)`,
  `SELECT 'merges', (SELECT merge FROM counters), (SELECT max(number) FROM merges)`,
  ...['webhooks', 'deliveries', 'acts'].map(
    table => `SELECT '${table}', (SELECT last_value FROM pg_sequences
      WHERE schemaname = current_schema() AND sequencename = '${table}_number_seq'), (SELECT max(number) FROM ${table})`
  )
].join(' UNION ALL ')

export const database: CheckedDatabase = {
  columns: `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()`,
  indexes: `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND i.indisvalid`,
  expectedIndexes: [
    ...expectedIndexes,
    ...tableNames.flatMap(table => [
      `${table}_pkey`,
      ...columnsOf(table).flatMap(({ name, constraint }) => (constraint === 'unique' ? [`${table}_${name}_key`] : []))
    ])
  ],
  furtherTables: ['counters', 'commit_markers', 'schema_version'],
  numbers,
  rowChecks: [
    {
      kind: 'counters',
      select: () => `SELECT n FROM (SELECT (SELECT count(*) FROM counters) AS n) counted WHERE n <> 1`,
      say: ({ n }) => `The table "counters" has ${n} rows, not one`,
      advice: restoreAdvice
    },
    {
      kind: 'the time of the last change',
      // Of a later change, where the last one was deleted on purpose.
      select: () => `SELECT c.at FROM counters c WHERE c.at < (SELECT max(at) FROM changes)`,
      say: ({ at }) => `The table "counters" has an earlier moment (${at}) than the last change`,
      advice: restoreAdvice
    }
  ]
}

/** Tables and columns that are gone from a database with the present schema. */
export async function findMissingTables(databaseUrl: string): Promise<readonly string[]> {
  const link = await openLink(readServers(databaseUrl, 'primary'))
  try {
    const [row] = await link.run(`SELECT to_regclass('schema_version')::text AS name`)
    const [schema] = row?.name == null ? [] : await link.run('SELECT version FROM schema_version')
    if (Number(schema?.version) !== schemaVersion) return []
    const findings = new Findings()
    const run = ({ text, parameters }: Sql) => link.run(text, parameters)
    return (await checkSchema({ run }, database, findings)) ? [] : findings.report.problems
  } finally {
    await link.close()
  }
}

/** Describes a database without changing it. Throws where it cannot be reached. */
export async function describeDatabase(databaseUrl: string, entry: StateKey): Promise<DatabaseState> {
  const link = await openLink(readServers(databaseUrl, 'primary'))
  try {
    const value = async (text: string, ...parameters: string[]) => (await link.run(text, parameters))[0]?.value
    const engine = `PostgreSQL ${await value(`SELECT current_setting('server_version') AS value`)}`
    const now = Number(await value('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::text AS value'))
    const hasSchema = textOr(await value(`SELECT to_regclass('schema_version')::text AS value`)) !== undefined
    const state = { engine, schema: undefined, records: 0, lastChange: undefined, now, entry: undefined }
    if (!hasSchema) return state
    return {
      ...state,
      schema: Number(await value('SELECT version AS value FROM schema_version')),
      records: Number(await value('SELECT count(*)::text AS value FROM entities')),
      lastChange: textOr(await value(lastChange)),
      entry: textOr(await value('SELECT value FROM papers WHERE kind = $1 AND key = $2', entry.kind, entry.key))
    }
  } finally {
    await link.close()
  }
}

/**
 * Looks for rows that contradict each other. The server itself reports damage of its files.
 */
export async function checkDatabase(
  link: Link,
  model: Model,
  options: CheckOptions,
  snapshot: string | undefined
): Promise<IntegrityReport> {
  const findings = new Findings()
  await link.run(beginSnapshot)
  try {
    const run = ({ text, parameters }: Sql) => link.run(text, parameters)
    await checkRows({ session: { dialect: postgresDialect, model, run }, findings, options }, database, snapshot)
  } finally {
    await link.run('ROLLBACK').catch(() => {})
  }
  return findings.report
}

import type { ReportStep } from '../ports/administration.ts'
import { indexNames, reportUpgrade, type SchemaDialect, schemaStatements, schemaVersion } from '../tables.ts'
import { delay } from './pool.ts'
import type { Link } from './connection.ts'

/** Every text is compared by its bytes, which is the order of SQLite. */
const text = 'text COLLATE "C"'

const dialect: SchemaDialect = {
  kinds: {
    text,
    whole: 'bigint',
    small: 'integer',
    number: 'bigint PRIMARY KEY',
    serial: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    moment: 'timestamptz'
  },
  optionsOf: () => '',
  others: [
    // One row with the last numbers. A writer locks it first, so writers follow each other and a
    // change is never committed after one with a higher number. A sequence would leave gaps and
    // ignore the order of commits.
    `CREATE TABLE IF NOT EXISTS counters (is_only boolean PRIMARY KEY DEFAULT TRUE CHECK (is_only),
      entity bigint NOT NULL DEFAULT 0, change bigint NOT NULL DEFAULT 0, merge bigint NOT NULL DEFAULT 0, at ${text}
    ) WITH (fillfactor = 10)`,
    'INSERT INTO counters DEFAULT VALUES ON CONFLICT DO NOTHING',
    // The last committed transaction of each process (commit-marker.ts). Its row gets a new version
    // with each one.
    `CREATE TABLE IF NOT EXISTS commit_markers (writer ${text} PRIMARY KEY, attempt bigint NOT NULL,
      at timestamptz NOT NULL) WITH (fillfactor = 10)`,
    `INSERT INTO properties VALUES ('epoch', substr(md5(random()::text || clock_timestamp()::text), 1, 16))
      ON CONFLICT DO NOTHING`
  ],
  indexes: [
    'entities_by_updated_at ON entities (updated_at, changed)',
    'versions_by_at ON versions (at, changed)',
    'changes_by_at ON changes (at, sequence)'
  ],
  changesSince: () => [
    `ALTER TABLE entities DROP COLUMN IF EXISTS folded_id, DROP COLUMN IF EXISTS folded_type,
      DROP COLUMN IF EXISTS folded_created_by, DROP COLUMN IF EXISTS folded_updated_by`,
    'ALTER TABLE identifiers DROP COLUMN IF EXISTS folded',
    'ALTER TABLE relations DROP COLUMN IF EXISTS folded_target'
  ]
}

/** The names of the indexes that `migrate` makes. */
export const expectedIndexes = indexNames(dialect)

/** Identifies the lock for changes of the schema, by one process at a time: "libr", as a number. */
const migrationLock = 0x6c_69_62_72

/** Maximum wait for the migrations of another process, in milliseconds. */
const maxMigration = 600_000

/**
 * Brings the schema up to date, in one transaction. One process does so while others wait. The lock
 * belongs to the transaction, so that it also works through a pooler that gives each transaction
 * another connection.
 */
export async function migrate(link: Link, reportStep: ReportStep): Promise<void> {
  const until = performance.now() + maxMigration
  for (;;) {
    await link.run('BEGIN')
    try {
      const [lock] = await link.run(`SELECT pg_try_advisory_xact_lock(${migrationLock}) AS is_ours`)
      if (lock?.is_ours === true) {
        await link.run(
          'CREATE TABLE IF NOT EXISTS schema_version (is_only boolean PRIMARY KEY, version integer NOT NULL)'
        )
        const [row] = await link.run('SELECT version FROM schema_version')
        const version = Number(row?.version ?? 0)
        const statements = schemaStatements(version, dialect)
        const end = reportUpgrade(version, reportStep)
        for (const statement of statements) await link.run(statement)
        if (version < schemaVersion)
          await link.run(
            `INSERT INTO schema_version VALUES (TRUE, ${schemaVersion}) ON CONFLICT (is_only) DO UPDATE SET version = EXCLUDED.version`
          )
        await link.run('COMMIT')
        end()
        return
      }
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
    await link.run('ROLLBACK')
    if (performance.now() > until) throw new Error('Another process has been changing the schema for ten minutes')
    await delay(50)
  }
}

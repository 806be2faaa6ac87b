import type { DatabaseSync } from 'node:sqlite'

import { inTransaction } from './connection.ts'
import type { ReportStep } from '../ports/administration.ts'
import {
  indexNames,
  reportUpgrade,
  type SchemaDialect,
  schemaStatements,
  schemaVersion,
  type TableName
} from '../tables.ts'

/**
 * Tables whose rows are apart from the index of their keys. State entries are longer than a quarter
 * of a page, the maximum for a table that is an index: each would have pages of its own, half
 * empty.
 */
const withRowIds: readonly TableName[] = ['papers', 'tokens', 'leases']

const dialect: SchemaDialect = {
  kinds: {
    text: 'TEXT',
    whole: 'INTEGER',
    small: 'INTEGER',
    number: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    serial: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    // Milliseconds since 1970.
    moment: 'INTEGER'
  },
  optionsOf: (table, isNumbered) => (isNumbered || withRowIds.includes(table) ? 'STRICT' : 'STRICT, WITHOUT ROWID'),
  others: [`INSERT OR IGNORE INTO properties VALUES ('epoch', lower(hex(randomblob(8))))`],
  indexes: ['entities_by_updated_at ON entities (updated_at)', 'changes_by_at ON changes (at)'],
  changesSince: version =>
    version < 6
      ? [
          // The table was an index.
          'ALTER TABLE papers RENAME TO earlier_papers',
          'CREATE TABLE papers (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT',
          'INSERT INTO papers SELECT kind, key, value FROM earlier_papers ORDER BY kind, key',
          'DROP TABLE earlier_papers'
        ]
      : []
}

/** The names of the indexes that `migrate` makes. */
export const expectedIndexes = indexNames(dialect)

/** Brings the schema up to date, in one transaction, so that a kill is harmless. */
export function migrate(db: DatabaseSync, reportStep: ReportStep) {
  const versionOf = () => Number(db.prepare('PRAGMA user_version').get()?.user_version)
  // Reads first: a transaction that may write waits for all other writers.
  if (versionOf() === schemaVersion) return
  inTransaction(db, () => {
    const version = versionOf()
    const statements = schemaStatements(version, dialect)
    const end = reportUpgrade(version, reportStep)
    for (const statement of statements) db.exec(statement)
    // A pragma takes no parameter; the number is a constant.
    db.exec(`PRAGMA user_version = ${schemaVersion}`)
    end()
  })
}

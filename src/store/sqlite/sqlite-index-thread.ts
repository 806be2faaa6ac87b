import { runBuilder } from '#finding/build-base.ts'
import { createRecords } from '../query/indexed-records.ts'
import { openReading } from './connection.ts'
import { sqliteDialect } from './dialect.ts'

/* A thread that builds a base of the index, as of one moment, and ends. */

await runBuilder<{ readonly path: string }>(import.meta.url, ({ path }) => {
  const db = openReading(path, 8)
  db.exec('BEGIN')
  return {
    records: createRecords(sqliteDialect, ({ text, parameters }) => db.prepare(text).all(...parameters)),
    close: () => db.close()
  }
})

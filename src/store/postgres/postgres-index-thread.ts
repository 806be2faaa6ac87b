import { runBuilder } from '#finding/build-base.ts'
import { createRecords } from '../query/indexed-records.ts'
import { beginSnapshot, openLink, readServers } from './connection.ts'
import { postgresDialect } from './dialect.ts'

/* A thread that builds a base of the index, as of one moment, and ends. */

await runBuilder<{ readonly databaseUrl: string }>(import.meta.url, async ({ databaseUrl }) => {
  const link = await openLink(readServers(databaseUrl, 'primary'))
  await link.run(beginSnapshot)
  return {
    records: createRecords(postgresDialect, ({ text, parameters }) => link.run(text, parameters)),
    close: () => link.close()
  }
})

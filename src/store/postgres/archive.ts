import type { Model } from '#domain/record-types/model.ts'
import { quietly, storeRules } from '../administration/follow-model.ts'
import { type Archive, createArchive } from '../archive.ts'
import { sql } from '../query/sql.ts'
import { openLink, readServers } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { migrate } from './migrations.ts'
import { transact } from './statements.ts'

/** Opens a PostgreSQL database for a move. */
export async function openPostgresArchive(databaseUrl: string, model: Model): Promise<Archive> {
  const link = await openLink(readServers(databaseUrl, 'primary'))
  try {
    await migrate(link, quietly.reportStep)
    await transact(link, storeRules(model))
  } catch (error) {
    link.destroy()
    throw error
  }
  return createArchive(
    {
      dialect: postgresDialect,
      transact: steps => transact(link, steps),
      *readNumbers() {
        const [row] = yield sql('SELECT entity, change, merge FROM counters')
        return { entity: Number(row?.entity), change: Number(row?.change), merge: Number(row?.merge) }
      },
      *writeNumbers({ entity, change, merge }) {
        yield sql(
          `UPDATE counters SET entity = ?, change = ?, merge = ?, at = greatest((SELECT max(at) FROM changes),
             (SELECT max(at) FROM versions WHERE changed > 0), (SELECT max(updated_at) FROM entities))`,
          ...[entity, change, merge]
        )
        for (const table of ['webhooks', 'deliveries', 'acts'])
          yield sql(
            `SELECT setval(pg_get_serial_sequence('${table}', 'number'), greatest(1, (SELECT max(number) FROM ${table})))`
          )
        // Statistics of the tables: without them the first queries would be planned as if they were
        // empty.
        yield sql('ANALYZE')
      },
      async finish() {
        // The server does so by itself, but not at once, and until then its counts read every row.
        // A user without the right leaves it to the server.
        await link.run('VACUUM (ANALYZE) entities, identifiers, versions, relations, lookups, changes').catch(() => {})
      },
      close: () => link.close()
    },
    model
  )
}

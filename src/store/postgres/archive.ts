import { contentOf, type Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import {
  type Archive,
  type ArchivePart,
  type ArchiveRow,
  type ArchiveValue,
  keysOf,
  moveInProgress,
  selectLast,
  selectPage,
  toMove
} from '../archive.ts'
import { openLink, readServers } from './connection.ts'
import { storeRules } from './follow-model.ts'
import { migrate } from './migrations.ts'
import { type IndexedRow, indexStatements } from './write-rows.ts'

/** Opens a PostgreSQL database for a move. */
export async function openPostgresArchive(databaseUrl: string, model: Model): Promise<Archive> {
  const link = await openLink(readServers(databaseUrl, 'primary'))
  try {
    await migrate(link)
    await storeRules(link, model)
  } catch (error) {
    link.destroy()
    throw error
  }

  const inTransaction = async (work: () => Promise<unknown>) => {
    await link.run('BEGIN')
    try {
      await work()
      await link.run('COMMIT')
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
  }

  const select = async (part: ArchivePart, text: string, parameters: ArchiveRow = []): Promise<ArchiveRow[]> => {
    const rows = await link.run(text, parameters)
    return rows.map(row => part.columns.map(([name]) => row[name] as ArchiveValue))
  }

  return {
    read: (part, after, limit) =>
      select(part, selectPage(part, after !== undefined, limit), after?.slice(0, part.keys)),
    last: async part => (await select(part, selectLast(part)))[0],
    write: (part, rows) =>
      inTransaction(async () => {
        const given = rows.map(row => Object.fromEntries(part.columns.map(([name], index) => [name, row[index]])))
        await link.run(insertOf(part), [JSON.stringify(given)])
        if (part.name !== 'entities') return
        const indexed = given.map((row): IndexedRow => {
          const entity = JSON.parse(String(row.document)) as Entity
          return { pk: Number(row.pk), content: contentOf(entity), createdBy: entity.audit.created.by }
        })
        for (const { text, parameters } of indexStatements(indexed, model)) await link.run(text, parameters)
      }),

    async readNumbers() {
      const [row] = await link.run('SELECT entity, change, merge FROM counters')
      return { entity: Number(row?.entity), change: Number(row?.change), merge: Number(row?.merge) }
    },
    writeNumbers: ({ entity, change, merge }) =>
      inTransaction(async () => {
        await link.run(
          `UPDATE counters SET entity = ?, change = ?, merge = ?, at = greatest((SELECT max(at) FROM changes),
             (SELECT max(at) FROM versions), (SELECT max(updated_at) FROM entities))`,
          [entity, change, merge]
        )
        for (const table of ['webhooks', 'deliveries', 'acts'])
          await link.run(
            `SELECT setval(pg_get_serial_sequence('${table}', 'number'), greatest(1, (SELECT max(number) FROM ${table})))`
          )
        // Statistics of the tables: without them the first queries would be planned as if they were
        // empty.
        await link.run('ANALYZE')
      }),

    async readMove() {
      const [row] = await link.run('SELECT value FROM properties WHERE name = ?', [moveInProgress])
      return toMove(row?.value)
    },
    async writeMove(move) {
      await inTransaction(async () => {
        await link.run('DELETE FROM properties WHERE name = ?', [moveInProgress])
        if (move) await link.run('INSERT INTO properties VALUES (?, ?)', [moveInProgress, JSON.stringify(move)])
      })
      // The server does so by itself, but not at once, and until then its counts read every row. A
      // user without the right leaves it to the server.
      if (!move)
        await link.run('VACUUM (ANALYZE) entities, identifiers, versions, relations, lookups, changes').catch(() => {})
    },

    async [Symbol.asyncDispose]() {
      await link.close()
    }
  }
}

function insertOf(part: ArchivePart): string {
  const { columns } = part
  const names = columns.map(([name]) => name).join(', ')
  const typed = columns.map(([name, type]) => `${name} ${type === 'whole' ? 'bigint' : 'text'}`).join(', ')
  const keys = keysOf(part)
  const others = columns.slice(part.keys).map(([name]) => `${name} = EXCLUDED.${name}`)
  const conflict = others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${others.join(', ')}`
  return `INSERT INTO ${part.name} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${names} FROM json_to_recordset(?::text::json) AS given (${typed})
    ON CONFLICT (${keys.join(', ')}) ${conflict}`
}

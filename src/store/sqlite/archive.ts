import type { Model } from '#domain/record-types/model.ts'
import { quietly } from '../administration/follow-model.ts'
import { type Archive, createArchive } from '../archive.ts'
import { sql } from '../query/sql.ts'
import { openWriting, transact } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { prepareFile } from './prepare-file.ts'

const tablesOf = { entity: 'entities', change: 'changes', merge: 'merges' } as const

/** Opens a SQLite file for a move. */
export function openSqliteArchive(path: string, model: Model): Archive {
  prepareFile(path, model, quietly)
  const db = openWriting(path)
  return createArchive(
    {
      dialect: sqliteDialect,
      transact: async steps => transact(db, steps),
      *readNumbers() {
        const rows = yield sql('SELECT name, seq FROM sqlite_sequence')
        const last = new Map(rows.map(({ name, seq }) => [name, Number(seq)]))
        const numberOf = (kind: keyof typeof tablesOf) => last.get(tablesOf[kind]) ?? 0
        return { entity: numberOf('entity'), change: numberOf('change'), merge: numberOf('merge') }
      },
      *writeNumbers(numbers) {
        for (const [kind, table] of Object.entries(tablesOf)) {
          const number = numbers[kind as keyof typeof tablesOf]
          yield sql('DELETE FROM sqlite_sequence WHERE name = ?', table)
          // The column has no type, so a JavaScript number would be stored as a fraction.
          if (number > 0) yield sql('INSERT INTO sqlite_sequence VALUES (?, CAST(? AS INTEGER))', table, number)
        }
      },
      finish: async () => {},
      close: async () => db.close()
    },
    model
  )
}

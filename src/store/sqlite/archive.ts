import type { Entity } from '#domain/entity/entity.ts'
import { contentOf } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { lookupValues } from '#domain/search/lookup-values.ts'
import { type Archive, type ArchiveRow, columnsOf, moveInProgress, selectLast, selectPage, toMove } from '../archive.ts'
import { openWriting, prepareWriting } from './connection.ts'
import { IndexWriter } from './index-writer.ts'
import { prepareFile } from './prepare-file.ts'

/** Opens a SQLite file for a move. */
export async function openSqliteArchive(path: string, model: Model): Promise<Archive> {
  prepareFile(path, model)
  const db = openWriting(path)
  const index = new IndexWriter(db)
  const sequenceOf = (table: string) =>
    Number(db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0)

  const inTransaction = (work: () => void) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      work()
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  const select = (text: string, parameters: ArchiveRow = []): ArchiveRow[] => {
    const statement = db.prepare(text)
    statement.setReturnArrays(true)
    return statement.all(...parameters) as unknown as ArchiveRow[]
  }

  return {
    read: async (part, after, limit) =>
      select(selectPage(part, after !== undefined, limit), after?.slice(0, part.keys)),
    last: async part => select(selectLast(part))[0],
    async write(part, rows) {
      const insert = prepareWriting(
        db,
        `INSERT OR REPLACE INTO ${part.name} (${columnsOf(part)}) VALUES (${part.columns.map(() => '?').join(', ')})`
      )
      const [place, document] = ['pk', 'document'].map(name => part.columns.findIndex(([column]) => column === name))
      inTransaction(() => {
        for (const row of rows) {
          insert.run(...row)
          if (part.name !== 'entities') continue
          const entity = JSON.parse(String(row[document ?? 0])) as Entity
          index.replace(
            Number(row[place ?? 0]),
            contentOf(entity),
            lookupValues(model, entity, entity.audit.created.by)
          )
        }
        index.flush()
      })
    },

    async readNumbers() {
      return { entity: sequenceOf('entities'), change: sequenceOf('changes'), merge: sequenceOf('merges') }
    },
    async writeNumbers({ entity, change, merge }) {
      inTransaction(() => {
        for (const [table, number] of Object.entries({ entities: entity, changes: change, merges: merge })) {
          prepareWriting(db, 'DELETE FROM sqlite_sequence WHERE name = ?').run(table)
          // The column has no type, so a JavaScript number would be stored as a fraction.
          const insert = prepareWriting(db, 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
          if (number > 0) insert.run(table, BigInt(number))
        }
      })
    },

    async readMove() {
      return toMove(db.prepare('SELECT value FROM properties WHERE name = ?').get(moveInProgress)?.value)
    },
    async writeMove(move) {
      inTransaction(() => {
        if (move) {
          const text = JSON.stringify(move)
          prepareWriting(db, 'INSERT OR REPLACE INTO properties VALUES (?, ?)').run(moveInProgress, text)
        } else prepareWriting(db, 'DELETE FROM properties WHERE name = ?').run(moveInProgress)
      })
    },

    async [Symbol.asyncDispose]() {
      db.close()
    }
  }
}

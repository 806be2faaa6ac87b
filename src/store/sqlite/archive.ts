import type { Entity } from '#domain/entity/entity.ts'
import { contentOf } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import {
  type Archive,
  type ArchivePart,
  type ArchiveRow,
  afterKeys,
  columnsOf,
  keysOf,
  moveMarkName,
  ownProperties,
  readMoveMark
} from '../archive.ts'
import { openWriting, prepareWriting } from './connection.ts'
import { createIndexWriter } from './index-writer.ts'
import { prepareFile } from './sqlite-store.ts'

/** Opens a SQLite file for moving. */
export async function openSqliteArchive(path: string, model: Model): Promise<Archive> {
  prepareFile(path, model)
  const db = openWriting(path)
  const index = createIndexWriter(db, model)
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

  const select = (part: ArchivePart, rest: string, ...parameters: ArchiveRow): ArchiveRow[] => {
    const statement = db.prepare(`SELECT ${columnsOf(part)} FROM ${part.name} ${whereOf(part)} ${rest}`)
    statement.setReturnArrays(true)
    return statement.all(...parameters) as unknown as ArchiveRow[]
  }
  /** What is said of this database only is not moved. */
  const whereOf = ({ name }: ArchivePart) => `WHERE ${name === 'properties' ? `name NOT IN (${ownProperties})` : '1'}`

  return {
    async read(part, after, limit) {
      const order = `ORDER BY ${keysOf(part).join(', ')} LIMIT ${limit}`
      return after ? select(part, `AND ${afterKeys(part)} ${order}`, ...after.slice(0, part.keys)) : select(part, order)
    },
    async last(part) {
      return select(
        part,
        `ORDER BY ${keysOf(part)
          .map(key => `${key} DESC`)
          .join(', ')} LIMIT 1`
      )[0]
    },
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
          index.writeAnew(Number(row[place ?? 0]), contentOf(entity))
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
          // The column has no type of its own, so a number would be kept as one with a fraction.
          const insert = prepareWriting(db, 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
          if (number > 0) insert.run(table, BigInt(number))
        }
      })
    },

    async readMark() {
      return readMoveMark(db.prepare('SELECT value FROM properties WHERE name = ?').get(moveMarkName)?.value)
    },
    async writeMark(mark) {
      inTransaction(() => {
        if (mark)
          prepareWriting(db, 'INSERT OR REPLACE INTO properties VALUES (?, ?)').run(moveMarkName, JSON.stringify(mark))
        else prepareWriting(db, 'DELETE FROM properties WHERE name = ?').run(moveMarkName)
      })
    },

    async [Symbol.asyncDispose]() {
      db.close()
    }
  }
}

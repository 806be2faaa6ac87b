import type { Json } from '#domain/entity/entity.ts'
import type { NewAct, StoredAct } from '../ports/audit.ts'
import type { Row } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import type { Read, Steps } from './steps.ts'

const columns = 'at, by, act, subject, address, details'

/** Logs an act in the transaction that carries it out: neither happens without the other. */
export function* logAct({ at, by, act, subject, address, details }: NewAct): Steps<void> {
  yield sql(
    `INSERT INTO acts (${columns}) VALUES (?, ?, ?, ?, ?, ?)`,
    ...[at, by, act, subject, address, JSON.stringify(details)]
  )
}

export const createActReads = (read: Read) => ({
  /** An empty kind stands for every kind. */
  listActs: async (limit: number, before = Number.MAX_SAFE_INTEGER, act = '') =>
    (
      await read(
        `SELECT number, ${columns} FROM acts WHERE number < ? AND (act = ? OR ? = '') ORDER BY number DESC LIMIT ?`,
        ...[before, act, act, limit]
      )
    ).map(toAct)
})

const toAct = (row: Row): StoredAct => ({
  number: Number(row.number),
  at: String(row.at),
  by: String(row.by),
  act: String(row.act),
  subject: row.subject === null ? null : String(row.subject),
  address: row.address === null ? null : String(row.address),
  details: JSON.parse(String(row.details)) as Json
})

import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { Model } from '#domain/record-types/model.ts'
import { type Finder, type Finding, IndexNotReady } from '#finding/finder.ts'
import { stoppedAfter, tooSlow } from '#threads/deadline.ts'
import { lengthOf } from '#domain/page-budget.ts'
import type { Row, Session } from '../query/dialect.ts'
import { createRecords } from '../query/indexed-records.ts'
import { createReader, type Reader } from '../query/reader.ts'
import type { Sql } from '../query/sql.ts'
import { sqliteDialect } from './dialect.ts'

export interface QueryTime {
  readonly deadline: number
  /** How long the query has waited. */
  readonly waited: number
}

/** Maximum number of prepared statements. */
const maxStatements = 200

/**
 * Runs queries on one read-only connection, one at a time. A query that passes its deadline is
 * stopped between two statements, or by the index; `time` tells of the current one.
 */
export function createSqliteReader(db: DatabaseSync, model: Model, time: () => QueryTime, finder: Finder): Reader {
  const statements = createStatements(db)
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  let stopAt = Number.POSITIVE_INFINITY

  const checkDeadline = () => {
    if (performance.now() > stopAt) throw new QueryTooSlow()
  }

  const run = (statement: Sql, maxBytes?: number): Row[] => {
    // A query may take many statements, each of them too short to check the deadline.
    checkDeadline()
    return maxBytes === undefined
      ? statements.prepare(statement.text).all(...statement.parameters)
      : statements.readUpTo(statement, maxBytes)
  }

  const finding: Finding = {
    finder,
    records: createRecords(sqliteDialect, run),
    timeLeft() {
      checkDeadline()
      return stopAt - performance.now()
    },
    tooLate: () => new QueryTooSlow(),
    isTooLate: error => error instanceof QueryTooSlow
  }

  const session: Session = { finding, dialect: sqliteDialect, model, run }

  // Statements are synchronous, so a query ends before the thread takes the next message.
  return createReader(async (_kind, work) => {
    const { deadline, waited } = time()
    stopAt = performance.now() + stoppedAfter(deadline) - waited
    // One transaction, so that the count and the page are of the same moment.
    begin.run()
    try {
      return await work(session)
    } catch (cause) {
      const isTooSlow = cause instanceof QueryTooSlow || performance.now() > stopAt
      if (!isTooSlow || cause instanceof IndexNotReady) throw cause
      throw tooSlow(deadline, waited, cause)
    } finally {
      stopAt = Number.POSITIVE_INFINITY
      if (db.isTransaction) commit.run()
    }
  })
}

/**
 * Caches prepared statements: queries of the same shape have the same text. The limit keeps rare
 * ones from piling up.
 */
function createStatements(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    const cached = prepared.get(text)
    if (cached) return cached
    if (prepared.size >= maxStatements) prepared.clear()
    const statement = db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  return {
    prepare,
    /**
     * Reads rows until their documents exceed a number of bytes; the last row shows that there are
     * more.
     */
    readUpTo({ text, parameters }: Sql, maxBytes: number): Row[] {
      const rows: Row[] = []
      let bytes = 0
      try {
        for (const row of prepare(text).iterate(...parameters)) {
          rows.push(row)
          bytes += lengthOf((row.document ?? row.json ?? null) as string | null)
          if (bytes > maxBytes) break
        }
      } catch (error) {
        // node:sqlite does not reset a statement that failed here: it would fail again at its next
        // use.
        prepared.delete(text)
        throw error
      }
      return rows
    }
  }
}

class QueryTooSlow extends Error {}

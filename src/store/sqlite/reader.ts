import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { readRegularExpression, regularExpressionTest } from '#domain/filter/regular-expression.ts'
import { memoize } from '#domain/memoize.ts'
import { foldText } from '#domain/values/fold.ts'
import type { Model } from '#domain/record-types/model.ts'
import { wordText } from '#domain/search/word-text.ts'
import { stoppedAfter, tooSlow } from '../deadline.ts'
import { lengthOf } from '../page-budget.ts'
import { selectLastChange } from '../finding/find-in-index.ts'
import type { Finder } from '../finding/finder.ts'
import { CountCache } from '../query/count-cache.ts'
import { createReader, type Reader } from '../query/reader.ts'
import type { Finding, Row, Session } from '../query/dialect.ts'
import { type Sql, sql } from '../query/sql.ts'
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
 * stopped; `time` tells of the current one. An index in memory answers first, where one is given.
 */
export function createSqliteReader(db: DatabaseSync, model: Model, time: () => QueryTime, finder?: Finder): Reader {
  const statements = createStatements(db)
  const cache = new CountCache()
  let stopAt = Number.POSITIVE_INFINITY
  let dataVersion: unknown
  let moment = 0

  const checkDeadline = () => {
    if (performance.now() > stopAt) throw new QueryTooSlow()
  }
  // node:sqlite cannot interrupt a statement; a function inside it that throws can.
  db.function('within_deadline', () => {
    checkDeadline()
    return 1
  })
  db.function('fold', { deterministic: true }, text => foldText(String(text)))
  db.function('word_text', { deterministic: true }, text => wordText(String(text)))

  const regexTest = memoize(20, regexTestOf)
  db.function('meets_regex', { deterministic: true }, (source, isFolded, text) =>
    regexTest(`${isFolded}${source}`)(String(text)) ? 1 : 0
  )

  const run = (statement: Sql, maxBytes?: number): Row[] => {
    // A query may take many statements, each of them too short to check the deadline.
    checkDeadline()
    return maxBytes === undefined
      ? statements.prepare(statement.text).all(...statement.parameters)
      : statements.readUpTo(statement, maxBytes)
  }

  /** Numbers the moments between which nothing was written. Called inside the transaction. */
  const currentMoment = () => {
    const version = statements.prepare('PRAGMA data_version').get()?.data_version
    if (version !== dataVersion) moment++
    dataVersion = version
    return moment
  }

  const lastChange = sql(selectLastChange(sqliteDialect.newestChange))
  const finding: Finding | undefined = finder && {
    finder,
    lastChange() {
      const [row] = run(lastChange)
      return { change: Number(row?.change), mark: String(row?.mark ?? '') }
    },
    timeLeft() {
      checkDeadline()
      return stopAt - performance.now()
    },
    tooLate: () => new QueryTooSlow()
  }

  const session = (): Session => ({
    finding,
    dialect: sqliteDialect,
    model,
    run,
    counts: cache.at(currentMoment()),
    lastEntity: () => Number(run({ text: 'SELECT max(pk) AS pk FROM entities', parameters: [] })[0]?.pk)
  })

  // Statements are synchronous, so a query ends before the thread takes the next message.
  return createReader(async (_kind, work) => {
    const { deadline, waited } = time()
    stopAt = performance.now() + stoppedAfter(deadline) - waited
    // One transaction, so that the count and the page are of the same moment.
    db.exec('BEGIN')
    try {
      return await work(session())
    } catch (cause) {
      if (!(cause instanceof QueryTooSlow) && performance.now() <= stopAt) throw cause
      throw tooSlow(deadline, waited, cause)
    } finally {
      stopAt = Number.POSITIVE_INFINITY
      if (db.isTransaction) db.exec('COMMIT')
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

/** The test of an expression with 1 or 0 before it: whether texts are folded. */
const regexTestOf = (marked: string) =>
  regularExpressionTest(readRegularExpression(marked.slice(1), marked.startsWith('1') ? foldText : undefined))

class QueryTooSlow extends Error {}

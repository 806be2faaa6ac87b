import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { CatalogueError } from '#domain/errors.ts'
import { foldText } from '#domain/fold.ts'
import type { Model } from '#domain/model.ts'
import type { Answer, Position, Question, ReferenceAnswer, ReferenceQuestion, StoredEntity } from '../store.ts'
import { filterToSql, typesToSql, type Sql } from './filter-to-sql.ts'
import { orderToSql, type OrderedRow, type OrderSql } from './order-to-sql.ts'

export interface Reader {
  ask(question: Question): Answer
  findReferences(question: ReferenceQuestion): ReferenceAnswer
}

/** Answers questions on one read-only connection. A question that passes its deadline is stopped. */
export function createReader(db: DatabaseSync, model: Model, queryDeadline: number): Reader {
  const statements = new Map<string, StatementSync>()
  let stopAt = Number.POSITIVE_INFINITY

  // node:sqlite cannot interrupt a statement; a function inside it that throws can.
  db.function('within_deadline', () => {
    if (performance.now() > stopAt) throw new QueryTooSlow()
    return 1
  })
  db.function('fold', { deterministic: true }, text => foldText(String(text)))

  /** The same shape of question has the same text, so statements are worth keeping; the bound keeps odd ones from piling up. */
  const prepare = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= 200) statements.clear()
    const statement = db.prepare(text)
    statements.set(text, statement)
    return statement
  }
  const all = (statement: Sql) => prepare(statement.text).all(...statement.parameters)

  const count = (where: Sql): number =>
    Number(
      all({ text: `SELECT count(*) AS n FROM entities e WHERE ${where.text}`, parameters: where.parameters })[0]?.n
    )

  const readPart = (part: OrderSql, where: Sql, limit: number, skip: number): OrderedRow[] =>
    all({
      text: `SELECT e.id, e.uuid, e.type, e.version, e.document, ${part.columns} FROM ${part.from}
        WHERE ${part.where.text} AND ${where.text} ORDER BY ${part.orderBy} LIMIT ? OFFSET ?`,
      parameters: [...part.parameters, ...part.where.parameters, ...where.parameters, limit, skip]
    }) as unknown as OrderedRow[]

  const withDeadline = <T>(work: () => T): T => {
    stopAt = performance.now() + queryDeadline
    // One transaction, so that the count and the page are of the same moment.
    db.exec('BEGIN')
    try {
      return work()
    } catch (cause) {
      if (!(cause instanceof QueryTooSlow) && performance.now() <= stopAt) throw cause
      throw new CatalogueError('query_timeout', `The question took longer than ${queryDeadline} ms; ask for less`, {
        cause
      })
    } finally {
      stopAt = Number.POSITIVE_INFINITY
      if (db.isTransaction) db.exec('COMMIT')
    }
  }

  return {
    ask: question =>
      withDeadline(() => {
        const where = whereOf(question, model)
        const backwards = question.from?.backwards === true
        const parts = orderToSql(question.order, question.from)
        // One more than asked for tells whether there is a next page.
        const wanted = question.limit === 0 ? 0 : question.limit + 1
        const rows: OrderedRow[] = []
        let skip = question.skip
        for (const part of parts) {
          if (rows.length >= wanted) break
          const found = readPart(part, where, wanted - rows.length, skip)
          rows.push(...found)
          // What is skipped in a part that is used up does not have to be skipped in the next.
          if (parts.length > 1 && found.length === 0 && skip > 0) skip -= Math.min(skip, countPart(part, where))
          else if (found.length > 0) skip = 0
        }
        const hasMore = rows.length > question.limit
        const page = rows.slice(0, question.limit)
        if (backwards) page.reverse()
        const isWhole = !hasMore && question.limit > 0 && question.skip === 0 && !question.from
        return {
          count: !question.counted ? 0 : isWhole ? page.length : count(where),
          entities: page.map(toStored),
          hasMore,
          first: toPosition(page[0]),
          last: toPosition(page.at(-1))
        }
      }),

    findReferences: question =>
      withDeadline(() => {
        const types = question.readableTypes ? typesToSql(question.readableTypes, model) : { text: '1', parameters: [] }
        const from = `FROM relations r JOIN entities e ON e.pk = r.entity_pk
          WHERE r.target IN (SELECT ti.identifier FROM identifiers ti WHERE ti.entity_pk =
            (SELECT i.entity_pk FROM identifiers i WHERE i.identifier = ?))
          AND (? = '' OR r.type IN (SELECT value FROM json_each(?))) AND ${types.text}`
        const wanted = question.relationTypes ? JSON.stringify(question.relationTypes) : ''
        const parameters = [question.id, wanted, wanted === '' ? '[]' : wanted, ...types.parameters]
        const [counted] = all({ text: `SELECT count(*) AS n ${from}`, parameters })
        const rows = all({
          text: `SELECT e.id, e.type, r.type AS relationType ${from} ORDER BY e.pk, r.position LIMIT ? OFFSET ?`,
          parameters: [...parameters, question.limit, question.skip]
        })
        return {
          count: Number(counted?.n),
          references: rows.map(row => ({
            id: String(row.id),
            type: String(row.type),
            relationType: String(row.relationType)
          }))
        }
      })
  }

  function countPart(part: OrderSql, where: Sql): number {
    const [row] = all({
      text: `SELECT count(*) AS n FROM ${part.from} WHERE ${part.where.text} AND ${where.text}`,
      parameters: [...part.parameters, ...part.where.parameters, ...where.parameters]
    })
    return Number(row?.n)
  }
}

class QueryTooSlow extends Error {}

function whereOf({ filter, readableTypes }: Question, model: Model): Sql {
  const condition = filterToSql(filter, { model, readableTypes })
  if (!readableTypes) return condition
  const readable = typesToSql(readableTypes, model)
  return {
    text: `${readable.text} AND ${condition.text}`,
    parameters: [...readable.parameters, ...condition.parameters]
  }
}

function toStored(row: OrderedRow): StoredEntity {
  return { id: row.id, uuid: row.uuid, type: row.type, version: row.version, json: row.document }
}

function toPosition(row: OrderedRow | undefined): Position | undefined {
  return row && { values: JSON.parse(row.sort_values) as (string | null)[], sequence: row.sequence }
}

import type { Model } from '#domain/record-types/model.ts'
import type { Finding } from '#finding/finder.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import type { Column } from '../tables.ts'
import type { Sql } from './sql.ts'

/**
 * The differences between the databases, for the statements in this folder. Everything else is
 * written in the SQL that both understand.
 */
export interface Dialect {
  /** A join that reads its tables in the order given, where the database lets us decide. */
  readonly join: 'CROSS JOIN' | 'JOIN'

  /** `IN (…)` over the texts of a JSON list, which is a parameter unless another is given. */
  inList(list?: string): string
  /** `IN (…)` over a subquery that gives few rows. */
  inSelect(select: string): string
  /** The texts of a JSON list, as a subquery. */
  readonly listedTexts: string
  /** The numbers of a JSON list, as a table with the column `value`. */
  readonly listedNumbers: string
  /** The numbers of a JSON list as a subquery, with `value` and `position`. */
  readonly listedInOrder: string
  /** The objects of a JSON list, as a table with the column `value`. */
  listedObjects(list: string): string

  /** Selects these columns of the objects of a JSON list, for an insertion. */
  selectListed(columns: readonly Column[]): string

  /** Whether the database can store a text; nothing is found by one that it cannot. */
  isStorable(text: string): boolean
  /** A JSON list as a parameter, without texts that cannot be stored. */
  toList(texts: readonly string[]): string

  /** Keeps the database from using an index for a number. */
  unindexed(column: string): string

  /** The number of the last change, and of the entity that was created last. */
  readonly newestChange: string
  readonly newestEntity: string
  /** The number that a row of a table was given last, whether the row exists or not. */
  lastNumber(table: 'changes' | 'merges'): string
  /**
   * Reads the number of the last change and its time, and locks out other writers where a
   * transaction does not.
   */
  readonly lockChanges: string
  /** Stores the number and the time of a change, where its row alone does not. */
  readonly storeChange: string | undefined
  /** Locks the rows of a query, where the transaction does not. */
  readonly forUpdate: '' | 'FOR UPDATE'
  /** The table `entities e`, in a form in which an index leads from a uuid to its entity. */
  readonly entitiesByUuid: string
  /** The column of `entitiesByUuid` by which an index leads to an entity. */
  readonly uuidOfEntity: string

  readonly history: HistoryDialect

  /**
   * Cuts a page before it exceeds the maximum of bytes, where the database can do so while it
   * reads. The page has `document` and is ordered by `orderBy`.
   */
  withinBudget(page: Sql, document: string, orderBy: string): Sql
}

export interface HistoryDialect {
  /** Joins the identifiers in the document of `v`, with the expressions of their text and place. */
  readonly documentIdentifiers: { readonly join: string; readonly identifier: string; readonly place: string }
  /**
   * Entities that ever had one of the identifiers, as they were after a change: `identifier`,
   * `is_now` (1 where it is the entity's now), and the columns of a stored entity.
   */
  findEverIdentified(session: Session, identifiers: readonly string[], sequence: number): MaybePromise<readonly Row[]>
}

export type Row = Record<string, unknown>

/**
 * Runs a statement. With `maxBytes` the rows may end with the one whose document exceeds that many
 * bytes in all: it shows that there are more.
 */
export type Run = (statement: Sql, maxBytes?: number) => MaybePromise<Row[]>

/** A connection while it runs one query, in a transaction that sees one moment. */
export interface Session {
  readonly dialect: Dialect
  readonly model: Model
  readonly run: Run
  /** The index in memory, for a session that finds. */
  readonly finding?: Finding | undefined
}

/** The index in memory of a session that finds. */
export function findingOf({ finding }: Session): Finding {
  if (!finding) throw new Error('A query needs a session with an index')
  return finding
}

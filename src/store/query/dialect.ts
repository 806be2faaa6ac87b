import type { Model } from '#domain/record-types/model.ts'
import type { FieldTest } from '#domain/filter/filter.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import type { Order } from '#domain/filter/order.ts'
import type { Finder, LastChange } from '../finding/finder.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import type { EntityQuery } from '../ports/queries.ts'
import type { OrderSql, Way } from './order-parts.ts'
import type { Counts } from './count-cache.ts'
import type { Sql } from './sql.ts'

/** Tests of a text by its letters. */
export type TextTest = Extract<FieldTest, { readonly kind: 'contains' | 'pattern' | 'words' | 'regex' }>

/** Columns that text tests look at, beside the values of metadata. */
export type TextColumn =
  | 'e.type'
  | 'e.id'
  | 'e.created_at'
  | 'e.created_by'
  | 'e.updated_at'
  | 'e.updated_by'
  | 'r.target'
  | 'ta.identifier'
  | 'ci.identifier'

/**
 * The differences between the databases, for the statements in this folder. Everything else is
 * written in the SQL that both understand.
 */
export interface Dialect {
  /** A join that reads its tables in the order given, where the database lets us decide. */
  readonly join: 'CROSS JOIN' | 'JOIN'

  /** A condition that stops the statement after its deadline; TRUE where the server does so. */
  readonly withinDeadline: string
  /** The same, checked for every 64th row only. */
  deadlineEvery(pk: string): string

  /** `IN (…)` over the texts of a JSON list, which is a parameter unless another is given. */
  inList(list?: string): string
  /** `IN (…)` over the numbers of a JSON list. */
  readonly inNumbers: string
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
  /** A JSON list of texts, as text. */
  jsonArray(texts: readonly string[]): string

  /** Whether the database can store a text; nothing is found by one that it cannot. */
  isStorable(text: string): boolean
  /** A JSON list as a parameter, without texts that cannot be stored. */
  toList(texts: readonly string[]): string

  /** Keeps the database from using an index for a number. */
  unindexed(column: string): string
  /** Names the index that a table is read by, where the database can be told. */
  readBy(index: string): string

  /** The number of the last change, and of the entity that was created last. */
  readonly newestChange: string
  readonly newestEntity: string
  /** The table `entities e`, in a form in which an index leads from a uuid to its entity. */
  readonly entitiesByUuid: string
  /** The column of `entitiesByUuid` by which an index leads to an entity. */
  readonly uuidOfEntity: string

  /** A condition on `field_values v`. */
  matchesValue(test: TextTest): Sql
  matchesColumn(column: TextColumn, test: TextTest): Sql
  /** The join that leads from names that meet a test to relations. */
  joinFromNames(test: FieldTest): string

  /** Whether to run independent statements at once, since each is a journey to a server. */
  readonly isRemote: boolean
  readonly order: OrderDialect
  readonly facets: FacetDialect
  readonly entries: EntryDialect
  readonly history: HistoryDialect

  /**
   * Cuts a page before it exceeds the maximum of bytes, where the database can do so while it
   * reads. The page has `document` and is ordered by `orderBy`.
   */
  withinBudget(page: Sql, document: string, orderBy: string): Sql
}

export interface OrderDialect {
  /** Whether a selective filter is gathered first, before its size is known. */
  readonly gathersUncounted: boolean
  /** The table `e` that an order goes over. */
  entities(way: Way): string
  /** First values of a key (`s`) with their entities (`e`). */
  keyedEntities(way: Way): string
  /** A column to order by, in a form whose index is not walked when everything is gathered. */
  byColumn(column: 'e.pk' | 'e.changed', way: Way): string
  bySortKey(way: Way): string
  /** The page of a part of an order, with `sort_values`, `sequence` and maybe `total`. */
  pageToSql(part: OrderSql, where: Sql, way: Way, order: Order, limit: number, skip: number): Sql
  /** The number of rows of a part of an order, as `n`. */
  countPartToSql(part: OrderSql, where: Sql, way: Way, order: Order): Sql
  /** The number of entities that meet a condition, as `n`. */
  countToSql(matching: Sql): Sql
}

export interface FacetDialect {
  /** Collects all keys of `hits` as JSON, where that is cheaper than searching again. */
  readonly collectHits: string | undefined
  /** Prepares statements for paths that are counted faster another way than over the hits. */
  specialCounts(
    session: Session,
    query: EntityQuery,
    paths: readonly FilterPath[],
    count: number
  ): MaybePromise<(path: FilterPath) => Sql | undefined>
}

/** Entries in the document `x.document`: the index has no members of them beside their values. */
export interface EntryDialect {
  /** The entry of the relation `r`. */
  readonly relation: string
  /** The entries of metadata as the table `m`, one of them, and its key. */
  readonly metadataTable: string
  readonly metadata: string
  readonly metadataKey: string
  hasMember(entry: string, name: string, value: unknown): Sql
  /** Whether an entry of metadata has one of some values; any value where none is given. */
  hasValue(values: readonly string[] | undefined): Sql
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
  /** Counts of earlier queries at the same moment. */
  readonly counts: Counts
  /** The number of the entity that was created last. */
  lastEntity(): MaybePromise<number>
  /** An index in memory that answers first, where there is one. */
  readonly finding?: Finding | undefined
}

/** An index in memory, and what it needs of a session. */
export interface Finding {
  readonly finder: Finder
  /** The last change at the moment of the session. */
  lastChange(): MaybePromise<LastChange>
  /** The time that is left for the query, in milliseconds; throws when there is none. */
  timeLeft(): number
  /** The refusal of a query without time left. */
  tooLate(): Error
}

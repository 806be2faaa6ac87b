import type { Model } from '#domain/record-types/model.ts'
import { findProperty, setProperty } from './administration/properties.ts'
import type { Steps } from './administration/steps.ts'
import { progressName, rulesName } from './index-progress.ts'
import { insertRows, writeDerivedRows } from './query/derived-rows.ts'
import type { Dialect } from './query/dialect.ts'
import { sql } from './query/sql.ts'
import { columnsOf, keysOf, namesOf, type TableName } from './tables.ts'

/*
 * All data of a store, as rows that mean the same in both databases, to move it from one to the
 * other. Rows that follow from the documents (identifiers, relations, lookups) are not included;
 * they are created when entities are written.
 */

/** The tables that are moved, in this order. */
export const archiveParts = [
  ...['properties', 'versions', 'names', 'entities', 'changes', 'merges'],
  ...['outcomes', 'tokens', 'webhooks', 'deliveries', 'papers', 'acts']
] as readonly TableName[]

/** The values of a row, in the order of the columns. */
export type ArchiveRow = readonly (string | number | null)[]

/** The numbers that were given last. */
export interface LastNumbers {
  readonly entity: number
  readonly change: number
  readonly merge: number
}

/** A move that is not finished: the feed of the source database, and its last change. */
export interface UnfinishedMove {
  readonly epoch: string
  readonly change: number
}

/** A database that is open for a move. No other process may write to it meanwhile. */
export interface Archive extends AsyncDisposable {
  /** Rows of a part in the order of their keys, those after a row where one is given. */
  read(part: TableName, after: ArchiveRow | undefined, limit: number): Promise<readonly ArchiveRow[]>
  /** The last row of a part, in the order of its keys. */
  last(part: TableName): Promise<ArchiveRow | undefined>
  /** Writes rows in one transaction. */
  write(part: TableName, rows: readonly ArchiveRow[]): Promise<void>

  readNumbers(): Promise<LastNumbers>
  writeNumbers(numbers: LastNumbers): Promise<void>

  /** The move into this database that is not finished, if there is one. */
  readMove(): Promise<UnfinishedMove | undefined>
  /** Stores the move; undefined ends it. */
  writeMove(move: UnfinishedMove | undefined): Promise<void>
}

/** The differences of a database for a move. */
export interface ArchiveAdapter {
  readonly dialect: Dialect
  /** Runs the steps in one transaction. */
  transact<T>(steps: Steps<T>): Promise<T>
  readNumbers(): Steps<LastNumbers>
  writeNumbers(numbers: LastNumbers): Steps<void>
  /** Prepares the tables for queries, after everything was moved. */
  finish(): Promise<void>
  close(): Promise<void>
}

/**
 * Name of the property with the move into the database that is not finished; a service refuses to
 * start on it.
 */
export const moveInProgress = 'moving'

/** Properties of one database that are not moved, as a list in SQL. */
const ownProperties = [moveInProgress, rulesName, progressName].map(name => `'${name}'`).join(', ')

export function createArchive(adapter: ArchiveAdapter, model: Model): Archive {
  const { dialect, transact } = adapter

  function* select(part: TableName, rest: string, ...parameters: ArchiveRow): Steps<ArchiveRow[]> {
    const isMoved = part === 'properties' ? `name NOT IN (${ownProperties})` : 'TRUE'
    const columns = columnsOf(part)
    const rows = yield sql(`SELECT ${namesOf(columns)} FROM ${part} WHERE ${isMoved} ${rest}`, ...parameters)
    return rows.map(row => columns.map(({ name }) => row[name] as ArchiveRow[number]))
  }

  function* write(part: TableName, rows: readonly ArchiveRow[]): Steps<void> {
    const columns = columnsOf(part)
    const given = rows.map(row => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))
    const others = columns.filter(({ isKey }) => !isKey).map(({ name }) => `${name} = EXCLUDED.${name}`)
    const update = others.length === 0 ? 'NOTHING' : `UPDATE SET ${others.join(', ')}`
    const insert = insertRows(dialect, part, `ON CONFLICT (${namesOf(keysOf(part))}) DO ${update}`)
    yield sql(insert, JSON.stringify(given))
    if (part === 'entities') yield* writeDerivedRows(dialect, model, given)
  }

  function* readMove(): Steps<UnfinishedMove | undefined> {
    const value = yield* findProperty(moveInProgress)
    return value === undefined ? undefined : (JSON.parse(value) as UnfinishedMove)
  }

  function* writeMove(move: UnfinishedMove | undefined): Steps<void> {
    if (move) yield sql(setProperty, moveInProgress, JSON.stringify(move))
    else yield sql('DELETE FROM properties WHERE name = ?', moveInProgress)
  }

  return {
    read(part, after, limit) {
      const keys = keysOf(part)
      const isLater = `AND (${namesOf(keys)}) > (${keys.map(() => '?').join(', ')})`
      const rest = `${after ? isLater : ''} ORDER BY ${namesOf(keys)} LIMIT ?`
      return transact(select(part, rest, ...(after ?? []).slice(0, keys.length), limit))
    },
    async last(part) {
      const order = keysOf(part).map(({ name }) => `${name} DESC`)
      return (await transact(select(part, `ORDER BY ${order.join(', ')} LIMIT 1`)))[0]
    },
    write: (part, rows) => transact(write(part, rows)),
    readNumbers: () => transact(adapter.readNumbers()),
    writeNumbers: numbers => transact(adapter.writeNumbers(numbers)),
    readMove: () => transact(readMove()),
    async writeMove(move) {
      await transact(writeMove(move))
      if (!move) await adapter.finish()
    },
    [Symbol.asyncDispose]: adapter.close
  }
}

/** The error of a service that is started on a database with an unfinished move. */
export const unfinishedMove = () =>
  new Error(
    'A move into this database is not finished: run the same "npx libretto move" again, or use another database'
  )

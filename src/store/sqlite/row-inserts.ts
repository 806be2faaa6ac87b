import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** Writes rows of a table, given as their values one after the other. */
export type RowWriter = (values: readonly SQLInputValue[]) => void

/**
 * Prepares to write many rows of one table, a number of them in each statement: the fixed cost of a
 * statement (to bind, begin, open every index and end) is more than half of the cost of a row.
 *
 * `OR FAIL`, since a statement of many rows that can be rolled back by itself copies every page it
 * changes, and is slower than its rows one by one. The caller must roll back its whole unit when a
 * statement fails, as every writer of this store does.
 */
export function prepareRows(
  db: DatabaseSync,
  table: string,
  columns: readonly string[],
  { rowsAtOnce = 32, onConflict = '', or = 'OR FAIL' } = {}
): RowWriter {
  const insertOf = (rows: number) => {
    const row = `(${columns.map(() => '?').join(', ')})`
    return db.prepare(
      `INSERT ${or} INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${onConflict}`
    )
  }
  const one = insertOf(1)
  const some = insertOf(rowsAtOnce)
  const width = columns.length
  return values => {
    let at = 0
    // `get` returns nothing here; `run` would create an object with the last row id and the number
    // of rows each time.
    for (; at + rowsAtOnce * width <= values.length; at += rowsAtOnce * width)
      some.get(...values.slice(at, at + rowsAtOnce * width))
    for (; at < values.length; at += width) one.get(...values.slice(at, at + width))
  }
}

/** Compares texts by their code units, which is nearly the order of the index. */
export const byCodeUnits = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

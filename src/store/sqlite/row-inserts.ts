import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/**
 * Rows of a table, as their values one after the other; `rows` of them have `values.length /
 * columns.length`.
 */
export type RowWriter = (values: readonly SQLInputValue[]) => void

/**
 * Prepares to write many rows of one table, a number of them in each statement: what a statement
 * costs beside its rows (to bind, begin, open every index and end) is more than half of what a row
 * costs.
 *
 * `OR FAIL`, since a statement of many rows that could be taken back by itself keeps a copy of
 * every page it changes, and is slower than its rows one by one. Whoever writes here takes back all
 * that it did when a statement fails, as every writer of this store does.
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
    // `get` has nothing to give here; `run` would make an object of the last row id and the number
    // of rows each time.
    for (; at + rowsAtOnce * width <= values.length; at += rowsAtOnce * width)
      some.get(...values.slice(at, at + rowsAtOnce * width))
    for (; at < values.length; at += width) one.get(...values.slice(at, at + width))
  }
}

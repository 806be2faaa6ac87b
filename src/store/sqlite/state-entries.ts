import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type { StateRange, StateWrite } from '../ports/state.ts'
import { boundsOf, endOfPrefix, selectStateRange, toStateEntry } from '../rows.ts'
import { prepareWriting } from './connection.ts'
import { byCodeUnits, prepareRows } from './row-inserts.ts'

export function createStateWriter(db: DatabaseSync) {
  const put = prepareRows(db, 'papers', ['kind', 'key', 'value'], {
    onConflict: 'ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value'
  })
  const remove = prepareWriting(db, 'DELETE FROM papers WHERE kind = ? AND key = ?')
  // In the order of the index, so that each of its pages is located once.
  const inOrder = (one: StateWrite, other: StateWrite) =>
    byCodeUnits(one.kind, other.kind) || byCodeUnits(one.key, other.key)
  return (entries: readonly StateWrite[]) => {
    const rows: SQLInputValue[] = []
    const sorted = entries.toSorted(inOrder)
    for (const [index, entry] of sorted.entries()) {
      const { kind, key, value } = entry
      const next = sorted[index + 1]
      // The last of several entries with one key counts.
      if (next !== undefined && inOrder(entry, next) === 0) continue
      if (value === null) remove.run(kind, key)
      else rows.push(kind, key, value)
    }
    put(rows)
  }
}

export function prepareStateReads(db: DatabaseSync) {
  const byKey = db.prepare('SELECT value FROM papers WHERE kind = ? AND key = ?')
  const keys = db.prepare('SELECT key FROM papers WHERE kind = ? AND key > ? AND key < ?')
  const range = db.prepare(selectStateRange)
  return {
    findState: (kind: string, wanted: readonly string[]): ReadonlyMap<string, string> =>
      new Map(
        wanted.flatMap(key => {
          const row = byKey.get(kind, key)
          return row ? [[key, String(row.value)] as const] : []
        })
      ),
    listStateKeys: (kind: string, prefixes: readonly string[]): string[] =>
      prefixes.flatMap(prefix => keys.all(kind, `${prefix}\n`, endOfPrefix(prefix)).map(row => String(row.key))),
    readState: (kind: string, wanted: StateRange) =>
      range.all(kind, ...boundsOf(wanted), wanted.limit).map(toStateEntry)
  }
}

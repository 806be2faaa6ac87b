import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import { endOfHeading } from '../rows.ts'
import type { StateEntry, StateRange, StateWrite } from '../store.ts'
import { prepareWriting } from './connection.ts'
import { prepareRows } from './row-inserts.ts'

export function createStateWriter(db: DatabaseSync) {
  const put = prepareRows(db, 'papers', ['kind', 'key', 'value'], {
    onConflict: 'ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value'
  })
  const take = prepareWriting(db, 'DELETE FROM papers WHERE kind = ? AND key = ?')
  // In the order of the index, so that each of its pages is looked for once.
  const inOrder = (one: StateWrite, other: StateWrite) =>
    one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : one.key < other.key ? -1 : one.key > other.key ? 1 : 0
  return (papers: readonly StateWrite[]) => {
    const rows: SQLInputValue[] = []
    const sorted = papers.toSorted(inOrder)
    for (const [index, paper] of sorted.entries()) {
      const { kind, key, value } = paper
      const next = sorted[index + 1]
      // Of several under one key the last one stays.
      if (next !== undefined && inOrder(paper, next) === 0) continue
      if (value === null) take.run(kind, key)
      else rows.push(kind, key, value)
    }
    put(rows)
  }
}

export function prepareStateReads(db: DatabaseSync) {
  const byKey = db.prepare('SELECT value FROM papers WHERE kind = ? AND key = ?')
  const keys = db.prepare('SELECT key FROM papers WHERE kind = ? AND key > ? AND key < ?')
  const range = db.prepare('SELECT key, value FROM papers WHERE kind = ? AND key > ? AND key < ? ORDER BY key LIMIT ?')
  return {
    find: (kind: string, wanted: readonly string[]): ReadonlyMap<string, string> =>
      new Map(
        wanted.flatMap(key => {
          const row = byKey.get(kind, key)
          return row ? [[key, String(row.value)] as const] : []
        })
      ),
    listKeys: (kind: string, headings: readonly string[]): string[] =>
      headings.flatMap(heading => keys.all(kind, `${heading}\n`, endOfHeading(heading)).map(row => String(row.key))),
    read: (kind: string, { heading, after = `${heading}\n`, limit }: StateRange): StateEntry[] =>
      range
        .all(kind, after, endOfHeading(heading), limit)
        .map(row => ({ key: String(row.key), value: String(row.value) }))
  }
}

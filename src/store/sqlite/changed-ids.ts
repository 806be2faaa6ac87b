import type { DatabaseSync } from 'node:sqlite'

import { maxListedChanges } from '../rows.ts'
import { sqliteDialect } from './dialect.ts'

const none: readonly string[] = []

/** Tells which entities changed since the last call, by any process (`changedSinceLastCall`). */
export function watchChanges(db: DatabaseSync): () => readonly string[] | 'all' {
  const dataVersion = db.prepare('PRAGMA data_version')
  // An array costs less than an object, and this runs before every read: 1.4 µs against 2.0.
  dataVersion.setReturnArrays(true)
  const readDataVersion = () => (dataVersion.get() as unknown as [version: number])[0]
  const selectChanged = db.prepare('SELECT sequence, id FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?')
  const lastSequence = db.prepare(`SELECT ${sqliteDialect.newestChange} AS sequence`)

  let seenVersion = readDataVersion()
  let seenSequence = Number(lastSequence.get()?.sequence)
  return () => {
    const version = readDataVersion()
    if (version === seenVersion) return none
    seenVersion = version
    const rows = selectChanged.all(seenSequence, maxListedChanges)
    const newest = Number(lastSequence.get()?.sequence)
    // Numbers have no gaps: where some are missing, there were too many, or they were deleted.
    const isComplete = rows.length === newest - seenSequence
    seenSequence = newest
    return isComplete ? rows.map(row => String(row.id)) : 'all'
  }
}

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

import type { Base } from '#index/base.ts'
import { readSnapshot, writeSnapshot } from '#index/snapshot.ts'

/*
 * A base in a file: only a cache, which processes may share. A file that is damaged, of another
 * format or of another database is not read, and one that cannot be written is not needed.
 */

/** Reads the base in a file; undefined where there is none that can be used. */
export function loadSnapshot(file: string, database: string): Base | undefined {
  try {
    return readSnapshot(readFileSync(file), database)
  } catch {
    return undefined
  }
}

/**
 * Writes a base to a file, under another name until it is complete. A newer one of another process
 * stays.
 */
export function saveSnapshot(file: string, base: Base, database: string) {
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    const stored = loadSnapshot(file, database)
    if (stored && stored.change > base.change) return
    // It contains everything that the database does, so only its owner may read it.
    writeFileSync(unfinished, writeSnapshot(base, database), { mode: 0o600 })
    renameSync(unfinished, file)
  } catch {
    // The next start builds it again.
    rmSync(unfinished, { force: true })
  }
}

export const deleteSnapshot = (file: string | undefined) => {
  if (file !== undefined) rmSync(file, { force: true })
}

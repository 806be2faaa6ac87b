import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its parents, and flushes their directory entries to the disk: otherwise a
 * power cut loses a flushed file with the entry of a folder above it.
 */
export function makeFolder(folder: string) {
  const created = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (created === undefined) return
  const highest = dirname(resolve(created))
  for (let each = dirname(resolve(folder)); each.length >= highest.length; each = dirname(each)) {
    syncFolder(each)
    if (each === dirname(each)) return
  }
}

function syncFolder(folder: string) {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch (error) {
    // The right to create a folder in another does not include the right to open that one.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return
    throw error
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

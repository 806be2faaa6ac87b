import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it, and writes their names through to the disk: a file that was
 * flushed is lost with a power cut all the same when the name of a folder above it was not.
 */
export function makeFolder(folder: string) {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  const highest = dirname(resolve(made))
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
    // It may be allowed to make a folder in another, and not to open that one.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return
    throw error
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

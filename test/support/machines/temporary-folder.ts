import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where clean-up is left: a test's context, or `{ after }` of node:test for a service that a whole
 * file shares.
 */
export interface Teardown {
  after(cleanUp: () => void | Promise<void>): void
}

/** Those that could not be removed when their test was over. */
const leftOver = new Set<string>()
process.on('exit', () => {
  for (const folder of leftOver) rmSync(folder, { recursive: true, force: true })
})

/**
 * A folder that is gone when the test is over. Clean-ups run in the order in which they were left,
 * so a process may still be at work in it, and put a file there while it is emptied. That is no
 * fault of the test, and what it has started must be ended all the same: it is tried again at the
 * end.
 */
export function temporaryFolder(t: Teardown, above = tmpdir()): string {
  const folder = mkdtempSync(join(above, 'libretto-test-'))
  t.after(() => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      leftOver.add(folder)
    }
  })
  return folder
}

const memoryFolder = '/dev/shm'

/**
 * Where files are in memory, for what is written often and need not survive. Where fewer than two
 * gigabytes are free, as in many containers, it is the usual folder.
 */
export function quickFolder(): string {
  if (!existsSync(memoryFolder)) return tmpdir()
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize > 2 * 1024 ** 3 ? memoryFolder : tmpdir()
}

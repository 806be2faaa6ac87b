import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where clean-up is left: a test's context, or `{ after }` of node:test for a service that a whole file shares. */
export interface Teardown {
  after(cleanUp: () => void | Promise<void>): void
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(t: Teardown): string {
  const folder = mkdtempSync(join(tmpdir(), 'libretto-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

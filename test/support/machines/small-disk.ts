import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/* File systems of their own, in memory, that a test can fill. */

/**
 * A small file system in a new folder, gone when the test is over. Skips the test, and says why,
 * where none can be made.
 */
export function mountSmallDisk(t: TestContext, bytes: number): string | undefined {
  if (process.getuid?.() !== 0) {
    t.skip('only root can mount a small disk to fill')
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'libretto-test-'))
  const failure = mount(t, folder, ['-t', 'tmpfs', '-o', `size=${bytes}`, 'libretto-test'], () =>
    rmSync(folder, { recursive: true, force: true })
  )
  if (failure === undefined) return folder
  t.skip(`no small disk can be mounted here: ${failure}`)
  return undefined
}

/** Puts a file that is on another disk into a folder. */
export function putFromElsewhere(t: TestContext, file: string, place: string) {
  writeFileSync(file, '')
  writeFileSync(place, '')
  const failure = mount(t, place, ['--bind', file])
  if (failure !== undefined) throw new Error(`${file} cannot be put at ${place}: ${failure}`)
}

/** Returns why it could not be mounted. */
function mount(t: TestContext, at: string, options: readonly string[], after = () => {}): string | undefined {
  const { status, stderr, error } = spawnSync('mount', [...options, at], { encoding: 'utf8' })
  const cleanUp = () => {
    // Lazily, so that a process which still holds a file there does not keep it.
    if (status === 0) spawnSync('umount', ['-l', at], { stdio: 'ignore' })
    after()
  }
  t.after(() => {
    process.off('exit', cleanUp)
    cleanUp()
  })
  process.once('exit', cleanUp)
  return status === 0 ? undefined : (stderr ?? error?.message ?? '')
}

/** Leaves at most so many bytes free on a disk; returns a function that frees the others again. */
export function fillDisk(folder: string, free: number): () => void {
  const { bavail, bsize } = statfsSync(folder)
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free)))
  return () => rmSync(filler)
}

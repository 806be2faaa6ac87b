import { chownSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Copies a database, as it is at one moment, into a new file, while others read and write. The file
 * appears under its name only when it is complete and on the disk, and only its owner may read it:
 * it contains the secrets of webhooks.
 */
export function copyDatabase(path: string, to: string, onStep: (step: string) => void) {
  if (!existsSync(path)) throw new Error(`There is no database "${path}"`)
  if (existsSync(to)) throw new Error(`The file "${to}" exists already; it was not overwritten`)
  const incomplete = `${to}.incomplete`
  try {
    writeCopy(path, incomplete, onStep)
    renameSync(incomplete, to)
    flush(dirname(to))
  } catch (cause) {
    rmSync(incomplete, { force: true })
    throw new Error(`"${path}" could not be copied to "${to}": ${(cause as Error).message}`, { cause })
  }
}

function writeCopy(path: string, to: string, onStep: (step: string) => void) {
  onStep(`copying ${(statSync(path).size / 1e6).toFixed(1)} MB`)
  // SQLite accepts an existing file that is empty; so it is private from the beginning.
  rmSync(to, { force: true })
  closeSync(openSync(to, 'wx', 0o600))
  {
    using source = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    source.prepare('VACUUM INTO ?').run(to)
  }
  flush(to)
  onStep('verifying the copy')
  refuseDamaged(to)
}

function refuseDamaged(path: string) {
  using db = new DatabaseSync(path, { readOnly: true })
  const found = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
  const damage = found.map(each => each.integrity_check).filter(each => each !== 'ok')
  if (damage.length > 0) throw new Error(`it is damaged: ${damage[0]}`)
  const isOurs = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'entities'`).get()
  if (!isOurs) throw new Error('it contains no catalogue')
}

/**
 * Replaces a database that no process uses by a file, in one step. Returns the new name of the
 * database that was there before, which stays beside it. The file is moved, not copied.
 */
export function replaceDatabase(path: string, by: string, now: Date): string | undefined {
  let former: string | undefined
  keepOwner(by, existsSync(path) ? path : dirname(path))
  if (existsSync(path)) {
    former = `${path}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
    mergeLog(path)
    // A log that could not be merged would be taken for that of the new file.
    for (const end of ['-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, former + end)
    linkAs(path, former)
  }
  renameSync(by, path)
  flush(dirname(path))
  return former
}

/**
 * Gives a file the owner of another, or of the folder it comes into. Only root can; a restore that
 * root runs would otherwise leave a file that the service cannot open.
 */
function keepOwner(path: string, model: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(model)
  chownSync(path, uid, gid)
}

/**
 * Gives a file a second name, so that a database is under the first at every moment; renames it
 * where a file can have one name only.
 */
function linkAs(path: string, name: string) {
  try {
    linkSync(path, name)
  } catch {
    renameSync(path, name)
  }
}

const sqliteBusy = 5

/**
 * Writes the log of a database into its file, and throws when a process has it open. A damaged
 * database stays as it is.
 */
function mergeLog(path: string) {
  try {
    using db = new DatabaseSync(path, { timeout: 250 })
    // Only a process that has the database alone may leave this mode.
    db.exec('PRAGMA journal_mode = DELETE')
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode === sqliteBusy)
      throw new Error(`"${path}" is in use; stop the service, and every other program that has it open`, { cause })
  }
}

/** Flushes a file or a folder to the disk: before, a power cut may lose its content or name. */
function flush(path: string) {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

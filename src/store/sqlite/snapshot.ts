import { chownSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Copies a database, as it is at one moment, into a new file. Whoever reads and writes goes on. The
 * file appears under its name only when it is whole and on the disk, and only its owner may read
 * it: there are secrets of webhooks in it.
 */
export function copyDatabase(path: string, to: string) {
  if (!existsSync(path)) throw new Error(`There is no database "${path}"`)
  if (existsSync(to)) throw new Error(`There is already a file "${to}"; nothing was written over it`)
  const incomplete = `${to}.incomplete`
  try {
    writeCopy(path, incomplete)
    renameSync(incomplete, to)
    flush(dirname(to))
  } catch (cause) {
    rmSync(incomplete, { force: true })
    throw new Error(`No copy of "${path}" could be made as "${to}": ${(cause as Error).message}`, { cause })
  }
}

function writeCopy(path: string, to: string) {
  // SQLite takes a file that is there, if it is empty; so it is nobody else's from the beginning.
  rmSync(to, { force: true })
  closeSync(openSync(to, 'wx', 0o600))
  {
    using source = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    source.prepare('VACUUM INTO ?').run(to)
  }
  flush(to)
  refuseDamaged(to)
}

function refuseDamaged(path: string) {
  using db = new DatabaseSync(path, { readOnly: true })
  const found = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
  const damage = found.map(each => each.integrity_check).filter(each => each !== 'ok')
  if (damage.length > 0) throw new Error(`it is damaged: ${damage[0]}`)
  const isOurs = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'entities'`).get()
  if (!isOurs) throw new Error('there is no catalogue in it')
}

/**
 * Puts a file into the place of a database that nobody uses, in one step. What was there before is
 * kept beside it; gives its name. The file is taken, not copied.
 */
export function replaceDatabase(path: string, by: string, now: Date): string | undefined {
  let kept: string | undefined
  keepOwner(by, existsSync(path) ? path : dirname(path))
  if (existsSync(path)) {
    kept = `${path}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
    settle(path)
    // The log of a file that could not be settled would be taken for that of the new one.
    for (const end of ['-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, kept + end)
    keepAs(path, kept)
  }
  renameSync(by, path)
  flush(dirname(path))
  return kept
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
 * By a second name, so that there is a database under the first at every moment; by another, where
 * a file can have one only.
 */
function keepAs(path: string, name: string) {
  try {
    linkSync(path, name)
  } catch {
    renameSync(path, name)
  }
}

const sqliteBusy = 5

/**
 * Refuses a database that somebody has open, and writes what is in its log into the file. One that
 * is damaged stays as it is.
 */
function settle(path: string) {
  try {
    using db = new DatabaseSync(path, { timeout: 250 })
    // Only whoever has it alone may leave the log behind.
    db.exec('PRAGMA journal_mode = DELETE')
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode === sqliteBusy)
      throw new Error(`Somebody uses "${path}"; stop the service, and every other program that has it open`, { cause })
  }
}

/**
 * Until this is done, a power cut may take back what was written to a file, or that it has its
 * name.
 */
function flush(path: string) {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

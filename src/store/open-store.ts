import { rmSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Model } from '#domain/record-types/model.ts'
import { usualMaxBehind } from '#finding/find-in-index.ts'
import { quietly } from './administration/follow-model.ts'
import type { Archive } from './archive.ts'
import type { DatabaseState, StoreSettings } from './ports/administration.ts'
import type { StateKey } from './query/check.ts'
import type { Store } from './store.ts'

const defaultSettings: StoreSettings = {
  ...quietly,
  // A day. The configured deadline is for clients that wait, and a service sets it; a start, or an
  // export by a command, may take long.
  queryDeadline: 86_400_000,
  readers: 2,
  poolSize: 10,
  maxWait: 3000,
  replicaUrls: [],
  staleness: 0,
  readCacheMegabytes: 32,
  indexSnapshot: undefined,
  logMegabytes: 16,
  maxBehind: usualMaxBehind,
  recordsOfPart: 50_000
}

/** Opens the store that a database URL names, and brings its schema up to date. */
export async function openStore(databaseUrl: string, model: Model, given: Partial<StoreSettings> = {}): Promise<Store> {
  const settings = { ...defaultSettings, ...given }
  const path = sqlitePath(databaseUrl)
  // Only the driver that is used is loaded.
  if (path === undefined) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore(databaseUrl, model, settings)
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts')
  return openSqliteStore(path, model, settings)
}

/** Opens a database to move its contents, out of it or into it. */
export async function openArchive(databaseUrl: string, model: Model): Promise<Archive> {
  const path = sqlitePath(databaseUrl)
  if (path === undefined) return (await import('./postgres/archive.ts')).openPostgresArchive(databaseUrl, model)
  return (await import('./sqlite/archive.ts')).openSqliteArchive(path, model)
}

/**
 * Describes tables and columns that are gone, for a check: a store without them cannot be opened.
 * A database of an earlier schema lacks none: they are made when it is opened.
 */
export async function findMissingTables(databaseUrl: string): Promise<readonly string[]> {
  const path = sqlitePath(databaseUrl)
  if (path === undefined) return (await import('./postgres/check.ts')).findMissingTables(databaseUrl)
  return (await import('./sqlite/check.ts')).findMissingTables(path)
}

/** Describes a database without opening it as a store: nothing is created or brought up to date. */
export async function describeDatabase(databaseUrl: string, entry: StateKey): Promise<DatabaseState> {
  const path = sqlitePath(databaseUrl)
  if (path === undefined) return (await import('./postgres/check.ts')).describeDatabase(databaseUrl, entry)
  return (await import('./sqlite/check.ts')).describeDatabase(path, entry)
}

/** Copies a database that is a file, as it is at one moment, into a new file. */
export async function backUp(databaseUrl: string, to: string, onStep: (step: string) => void): Promise<void> {
  const { copyDatabase } = await import('./sqlite/snapshot.ts')
  copyDatabase(fileOf(databaseUrl), to, onStep)
}

/**
 * Replaces the database by a copy of a backup; no process may use it meanwhile. `prepare` gets the
 * copy before any process can open it. Resolves to the new name of the former database, where there
 * was one.
 */
export async function restore(
  databaseUrl: string,
  from: string,
  onStep: (step: string) => void,
  prepare: (copyUrl: string) => Promise<void>
): Promise<string | undefined> {
  const { copyDatabase, replaceDatabase } = await import('./sqlite/snapshot.ts')
  const { makeFolder } = await import('./sqlite/make-folder.ts')
  const path = fileOf(databaseUrl)
  const copy = `${path}.restored`
  const remove = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true })
  }
  makeFolder(dirname(path))
  // An interrupted restore may have left one.
  remove()
  try {
    copyDatabase(from, copy, onStep)
    await prepare(`sqlite:${copy}`)
    return replaceDatabase(path, copy, new Date())
  } finally {
    remove()
  }
}

function fileOf(databaseUrl: string): string {
  const path = sqlitePath(databaseUrl)
  if (path === undefined) throw new Error('PostgreSQL has its own tools for this: see docs/how-to/run-on-postgresql.md')
  return path
}

/** The file of a URL, or undefined for the URL of a server. */
function sqlitePath(databaseUrl: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return undefined
  if (!databaseUrl.startsWith('sqlite:'))
    throw new Error(`DATABASE_URL must begin with "sqlite:" or "postgres://", got "${databaseUrl.split(':')[0]}:…"`)
  const path = databaseUrl.slice('sqlite:'.length)
  // In memory, each thread would have a database of its own.
  if (path === '' || path.startsWith(':memory:')) throw new Error('DATABASE_URL must name a file after "sqlite:"')
  return path
}

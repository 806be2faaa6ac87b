import type { Model } from '#domain/model.ts'
import type { Archive } from './archive.ts'
import { openPostgresArchive } from './postgres/archive.ts'
import { openPostgresStore } from './postgres/postgres-store.ts'
import { openSqliteArchive } from './sqlite/archive.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store, StoreSettings } from './store.ts'

const usualSettings: StoreSettings = { queryDeadline: 2000, readers: 2, poolSize: 10, replicaUrls: [], staleness: 0 }

/** Opens the store that a database URL names, and brings its schema up to date. */
export async function openStore(databaseUrl: string, model: Model, given: Partial<StoreSettings> = {}): Promise<Store> {
  const settings = { ...usualSettings, ...given }
  const path = sqlitePath(databaseUrl)
  return path === undefined ? openPostgresStore(databaseUrl, model, settings) : openSqliteStore(path, model, settings)
}

/** Opens a database for moving everything out of it or into it. */
export async function openArchive(databaseUrl: string, model: Model): Promise<Archive> {
  const path = sqlitePath(databaseUrl)
  return path === undefined ? openPostgresArchive(databaseUrl, model) : openSqliteArchive(path, model)
}

/** The file that a URL names, or undefined where it names a server. */
function sqlitePath(databaseUrl: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return undefined
  if (!databaseUrl.startsWith('sqlite:'))
    throw new Error(`DATABASE_URL must begin with "sqlite:" or "postgres://", got "${databaseUrl.split(':')[0]}:…"`)
  const path = databaseUrl.slice('sqlite:'.length)
  // Without a file, or in memory, each thread would have a database of its own.
  if (path === '' || path.startsWith(':memory:')) throw new Error('DATABASE_URL must name a file after "sqlite:"')
  return path
}

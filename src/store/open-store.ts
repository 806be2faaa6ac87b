import type { Model } from '#domain/model.ts'
import { openPostgresStore } from './postgres/postgres-store.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store, StoreSettings } from './store.ts'

const usualSettings: StoreSettings = { queryDeadline: 2000, readers: 2, poolSize: 10, replicaUrls: [], staleness: 0 }

/** Opens the store that a database URL names, and brings its schema up to date. */
export async function openStore(databaseUrl: string, model: Model, given: Partial<StoreSettings> = {}): Promise<Store> {
  const settings = { ...usualSettings, ...given }
  if (databaseUrl.startsWith('sqlite:')) {
    const path = databaseUrl.slice('sqlite:'.length)
    // Without a file, or in memory, each thread would have a database of its own.
    if (path === '' || path.startsWith(':memory:')) throw new Error('DATABASE_URL must name a file after "sqlite:"')
    return openSqliteStore(path, model, settings)
  }
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return openPostgresStore(databaseUrl, model, settings)
  throw new Error(`DATABASE_URL must begin with "sqlite:" or "postgres://", got "${databaseUrl.split(':')[0]}:…"`)
}

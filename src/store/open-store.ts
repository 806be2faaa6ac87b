import type { Model } from '#domain/model.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store, StoreSettings } from './store.ts'

/** Opens the store that a database URL names, and brings its schema up to date. */
export async function openStore(databaseUrl: string, model: Model, settings: StoreSettings): Promise<Store> {
  if (databaseUrl.startsWith('sqlite:')) {
    const path = databaseUrl.slice('sqlite:'.length)
    // Without a file, or in memory, each thread would have a database of its own.
    if (path === '' || path.startsWith(':memory:')) throw new Error('DATABASE_URL must name a file after "sqlite:"')
    return openSqliteStore(path, model, settings)
  }
  throw new Error(`DATABASE_URL must begin with "sqlite:", got "${databaseUrl.split(':')[0]}:…"`)
}

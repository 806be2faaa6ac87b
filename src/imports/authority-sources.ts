import type { ChangedNames, StoredAuthorityRecord } from '#domain/imports/stored-source-record.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Store } from '#store/store.ts'
import { findEditedNames } from './source-records.ts'
import { findState } from './state/import-state.ts'

/**
 * Finds the authority records that entities were described by, with the fields that people have
 * changed since. Of several records, the one with the name of the entity is preferred.
 */
export async function findAuthorityRecords(
  store: Store,
  ids: readonly string[]
): Promise<ReadonlyMap<string, StoredAuthorityRecord>> {
  const keys = await findState(store, 'authority key', ids)
  if (keys.size === 0) return new Map()
  const targets = await findState(store, 'target', [...new Set(keys.values())])
  const edited = await findState(store, 'edited', [...keys.keys()])
  const entities = await store.findEntities([...keys.keys()])
  const found = new Map<string, StoredAuthorityRecord>()
  for (const [id, key] of keys) {
    const target = targets.get(key)
    const stored = entities.get(id)
    const sources = Object.values(target?.records ?? {}).flatMap(({ source }) => source ?? [])
    if (target?.id !== id || stored === undefined || sources.length === 0) continue
    const { audit } = JSON.parse(stored.json) as Entity
    const isUntouched = !edited.has(id) && audit.updated.by.startsWith('import:')
    const changed: ChangedNames = isUntouched ? new Set() : await findEditedNames(store, id, edited.get(id))
    found.set(id, {
      sources: sources.map(each => ({ format: each.form, bytes: Buffer.from(each.base64, 'base64') })),
      changed
    })
  }
  return found
}

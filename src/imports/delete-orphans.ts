import { CatalogueError } from '#domain/errors.ts'
import type { ExistingEntity } from '#domain/imports/decide-entities.ts'
import type { Store } from '#store/store.ts'
import type { Staging, Flushed } from './state/staging.ts'
import { maxTries, readState, restOf } from './state/import-state.ts'
import { isByImport } from './place/stage-entities.ts'

const pageSize = 200

/**
 * Deletes authorities that only an import created and nothing refers to any more, a page at a time;
 * `write` writes each page. When somebody refers to one of them, or changes it, meanwhile, the page
 * is read again; one that the store refused to delete stays.
 */
export async function deleteOrphans(
  store: Store,
  staging: Staging,
  job: string,
  write: (page: Flushed) => Promise<void>,
  onRetained: (entity: ExistingEntity) => void = () => {}
): Promise<void> {
  const referredTo = new Set<string>()
  for (let tries = 1; ; ) {
    staging.clear()
    const page = await readState(store, 'orphan', job, { limit: pageSize })
    if (page.length === 0) return
    const ids = page.map(({ key }) => restOf(key))
    const existing = await staging.findEntities(ids)
    const authorities = await staging.find(
      'target',
      page.map(({ value }) => value)
    )
    for (const [index, { key, value: targetKey }] of page.entries()) {
      staging.put('orphan', key, null)
      const entity = existing.get(ids[index] ?? '')
      const target = authorities.get(targetKey)
      if (entity === undefined || !isByImport(entity) || target?.isRecord) continue
      const { id, type } = entity.content
      const { count } = await store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1 })
      if (count > 0 || referredTo.has(id)) {
        onRetained(entity)
        continue
      }
      staging.write({ kind: 'delete', id, expectedVersion: entity.version }, type)
      staging.put('deleted', id, { uuid: entity.content.uuid, version: entity.version + 1 })
      if (target) staging.put('target', targetKey, { ...target, exists: false })
    }
    try {
      await write(staging.flush())
      tries = 1
    } catch (error) {
      if (isNewReference(error, referredTo)) continue
      const isConcurrency = error instanceof CatalogueError && error.code === 'version_mismatch'
      if (!isConcurrency || tries++ === maxTries) throw error
    }
  }
}

/**
 * Whether somebody referred to an entity while it was deleted, for the first time: then it is added
 * to those that stay, and the deletion can be tried again without it.
 */
export function isNewReference(error: unknown, referredTo: Set<string>): boolean {
  const [, id] = error instanceof CatalogueError && error.code === 'still_referenced' ? (error.about ?? []) : []
  if (id === undefined || referredTo.has(id)) return false
  referredTo.add(id)
  return true
}

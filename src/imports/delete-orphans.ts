import { CatalogueError } from '#domain/errors.ts'
import type { Store } from '#store/store.ts'
import type { Staging, Flushed } from './state/staging.ts'
import { maxTries } from './commit.ts'
import { isByImport } from './place/stage-entities.ts'
import { readState, restOf } from './state/import-state.ts'

const pageSize = 200

/**
 * Deletes authorities that only an import created and nothing refers to any more, a page at a time;
 * `write` writes each page. When somebody refers to one of them, or changes it, meanwhile, the page
 * is read again.
 */
export async function deleteOrphans(
  store: Store,
  staging: Staging,
  job: string,
  write: (page: Flushed) => Promise<void>
): Promise<void> {
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
      if (count > 0) continue
      staging.write({ kind: 'delete', id, expectedVersion: entity.version }, type)
      staging.put('deleted', id, { uuid: entity.content.uuid, version: entity.version + 1 })
      if (target) staging.put('target', targetKey, { ...target, exists: false })
    }
    try {
      await write(staging.flush())
      tries = 1
    } catch (error) {
      const isConcurrency =
        error instanceof CatalogueError && ['version_mismatch', 'still_referenced'].includes(error.code)
      if (!isConcurrency || tries++ === maxTries) throw error
    }
  }
}

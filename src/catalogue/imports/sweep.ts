import { CatalogueError } from '#domain/errors.ts'
import type { Store } from '#store/store.ts'
import type { Desk, HandedIn } from './desk.ts'
import { isByImport } from './plan-entities.ts'

const pageSize = 200
const mostTries = 8

/**
 * Deletes what only an import made and nothing points to any more, a page at a time, each handed to `write`. Somebody may point to one of them, or
 * change it, just then: the page is looked at again.
 */
export async function sweepLoose(
  store: Store,
  desk: Desk,
  job: string,
  write: (page: HandedIn) => Promise<void>
): Promise<void> {
  for (let tries = 1; ; ) {
    desk.clear()
    const page = await store.readPapers('import loose', { heading: job, limit: pageSize })
    if (page.length === 0) return
    const ids = page.map(({ key }) => key.slice(job.length + 1))
    const standing = await desk.findEntities(ids)
    const targets = await desk.find(
      'import target',
      page.map(({ value }) => JSON.parse(value) as string)
    )
    for (const [index, { key, value }] of page.entries()) {
      desk.put('import loose', key, null)
      const entity = standing.get(ids[index] ?? '')
      const targetKey = JSON.parse(value) as string
      const target = targets.get(targetKey)
      if (entity === undefined || !isByImport(entity)) continue
      const { id, type } = entity.content
      const { count } = await store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1 })
      if (count > 0) continue
      desk.write({ kind: 'delete', id, expectedVersion: entity.version }, type)
      desk.put('import retired', id, { uuid: entity.content.uuid, version: entity.version + 1 })
      if (target) desk.put('import target', targetKey, { ...target, exists: false })
    }
    try {
      await write(desk.handIn())
      tries = 1
    } catch (error) {
      const isPassing = error instanceof CatalogueError && ['version_mismatch', 'still_referenced'].includes(error.code)
      if (!isPassing || tries++ === mostTries) throw error
    }
  }
}

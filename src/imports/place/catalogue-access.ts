import type { Parts } from '#catalogue/parts.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { idsInOrder } from '#domain/entity/ids.ts'
import type { ImportState } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import type { DeletedEntity } from '#domain/imports/decide-entities.ts'
import type { Placing } from './placing.ts'

/**
 * Makes the catalogue's part of placing. A preview looks up no referring entities, since it deletes
 * nothing.
 */
export function placingFor(
  parts: Parts,
  job: string,
  { isPreview = false, newIdFor = idsInOrder(parts.randomBelow) } = {}
): Placing {
  const { store, model, sanitizeHtml, newUuid } = parts
  return {
    job,
    model,
    sanitizeHtml,
    newUuid,
    newId: type => newIdFor(model.findType(type)?.idPrefix ?? 'X'),
    findReferrers: async id => {
      if (isPreview) return []
      const { references } = await store.findReferences({ id, readableTypes: undefined, skip: 0, limit: 1000 })
      return [...new Set(references.map(each => each.id))]
    },
    findAuthorities: async (type, key, values) =>
      (await store.lookUp(key, values, type)).map(each => JSON.parse(each.json) as Entity),
    findLast: deleted => findLastIn(store, deleted),
    findOwners: async names => new Map([...(await store.identify(names))].map(([name, { id }]) => [name, id]))
  }
}

/**
 * Finds the last state of an entity that an import deleted. Its id may lead to the entity that it
 * was merged into.
 */
export const findDeletedIn =
  (staging: Staging, store: Parts['store']) =>
  async (id: string): Promise<DeletedEntity | undefined> => {
    const deleted = (await staging.find('deleted', [id])).get(id)
    if (deleted === undefined) return undefined
    const entity = await findLastIn(store, deleted)
    return entity && { entity, version: deleted.version }
  }

async function findLastIn(
  store: Parts['store'],
  { uuid, version }: ImportState['deleted']
): Promise<Entity | undefined> {
  const [deletion, last] = [
    await store.findVersionByUuid(uuid, version),
    await store.findVersionByUuid(uuid, version - 1)
  ]
  // Somebody may have restored it and deleted it again.
  const isLast = deletion?.json === null && (await store.findVersionByUuid(uuid, version + 1)) === undefined
  return isLast && last?.json != null ? (JSON.parse(last.json) as Entity) : undefined
}

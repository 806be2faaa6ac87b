import type { Entity } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { PublicationLevel } from '#domain/entity/publication.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'

/** Reads the entities that others are related to, in order; one query for any number of them. */
export async function readLevels(
  parts: Parts,
  principal: Principal,
  entities: readonly Entity[]
): Promise<readonly PublicationLevel[]> {
  refuseBlind(principal)
  const keys = [...new Set(entities.flatMap(({ relations }) => relations.map(({ key }) => key)))]
  const found = new Map<string, Entity>()
  for (const [key, stored] of await parts.store.findEntities(keys))
    if (principal.mayRead(stored.type)) found.set(key, JSON.parse(stored.json) as Entity)
  return entities.map(entity => ({
    entity,
    related: entity.relations.flatMap(({ type, key, metadata = [] }) => {
      const target = found.get(key)
      return target === undefined ? [] : [{ type, metadata, entity: target }]
    })
  }))
}

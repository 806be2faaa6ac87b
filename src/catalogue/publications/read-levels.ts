import type { Entity } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { PublicationLevel } from '#domain/entity/publication.ts'
import type { Parts } from '../parts.ts'
import { findManyEntities } from '../entities/find-many-entities.ts'
import { refuseBlind } from '../entities/read-entity.ts'

/** Reads the entities that others are related to, in order, many at once. */
export async function readLevels(
  parts: Parts,
  principal: Principal,
  entities: readonly Entity[]
): Promise<readonly PublicationLevel[]> {
  refuseBlind(principal)
  const keys = entities.flatMap(({ relations }) => relations.map(({ key }) => key))
  const found = await findManyEntities(parts.store, keys, type => principal.mayRead(type))
  return entities.map(entity => ({
    entity,
    related: entity.relations.flatMap(({ type, key, metadata = [] }) => {
      const target = found.get(key)
      return target === undefined ? [] : [{ type, metadata, entity: target }]
    })
  }))
}

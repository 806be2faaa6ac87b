import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import type { FindEntities } from '../entities/fetch-related.ts'

/**
 * Makes a climb that finds one entity after the other: for past states, or for readers with limits.
 */
export function climbingBy(find: FindEntities): Store['findClimbing'] {
  return async (identifier, links) => {
    const climbed: StoredEntity[] = []
    let key: string | undefined = identifier
    for (const link of [...links, undefined]) {
      const stored: StoredEntity | undefined = key === undefined ? undefined : (await find([key])).get(key)
      if (!stored) break
      climbed.push(stored)
      key = link === undefined ? undefined : targetsOf(JSON.parse(stored.json) as Entity, link)[0]
    }
    return climbed
  }
}

import { type Entity, type Relation, targetsOf } from '#domain/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Parts } from './parts.ts'

/**
 * Fetches every entity that resolving some relations needs: the targets in one question, then the broader records of classifications,
 * a question a level. By the key as it stands in the relation. Hidden ones are left out.
 */
export async function fetchForResolving(
  parts: Parts,
  principal: Principal,
  relations: readonly Relation[]
): Promise<ReadonlyMap<string, Entity>> {
  const fetched = new Map<string, Entity>()
  const asked = new Set<string>()
  let wanted = relations.map(relation => relation.key)
  while (wanted.length > 0) {
    const found = await parts.store.findEntities([...new Set(wanted)])
    for (const key of wanted) asked.add(key)
    const broader: string[] = []
    for (const [key, stored] of found) {
      if (!principal.mayRead(stored.type)) continue
      const entity = JSON.parse(stored.json) as Entity
      fetched.set(key, entity)
      const climbsBy = parts.model.findType(stored.type)?.climbsBy
      if (climbsBy !== undefined) broader.push(...targetsOf(entity, climbsBy).slice(0, 1))
    }
    wanted = broader.filter(key => !asked.has(key))
  }
  return fetched
}

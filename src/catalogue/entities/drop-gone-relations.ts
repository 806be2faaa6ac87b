import { contentOf, type Entity, type Relation } from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Parts } from '../parts.ts'

const maxTries = 20

/**
 * Removes the relations of an entity to entities that existed once and were deleted, in a new
 * version. Relations to entities that never existed stay: they may come yet. Returns the removed
 * ones.
 */
export async function dropGoneRelations(parts: Parts, principal: Principal, id: string): Promise<Relation[]> {
  for (let tries = 1; ; tries++) {
    const stored = await parts.store.findEntity(id)
    if (!stored) return []
    const entity = JSON.parse(stored.json) as Entity
    const gone = await findGone(
      parts,
      entity.relations.map(({ key }) => key)
    )
    const relations = entity.relations.filter(({ key }) => !gone.has(key))
    if (relations.length === entity.relations.length) return []
    try {
      const content = { ...contentOf(entity), relations }
      const writes = [{ kind: 'update' as const, content, expectedVersion: stored.version }]
      await parts.store.write({ writes, by: principal.name })
      return entity.relations.filter(({ key }) => gone.has(key))
    } catch (error) {
      const isRace = error instanceof CatalogueError && error.code === 'version_mismatch'
      if (!isRace || tries === maxTries) throw error
    }
  }
}

/** The keys that led to an entity once, and lead to none now. */
async function findGone({ store }: Parts, keys: readonly string[]): Promise<Set<string>> {
  const known = await store.identify(keys)
  const gone = new Set<string>()
  for (const key of new Set(keys))
    if (!known.has(key) && (await store.findHistory(key, 0, 0)) !== undefined) gone.add(key)
  return gone
}

import { type Entity, type Relation, targetsOf } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import { createTurns } from '../take-turns.ts'

/**
 * Finds entities by their identifiers: in their current state (the store itself), or in a past one.
 */
export type FindEntities = (identifiers: readonly string[]) => MaybePromise<ReadonlyMap<string, StoredEntity>>

export interface Related {
  /** Entities by the key in the relation. */
  readonly entities: ReadonlyMap<string, Entity>
  /** Keys of entities that the principal may not read: for them these relations do not exist. */
  readonly hidden: ReadonlySet<string>
}

/** Documents that are read at once. */
const readAtOnce = 200

/**
 * Fetches every entity that is needed to resolve some relations: the targets in one query, or
 * several for many, then the broader records of classifications, one query a level.
 */
export async function fetchRelated(
  find: FindEntities,
  model: Model,
  principal: Principal,
  relations: readonly Relation[]
): Promise<Related> {
  const entities = new Map<string, Entity>()
  const hidden = new Set<string>()
  const requested = new Set<string>()
  const takeTurns = createTurns()
  let wanted = relations.map(relation => relation.key)
  while (wanted.length > 0) {
    const keys = [...new Set(wanted)]
    for (const key of keys) requested.add(key)
    const broader: string[] = []
    for (let at = 0; at < keys.length; at += readAtOnce)
      for (const [key, stored] of await find(keys.slice(at, at + readAtOnce))) {
        if (!principal.mayRead(stored.type)) {
          hidden.add(key)
          continue
        }
        const entity = JSON.parse(stored.json) as Entity
        entities.set(key, entity)
        const climbsBy = model.findType(stored.type)?.climbsBy
        if (climbsBy !== undefined) broader.push(...targetsOf(entity, climbsBy).slice(0, 1))
        const turn = takeTurns()
        if (turn) await turn
      }
    wanted = broader.filter(key => !requested.has(key))
  }
  return { entities, hidden }
}

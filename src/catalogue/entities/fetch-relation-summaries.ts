import type { Entity, Relation } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { type Glimpse, glimpseOf } from '#domain/entity/resolve-relation.ts'
import type { KeptGlimpses } from '../cache/answer-cache.ts'
import type { FindEntities } from './fetch-related.ts'

export interface Glimpses {
  /** By the key as it stands in the relation. */
  readonly shown: ReadonlyMap<string, Glimpse>
  /** What the principal may not read, by key: for them these relations do not exist. */
  readonly hidden: ReadonlyMap<string, Glimpse>
  /** Whether a relation, or a classification among what they lead to, points to nothing that is shown. */
  readonly hasGaps: boolean
}

/**
 * What relations show of the entities they point to: those that are not kept in one question, then the broader records of classifications,
 * a question a level.
 */
export async function fetchGlimpses(
  find: FindEntities,
  model: Model,
  principal: Principal,
  relations: readonly Relation[],
  kept?: KeptGlimpses
): Promise<Glimpses> {
  const shown = new Map<string, Glimpse>()
  const hidden = new Map<string, Glimpse>()
  const isTaken = (key: string) => shown.has(key) || hidden.has(key)
  let hasGaps = false
  let wanted = relations.map(relation => relation.key)
  while (wanted.length > 0) {
    const broader: string[] = []
    const take = (key: string, glimpse: Glimpse) => {
      if (!principal.mayRead(glimpse.type)) {
        hidden.set(key, glimpse)
        return
      }
      shown.set(key, glimpse)
      if (glimpse.members === undefined) hasGaps = true
      if (glimpse.parent !== undefined) broader.push(glimpse.parent)
    }
    const unknown: string[] = []
    for (const key of wanted) {
      if (isTaken(key)) continue
      const glimpse = kept?.get(key)
      if (glimpse) take(key, glimpse)
      else unknown.push(key)
    }
    if (unknown.length > 0) {
      const generation = kept?.generation ?? 0
      for (const [key, stored] of await find(unknown)) {
        const glimpse = glimpseOf(model, JSON.parse(stored.json) as Entity)
        kept?.keep(key, glimpse, generation)
        take(key, glimpse)
      }
      if (!unknown.every(isTaken)) hasGaps = true
    }
    wanted = broader
  }
  for (const { parent } of shown.values()) if (parent !== undefined && hidden.has(parent)) hasGaps = true
  return { shown, hidden, hasGaps }
}

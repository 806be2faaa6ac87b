import type { Entity } from '#domain/entity/entity.ts'
import { lengthOf, maxPageBytes } from '#domain/page-budget.ts'
import type { Store } from '#store/store.ts'
import { createTurns } from '../take-turns.ts'

/** Number of records that are read at once. */
const readAtOnce = 50

export interface WithinBudget {
  /** The records by the ids that were asked for; those that do not exist are left out. */
  readonly entities: ReadonlyMap<string, Entity>
  /** Number of ids whose records fit into the page: at least one of those asked for. */
  readonly length: number
}

/** Reads records in the order of their ids, until they fill a page or `maxBytes`. */
export async function readWithinBudget(
  store: Pick<Store, 'findEntities'>,
  ids: readonly string[],
  maxBytes = maxPageBytes
): Promise<WithinBudget> {
  const takeTurns = createTurns()
  const entities = new Map<string, Entity>()
  let bytes = 0
  for (let at = 0; at < ids.length; at += readAtOnce) {
    const some = ids.slice(at, at + readAtOnce)
    const found = await store.findEntities(some)
    for (const [place, id] of some.entries()) {
      const stored = found.get(id)
      if (!stored || entities.has(id)) continue
      bytes += lengthOf(stored.json)
      if (bytes > maxBytes && entities.size > 0) return { entities, length: at + place }
      entities.set(id, JSON.parse(stored.json) as Entity)
      await takeTurns()
    }
  }
  return { entities, length: ids.length }
}

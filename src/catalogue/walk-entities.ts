import type { Filter } from '#domain/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Position, StoredEntity } from '#store/store.ts'
import type { Parts } from './parts.ts'
import { refuseBlind } from './read-entity.ts'
import { readableTypes, showAllTo } from './visibility.ts'

/**
 * Every entity that matches and that the principal may read, a page at a time, in the order of creation. Each is given once, also while others write;
 * what is created meanwhile is given too. Counts nothing, so that a page costs the same at any depth.
 */
export async function* walkEntities(
  parts: Parts,
  principal: Principal,
  filter: Filter,
  pageSize = 500
): AsyncGenerator<readonly StoredEntity[], void, undefined> {
  refuseBlind(principal)
  let position: Position | undefined
  do {
    const answer = await parts.store.ask({
      filter,
      readableTypes: readableTypes(principal),
      order: { items: [{ by: 'created' }], ascending: true },
      skip: 0,
      limit: pageSize,
      counted: false,
      ...(position ? { from: { position, backwards: false } } : {})
    })
    if (answer.entities.length > 0) yield await showAllTo(parts.store, principal, answer.entities)
    position = answer.hasMore ? answer.last : undefined
  } while (position !== undefined)
}

import { everything, type Filter } from '#domain/filter/filter.ts'
import type { GivenName } from '#domain/filter/field-names.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Position } from '#store/ports/queries.ts'
import type { Store } from '#store/store.ts'
import type { Parts } from '../parts.ts'
import { refuseUnknown, undeclaredNames } from './list-entities.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { scopeOf, showAllTo } from '../guarded/visibility.ts'

/**
 * Reads every matching entity that the principal may read, a page at a time, in the order of
 * creation. Each is returned once, also while others write. The walk ends at the record that was
 * the newest when it began: otherwise a slow reader would never come to an end. It does not count,
 * so that a page costs the same at any depth.
 */
export async function* walkEntities(
  parts: Parts,
  principal: Principal,
  { filter, names = [] }: { readonly filter: Filter; readonly names?: readonly GivenName[] },
  pageSize = 500
): AsyncGenerator<readonly StoredEntity[], void, undefined> {
  refuseBlind(principal)
  const end = await lastCreated(parts.store)
  let position: Position | undefined
  do {
    const answer = await parts.store.queryEntities({
      filter,
      ...scopeOf(principal),
      order: { items: [{ by: 'created' }], ascending: true },
      skip: 0,
      limit: pageSize,
      counted: false,
      ...(position ? {} : undeclaredNames(parts.model, names)),
      ...(position ? { from: { position, backwards: false } } : {})
    })
    refuseUnknown(parts.model, names, answer)
    if (answer.entities.length > 0) yield await showAllTo(parts.store, principal, answer.entities)
    position = answer.hasMore ? answer.last : undefined
  } while (position !== undefined && position.sequence < end)
}

/** The position of the newest record in the order of creation. */
async function lastCreated(store: Store): Promise<number> {
  const { first } = await store.queryEntities({
    filter: everything,
    readableTypes: undefined,
    order: { items: [{ by: 'created' }], ascending: false },
    skip: 0,
    limit: 1,
    counted: false
  })
  return first?.sequence ?? 0
}

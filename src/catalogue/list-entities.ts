import type { Filter } from '#domain/filter.ts'
import type { Order } from '#domain/order.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/store.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import type { Parts } from './parts.ts'
import { refuseBlind } from './read-entity.ts'
import { readableTypes, showAllTo } from './visibility.ts'

export interface ListRequest {
  readonly filter: Filter
  readonly order: Order
  readonly skip: number
  readonly limit: number
  readonly cursor: string | undefined
}

export interface EntityPage {
  readonly count: number
  readonly entities: readonly StoredEntity[]
  readonly skip: number
  readonly limit: number
  readonly next: string | undefined
  readonly previous: string | undefined
}

/** One page of the entities that match and that the principal may read, with cursors to the pages beside it. */
export async function listEntities(parts: Parts, principal: Principal, request: ListRequest): Promise<EntityPage> {
  refuseBlind(principal)
  const { filter, order, limit } = request
  const cursor = request.cursor === undefined ? undefined : readCursor(request.cursor, order)
  const answer = await parts.store.ask({
    filter,
    readableTypes: readableTypes(principal),
    order,
    skip: cursor ? 0 : request.skip,
    limit,
    counted: true,
    ...(cursor ? { from: { position: cursor.position, backwards: cursor.backwards } } : {})
  })
  const shown = answer.entities.length
  const skip = !cursor ? request.skip : cursor.backwards ? Math.max(0, cursor.skip - shown) : cursor.skip
  // A page read backwards has what we came from after it, and more before it only when there was more.
  const hasNext = cursor?.backwards ? shown > 0 : answer.hasMore
  const hasPrevious = cursor?.backwards ? answer.hasMore : skip > 0
  const toCursor = (position: Cursor['position'] | undefined, backwards: boolean, at: number) =>
    position && writeCursor({ position, backwards, skip: at })
  return {
    count: answer.count,
    entities: await showAllTo(parts.store, principal, answer.entities),
    skip,
    limit,
    next: hasNext ? toCursor(answer.last, false, skip + shown) : undefined,
    previous: hasPrevious ? toCursor(answer.first, true, skip) : undefined
  }
}

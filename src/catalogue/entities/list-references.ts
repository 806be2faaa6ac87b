import type { Principal } from '#domain/permissions.ts'
import type { ReferencePage } from '#store/ports/queries.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from './read-entity.ts'
import { scopeOf } from '../guarded/visibility.ts'

/** Lists the references to an entity, a page at a time. */
export async function listReferences(
  parts: Parts,
  principal: Principal,
  identifier: string,
  relationTypes: readonly string[] | undefined,
  skip: number,
  limit: number
): Promise<ReferencePage> {
  refuseBlind(principal)
  const { id } = await findReadable(parts, principal, identifier)
  return parts.store.findReferences({
    id,
    ...scopeOf(principal),
    skip,
    limit,
    ...(relationTypes ? { relationTypes } : {})
  })
}

import type { Principal } from '#domain/permissions.ts'
import type { ReferencePage, ReferenceQuery } from '#store/ports/queries.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from './read-entity.ts'
import { scopeOf } from '../guarded/visibility.ts'

/** Lists the references to an entity, a page at a time. */
export async function listReferences(
  parts: Parts,
  principal: Principal,
  identifier: string,
  query: Pick<ReferenceQuery, 'relationTypes' | 'skip' | 'limit'>
): Promise<ReferencePage> {
  refuseBlind(principal)
  const { id } = await findReadable(parts, principal, identifier)
  return parts.store.findReferences({ ...query, id, ...scopeOf(principal) })
}

/**
 * Lists the types of the relations that point to an entity, also of records that the principal may
 * not read: a list of such records is then empty.
 */
export async function listReferenceTypes(
  parts: Parts,
  principal: Principal,
  identifier: string
): Promise<readonly string[]> {
  refuseBlind(principal)
  const { id } = await findReadable(parts, principal, identifier)
  return parts.store.findReferenceTypes(id)
}

import type { EntityContent } from '#domain/entity/entity.ts'
import type { Principal } from '#domain/permissions.ts'
import { scopeOf } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'

const maxSame = 5

/** Finds records that are likely to be the same as one that is not stored here. */
export async function findSame(
  { store, newUuid }: Parts,
  principal: Principal,
  { type, metadata }: Pick<EntityContent, 'type' | 'metadata'>
): Promise<{ id: string; type: string; label: string }[]> {
  const content = { uuid: newUuid(), type, metadata, relations: [] }
  const found = await store.findSameRecords({ content, ...scopeOf(principal), limit: maxSame })
  return found.map(({ id, type: found, label }) => ({ id, type: found, label }))
}

import type { Principal } from '#domain/permissions.ts'
import type { GrowthCount } from '#store/ports/queries.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { scopeOf } from '../guarded/visibility.ts'

/** Counts the created records per month, by type, as far as the principal may read them. */
export async function readGrowth({ store }: Parts, principal: Principal): Promise<readonly GrowthCount[]> {
  refuseBlind(principal)
  return store.countGrowth(scopeOf(principal))
}

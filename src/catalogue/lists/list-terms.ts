import type { Principal } from '#domain/permissions.ts'
import type { Term, TermQuery } from '#store/ports/queries.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { callerOf } from '../guarded/visibility.ts'

/**
 * Lists the values of a key in records of these types, as far as the principal may read them, in
 * order.
 */
export async function listTerms(parts: Parts, principal: Principal, query: TermQuery): Promise<readonly Term[]> {
  refuseBlind(principal)
  const types = query.types.filter(type => principal.mayRead(type))
  return types.length === 0 ? [] : parts.store.listTerms({ ...query, types, caller: callerOf(principal) })
}

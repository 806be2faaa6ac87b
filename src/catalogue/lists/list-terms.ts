import type { Principal } from '#domain/permissions.ts'
import type { Term, TermQuery } from '#store/ports/queries.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'

/**
 * The values of a key that records of these types have, as far as the principal may read them, in
 * order.
 */
export async function listTerms(parts: Parts, principal: Principal, question: TermQuery): Promise<readonly Term[]> {
  refuseBlind(principal)
  const types = question.types.filter(type => principal.mayRead(type))
  return types.length === 0 ? [] : parts.store.listTerms({ ...question, types })
}

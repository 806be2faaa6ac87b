import { duplicateReasons } from '#domain/entity/duplicates.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { DuplicatePosition, FoundDuplicates } from '#store/ports/queries.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { scopeOf } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'
import type { OpaqueTokens } from './opaque-tokens.ts'
import { readTypes } from './read-list-query.ts'

export interface WantedDuplicates {
  /** A type, an umbrella, or a comma list; empty for all. */
  readonly type: string
  /** A reason of `duplicateReasons`; empty for all. */
  readonly reason: string
  /** The least score of similar records. */
  readonly minScore: number
  readonly limit: number
  readonly cursor: string | undefined
}

export interface DuplicatesPage {
  readonly count: number
  readonly groups: readonly FoundDuplicates[]
  /** The cursor of the next page. */
  readonly next: string | undefined
}

/** Lists the records that are likely to be duplicates, as far as the principal may read them. */
export async function listDuplicates(
  { store, model, cursors }: Parts,
  principal: Principal,
  { type, reason, minScore, limit, cursor }: WantedDuplicates
): Promise<DuplicatesPage> {
  refuseBlind(principal)
  const reasons = duplicateReasons(model)
  if (reason !== '' && !reasons.includes(reason))
    throw invalidWith([{ pointer: 'reason', message: `Must be one of ${reasons.join(', ')}` }])
  const wanted = type === '' ? model.recordTypes.map(each => each.type) : readTypes(model, type)
  const types = wanted.filter(each => principal.mayRead(each))
  const list = JSON.stringify([type, reason, minScore])
  const { next, ...page } = await store.listDuplicates({
    types,
    ...scopeOf(principal),
    limit,
    minScore,
    ...(reason === '' ? {} : { reason }),
    ...(cursor === undefined ? {} : { after: readCursor(cursors, cursor, list) })
  })
  return { ...page, next: next && cursors.write([next.first, next.mark, list]) }
}

function readCursor(cursors: OpaqueTokens, cursor: string, list: string): DuplicatePosition {
  const [first, mark, of] = cursors.read(cursor, 3) ?? []
  if (of === list && Number.isSafeInteger(first) && typeof mark === 'string') return { first: first as number, mark }
  throw invalidWith([
    { pointer: 'cursor', message: 'Not a cursor of this list: use the "next" of a page with the same parameters' }
  ])
}

import type { Json } from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { EarlierOutcome, Once } from '#store/ports/entities.ts'
import type { Parts } from '../parts.ts'

/** The key a client chose for a request, and what the request was. */
export interface RequestKey {
  readonly key: string
  readonly fingerprint: string
}

/**
 * What came of the same request before, if it happened. Throws `key_reused` when the key was used
 * for another request.
 */
export async function findEarlier(
  parts: Parts,
  principal: Principal,
  once: RequestKey | undefined
): Promise<EarlierOutcome | undefined> {
  if (!once) return undefined
  const earlier = await parts.store.findOutcome(principal.key, once.key)
  if (earlier && earlier.fingerprint !== once.fingerprint) {
    throw new CatalogueError('key_reused', 'This Idempotency-Key was used for another request')
  }
  return earlier
}

/** The part of a write that makes it happen once, where a key was given. */
export function onceOf(principal: Principal, once: RequestKey | undefined, note: Json): { once?: Once } {
  return once ? { once: { scope: principal.key, ...once, note } } : {}
}

/**
 * Makes an operation right for requests that come under one key at the same time, through any
 * process. While one looks, another may come first; what it then finds wrong (a version that has
 * changed, a record that is merged already) is only that it has happened, so it gives the first
 * answer. `place` is where among the operation's own arguments its options are.
 */
export function happensOnce<Rest extends unknown[], Result>(
  place: number,
  operation: (parts: Parts, principal: Principal, ...rest: Rest) => Promise<Result>
): (parts: Parts, principal: Principal, ...rest: Rest) => Promise<Result> {
  return async (parts, principal, ...rest) => {
    try {
      return await operation(parts, principal, ...rest)
    } catch (error) {
      const { once } = (rest[place] ?? {}) as { readonly once?: RequestKey | undefined }
      const isRefusal = error instanceof CatalogueError && error.code !== 'unavailable' && error.code !== 'key_reused'
      if (!isRefusal || !once || !(await findEarlier(parts, principal, once))) throw error
      return operation(parts, principal, ...rest)
    }
  }
}

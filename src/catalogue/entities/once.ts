import type { Json } from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { EarlierOutcome, Once } from '#store/store.ts'
import type { Parts } from '../parts.ts'

/** The key that a client chose for a request, and a fingerprint of the request. */
export interface RequestKey {
  readonly key: string
  readonly fingerprint: string
}

/**
 * Finds the outcome of an earlier request with the same key. Throws `key_reused` when the key was
 * used for another request.
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

/** The part of a write that makes it happen once, when a key was given. */
export function onceOf(principal: Principal, once: RequestKey | undefined, note: Json): { once?: Once } {
  return once ? { once: { scope: principal.key, ...once, note } } : {}
}

/**
 * Makes an operation safe for requests with the same key that arrive at the same time, through any
 * process. While one of them runs, another may commit first; an error that the slower one then finds
 * (a version that has changed, a record that is merged already) only means that the request has
 * happened, so it returns the first outcome. `keyOf` picks the key from the operation's arguments.
 */
export function happensOnce<Rest extends unknown[], Result>(
  operation: (parts: Parts, principal: Principal, ...rest: Rest) => Promise<Result>,
  keyOf: (...rest: NoInfer<Rest>) => RequestKey | undefined
): (parts: Parts, principal: Principal, ...rest: Rest) => Promise<Result> {
  return async (parts, principal, ...rest) => {
    try {
      return await operation(parts, principal, ...rest)
    } catch (error) {
      const once = keyOf(...rest)
      const isRefusal = error instanceof CatalogueError && error.code !== 'unavailable' && error.code !== 'key_reused'
      if (!isRefusal || !once || !(await findEarlier(parts, principal, once))) throw error
      return operation(parts, principal, ...rest)
    }
  }
}

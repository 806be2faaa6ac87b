import type { Json } from '#domain/entity/entity.ts'
import { CatalogueError, keyReused } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { EarlierOutcome, Once } from '#store/ports/entities.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
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
async function findEarlier(
  parts: Parts,
  principal: Principal,
  once: RequestKey | undefined
): Promise<EarlierOutcome | undefined> {
  if (!once) return undefined
  const earlier = await parts.store.findOutcome(principal.key, once.key)
  if (earlier && earlier.fingerprint !== once.fingerprint) throw keyReused()
  return earlier
}

/** The part of a write that makes it happen once, when a key was given. */
export function onceOf(principal: Principal, once: RequestKey | undefined, note: Json): { once?: Once } {
  return once ? { once: { scope: principal.key, ...once, note } } : {}
}

/** The parts of an operation that let it happen once. */
export interface Repeatable<Rest extends unknown[], Result> {
  /** Picks the key of the request from the operation's arguments. */
  readonly keyOf: (...rest: Rest) => RequestKey | undefined
  /** Makes the result of a request that has happened, from its outcome. */
  readonly repeat: (parts: Parts, principal: Principal, earlier: EarlierOutcome) => MaybePromise<Result>
}

/**
 * Makes an operation happen once for each key, however often its request is sent, and through
 * whichever process: a repeated request gets the first outcome. While one request runs, another
 * with the same key may commit first; an error that the slower one then finds (a version that has
 * changed, a record that is merged already) only means that the request has happened.
 */
export function happensOnce<Rest extends unknown[], Result>(
  operation: (parts: Parts, principal: Principal, ...rest: Rest) => Promise<Result>,
  { keyOf, repeat }: Repeatable<NoInfer<Rest>, NoInfer<Result>>
): (parts: Parts, principal: Principal, ...rest: Rest) => Promise<Result> {
  return async (parts, principal, ...rest) => {
    const once = keyOf(...rest)
    const earlier = await findEarlier(parts, principal, once)
    if (earlier) return repeat(parts, principal, earlier)
    try {
      return await operation(parts, principal, ...rest)
    } catch (error) {
      const isRefusal = error instanceof CatalogueError && error.code !== 'unavailable' && error.code !== 'key_reused'
      const first = isRefusal ? await findEarlier(parts, principal, once) : undefined
      if (!first) throw error
      return repeat(parts, principal, first)
    }
  }
}

/**
 * Makes an operation on one entity happen once for each key: it takes an identifier, an argument
 * and options with the key.
 */
export const keyedOperation = <Argument, Options extends { readonly once?: RequestKey | undefined }, Result>(
  repeat: Repeatable<never, Result>['repeat'],
  operation: (
    parts: Parts,
    principal: Principal,
    identifier: string,
    argument: Argument,
    options?: Options
  ) => Promise<Result>
) => happensOnce(operation, { keyOf: (_identifier, _argument, options?) => options?.once, repeat })

/** Repeats an operation whose whole result is in its note. */
export const repeatNote = <Result>(_parts: Parts, _principal: Principal, { note }: EarlierOutcome) =>
  note as unknown as Result

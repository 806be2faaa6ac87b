import { CatalogueError } from '#domain/errors.ts'
import type { Authority } from '#domain/permissions.ts'
import type { Store } from '#store/store.ts'

/**
 * Tells whether rights are still in force, for all work that continues after its request was
 * admitted.
 */
export interface LiveRights {
  /**
   * Queries the database now, without a cache. False for a token that was revoked or has expired.
   */
  isInForce(authority: Authority): Promise<boolean>
  /**
   * Watches rights until it is disposed. The signal aborts, with `unauthenticated`, within a second
   * after the rights have ended.
   */
  watch(authority: Authority): WatchedRights
  /** Checks all watched rights now: for a caller that has just revoked a token. */
  checkNow(): Promise<void>
}

export interface WatchedRights extends Disposable {
  readonly signal: AbortSignal
}

export interface LiveRightsParts {
  readonly store: Pick<Store, 'findTokensById'>
  /** Whether `ADMIN_TOKEN` is set. */
  readonly hasAdminToken: boolean
  readonly now: () => number
}

/** Milliseconds between two checks; together with the check itself it must stay below a second. */
const interval = 400

/**
 * The id of a token of this service, by the key of a principal; other keys belong to issuers, to
 * the settings, or to the operator.
 */
export const idOfToken = (key: string) => /^token:([0-9a-f]{12})$/.exec(key)?.[1]

const adminKey = 'token:admin'

/**
 * Watches rights with one query for all tokens that are watched at a time. Tokens of issuers cannot
 * be revoked here: they end when they expire.
 */
export function createLiveRights({ store, hasAdminToken, now }: LiveRightsParts): LiveRights {
  const watched = new Set<{ readonly authority: Authority; readonly controller: AbortController }>()
  let timer: NodeJS.Timeout | undefined

  const tester = async (authorities: readonly Authority[]) => {
    const ids = new Set(authorities.map(({ key }) => idOfToken(key)).filter(id => id !== undefined))
    const found = ids.size === 0 ? [] : await store.findTokensById([...ids])
    const tokens = new Map(found.map(token => [token.id, token.expiresAt]))
    return ({ key, until }: Authority) => {
      if (until !== null && until <= now()) return false
      if (key === adminKey) return hasAdminToken
      const id = idOfToken(key)
      if (id === undefined) return true
      const expiry = tokens.get(id)
      return expiry === null || (expiry !== undefined && Date.parse(expiry) > now())
    }
  }

  const look = async () => {
    const looked = [...watched]
    const isInForce = await tester(looked.map(({ authority }) => authority))
    for (const each of looked) if (!isInForce(each.authority)) each.controller.abort(endedRights())
  }
  // While the database is unavailable, nothing can be read or written either; the next check tries
  // again.
  let isLooking = false
  const tick = async () => {
    if (isLooking) return
    isLooking = true
    await look().catch(() => {})
    isLooking = false
  }

  return {
    isInForce: async authority => (await tester([authority]))(authority),
    watch(authority) {
      const controller = new AbortController()
      const entry = { authority, controller }
      watched.add(entry)
      timer ??= setInterval(tick, interval).unref()
      return {
        signal: controller.signal,
        [Symbol.dispose]() {
          watched.delete(entry)
          if (watched.size > 0) return
          clearInterval(timer)
          timer = undefined
        }
      }
    },
    // The token is revoked by now; a check that fails is made again by the next tick.
    checkNow: () => look().catch(() => {})
  }
}

export const endedRights = () => new CatalogueError('unauthenticated', 'The token was revoked or has expired')

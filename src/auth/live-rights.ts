import { CatalogueError } from '#domain/errors.ts'
import type { Authority } from '#domain/permissions.ts'
import type { Store } from '#store/store.ts'

/**
 * Tells whether somebody's rights are still in force: for everything that goes on after its request
 * was admitted.
 */
export interface LiveRights {
  /**
   * Asks the database now, whatever was looked up before. False for a token that was revoked or has
   * expired.
   */
  isInForce(authority: Authority): Promise<boolean>
  /**
   * Watches until it is disposed. The signal aborts, with `unauthenticated`, within a second of the
   * end of the rights.
   */
  watch(authority: Authority): WatchedRights
  /** Looks at everything that is watched now: for those who have just revoked a token. */
  lookNow(): Promise<void>
}

export interface WatchedRights extends Disposable {
  readonly signal: AbortSignal
}

export interface LiveRightsParts {
  readonly store: Pick<Store, 'listTokens'>
  /** Whether `ADMIN_TOKEN` is set. */
  readonly hasAdminToken: boolean
  readonly now: () => number
}

/** Milliseconds between two looks; with the look itself it must stay below a second. */
const interval = 400

/**
 * Whether a key is that of a token made here; others are of issuers, of the settings, or of whoever
 * sits at the machine.
 */
const idOfToken = (key: string) => /^token:([0-9a-f]{12})$/.exec(key)?.[1]

export const adminKey = 'token:admin'

/**
 * One look at the list of tokens serves everything that is watched. Tokens of issuers cannot be
 * revoked here: they end when they expire.
 */
export function createLiveRights({ store, hasAdminToken, now }: LiveRightsParts): LiveRights {
  const watched = new Set<{ readonly authority: Authority; readonly controller: AbortController }>()
  let timer: NodeJS.Timeout | undefined

  const tester = async () => {
    const tokens = new Map((await store.listTokens()).map(token => [token.id, token.expiresAt]))
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
    const isInForce = await tester()
    for (const each of [...watched]) if (!isInForce(each.authority)) each.controller.abort(endedRights())
  }
  // A database that is away neither reads nor writes anything either: it is asked again at the next
  // look.
  let isLooking = false
  const tick = async () => {
    if (isLooking) return
    isLooking = true
    await look().catch(() => {})
    isLooking = false
  }

  return {
    isInForce: async authority => (await tester())(authority),
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
    lookNow: look
  }
}

export const endedRights = () => new CatalogueError('unauthenticated', 'The token was revoked or has expired')

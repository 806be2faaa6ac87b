import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/model.ts'
import { createPrincipal, type Principal } from '#domain/permissions.ts'
import type { Soon, Store } from '#store/store.ts'
import { hashToken } from './api-tokens.ts'
import type { JwtVerifier } from './jwt-verifier.ts'

export interface Authenticator {
  /** From the `Authorization` header to whoever sent it. Throws `unauthenticated`, always with the same words. */
  authenticate(header: string | undefined): Soon<Principal>
  /** Forgets what was looked up, so that a revoked token is refused at once. */
  forget(): void
}

export interface AuthenticatorParts {
  readonly store: Store
  readonly model: Model
  /** `ADMIN_TOKEN`: accepted beside the tokens made here. */
  readonly adminToken: string | undefined
  readonly jwt: JwtVerifier
  readonly now: () => number
}

/** How long a looked-up token is believed; a revocation by another process takes no longer than this. */
const believedFor = 1000
const mostRemembered = 1000

/**
 * Two kinds of bearer: API tokens made here, and JWTs of the configured issuers.
 *
 * Tokens are looked up by their hash, never compared letter by letter, so the time it takes tells nothing.
 */
export function createAuthenticator({ store, model, adminToken, jwt, now }: AuthenticatorParts): Authenticator {
  const adminHash = adminToken === undefined ? undefined : hashToken(adminToken)
  const admin = createPrincipal(model, 'token:admin', ['admin'])
  const remembered = new Map<string, { principal: Principal; until: number }>()

  const fromToken = async (hash: string): Promise<Principal | undefined> => {
    const stored = await store.findToken(hash)
    if (!stored || (stored.expiresAt !== null && Date.parse(stored.expiresAt) <= now())) return undefined
    const principal = createPrincipal(model, `token:${stored.name}`, stored.scopes)
    if (remembered.size >= mostRemembered) remembered.clear()
    const until = Math.min(
      now() + believedFor,
      stored.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(stored.expiresAt)
    )
    remembered.set(hash, { principal, until })
    return principal
  }

  const fromElsewhere = async (token: string, hash: string): Promise<Principal> => {
    const principal = (await fromToken(hash)) ?? (isJwt(token) ? await jwt.verify(token) : undefined)
    if (!principal) throw unauthenticated()
    return principal
  }

  return {
    authenticate(header) {
      const token = header === undefined ? undefined : /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1]
      if (token === undefined) throw unauthenticated()
      const hash = hashToken(token)
      if (hash === adminHash) return admin
      const known = remembered.get(hash)
      if (known && known.until > now()) return known.principal
      return fromElsewhere(token, hash)
    },
    forget: () => remembered.clear()
  }
}

const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

const unauthenticated = () => new CatalogueError('unauthenticated', 'The bearer token is missing or not valid')

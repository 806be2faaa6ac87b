import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { createPrincipal, type Principal } from '#domain/permissions.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'
import type { Store } from '#store/store.ts'
import { hashToken } from './api-tokens.ts'
import type { JwtVerifier } from './jwt-verifier.ts'

export interface Authenticator {
  /**
   * Turns the `Authorization` header into a principal. Throws `unauthenticated`, always with the
   * same message, except for a valid ID token of a trusted issuer.
   */
  authenticate(header: string | undefined): MaybePromise<Principal>
  /** Returns the principal of a header that is cached; undefined for others, valid or not. */
  findCached(header: string): Principal | undefined
  /** Empties the cache, so that a revoked token is refused at once. */
  forget(): void
}

export interface AuthenticatorParts {
  readonly store: Store
  readonly model: Model
  /** `ADMIN_TOKEN`: accepted beside the tokens that the service creates. */
  readonly adminToken: string | undefined
  readonly jwt: JwtVerifier
  readonly now: () => number
}

/**
 * Milliseconds that a token is cached; a revocation by another process takes effect within this
 * time.
 */
const cacheMilliseconds = 1000
const maxCached = 1000

interface CachedPrincipal {
  readonly principal: Principal
  /** By the clock of the machine. */
  readonly expiresAt: number
  /**
   * By `performance.now()`: a clock that is set back must not keep a token that was revoked.
   */
  readonly keptUntil: number
}

/**
 * Accepts two kinds of bearer tokens: API tokens of this service, and JWTs of the configured
 * issuers.
 *
 * API tokens are looked up by their hash, never compared letter by letter, so the response time
 * reveals nothing.
 */
export function createAuthenticator({ store, model, adminToken, jwt, now }: AuthenticatorParts): Authenticator {
  const adminHash = adminToken === undefined ? undefined : hashToken(adminToken)
  const admin = createPrincipal(model, 'token:admin', ['admin'])
  /**
   * Principals by the whole header, so that a token in use is not read and hashed for each request
   * (1.2 µs of about 18; bench/get.ts). A map looks its keys up by a hash with a secret seed, so
   * here, too, the response time reveals nothing.
   */
  const cached = new Map<string, CachedPrincipal>()
  const cache = (header: string, principal: Principal, expiresAt = Number.POSITIVE_INFINITY) => {
    if (cached.size >= maxCached) cached.clear()
    cached.set(header, { principal, expiresAt, keptUntil: performance.now() + cacheMilliseconds })
    return principal
  }

  const fromToken = async (header: string, hash: string): Promise<Principal | undefined> => {
    const stored = await store.findToken(hash)
    if (!stored || (stored.expiresAt !== null && Date.parse(stored.expiresAt) <= now())) return undefined
    const principal = createPrincipal(model, `token:${stored.name}`, stored.scopes, `token:${stored.id}`)
    return cache(header, principal, stored.expiresAt === null ? undefined : Date.parse(stored.expiresAt))
  }

  const fromElsewhere = async (header: string, token: string, hash: string): Promise<Principal> => {
    const principal = (await fromToken(header, hash)) ?? (isJwt(token) ? await jwt.verify(token) : undefined)
    if (!principal) throw unauthenticated()
    return principal
  }

  const findCached = (header: string): Principal | undefined => {
    const known = cached.get(header)
    return known && known.keptUntil > performance.now() && known.expiresAt > now() ? known.principal : undefined
  }

  return {
    findCached,
    authenticate(header) {
      if (header === undefined) throw unauthenticated()
      const known = findCached(header)
      if (known) return known
      const token = /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1]
      if (token === undefined) throw unauthenticated()
      const hash = hashToken(token)
      if (hash === adminHash) return cache(header, admin)
      return fromElsewhere(header, token, hash)
    },
    forget: () => cached.clear()
  }
}

const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

const unauthenticated = () => new CatalogueError('unauthenticated', 'The bearer token is missing or not valid')

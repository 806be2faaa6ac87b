import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { createPrincipal, type Principal } from '#domain/permissions.ts'
import type { MaybePromise } from '#store/ports/maybe-promise.ts'
import type { Store } from '#store/store.ts'
import { hashToken } from './api-tokens.ts'
import type { JwtVerifier } from './jwt-verifier.ts'

export interface Authenticator {
  /**
   * From the `Authorization` header to whoever sent it. Throws `unauthenticated`, always with the
   * same words.
   */
  authenticate(header: string | undefined): MaybePromise<Principal>
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

/**
 * How long a looked-up token is believed; a revocation by another process takes no longer than
 * this.
 */
const believedFor = 1000
const mostRemembered = 1000

/**
 * Two kinds of bearer: API tokens made here, and JWTs of the configured issuers.
 *
 * Tokens are looked up by their hash, never compared letter by letter, so the time it takes tells
 * nothing.
 */
export function createAuthenticator({ store, model, adminToken, jwt, now }: AuthenticatorParts): Authenticator {
  const adminHash = adminToken === undefined ? undefined : hashToken(adminToken)
  const admin = createPrincipal(model, 'token:admin', ['admin'])
  /**
   * By the whole header, so that a token in use is not read and hashed for each request (1.2 µs of
   * about 18; bench/get.ts). A map looks its keys up by a hash with a secret seed, so here too the
   * time it takes tells nothing.
   */
  const remembered = new Map<string, { principal: Principal; until: number }>()
  const remember = (header: string, principal: Principal, until: number) => {
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(header, { principal, until })
    return principal
  }

  const fromToken = async (header: string, hash: string): Promise<Principal | undefined> => {
    const stored = await store.findToken(hash)
    if (!stored || (stored.expiresAt !== null && Date.parse(stored.expiresAt) <= now())) return undefined
    const until = Math.min(
      now() + believedFor,
      stored.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(stored.expiresAt)
    )
    const principal = createPrincipal(model, `token:${stored.name}`, stored.scopes, `token:${stored.id}`)
    return remember(header, principal, until)
  }

  const fromElsewhere = async (header: string, token: string, hash: string): Promise<Principal> => {
    const principal = (await fromToken(header, hash)) ?? (isJwt(token) ? await jwt.verify(token) : undefined)
    if (!principal) throw unauthenticated()
    return principal
  }

  return {
    authenticate(header) {
      if (header === undefined) throw unauthenticated()
      const known = remembered.get(header)
      if (known && known.until > now()) return known.principal
      const token = /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1]
      if (token === undefined) throw unauthenticated()
      const hash = hashToken(token)
      if (hash === adminHash) return remember(header, admin, now() + believedFor)
      return fromElsewhere(header, token, hash)
    },
    forget: () => remembered.clear()
  }
}

const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

const unauthenticated = () => new CatalogueError('unauthenticated', 'The bearer token is missing or not valid')

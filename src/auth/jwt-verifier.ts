import { createHash } from 'node:crypto'
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'

import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { createPrincipal, type Principal } from '#domain/permissions.ts'
import type { TrustedIssuer } from './trusted-issuer.ts'

export interface JwtVerifier {
  /**
   * Returns the principal of a JWT, or undefined when it is not from a trusted issuer or not valid.
   * Throws `unavailable` when the issuer cannot be reached, and `unauthenticated` for an ID token.
   */
  verify(token: string): Promise<Principal | undefined>
}

/**
 * Only signatures by a key pair are accepted: with a shared secret, every party that can check a
 * token could make one.
 */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const requestTimeout = 5000
/**
 * Milliseconds after which an unknown key causes the keys to be fetched again: soon enough for a
 * new key, slow enough to be no burden for the issuer.
 */
const minRefetchInterval = 3000
/** Tolerated difference between clocks, in seconds. */
const clockTolerance = 5

type KeySet = ReturnType<typeof createRemoteJWKSet>

/**
 * Verifies JWTs against the keys that their issuers publish. Keys are fetched when first needed,
 * and again when an unknown key is used.
 */
export function createJwtVerifier(model: Model, issuers: readonly TrustedIssuer[]): JwtVerifier {
  const keySets = new Map<string, Promise<KeySet>>()

  const keySetOf = (issuer: string): Promise<KeySet> => {
    const known = keySets.get(issuer)
    if (known) return known
    const discovered = discoverKeySet(issuer)
    keySets.set(issuer, discovered)
    // A failure is not cached: the issuer may be available for the next request.
    discovered.catch(() => keySets.delete(issuer))
    return discovered
  }

  return {
    async verify(token) {
      const trusted = issuers.find(each => each.issuer === issuerOf(token))
      if (!trusted) return undefined
      try {
        const { payload, protectedHeader } = await jwtVerify(token, await keySetOf(trusted.issuer), {
          issuer: trusted.issuer,
          audience: trusted.audience,
          algorithms,
          clockTolerance,
          requiredClaims: ['exp', 'iss', 'aud']
        })
        if (!isAccessToken(protectedHeader.typ)) return undefined
        if (!trusted.acceptsIdTokens && isIdToken(protectedHeader.typ, payload)) throw sentIdToken(trusted.issuer)
        const { name, key } = subjectOf(payload, token)
        const scopes = scopesOf(payload, trusted.scopesClaim)
        const endsAt = ((payload.exp ?? 0) + clockTolerance) * 1000
        return createPrincipal(model, `oidc:${name ?? trusted.issuer}`, scopes, `${trusted.issuer} ${key}`, endsAt)
      } catch (cause) {
        if (cause instanceof CatalogueError) throw cause
        if (
          cause instanceof errors.JOSEError &&
          !(cause instanceof errors.JWKSTimeout) &&
          cause.code !== 'ERR_JOSE_GENERIC'
        ) {
          return undefined
        }
        throw new CatalogueError('unavailable', `The issuer "${trusted.issuer}" cannot be reached for its keys`, {
          cause
        })
      }
    }
  }
}

/**
 * Whether `typ` allows a JWT to be an access token: it says so (RFC 9068), or, as many issuers do,
 * says nothing. Tokens for other purposes, such as `logout+jwt` and `dpop+jwt`, are refused.
 */
const isAccessToken = (typ: string | undefined) => typ === undefined || /^(?:application\/)?(?:at\+jwt|jwt)$/i.test(typ)

/**
 * Whether a JWT is an ID token. Its header does not tell, unless it is `at+jwt`. Some issuers name
 * the purpose in a claim (`typ` of Keycloak, `token_use` of Cognito). Otherwise it has claims that
 * no access token needs: the nonce of a sign-in, and hashes of the code and of the access token
 * that were issued with it (OpenID Connect Core 1.0, sections 2 and 3.3.2.11).
 */
function isIdToken(headerType: string | undefined, { typ, token_use, nonce, at_hash, c_hash }: JWTPayload): boolean {
  if (/at\+jwt$/i.test(headerType ?? '') || typ === 'Bearer' || token_use === 'access') return false
  return typ === 'ID' || token_use === 'id' || [nonce, at_hash, c_hash].some(each => each !== undefined)
}

const sentIdToken = (issuer: string) =>
  new CatalogueError(
    'unauthenticated',
    `The bearer is an ID token of "${issuer}", which tells a client who signed in. Send the access token`
  )

/**
 * Returns the holder of a token: its subject, or else the client that it was issued to. A token
 * that names neither stands for itself alone, so that two such tokens never share stored data.
 */
function subjectOf({ sub, client_id, azp }: JWTPayload, token: string) {
  if (sub !== undefined) return { name: sub, key: sub }
  const client = [client_id, azp].find(each => typeof each === 'string')
  if (typeof client === 'string') return { name: client, key: `client ${client}` }
  return { name: undefined, key: `token ${createHash('sha256').update(token).digest('base64url')}` }
}

/**
 * Finds the address where an issuer publishes its keys (OpenID Connect Discovery 1.0, section 4).
 */
async function discoverKeySet(issuer: string): Promise<KeySet> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(requestTimeout) })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
  if (document.issuer !== issuer) throw new Error(`${address} belongs to the issuer "${String(document.issuer)}"`)
  if (typeof document.jwks_uri !== 'string') throw new Error(`${address} names no keys`)
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: requestTimeout,
    cooldownDuration: minRefetchInterval,
    [customFetch]: (input: string, init: RequestInit) => fetch(input, { ...init, redirect: 'error' })
  })
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

function scopesOf(payload: JWTPayload, claim: string): string[] {
  const value = payload[claim]
  if (typeof value === 'string') return value.split(' ')
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'

import { CatalogueError, invalid } from '#domain/errors.ts'
import type { JwtVerifier } from './jwt-verifier.ts'
import type { PageClient, TrustedIssuer } from './trusted-issuer.ts'

/*
 * Sign-in with an OpenID Connect issuer: the authorization code flow with PKCE, for people at the
 * web page.
 *
 * The browser makes state, nonce and verifier, and stores them; it goes to the issuer, and comes
 * back with a code. The service exchanges the code, not the browser: so the page talks to this host
 * alone, and an issuer may require a client secret (decision 22). The service stores nothing
 * between the two steps: the browser sends everything that belongs to a code together with it.
 */

/** The values that the browser made for one sign-in. */
export interface SignInStart {
  readonly issuer: string
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeChallenge: string
}

export interface SignInReturn {
  readonly issuer: string
  readonly redirectUri: string
  /** The query of the address that the issuer sent the browser back to. */
  readonly query: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The tokens of a signed-in person. */
export interface IssuedTokens {
  readonly accessToken: string
  /** Lifetime in seconds. */
  readonly expiresIn: number
  readonly refreshToken: string | undefined
  readonly idToken: string | undefined
  /** The name of the person, if the issuer gives it. */
  readonly name: string | undefined
  /** The name of the person in the audit of records. */
  readonly principal: string
}

export interface IssuerSignIn {
  /** The issuers that people can sign in with. */
  readonly issuers: readonly { readonly issuer: string; readonly name: string }[]
  /** Returns the address to send the browser to. */
  start(given: SignInStart): Promise<string>
  /**
   * Exchanges the code that the browser came back with. Throws `sign_in_failed`, with a reason,
   * when the exchange fails.
   */
  finish(given: SignInReturn): Promise<IssuedTokens>
  /**
   * Exchanges a refresh token for fresh tokens. Throws `sign_in_failed` when it is not valid any
   * more.
   */
  refresh(issuer: string, refreshToken: string): Promise<IssuedTokens>
  /**
   * Revokes a refresh token. Returns the address where the issuer ends its own session, if it has
   * one.
   */
  end(given: {
    readonly issuer: string
    readonly redirectUri: string
    readonly refreshToken: string | undefined
    readonly idToken: string | undefined
  }): Promise<string | undefined>
}

/** Reasons why a sign-in fails. */
export const signInFaults = ['denied', 'expired', 'mismatch', 'unusable', 'refused'] as const
export type SignInFault = (typeof signInFaults)[number]

const requestTimeout = 5000
/** Tolerated difference between clocks, in seconds. */
const clockTolerance = 5
/**
 * Milliseconds after which the endpoints of an issuer are looked up again; they hardly ever change.
 */
const metadataLifetime = 3_600_000
/**
 * Maximum number of concurrent requests to issuers. Sign-in needs no token, so it may not use up
 * all resources.
 */
const maxConcurrent = 32

export function createIssuerSignIn(
  trusted: readonly TrustedIssuer[],
  jwt: JwtVerifier,
  now: () => number
): IssuerSignIn {
  const offered = trusted.flatMap(({ issuer, page }) => (page ? [{ issuer, page }] : []))
  const metadata = new Map<string, { readonly server: Promise<oauth.AuthorizationServer>; readonly until: number }>()
  let running = 0

  const clientOf = (issuer: string) => {
    const found = offered.find(each => each.issuer === issuer)
    if (!found)
      throw invalid('Sign-in with this issuer is not possible', [
        { pointer: '/issuer', message: `"${issuer}" is not one of the issuers that people can sign in with` }
      ])
    return found.page
  }

  const discover = (issuer: string): Promise<oauth.AuthorizationServer> => {
    const known = metadata.get(issuer)
    if (known && known.until > now()) return known.server
    const server = fetchMetadata(issuer)
    metadata.set(issuer, { server, until: now() + metadataLifetime })
    // A failure is not cached: the issuer may be available for the next request.
    server.catch(() => metadata.delete(issuer))
    return server
  }

  /** Sends a request to an issuer, and turns its errors into ours. */
  const request = async <Result>(issuer: string, send: (at: Issuer) => Promise<Result>): Promise<Result> => {
    const page = clientOf(issuer)
    if (running >= maxConcurrent)
      throw new CatalogueError('unavailable', 'Too many people are signing in; try again in a moment')
    running++
    try {
      const server = await discover(issuer).catch((cause: unknown) => {
        throw unreachable(issuer, cause)
      })
      return await send({ issuer, page, server, ...requestsTo(issuer, page, server) })
    } catch (cause) {
      throw faultOf(issuer, cause)
    } finally {
      running--
    }
  }

  return {
    issuers: offered.map(({ issuer, page }) => ({ issuer, name: page.name })),

    start: ({ issuer, redirectUri, state, nonce, codeChallenge }) =>
      request(issuer, async ({ page, server }) =>
        addressWith(server.authorization_endpoint, {
          ...page.parameters,
          client_id: page.clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: page.scope,
          state,
          nonce,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256'
        })
      ),

    finish: ({ issuer, redirectUri, query, state, nonce, codeVerifier }) =>
      request(issuer, async ({ server, client, authentication, options }) => {
        const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams(query), state)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          codeVerifier,
          options()
        )
        const given = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true
        })
        return acceptTokens(jwt, issuer, given, now())
      }),

    refresh: (issuer, refreshToken) =>
      request(issuer, async ({ server, client, authentication, options }) => {
        const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options())
        const given = await oauth.processRefreshTokenResponse(server, client, response)
        const fresh = await acceptTokens(jwt, issuer, given, now())
        // The issuer does not always repeat a refresh token that stays valid (RFC 6749, section 6).
        return { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken }
      }),

    end: ({ issuer, redirectUri, refreshToken, idToken }) =>
      request(issuer, async ({ server, client, authentication, options }) => {
        if (refreshToken !== undefined && server.revocation_endpoint !== undefined) {
          const response = await oauth.revocationRequest(server, client, authentication, refreshToken, options())
          await oauth.processRevocationResponse(response)
        }
        if (server.end_session_endpoint === undefined) return undefined
        return addressWith(server.end_session_endpoint, {
          client_id: client.client_id,
          post_logout_redirect_uri: redirectUri,
          ...(idToken === undefined ? {} : { id_token_hint: idToken })
        })
      })
  }
}

/**
 * Checks now, while it can be reported, that the issuer gave a token for this service; any other
 * is useless.
 */
async function acceptTokens(
  jwt: JwtVerifier,
  issuer: string,
  given: oauth.TokenEndpointResponse,
  now: number
): Promise<IssuedTokens> {
  const verified = await jwt.verify(given.access_token).catch((error: unknown) => {
    if (error instanceof CatalogueError && error.code === 'unauthenticated') return undefined
    throw error
  })
  if (!verified) throw signInFailed('unusable', `This service does not accept the token that "${issuer}" gave`)
  const claims = oauth.getValidatedIdTokenClaims(given)
  const name = [claims?.name, claims?.preferred_username, claims?.email].find(each => typeof each === 'string')
  return {
    accessToken: given.access_token,
    // The verified token contains its subject.
    expiresIn: Math.max(0, Math.floor((decodeJwt(given.access_token).exp ?? 0) - now / 1000)),
    refreshToken: given.refresh_token,
    idToken: given.id_token,
    name: typeof name === 'string' ? name : undefined,
    principal: verified.name
  }
}

interface Issuer {
  readonly issuer: string
  readonly page: PageClient
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
  /** Options of each request, with a new timeout each time. */
  readonly options: () => oauth.TokenEndpointRequestOptions
}

async function fetchMetadata(issuer: string): Promise<oauth.AuthorizationServer> {
  const address = new URL(issuer)
  const response = await oauth.discoveryRequest(address, transport(issuer))
  return oauth.processDiscoveryResponse(address, response)
}

/** Only an issuer that the settings name with `http:` is contacted without encryption. */
const transport = (issuer: string) => ({
  signal: AbortSignal.timeout(requestTimeout),
  [oauth.allowInsecureRequests]: issuer.startsWith('http:')
})

function requestsTo(issuer: string, page: PageClient, server: oauth.AuthorizationServer) {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const secret = page.clientSecret
  const authentication =
    secret === undefined
      ? oauth.None()
      : methods.includes('client_secret_basic')
        ? oauth.ClientSecretBasic(secret)
        : oauth.ClientSecretPost(secret)
  const client = { client_id: page.clientId, [oauth.clockTolerance]: clockTolerance }
  const options = () => ({ ...transport(issuer), additionalParameters: page.parameters })
  return { client, authentication, options }
}

function addressWith(endpoint: string | undefined, parameters: Readonly<Record<string, string>>): string {
  if (endpoint === undefined) throw signInFailed('refused', 'The issuer publishes no address for sign-in')
  const address = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

/** Translates an error of the issuer; returns any other error as it is. */
function faultOf(issuer: string, cause: unknown): unknown {
  if (cause instanceof oauth.AuthorizationResponseError) {
    if (cause.error === 'access_denied') return signInFailed('denied', `"${issuer}" refused the sign-in`, cause)
    return signInFailed('refused', refusal(issuer, cause), cause)
  }
  if (cause instanceof oauth.ResponseBodyError) {
    if (cause.error === 'invalid_grant')
      return signInFailed('expired', `"${issuer}" no longer accepts the code or token of this sign-in`, cause)
    return signInFailed('refused', refusal(issuer, cause), cause)
  }
  if (cause instanceof oauth.WWWAuthenticateChallengeError)
    return signInFailed('refused', `"${issuer}" does not know this service, or its secret is wrong`, cause)
  if (cause instanceof oauth.OperationProcessingError)
    return mismatches.includes(cause.code ?? '')
      ? signInFailed('mismatch', 'The answer does not belong to this sign-in', cause)
      : unreachable(issuer, cause)
  return isNoAnswer(cause) ? unreachable(issuer, cause) : cause
}

const isNoAnswer = (cause: unknown) =>
  (cause instanceof TypeError && cause.message === 'fetch failed') ||
  (cause instanceof DOMException && cause.name === 'TimeoutError')

/**
 * Codes of a well-formed answer that does not match the request: another state, nonce, issuer or
 * client.
 */
const mismatches: readonly string[] = [oauth.INVALID_RESPONSE, oauth.JWT_CLAIM_COMPARISON, oauth.JWT_TIMESTAMP_CHECK]

/** The issuer's own words, shortened: they help the person who maintains the settings. */
const refusal = (issuer: string, { error, error_description: more }: { error: string; error_description?: string }) =>
  `"${issuer}" refused: ${`${error}${more === undefined ? '' : `, ${more}`}`.slice(0, 300)}`

const signInFailed = (reason: SignInFault, message: string, cause?: unknown) =>
  new CatalogueError('sign_in_failed', message, { cause, extra: { reason } })

const unreachable = (issuer: string, cause: unknown) =>
  new CatalogueError('unavailable', `The issuer "${issuer}" cannot be reached`, { cause })

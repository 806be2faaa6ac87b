import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'

import { CatalogueError, invalid } from '#domain/errors.ts'
import type { JwtVerifier } from './jwt-verifier.ts'
import type { PageClient, TrustedIssuer } from './trusted-issuer.ts'

/*
 * Signing in with an OpenID Connect issuer: the authorization code flow with PKCE, for people at
 * the web page.
 *
 * The browser makes state, nonce and verifier, and keeps them; it goes to the issuer, and comes
 * back with a code. The code is exchanged here and not in the browser: so the page speaks to this
 * host alone, and an issuer that wants a secret of its clients can have one (decision 22). Nothing
 * is kept here between the two: whoever brings a code must bring what belongs to it.
 */

/** What the browser made up for this one time. */
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

/** What somebody is signed in with. */
export interface IssuedTokens {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly refreshToken: string | undefined
  readonly idToken: string | undefined
  /** What they are called there, where the issuer says so. */
  readonly name: string | undefined
}

export interface IssuerSignIn {
  /** The issuers that people can sign in with. */
  readonly issuers: readonly { readonly issuer: string; readonly name: string }[]
  /** The address to send the browser to. */
  start(given: SignInStart): Promise<string>
  /**
   * Exchanges the code that the browser came back with. Throws `sign_in_failed`, with a reason,
   * where that cannot be.
   */
  finish(given: SignInReturn): Promise<IssuedTokens>
  /** Fresh tokens for a refresh token. Throws `sign_in_failed` when it no longer holds. */
  refresh(issuer: string, refreshToken: string): Promise<IssuedTokens>
  /**
   * Takes back a refresh token. Gives the address where the issuer ends its own session, if it has
   * one.
   */
  end(given: {
    readonly issuer: string
    readonly redirectUri: string
    readonly refreshToken: string | undefined
    readonly idToken: string | undefined
  }): Promise<string | undefined>
}

/** Why somebody could not be signed in. */
export const signInFaults = ['denied', 'expired', 'mismatch', 'unusable', 'refused'] as const
export type SignInFault = (typeof signInFaults)[number]

const requestTimeout = 5000
/** For clocks that do not quite agree, in seconds. */
const clockTolerance = 5
/**
 * An issuer hardly ever moves its doors; after so long, in milliseconds, it is asked again where
 * they are.
 */
const discoveredFor = 3_600_000
/**
 * Nobody needs a token to ask for these, so they may not take up everything: so many questions to
 * issuers at once.
 */
const mostAtOnce = 32

export function createIssuerSignIn(
  trusted: readonly TrustedIssuer[],
  jwt: JwtVerifier,
  now: () => number
): IssuerSignIn {
  const offered = trusted.flatMap(({ issuer, page }) => (page ? [{ issuer, page }] : []))
  const doors = new Map<string, { readonly server: Promise<oauth.AuthorizationServer>; readonly until: number }>()
  let asking = 0

  const clientOf = (issuer: string) => {
    const found = offered.find(each => each.issuer === issuer)
    if (!found)
      throw invalid('Nobody can sign in with this issuer here', [
        { pointer: '/issuer', message: `"${issuer}" is none of the issuers that people can sign in with` }
      ])
    return found.page
  }

  const discover = (issuer: string): Promise<oauth.AuthorizationServer> => {
    const known = doors.get(issuer)
    if (known && known.until > now()) return known.server
    const server = fetchMetadata(issuer)
    doors.set(issuer, { server, until: now() + discoveredFor })
    // A failure is not remembered: the issuer may be back at the next request.
    server.catch(() => doors.delete(issuer))
    return server
  }

  /** Runs what asks an issuer, and says in our words what went wrong. */
  const ask = async <Answer>(issuer: string, question: (at: Issuer) => Promise<Answer>): Promise<Answer> => {
    const page = clientOf(issuer)
    if (asking >= mostAtOnce) throw new CatalogueError('unavailable', 'Too many people are signing in just now')
    asking++
    try {
      const server = await discover(issuer).catch((cause: unknown) => {
        throw unreachable(issuer, cause)
      })
      return await question({ issuer, page, server, ...requestsTo(issuer, page, server) })
    } catch (cause) {
      throw faultOf(issuer, cause)
    } finally {
      asking--
    }
  }

  /**
   * What the issuer gave is good for nothing unless it is a token for this service: found out now,
   * while it can be told.
   */
  const accept = async (issuer: string, given: oauth.TokenEndpointResponse): Promise<IssuedTokens> => {
    const verified = await jwt.verify(given.access_token)
    if (!verified)
      throw signInFailed('unusable', `The token that "${issuer}" gave is not one that this service accepts`)
    const claims = oauth.getValidatedIdTokenClaims(given)
    const name = [claims?.name, claims?.preferred_username, claims?.email].find(each => typeof each === 'string')
    return {
      accessToken: given.access_token,
      // The token itself says it: whoever verified it saw that it does.
      expiresIn: Math.max(0, Math.floor((decodeJwt(given.access_token).exp ?? 0) - now() / 1000)),
      refreshToken: given.refresh_token,
      idToken: given.id_token,
      name: typeof name === 'string' ? name : undefined
    }
  }

  return {
    issuers: offered.map(({ issuer, page }) => ({ issuer, name: page.name })),

    start: ({ issuer, redirectUri, state, nonce, codeChallenge }) =>
      ask(issuer, async ({ page, server }) =>
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
      ask(issuer, async ({ server, client, authentication, options }) => {
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
        return accept(issuer, given)
      }),

    refresh: (issuer, refreshToken) =>
      ask(issuer, async ({ server, client, authentication, options }) => {
        const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options())
        const given = await oauth.processRefreshTokenResponse(server, client, response)
        const fresh = await accept(issuer, given)
        // One that may be used again is not always given again (RFC 6749, section 6).
        return { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken }
      }),

    end: ({ issuer, redirectUri, refreshToken, idToken }) =>
      ask(issuer, async ({ server, client, authentication, options }) => {
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

interface Issuer {
  readonly issuer: string
  readonly page: PageClient
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
  /** What goes with each request; a clock of its own for each. */
  readonly options: () => oauth.TokenEndpointRequestOptions
}

async function fetchMetadata(issuer: string): Promise<oauth.AuthorizationServer> {
  const address = new URL(issuer)
  const response = await oauth.discoveryRequest(address, transport(issuer))
  return oauth.processDiscoveryResponse(address, response)
}

/** Only an issuer that the settings name with `http:` is spoken to without encryption. */
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
  if (endpoint === undefined) throw signInFailed('refused', 'The issuer does not say where people sign in')
  const address = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

/** What is not about the issuer is given back as it is. */
function faultOf(issuer: string, cause: unknown): unknown {
  if (cause instanceof oauth.AuthorizationResponseError) {
    if (cause.error === 'access_denied') return signInFailed('denied', `"${issuer}" did not let you in`, cause)
    return signInFailed('refused', refusal(issuer, cause), cause)
  }
  if (cause instanceof oauth.ResponseBodyError) {
    if (cause.error === 'invalid_grant')
      return signInFailed('expired', `"${issuer}" no longer accepts what it gave out for this sign-in`, cause)
    return signInFailed('refused', refusal(issuer, cause), cause)
  }
  if (cause instanceof oauth.WWWAuthenticateChallengeError)
    return signInFailed('refused', `"${issuer}" does not know this service, or not by this secret`, cause)
  if (cause instanceof oauth.OperationProcessingError)
    return mismatches.includes(cause.code ?? '')
      ? signInFailed('mismatch', 'The answer does not belong to the sign-in that was begun', cause)
      : unreachable(issuer, cause)
  return isNoAnswer(cause) ? unreachable(issuer, cause) : cause
}

const isNoAnswer = (cause: unknown) =>
  (cause instanceof TypeError && cause.message === 'fetch failed') ||
  (cause instanceof DOMException && cause.name === 'TimeoutError')

/**
 * What is said of an answer that is well-formed, but is to another question: another state, nonce,
 * issuer or client.
 */
const mismatches: readonly string[] = [oauth.INVALID_RESPONSE, oauth.JWT_CLAIM_COMPARISON, oauth.JWT_TIMESTAMP_CHECK]

/** In the issuer's own words, cut: they are for whoever looks after the settings. */
const refusal = (issuer: string, { error, error_description: more }: { error: string; error_description?: string }) =>
  `"${issuer}" refused: ${`${error}${more === undefined ? '' : `, ${more}`}`.slice(0, 300)}`

const signInFailed = (reason: SignInFault, message: string, cause?: unknown) =>
  new CatalogueError('sign_in_failed', message, { cause, extra: { reason } })

const unreachable = (issuer: string, cause: unknown) =>
  new CatalogueError('unavailable', `The issuer "${issuer}" cannot be asked just now`, { cause })

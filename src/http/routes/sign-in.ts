import type { IssuedTokens, IssuerSignIn } from '#auth/issuer-sign-in.ts'
import { logSecurityEvent } from '../observe/security-log.ts'
import type { ProblemCode } from '../reply/errors.ts'
import {
  SignedIn,
  SignInAddress,
  SignInEnd,
  SignInIssuers,
  SignInRefresh,
  SignInReturn,
  SignInStart
} from '../schemas/sign-in.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

/** Problems of every request to an issuer. */
const problems: readonly ProblemCode[] = ['invalid', 'sign_in_failed', 'unavailable']

/** Sign-in with an issuer, for the web page. It needs no bearer: its purpose is to get one. */
export function signInRoutes(app: App, signIn: IssuerSignIn) {
  app.get(
    '/sign-in/issuers',
    route(
      { response: { 200: SignInIssuers } },
      {
        tag: 'Access',
        summary: 'List issuers for sign-in',
        description:
          'The OpenID Connect issuers that this service trusts; empty where people sign in with tokens only.',
        isPublic: true
      }
    ),
    async () => ({ issuers: [...signIn.issuers] })
  )

  app.post(
    '/sign-in/start',
    route(
      { body: SignInStart, response: { 200: SignInAddress } },
      {
        tag: 'Access',
        summary: 'Start a sign-in: get the address to open in the browser',
        description: 'Authorization code with PKCE (RFC 7636). The browser makes and stores state, nonce and verifier.',
        isPublic: true,
        isSignIn: true,
        holdsSecret: true,
        problems
      }
    ),
    async ({ body }) => ({
      address: await signIn.start({
        issuer: body.issuer,
        redirectUri: body.redirect_uri,
        state: body.state,
        nonce: body.nonce,
        codeChallenge: body.code_challenge
      })
    })
  )

  app.post(
    '/sign-in/finish',
    route(
      { body: SignInReturn, response: { 200: SignedIn } },
      {
        tag: 'Access',
        summary: 'Finish a sign-in: exchange the returned query for a bearer',
        description:
          'Send the query that the issuer returned, with the state, nonce and verifier of the start. A code can be used once.',
        isPublic: true,
        isSignIn: true,
        holdsSecret: true,
        problems
      }
    ),
    async request => {
      const { body } = request
      const issued = await signIn.finish({
        issuer: body.issuer,
        redirectUri: body.redirect_uri,
        query: body.query,
        state: body.state,
        nonce: body.nonce,
        codeVerifier: body.code_verifier
      })
      logSecurityEvent(request, 'sign_in', issued.principal)
      return shown(issued)
    }
  )

  app.post(
    '/sign-in/refresh',
    route(
      { body: SignInRefresh, response: { 200: SignedIn } },
      {
        tag: 'Access',
        summary: 'Refresh a bearer with a refresh token',
        description:
          'Use it shortly before the bearer expires. The issuer may return another refresh token, which then replaces the old one.',
        isPublic: true,
        isSignIn: true,
        holdsSecret: true,
        problems
      }
    ),
    async ({ body }) => shown(await signIn.refresh(body.issuer, body.refresh_token))
  )

  app.post(
    '/sign-in/end',
    route(
      { body: SignInEnd, response: { 200: SignInAddress } },
      {
        tag: 'Access',
        summary: 'Sign out: revoke a refresh token and get the address that ends the session',
        description:
          'The bearer itself remains valid until it expires. Open the address in the browser to end the session at the issuer, too.',
        isPublic: true,
        isSignIn: true,
        holdsSecret: true,
        problems
      }
    ),
    async ({ body }) => {
      const { issuer, redirect_uri: redirectUri, refresh_token: refreshToken, id_token: idToken } = body
      const address = await signIn.end({ issuer, redirectUri, refreshToken, idToken })
      return address === undefined ? {} : { address }
    }
  )
}

const shown = ({ accessToken, expiresIn, refreshToken, idToken, name }: IssuedTokens) => ({
  access_token: accessToken,
  expires_in: expiresIn,
  ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  ...(idToken === undefined ? {} : { id_token: idToken }),
  ...(name === undefined ? {} : { name })
})

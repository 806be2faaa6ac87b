import type { IssuedTokens, IssuerSignIn } from '#auth/issuer-sign-in.ts'
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

/** All that can go wrong with an issuer. */
const problems: readonly ProblemCode[] = ['invalid', 'sign_in_failed', 'unavailable']

/**
 * Signing in with an issuer, for the web page. None of it needs a bearer: it is how one gets one.
 */
export function signInRoutes(app: App, signIn: IssuerSignIn) {
  app.get(
    '/sign-in/issuers',
    {
      schema: { response: { 200: SignInIssuers } },
      config: { doc: { tag: 'Access', summary: 'The issuers that people can sign in with', isPublic: true } }
    },
    async () => ({ issuers: [...signIn.issuers] })
  )

  app.post(
    '/sign-in/start',
    {
      schema: { body: SignInStart, response: { 200: SignInAddress } },
      config: {
        doc: {
          tag: 'Access',
          summary: 'Where to send a browser so that somebody signs in',
          description:
            'Authorization code with PKCE (RFC 7636). State, nonce and verifier are made and kept by the browser.',
          isPublic: true,
          isSignIn: true,
          problems
        }
      }
    },
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
    {
      schema: { body: SignInReturn, response: { 200: SignedIn } },
      config: {
        doc: {
          tag: 'Access',
          summary: 'Exchange what a browser came back with for a bearer',
          isPublic: true,
          isSignIn: true,
          problems
        }
      }
    },
    async ({ body }) =>
      shown(
        await signIn.finish({
          issuer: body.issuer,
          redirectUri: body.redirect_uri,
          query: body.query,
          state: body.state,
          nonce: body.nonce,
          codeVerifier: body.code_verifier
        })
      )
  )

  app.post(
    '/sign-in/refresh',
    {
      schema: { body: SignInRefresh, response: { 200: SignedIn } },
      config: {
        doc: {
          tag: 'Access',
          summary: 'A fresh bearer for a refresh token of an issuer',
          isPublic: true,
          isSignIn: true,
          problems
        }
      }
    },
    async ({ body }) => shown(await signIn.refresh(body.issuer, body.refresh_token))
  )

  app.post(
    '/sign-in/end',
    {
      schema: { body: SignInEnd, response: { 200: SignInAddress } },
      config: {
        doc: {
          tag: 'Access',
          summary: 'Sign out: take back a refresh token, and find out where the issuer ends its session',
          isPublic: true,
          isSignIn: true,
          problems
        }
      }
    },
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

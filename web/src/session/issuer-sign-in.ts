import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState
} from 'oauth4webapi'

import { createClient } from '../../../client/index.ts'
import { basePath } from '../base-path.ts'
import { ForeignAnswer } from './foreign-answer.ts'
import { credentialsOf } from './token-refresh.ts'
import { returnAddress } from './return-address.ts'
import type { Credentials } from './token-storage.ts'

/*
 * Signing in with an issuer: authorization code with PKCE. The browser goes to the issuer and
 * returns to `/sign-in`. The state of the sign-in waits in sessionStorage, so only the tab that
 * started it can finish it. The service exchanges the code (decision 22).
 */

export interface OfferedIssuer {
  readonly issuer: string
  readonly name: string
}

interface Begun extends OfferedIssuer {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The address to return to. */
  readonly place: string
}

const begunName = 'libretto-sign-in'

/** Leaves the page for the issuer. */
export async function beginSignIn({ issuer, name }: OfferedIssuer, place: string) {
  const codeVerifier = generateRandomCodeVerifier()
  const begun: Begun = { issuer, name, state: generateRandomState(), nonce: generateRandomNonce(), codeVerifier, place }
  const { data } = await createClient({ baseUrl: basePath }).send('POST /sign-in/start', {
    body: {
      issuer,
      redirect_uri: returnAddress(),
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier)
    }
  })
  sessionStorage.setItem(begunName, JSON.stringify(begun))
  location.assign(data.address ?? `${basePath}/`)
}

/** The result of a sign-in, and the address where it began. */
export interface SignInEnding {
  readonly place: string
  readonly issuerName: string
  readonly credentials?: Credentials
  readonly fault?: unknown
}

/** Finishes the sign-in that the issuer's answer in the address belongs to. */
export async function finishSignIn(query: string): Promise<SignInEnding> {
  const text = sessionStorage.getItem(begunName)
  // An answer can be used once.
  sessionStorage.removeItem(begunName)
  const begun = text === null ? undefined : (JSON.parse(text) as Begun)
  const place = begun?.place ?? `${basePath}/`
  const issuerName = begun?.name ?? ''
  if (!begun || new URLSearchParams(query).get('state') !== begun.state)
    return { place, issuerName, fault: new ForeignAnswer('The answer is to no sign-in of this tab') }
  const { issuer, state, nonce, codeVerifier } = begun
  try {
    const { data } = await createClient({ baseUrl: basePath }).send('POST /sign-in/finish', {
      body: { issuer, redirect_uri: returnAddress(), query, state, nonce, code_verifier: codeVerifier }
    })
    return { place, issuerName, credentials: credentialsOf(data, { issuer, issuerName }) }
  } catch (fault) {
    return { place, issuerName, fault }
  }
}

import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState
} from 'oauth4webapi'

import { createClient } from '../../../client/index.ts'
import { ForeignAnswer } from './foreign-answer.ts'
import { passOf } from './fresh-pass.ts'
import { returnAddress } from './return-address.ts'
import type { Pass } from './kept-pass.ts'

/*
 * Signing in with an issuer: authorization code with PKCE. The browser goes away to the issuer and comes back to `/sign-in`; what belongs to this one
 * sign-in waits in sessionStorage meanwhile, so only the tab that began it can finish it. The code is exchanged by the service (decision 22).
 */

export interface OfferedIssuer {
  readonly issuer: string
  readonly name: string
}

interface Begun extends OfferedIssuer {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** Where the person was, and comes back to. */
  readonly place: string
}

const begunName = 'libretto-sign-in'

/** Leaves the page for the issuer. */
export async function beginSignIn({ issuer, name }: OfferedIssuer, place: string) {
  const codeVerifier = generateRandomCodeVerifier()
  const begun: Begun = { issuer, name, state: generateRandomState(), nonce: generateRandomNonce(), codeVerifier, place }
  const { data } = await createClient().send('POST /sign-in/start', {
    body: {
      issuer,
      redirect_uri: returnAddress(),
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier)
    }
  })
  sessionStorage.setItem(begunName, JSON.stringify(begun))
  location.assign(data.address ?? '/')
}

/** How a sign-in ended, and where the person was when it began. */
export interface SignInEnding {
  readonly place: string
  readonly issuerName: string
  readonly pass?: Pass
  readonly fault?: unknown
}

/** Finishes what the address of the page says that the issuer answered. */
export async function finishSignIn(query: string): Promise<SignInEnding> {
  const text = sessionStorage.getItem(begunName)
  // An answer is good for once.
  sessionStorage.removeItem(begunName)
  const begun = text === null ? undefined : (JSON.parse(text) as Begun)
  const place = begun?.place ?? '/'
  const issuerName = begun?.name ?? ''
  if (!begun || new URLSearchParams(query).get('state') !== begun.state)
    return { place, issuerName, fault: new ForeignAnswer('The answer is to no sign-in of this tab') }
  const { issuer, state, nonce, codeVerifier } = begun
  try {
    const { data } = await createClient().send('POST /sign-in/finish', {
      body: { issuer, redirect_uri: returnAddress(), query, state, nonce, code_verifier: codeVerifier }
    })
    return { place, issuerName, pass: passOf(data, { issuer, issuerName }) }
  } catch (fault) {
    return { place, issuerName, fault }
  }
}

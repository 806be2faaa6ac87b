import { createClient, isProblem, type SignedIn } from '../../../client/index.ts'
import { findNewerInOtherTabs, findPass, type Issued, type Pass, shareRenewed } from './kept-pass.ts'

/** The sign-in came to its end while something was asked for. Whoever is told of it has been asked to sign in again. */
export class SignInOver extends Error {
  override readonly name = 'SignInOver'
}

/** At most so long before a token runs out, in milliseconds, a new one is asked for. */
const earliest = 30_000

/** The pass that the answer of a sign-in makes. */
export function passOf(answer: SignedIn, { issuer, issuerName }: Pick<Issued, 'issuer' | 'issuerName'>): Pass {
  const { access_token, expires_in, refresh_token, id_token, name } = answer
  const life = expires_in * 1000
  const expiresAt = Date.now() + life
  return {
    token: access_token,
    issued: {
      issuer,
      issuerName,
      ...(name === undefined ? {} : { person: name }),
      ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
      ...(id_token === undefined ? {} : { idToken: id_token }),
      refreshAt: expiresAt - Math.min(earliest, life / 2),
      expiresAt
    }
  }
}

/** A client that keeps itself signed in for as long as the issuer lets it, and says when that is over. */
export function createSignedClient(onOver: () => void) {
  const over = () => {
    onOver()
    return new SignInOver('The sign-in is over')
  }

  return createClient({
    retries: 1,
    async token() {
      const pass = findPass()
      const { issued } = pass ?? {}
      if (!pass) throw over()
      if (!issued || Date.now() < issued.refreshAt) return pass.token
      const renewed = await renew(pass.token).catch((error: unknown) => {
        // Perhaps it is only for a moment that the issuer cannot be asked; the token still holds.
        if (Date.now() < issued.expiresAt) return pass
        throw isProblem(error, 'sign_in_failed') ? over() : error
      })
      if (renewed) return renewed.token
      if (Date.now() < issued.expiresAt) return pass.token
      throw over()
    },
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (response.status !== 401) return response
      const used = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
      const renewed = await renew(used).catch(() => undefined)
      const again = renewed && (await fetch(input, { ...init, headers: withToken(init?.headers, renewed.token) }))
      if (again && again.status !== 401) return again
      onOver()
      return response
    }
  })
}

function withToken(given: HeadersInit | undefined, token: string): Headers {
  const headers = new Headers(given)
  headers.set('authorization', `Bearer ${token}`)
  return headers
}

/**
 * A fresh pass in place of the one with this token, or undefined where the issuer gave nothing to ask for one with. One tab at a time: a refresh
 * token that is used twice is taken for a stolen one.
 */
async function renew(token: string): Promise<Pass | undefined> {
  if (!findPass()?.issued?.refreshToken) return undefined
  return navigator.locks.request('libretto-renew', async () => {
    const kept = findPass()
    // Another request, or another tab, did it while this one waited; what a tab says may be on its way still.
    if (!kept || kept.token !== token) return kept
    const newer = await findNewerInOtherTabs(kept)
    if (newer) return newer
    const { issued } = kept
    if (issued?.refreshToken === undefined) return undefined
    const body = { issuer: issued.issuer, refresh_token: issued.refreshToken }
    const { data } = await createClient().send('POST /sign-in/refresh', { body })
    const fresh = passOf(data, issued)
    const { person, idToken } = issued
    const whole: Pass = {
      ...fresh,
      // An issuer need not say again who it is.
      issued: {
        ...(person === undefined ? {} : { person }),
        ...(idToken === undefined ? {} : { idToken }),
        ...fresh.issued
      } as Issued
    }
    shareRenewed(whole)
    return whole
  })
}

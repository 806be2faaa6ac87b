import { createClient, isProblem, type SignedIn } from '../../../client/index.ts'
import { basePath } from '../base-path.ts'
import { fetchOrTake } from './early-answers.ts'
import {
  findNewerInOtherTabs,
  currentCredentials,
  type Issued,
  type Credentials,
  shareRefreshed
} from './token-storage.ts'

/** The session ended during a request. The user was asked to sign in again. */
class SignInOver extends Error {
  override readonly name = 'SignInOver'
}

/** Maximum time before expiry, in milliseconds, at which a token is refreshed. */
const earliest = 30_000

/** The credentials in the answer to a sign-in. */
export function credentialsOf(
  answer: SignedIn,
  { issuer, issuerName }: Pick<Issued, 'issuer' | 'issuerName'>
): Credentials {
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

/**
 * Creates a client that refreshes its token as long as the issuer allows, and reports when the
 * session ends.
 */
export function createSignedClient(onOver: () => void) {
  const over = () => {
    onOver()
    return new SignInOver('The sign-in is over')
  }

  return createClient({
    baseUrl: basePath,
    retries: 1,
    async token() {
      const credentials = currentCredentials()
      const { issued } = credentials ?? {}
      if (!credentials) throw over()
      if (!issued || Date.now() < issued.refreshAt) return credentials.token
      const refreshed = await refresh(credentials.token).catch((error: unknown) => {
        // The issuer may be unreachable only for a moment; the token is still valid.
        if (Date.now() < issued.expiresAt) return credentials
        throw isProblem(error, 'sign_in_failed') ? over() : error
      })
      if (refreshed) return refreshed.token
      if (Date.now() < issued.expiresAt) return credentials.token
      throw over()
    },
    async fetch(input, init) {
      const response = await fetchOrTake(input, init)
      if (response.status !== 401) return response
      const used = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
      const refreshed = await refresh(used).catch(() => undefined)
      const again = refreshed && (await fetch(input, { ...init, headers: withToken(init?.headers, refreshed.token) }))
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
 * Refreshes the credentials with this token; undefined if there is no refresh token. One tab at a
 * time: a refresh token that is used twice counts as stolen.
 */
async function refresh(token: string): Promise<Credentials | undefined> {
  if (!currentCredentials()?.issued?.refreshToken) return undefined
  return navigator.locks.request('libretto-renew', async () => {
    const stored = currentCredentials()
    // Another request or tab refreshed it meanwhile; its message may still be on the way.
    if (!stored || stored.token !== token) return stored
    const newer = await findNewerInOtherTabs(stored)
    if (newer) return newer
    const { issued } = stored
    if (issued?.refreshToken === undefined) return undefined
    const body = { issuer: issued.issuer, refresh_token: issued.refreshToken }
    const { data } = await createClient({ baseUrl: basePath }).send('POST /sign-in/refresh', { body })
    const fresh = credentialsOf(data, issued)
    const { person, idToken } = issued
    const whole: Credentials = {
      ...fresh,
      // An issuer need not repeat the name of the user.
      issued: {
        ...(person === undefined ? {} : { person }),
        ...(idToken === undefined ? {} : { idToken }),
        ...fresh.issued
      } as Issued
    }
    shareRefreshed(whole)
    return whole
  })
}

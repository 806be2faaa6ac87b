import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

import { audience } from './oidc-issuer.ts'
import type { Teardown } from './start.ts'
import { closeServer } from './listen.ts'

/**
 * A real OpenID Connect provider on this machine where people sign in, by a form with their name.
 */
export interface PeopleIssuer {
  readonly url: string
  /** The issuer as `OIDC_ISSUERS` has it, with the public client of the page. */
  readonly setting: Readonly<Record<string, unknown>>
  /** Lets the page at this origin sign people in. */
  admit(origin: string): void
  /** Properties of the tokens that are issued from now on. */
  readonly giving: { refreshTokens: boolean; scopes: string; audience: string }
  /** How often fresh tokens were asked for with a refresh token, in vain or not. */
  refreshes(): number
  /** Does what a browser does with the address of the sign-in: gives where it is sent back to. */
  visit(address: string, choice?: 'sign in' | 'refuse'): Promise<URL>
  close(): Promise<void>
}

/** The clients that it knows: one without a secret, and one with. */
export const pageClient = { clientId: 'page' }
export const secretClient = { clientId: 'page-with-secret', clientSecret: 'secret-of-the-page-0123456789' }

const scopes = 'read write delete admin'

export async function startPeopleIssuer(t: Teardown): Promise<PeopleIssuer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' }
  const giving = { refreshTokens: true, scopes: 'read write delete', audience }
  let origin = 'http://127.0.0.1'
  let refreshes = 0
  let provider: Provider | undefined

  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      if (request.method !== 'POST')
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(form(request))
      void text(request).then(body => {
        const fields = new URLSearchParams(body)
        const result = fields.has('refuse')
          ? { error: 'access_denied', error_description: 'The person said no' }
          : { login: { accountId: fields.get('name') ?? '' } }
        return provider?.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      })
      return
    }
    provider?.callback()(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const open = () => {
    const addresses = { redirect_uris: [`${origin}/sign-in`], post_logout_redirect_uris: [`${origin}/sign-in`] }
    const flow = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], ...addresses }
    provider = new Provider(url, {
      clients: [
        { client_id: pageClient.clientId, token_endpoint_auth_method: 'none', ...flow },
        { client_id: secretClient.clientId, client_secret: secretClient.clientSecret, ...flow }
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key for cookies'] },
      claims: { openid: ['sub'], profile: ['name'] },
      // The name stands in the ID token by this.
      conformIdTokenClaims: false,
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, name: `${id} the Reader` })
      }),
      interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
      issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
        giving.refreshTokens && client.grantTypeAllowed('refresh_token'),
      loadExistingGrant: async (context: {
        oidc: { client: { clientId: string }; session: { accountId: string } }
      }) => {
        const { client, session } = context.oidc
        const grant = provider && new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant?.addOIDCScope('openid profile')
        grant?.addResourceScope(audience, giving.scopes)
        // A rejected scope is not requested again.
        const refused = scopes.split(' ').filter(each => !giving.scopes.split(' ').includes(each))
        grant?.rejectResourceScope(audience, refused.join(' '))
        await grant?.save()
        return grant
      },
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: string }, logoutForm: string) => {
            context.body = `<!doctype html><title>Sign out</title>${logoutForm}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`
          }
        },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => audience,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: scopes,
            audience: giving.audience,
            accessTokenTTL: 3600,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } }
          })
        }
      },
      ttl: { Session: 3600, Interaction: 600, Grant: 3600, RefreshToken: 3600, AuthorizationCode: 60, IdToken: 3600 }
    })
    const events = provider as unknown as NodeJS.EventEmitter
    for (const event of ['grant.success', 'grant.error'])
      events.on(event, ({ oidc }: { oidc: { params?: { refresh_token?: string } } }) => {
        if (oidc.params?.refresh_token !== undefined) refreshes++
      })
  }
  open()
  const close = () => closeServer(server)
  t.after(close)

  return {
    url,
    setting: {
      issuer: url,
      audience,
      name: 'House of Readers',
      ...pageClient,
      scope: `openid profile ${scopes}`,
      parameters: { resource: audience }
    },
    admit(given) {
      origin = given
      open()
    },
    giving,
    refreshes: () => refreshes,
    visit: (address, choice = 'sign in') => walk(address, origin, choice),
    close
  }
}

const form = ({ url }: IncomingMessage) => `<!doctype html><html lang="en"><title>House of Readers</title>
<form method="post" action="${url}"><label>Name <input name="name" autofocus></label>
<button>Let me in</button><button name="refuse" value="yes">Refuse</button></form></html>`

/**
 * Follows an address to where it leads back to the page, filling in the form on the way, with a jar
 * for its cookies.
 */
async function walk(address: string, origin: string, choice: 'sign in' | 'refuse'): Promise<URL> {
  const jar = new Map<string, string>()
  let next = new URL(address)
  let body: URLSearchParams | undefined
  for (let steps = 0; steps < 10; steps++) {
    if (next.origin === origin) return next
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body === undefined ? {} : { method: 'POST', body })
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location !== null) {
      next = new URL(location, next)
      body = undefined
    } else if (next.pathname.startsWith('/interaction/') && body === undefined)
      body = new URLSearchParams(choice === 'refuse' ? { refuse: 'yes' } : { name: 'mira' })
    else throw new Error(`${next} answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
  }
  throw new Error('The issuer leads nowhere')
}

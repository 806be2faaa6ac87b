import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

import type { Teardown } from './start.ts'
import { closeServer } from './listen.ts'

/** A real OpenID Connect provider on this machine, that gives JWT access tokens to one client. */
export interface Issuer {
  readonly url: string
  /** Asks for an access token, as a client does. */
  token(scope: string, audience?: string): Promise<string>
  /**
   * Signs whatever claims are given with the provider's own key: for tokens that it would never
   * give.
   */
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>
  /**
   * Publishes a new key and signs with it from now on. The old one stays published, unless it is
   * withdrawn.
   */
  rotate(options?: { readonly withdraw?: boolean }): Promise<void>
  /** The key that it signs with, without its private part. */
  publicKey(): JWK
  /** How often its keys were fetched. */
  fetches(): number
  close(): Promise<void>
}

export const audience = 'https://catalogue.example.org'

const client = { id: 'kiosk', secret: 'kiosk-secret-0123456789abcdef' }

export interface IssuerOptions {
  readonly algorithm?: 'RS256' | 'ES256' | 'EdDSA'
  /** Further claims of every token. */
  readonly claims?: Readonly<Record<string, unknown>>
}

export async function startIssuer(
  t: Teardown,
  { algorithm = 'RS256', claims = {} }: IssuerOptions = {}
): Promise<Issuer> {
  let keys: JWK[] = [await newKey(algorithm)]
  let fetches = 0
  let handle: ReturnType<Provider['callback']> = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => {
    if (request.url?.includes('jwks')) fetches++
    handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = () => {
    handle = new Provider(url, configurationOf(keys, algorithm, claims)).callback()
  }
  open()
  const close = () => closeServer(server)
  t.after(close)

  return {
    url,
    async token(scope, resource = audience) {
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource })
      })
      const body = (await response.json()) as { access_token?: string }
      if (body.access_token === undefined) throw new Error(`No token: ${JSON.stringify(body)}`)
      return body.access_token
    },
    async sign(payload, header = {}) {
      const [key] = keys as [JWK]
      const kid = key.kid ?? ''
      const critical = Object.fromEntries(((header.crit ?? []) as string[]).map(name => [name, true]))
      return new SignJWT(payload)
        .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt', ...header })
        .sign(key, { crit: critical })
    },
    async rotate({ withdraw = false } = {}) {
      keys = [await newKey(algorithm), ...(withdraw ? [] : keys)]
      open()
    },
    publicKey() {
      const [{ kty, kid, n, e, crv, x, y }] = keys as [JWK]
      return JSON.parse(JSON.stringify({ kty, kid, n, e, crv, x, y })) as JWK
    },
    fetches: () => fetches,
    close
  }
}

async function newKey(algorithm: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: algorithm, use: 'sig' }
}

function configurationOf(keys: readonly JWK[], algorithm: string, claims: Readonly<Record<string, unknown>>): object {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: algorithm
      }
    ],
    adapter: NothingKept,
    ttl: { ClientCredentials: 3600 },
    cookies: { keys: ['unused'] },
    jwks: { keys },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'read write delete admin read:production write:production read:venue other',
          audience: resource,
          accessTokenTTL: 3600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: algorithm } }
        })
      }
    },
    extraTokenClaims: () => claims
  }
}

/** JWTs given to a client need nothing kept. */
class NothingKept {
  async upsert() {}
  async find() {}
  async destroy() {}
}

import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'

import { type AllowedReceivers, hostOf, isAddress, refusalOfAddress, refusalOfUrl } from './address-guard.ts'

/* Requests to other servers. Their addresses are checked, and their size and time are limited. */

export interface GuardedRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface GuardSettings extends AllowedReceivers {
  /** Resolves a host name to all its addresses. */
  readonly resolve: (host: string) => Promise<readonly ResolvedAddress[]>
  /** Milliseconds for everything: resolving the name, connecting, sending, receiving. */
  readonly timeout: number
}

/** Maximum number of interim responses (1xx) before the final one. */
const maxInterim = 10

/**
 * Sends one request, and resolves to what `read` makes of the response. Rejects with the reason
 * when there is none.
 *
 * The name is resolved once, every address is checked, and the connection goes to one of the
 * checked addresses, so a name that resolves differently the next time gains nothing. Each request
 * has a connection of its own. Redirects are not followed.
 */
export async function sendGuarded<T>(
  request: GuardedRequest,
  settings: GuardSettings,
  read: (response: IncomingMessage) => Promise<T>
): Promise<T> {
  const { promise: timedOut, reject: expire } = Promise.withResolvers<never>()
  const timer = setTimeout(() => expire(new Error(`No response within ${settings.timeout} ms`)), settings.timeout)
  timedOut.catch(() => {})
  try {
    const addresses = await Promise.race([checkedAddresses(request.url, settings), timedOut])
    return await exchange(request, addresses, read, timedOut)
  } finally {
    clearTimeout(timer)
  }
}

async function checkedAddresses(text: string, settings: GuardSettings): Promise<ResolvedAddress[]> {
  const { resolve, exceptions } = settings
  const refusal = refusalOfUrl(text, settings)
  if (refusal !== undefined) throw new Error(`Refused: ${refusal}`)
  const host = hostOf(new URL(text))
  if (isAddress(host)) return []
  const addresses = await resolve(host)
  if (addresses.length === 0) throw new Error(`"${host}" has no address`)
  for (const { address } of addresses) {
    const reason = refusalOfAddress(address, exceptions)
    if (reason !== undefined) throw new Error(`Refused: "${host}" leads to ${reason}`)
  }
  return [...addresses]
}

async function exchange<T>(
  { method, url, headers, body }: GuardedRequest,
  addresses: readonly ResolvedAddress[],
  read: (response: IncomingMessage) => Promise<T>,
  timedOut: Promise<never>
): Promise<T> {
  const send = url.startsWith('https:') ? requestSecure : requestPlain
  const request = send(url, {
    method,
    agent: false,
    lookup: givenAddresses(addresses),
    maxHeaderSize: 16_384,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      connection: 'close'
    }
  })
  let interim = 0
  request.on('information', () => {
    if (++interim > maxInterim) request.destroy(new Error('The receiver sent too many interim responses'))
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    request.on('close', () => reject(new Error('The connection was closed without a response')))
  })
  // The outcome is known already, so a late error is ignored.
  answered.catch(() => {})
  try {
    request.end(body)
    const response = await Promise.race([answered, timedOut])
    return await Promise.race([read(response), timedOut])
  } finally {
    request.destroy()
  }
}

/**
 * Answers with the addresses that were found and checked before, so that no name is resolved a
 * second time.
 */
const givenAddresses =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (host, { all }, done) => {
    const [first] = addresses
    if (!first) return done(new Error(`"${host}" was not checked`), '', 0)
    if (all) done(null, [...addresses])
    else done(null, first.address, first.family)
  }

/** The reason why a request failed, for people. */
export function describeFailure(error: unknown): string {
  // A connection that was tried at several addresses has an error for each.
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const text = one instanceof Error ? one.message : String(one)
  return text.slice(0, 500)
}

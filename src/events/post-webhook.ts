import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'

import { type AllowedReceivers, hostOf, isAddress, refusalOfAddress, refusalOfUrl } from './address-guard.ts'

/** A request to a receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The outcome of a request: a response, or the reason why there is none. */
export type WebhookOutcome =
  | { readonly status: number; readonly retryAfter: string | null; readonly duration: number }
  | { readonly error: string; readonly duration: number }

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface PostSettings extends AllowedReceivers {
  /** Resolves a host name to all its addresses. */
  readonly resolve: (host: string) => Promise<readonly ResolvedAddress[]>
  /** Milliseconds for everything: resolving the name, connecting, sending, receiving. */
  readonly timeout: number
}

/** Maximum bytes and milliseconds for reading a response, which is then discarded. */
const maxResponseBytes = 65_536
const maxResponseTime = 1000
/** Maximum number of interim responses (1xx) before the final one. */
const maxInterim = 10

/**
 * Sends one event and returns the outcome; never throws.
 *
 * The name is resolved once, every address is checked, and the connection goes to one of the
 * checked addresses, so a name that resolves differently the next time gains nothing. Each request
 * has a connection of its own. Redirects are not followed. The status line decides; the rest of the
 * response is ignored.
 */
export async function postWebhook(request: WebhookRequest, settings: PostSettings): Promise<WebhookOutcome> {
  const started = performance.now()
  const { promise: timedOut, reject: expire } = Promise.withResolvers<never>()
  const timer = setTimeout(() => expire(new Error(`No response within ${settings.timeout} ms`)), settings.timeout)
  timedOut.catch(() => {})
  const duration = () => Math.round(performance.now() - started)
  try {
    const addresses = await Promise.race([checkedAddresses(request.url, settings), timedOut])
    const answer = await exchange(request, addresses, timedOut)
    return { ...answer, duration: duration() }
  } catch (error) {
    return { error: describe(error), duration: duration() }
  } finally {
    clearTimeout(timer)
  }
}

async function checkedAddresses(text: string, settings: PostSettings): Promise<ResolvedAddress[]> {
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

async function exchange(
  { url, headers, body }: WebhookRequest,
  addresses: readonly ResolvedAddress[],
  timedOut: Promise<never>
): Promise<{ status: number; retryAfter: string | null }> {
  const send = url.startsWith('https:') ? requestSecure : requestPlain
  const request = send(url, {
    method: 'POST',
    agent: false,
    lookup: givenAddresses(addresses),
    maxHeaderSize: 16_384,
    headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }
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
    await Promise.race([discard(response), timedOut.catch(() => {})])
    const retryAfter = response.headers['retry-after']
    return { status: response.statusCode ?? 0, retryAfter: retryAfter?.slice(0, 100) ?? null }
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

/**
 * Reads a response to its end, within limits, so that a well-behaved receiver sees no broken
 * connection.
 */
function discard(response: IncomingMessage): Promise<void> {
  return new Promise(resolve => {
    let bytes = 0
    const timer = setTimeout(resolve, maxResponseTime)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxResponseBytes) end()
    })
    response.on('end', end)
    response.on('close', end)
    response.on('error', end)
  })
}

function describe(error: unknown): string {
  // A connection that was tried at several addresses has an error for each.
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const text = one instanceof Error ? one.message : String(one)
  return text.slice(0, 500)
}

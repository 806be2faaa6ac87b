import type { IncomingMessage } from 'node:http'

import { describeFailure, type GuardSettings, sendGuarded } from './guarded-request.ts'

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

/** Maximum bytes and milliseconds for reading a response, which is then discarded. */
const maxResponseBytes = 65_536
const maxResponseTime = 1000

/**
 * Sends one event and returns the outcome; never throws. The status line decides; the rest of the
 * response is ignored.
 */
export async function postWebhook(request: WebhookRequest, settings: GuardSettings): Promise<WebhookOutcome> {
  const started = performance.now()
  const duration = () => Math.round(performance.now() - started)
  let answered = undefined as { status: number; retryAfter: string | null } | undefined
  let failure: unknown
  try {
    await sendGuarded({ method: 'POST', ...request }, settings, async response => {
      const retryAfter = response.headers['retry-after']
      answered = { status: response.statusCode ?? 0, retryAfter: retryAfter?.slice(0, 100) ?? null }
      await discard(response)
    })
  } catch (error) {
    failure = error
  }
  return answered ? { ...answered, duration: duration() } : { error: describeFailure(failure), duration: duration() }
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

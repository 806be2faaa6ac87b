import type { StoredWebhook, WebhookProgress } from '#store/ports/webhooks.ts'
import type { WebhookOutcome } from './post-webhook.ts'

export interface RetrySettings {
  /** Seconds to wait before each retry; after the last retry a webhook is parked. */
  readonly retries: readonly number[]
  /** A random number from 0 up to 1. */
  readonly random: () => number
}

/** Maximum milliseconds of `Retry-After`: one day. */
const maxRequestedDelay = 24 * 60 * 60 * 1000

/** Up to a fifth more or less, so that many webhooks of one receiver do not all retry at once. */
const [minSpread, maxSpread] = [0.8, 1.2]

/**
 * Whether an attempt that is planned for a moment has to wait. One that is further ahead than any
 * wait can be was planned by a clock that has been set back since, and is due.
 */
export function isTooEarly(planned: number, now: number, { retries }: Pick<RetrySettings, 'retries'>): boolean {
  const wait = planned - now
  return wait > 0 && wait <= Math.max(maxRequestedDelay, ...retries.map(seconds => seconds * 1000 * maxSpread))
}

/** Computes the progress of a webhook after an attempt to deliver the change `sequence`. */
export function progressAfter(
  webhook: StoredWebhook,
  sequence: number,
  outcome: WebhookOutcome,
  now: number,
  { retries, random }: RetrySettings
): WebhookProgress['to'] {
  if (isDelivered(outcome))
    return { state: 'active', cursor: sequence, attempts: 0, failingSince: null, nextAttemptAt: null }

  const failing = {
    cursor: webhook.cursor,
    attempts: webhook.attempts + 1,
    failingSince: webhook.failingSince ?? new Date(now).toISOString(),
    nextAttemptAt: null
  }
  if ('status' in outcome && outcome.status === 410) return { ...failing, state: 'disabled' }
  const delay = retries[webhook.attempts]
  if (delay === undefined) return { ...failing, state: 'parked' }
  const planned = delay * 1000 * (minSpread + (maxSpread - minSpread) * random())
  const wait = Math.max(planned, requestedDelay(outcome, now))
  return { ...failing, state: 'active', nextAttemptAt: new Date(now + wait).toISOString() }
}

export const isDelivered = (outcome: WebhookOutcome) =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300

/** Milliseconds to wait that a receiver requests (`Retry-After`: seconds, or a date). */
function requestedDelay(outcome: WebhookOutcome, now: number): number {
  const text = 'status' in outcome ? outcome.retryAfter : null
  if (text === null) return 0
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), maxRequestedDelay)
}

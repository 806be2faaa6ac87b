import { createHmac, randomBytes } from 'node:crypto'

import type { StoredWebhook } from '#store/ports/webhooks.ts'

/*
 * Signatures as in Standard Webhooks:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

const secretPrefix = 'whsec_'

export const newSecret = () => `${secretPrefix}${randomBytes(32).toString('base64')}`

/**
 * Milliseconds that the previous secret goes on signing, so that receivers have time to install the
 * new one.
 */
export const rotationTime = 24 * 60 * 60 * 1000

/**
 * Makes the headers by which a receiver verifies the sender and the age of a body. `eventId` is the
 * same for every attempt, so that a receiver recognises an event that it has already; the time is
 * that of the attempt.
 */
export function signedHeaders(
  webhook: Pick<StoredWebhook, 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  eventId: string,
  body: string,
  now: number
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const { secret, previousSecret, previousSecretUntil } = webhook
  const isPreviousGood = previousSecret !== null && Date.parse(previousSecretUntil ?? '') > now
  const secrets = isPreviousGood ? [secret, previousSecret] : [secret]
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(each => signature(each, `${eventId}.${timestamp}.${body}`)).join(' ')
  }
}

function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

import { createHmac, randomBytes } from 'node:crypto'

import type { StoredWebhook } from '#store/ports/webhooks.ts'

/*
 * Signatures as Standard Webhooks has them:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

const secretPrefix = 'whsec_'

export const newSecret = () => `${secretPrefix}${randomBytes(32).toString('base64')}`

/** How long the secret before goes on signing, so that receivers have time to take the new one. */
export const rotationTime = 24 * 60 * 60 * 1000

/**
 * The headers that let a receiver tell who sent a body, and that it was not sent long ago.
 * `eventId` stays the same however often the event is sent, so that a receiver can tell that it has
 * it already; the moment is that of the attempt.
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

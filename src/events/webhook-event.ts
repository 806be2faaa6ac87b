import type { NewDelivery, StoredWebhook } from '#store/ports/webhooks.ts'
import type { WebhookOutcome, WebhookRequest } from './post-webhook.ts'
import { signedHeaders } from './signature.ts'

/**
 * An event for a webhook: a CloudEvent. Events about changes come from the feed; a test makes its
 * own.
 */
export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly subject: string
}

/** Makes the request for an event: CloudEvents in structured mode, signed. */
export function requestFor(
  webhook: StoredWebhook,
  event: WebhookEvent,
  userAgent: string,
  now: number
): WebhookRequest {
  const body = JSON.stringify(event)
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/cloudevents+json',
      'user-agent': userAgent,
      ...signedHeaders(webhook, event.id, body, now)
    },
    body
  }
}

/** Makes an event without content, to test a receiver. */
export const testEvent = (webhookId: string, id: string, source: string, time: string) => ({
  specversion: '1.0',
  id,
  source,
  type: 'webhook.test',
  subject: webhookId,
  time,
  datacontenttype: 'application/json',
  data: { webhook_id: webhookId }
})

/** Makes the log entry of an attempt. */
export function deliveryOf(
  event: WebhookEvent,
  outcome: WebhookOutcome,
  about: Pick<NewDelivery, 'reason' | 'sequence' | 'attempt'> & { readonly now: number }
): NewDelivery {
  const { now, ...rest } = about
  return {
    ...rest,
    eventId: event.id,
    eventType: event.type,
    subject: event.subject,
    at: new Date(now).toISOString(),
    duration: outcome.duration,
    ...('status' in outcome ? { status: outcome.status, error: null } : { status: null, error: outcome.error })
  }
}

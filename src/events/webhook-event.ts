import type { NewDelivery, StoredWebhook } from '#store/ports/webhooks.ts'
import type { WebhookOutcome, WebhookRequest } from './post-webhook.ts'
import { signedHeaders } from './signature.ts'

/**
 * What a webhook is sent: a CloudEvent. Those about changes come from the feed; a test makes its
 * own.
 */
export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly subject: string
}

/** The event as it goes over the wire: CloudEvents in structured mode, signed. */
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

/** What tells a receiver is there, and nothing else. */
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

/** The attempt as it is logged. */
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

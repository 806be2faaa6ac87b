import type { ChangeKind } from '#domain/events/change-event.ts'
import type { DeliveryReason, WebhookState } from '#domain/events/webhook.ts'
import type { GrowthCount, Merge, StoredDelivery, StoredEntity, StoredToken, StoredWebhook } from './store.ts'

/* Rows of tables that are the same in every store, as the values they stand for. */

type Row = Readonly<Record<string, unknown>>

export const toStored = (row: Row): StoredEntity => ({
  id: String(row.id),
  uuid: String(row.uuid),
  type: String(row.type),
  version: Number(row.version),
  json: String(row.document)
})

export function toMerge(row: Row): Merge {
  return {
    number: Number(row.number),
    survivorId: String(row.survivor_id),
    victimId: String(row.victim_id),
    written: JSON.parse(String(row.written)) as Merge['written'],
    undone: row.undone === null ? null : Number(row.undone)
  }
}

export function toToken(row: Row): StoredToken {
  return {
    id: String(row.id),
    name: String(row.name),
    hash: String(row.hash),
    scopes: JSON.parse(String(row.scopes)) as string[],
    createdAt: String(row.created_at),
    createdBy: String(row.created_by),
    expiresAt: row.expires_at === null ? null : String(row.expires_at)
  }
}

/** What an edit may change, in the order of the columns. */
export const editedColumns = (webhook: StoredWebhook) =>
  [
    webhook.url,
    webhook.description,
    JSON.stringify(webhook.kinds),
    JSON.stringify(webhook.types),
    webhook.secret,
    webhook.previousSecret,
    webhook.previousSecretUntil,
    webhook.state,
    webhook.cursor,
    webhook.attempts,
    webhook.failingSince,
    webhook.nextAttemptAt
  ] as const

export function toWebhook(row: Row): StoredWebhook {
  return {
    id: String(row.id),
    url: String(row.url),
    description: String(row.description),
    kinds: JSON.parse(String(row.kinds)) as ChangeKind[],
    types: JSON.parse(String(row.types)) as string[],
    secret: String(row.secret),
    previousSecret: textOrNull(row.previous_secret),
    previousSecretUntil: textOrNull(row.previous_secret_until),
    state: row.state as WebhookState,
    cursor: Number(row.cursor),
    attempts: Number(row.attempts),
    failingSince: textOrNull(row.failing_since),
    nextAttemptAt: textOrNull(row.next_attempt_at),
    createdAt: String(row.created_at),
    createdBy: String(row.created_by),
    revision: Number(row.revision)
  }
}

export function toDelivery(row: Row): StoredDelivery {
  return {
    number: Number(row.number),
    webhookId: String(row.webhook_id),
    reason: row.reason as DeliveryReason,
    eventId: String(row.event_id),
    eventType: String(row.event_type),
    subject: String(row.subject),
    sequence: row.sequence === null ? null : Number(row.sequence),
    attempt: Number(row.attempt),
    at: String(row.at),
    duration: Number(row.duration),
    status: row.status === null ? null : Number(row.status),
    error: textOrNull(row.error)
  }
}

const textOrNull = (value: unknown) => (value === null ? null : String(value))

/**
 * What comes after every key under a heading, and before those of the next: `\u000b` follows the
 * line end.
 */
export const endOfHeading = (heading: string) => `${heading}\u000b`

export const toGrowthCount = (row: Row): GrowthCount => ({
  month: String(row.month),
  type: String(row.type),
  count: Number(row.n)
})

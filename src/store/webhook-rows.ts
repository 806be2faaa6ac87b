import type { ChangeKind } from '#domain/events/change-event.ts'
import type { DeliveryReason, WebhookState } from '#domain/events/webhook.ts'
import { maxStoredDeliveries, type NewDelivery, type StoredDelivery, type StoredWebhook } from './ports/webhooks.ts'

/* Rows of webhooks and deliveries, and the statements for them that both databases understand. */

type Row = Readonly<Record<string, unknown>>

export const webhookColumns = `id, url, description, kinds, types, secret, previous_secret, previous_secret_until, state, cursor,
  attempts, failing_since, next_attempt_at, created_at, created_by, revision`
export const deliveryColumns =
  'webhook_id, reason, event_id, event_type, subject, sequence, attempt, at, duration, status, error'

export const selectWebhook = `SELECT ${webhookColumns} FROM webhooks WHERE id = ?`
export const selectWebhooks = `SELECT ${webhookColumns} FROM webhooks ORDER BY number`
export const selectDelivery = `SELECT number, ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND number = ?`
export const selectDeliveries = `SELECT number, ${deliveryColumns} FROM deliveries
  WHERE webhook_id = ? AND number < ? ORDER BY number DESC LIMIT ?`
export const insertWebhook = `INSERT INTO webhooks (${webhookColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
export const updateWebhook = `UPDATE webhooks SET url = ?, description = ?, kinds = ?, types = ?, secret = ?, previous_secret = ?,
  previous_secret_until = ?, state = ?, cursor = ?, attempts = ?, failing_since = ?, next_attempt_at = ?, revision = ? WHERE id = ?`
export const moveCursor = 'UPDATE webhooks SET cursor = ? WHERE id = ? AND cursor = ?'
export const setProgress =
  'UPDATE webhooks SET state = ?, attempts = ?, failing_since = ?, next_attempt_at = ? WHERE id = ? AND revision = ?'
export const insertDelivery = `INSERT INTO deliveries (${deliveryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  RETURNING number, ${deliveryColumns}`
/** Deletes the deliveries of a webhook beyond the maximum; its id is given twice. */
export const deleteOldDeliveries = `DELETE FROM deliveries WHERE webhook_id = ? AND number <=
  (SELECT number FROM deliveries WHERE webhook_id = ? ORDER BY number DESC LIMIT 1 OFFSET ${maxStoredDeliveries})`

/** The values of a webhook, in the order of the columns. */
export const webhookRow = (webhook: StoredWebhook) =>
  [webhook.id, ...editedColumns(webhook), webhook.createdAt, webhook.createdBy, webhook.revision] as const

/** The values of a delivery, in the order of the columns. */
export const deliveryRow = (webhookId: string, delivery: NewDelivery) =>
  [
    ...[webhookId, delivery.reason, delivery.eventId, delivery.eventType, delivery.subject, delivery.sequence],
    ...[delivery.attempt, delivery.at, Math.round(delivery.duration), delivery.status, delivery.error]
  ] as const

/** The values that an edit may change, in the order of the columns. */
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

import type { ChangeKind } from '#domain/events/change-event.ts'
import type { DeliveryReason, WebhookState } from '#domain/events/webhook.ts'
import type { Json } from '#domain/entity/entity.ts'
import type { EarlierOutcome, StoredEntity } from './ports/entities.ts'
import type { Merge } from './ports/history.ts'
import type { GrowthCount } from './ports/queries.ts'
import type { StateEntry } from './ports/state.ts'
import type { StoredToken } from './ports/tokens.ts'
import { maxStoredDeliveries, type NewDelivery, type StoredDelivery, type StoredWebhook } from './ports/webhooks.ts'

/* Rows of tables that are the same in both databases, and the values that they represent. */

/** Maximum number of changed ids listed for a cache; beyond, starting anew is faster for it. */
export const maxListedChanges = 10_000

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

/** Time for which the outcome of a request with an Idempotency-Key is stored, in milliseconds. */
const outcomeRetention = 24 * 60 * 60 * 1000

/** The moment before which outcomes have expired. */
export const expiredBefore = (now: number) => new Date(now - outcomeRetention).toISOString()

/** The outcome of an earlier request with the same key; undefined when it has expired. */
export function toOutcome(row: Row, now: number): EarlierOutcome | undefined {
  if (String(row.at) < expiredBefore(now)) return undefined
  const outcome = JSON.parse(String(row.outcome)) as (StoredEntity | null)[]
  return {
    fingerprint: String(row.fingerprint),
    outcome: outcome.map(each => each ?? undefined),
    note: JSON.parse(String(row.note)) as Json
  }
}

export const tokenColumns = 'id, name, hash, scopes, created_at, created_by, expires_at'
export const selectToken = `SELECT ${tokenColumns} FROM tokens WHERE hash = ?`
export const selectTokens = `SELECT ${tokenColumns} FROM tokens ORDER BY created_at, id`

/** The values of a token, in the order of the columns. */
export const tokenRow = (token: StoredToken) =>
  [
    token.id,
    token.name,
    token.hash,
    JSON.stringify(token.scopes),
    token.createdAt,
    token.createdBy,
    token.expiresAt
  ] as const

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

/** After every key with a prefix, and before those of the next: `\u000b` follows the line end. */
export const endOfPrefix = (prefix: string) => `${prefix}\u000b`

export const toStateEntry = (row: Row): StateEntry => ({ key: String(row.key), value: String(row.value) })

export const toGrowthCount = (row: Row): GrowthCount => ({
  month: String(row.month),
  type: String(row.type),
  count: Number(row.n)
})

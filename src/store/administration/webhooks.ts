import type { ChangeKind } from '#domain/events/change-event.ts'
import type { DeliveryReason, WebhookState } from '#domain/events/webhook.ts'
import type { NewAct } from '../ports/audit.ts'
import {
  maxStoredDeliveries,
  type NewDelivery,
  type StoredDelivery,
  type StoredWebhook,
  type WebhookEdit,
  type WebhookProgress
} from '../ports/webhooks.ts'
import type { Dialect, Row } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import { webhookChanged } from '../refusals.ts'
import { logAct } from './acts.ts'
import type { Read, Steps } from './steps.ts'

const columns = `id, url, description, kinds, types, secret, previous_secret, previous_secret_until, state, cursor,
  attempts, failing_since, next_attempt_at, created_at, created_by, revision`
const deliveryColumns =
  'webhook_id, reason, event_id, event_type, subject, sequence, attempt, at, duration, status, error'
const selectWebhook = `SELECT ${columns} FROM webhooks WHERE id = ?`

type Found = StoredWebhook | undefined

export const webhookTransactions = ({ forUpdate }: Dialect) => ({
  *insertWebhook(webhook: StoredWebhook, act?: NewAct): Steps<void> {
    // A retry, after the answer to the first attempt was lost, inserts nothing.
    const inserted = yield sql(
      `INSERT INTO webhooks (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING RETURNING id`,
      ...[webhook.id, ...editedColumns(webhook), webhook.createdAt, webhook.createdBy, webhook.revision]
    )
    if (act && inserted.length > 0) yield* logAct(act)
  },
  *updateWebhook(id: string, expected: number, edit: WebhookEdit, act?: NewAct): Steps<Found> {
    const current = yield* find(id, forUpdate)
    if (!current) return undefined
    if (current.revision !== expected) throw webhookChanged(id)
    yield sql(
      `UPDATE webhooks SET url = ?, description = ?, kinds = ?, types = ?, secret = ?, previous_secret = ?,
        previous_secret_until = ?, state = ?, cursor = ?, attempts = ?, failing_since = ?, next_attempt_at = ?,
        revision = ? WHERE id = ?`,
      ...[...editedColumns({ ...current, ...edit }), current.revision + 1, id]
    )
    if (act) yield* logAct(act)
    return yield* find(id)
  },
  *deleteWebhook(id: string, act?: NewAct): Steps<boolean> {
    const deleted = yield sql('DELETE FROM webhooks WHERE id = ? RETURNING id', id)
    if (act && deleted.length > 0) yield* logAct(act)
    return deleted.length > 0
  },
  *advanceWebhook({ from, to, delivery }: WebhookProgress): Steps<Found> {
    if (!(yield* find(from.id, forUpdate))) return undefined
    yield sql('UPDATE webhooks SET cursor = ? WHERE id = ? AND cursor = ?', ...[to.cursor, from.id, from.cursor])
    yield sql(
      'UPDATE webhooks SET state = ?, attempts = ?, failing_since = ?, next_attempt_at = ? WHERE id = ? AND revision = ?',
      ...[to.state, to.attempts, to.failingSince, to.nextAttemptAt, from.id, from.revision]
    )
    if (delivery) yield* log(from.id, delivery)
    return yield* find(from.id)
  },
  *logDelivery(webhookId: string, delivery: NewDelivery): Steps<StoredDelivery | undefined> {
    return (yield* find(webhookId, forUpdate)) && (yield* log(webhookId, delivery))
  }
})

function* find(id: string, lock = ''): Steps<Found> {
  const [row] = yield sql(`${selectWebhook} ${lock}`, id)
  return row && toWebhook(row)
}

/** Logs a delivery, and deletes those of the webhook beyond the maximum. */
function* log(webhookId: string, delivery: NewDelivery): Steps<StoredDelivery> {
  const { reason, eventId, eventType, subject, sequence, attempt, at, duration, status, error } = delivery
  const [row] = yield sql(
    `INSERT INTO deliveries (${deliveryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      RETURNING number, ${deliveryColumns}`,
    ...[webhookId, reason, eventId, eventType, subject, sequence, attempt, at, Math.round(duration), status, error]
  )
  yield sql(
    `DELETE FROM deliveries WHERE webhook_id = ? AND number <=
      (SELECT number FROM deliveries WHERE webhook_id = ? ORDER BY number DESC LIMIT 1 OFFSET ${maxStoredDeliveries})`,
    ...[webhookId, webhookId]
  )
  return toDelivery(row ?? {})
}

export const createWebhookReads = (read: Read) => ({
  async findWebhook(id: string) {
    const [row] = await read(selectWebhook, id)
    return row && toWebhook(row)
  },
  listWebhooks: async () => (await read(`SELECT ${columns} FROM webhooks ORDER BY number`)).map(toWebhook),
  async findDelivery(webhookId: string, number: number) {
    const [row] = await read(
      `SELECT number, ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND number = ?`,
      ...[webhookId, number]
    )
    return row && toDelivery(row)
  },
  listDeliveries: async (webhookId: string, limit: number, before = Number.MAX_SAFE_INTEGER) =>
    (
      await read(
        `SELECT number, ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND number < ?
          ORDER BY number DESC LIMIT ?`,
        ...[webhookId, before, limit]
      )
    ).map(toDelivery)
})

/** The values that an edit may change, in the order of the columns. */
const editedColumns = (webhook: StoredWebhook) =>
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

function toWebhook(row: Row): StoredWebhook {
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

function toDelivery(row: Row): StoredDelivery {
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

import { CatalogueError } from '#domain/errors.ts'
import {
  maxStoredDeliveries,
  type NewDelivery,
  type StoredDelivery,
  type StoredWebhook,
  type WebhookEdit,
  type WebhookProgress
} from '../store.ts'
import { editedColumns, toDelivery, toWebhook } from '../rows.ts'
import type { Link } from './connection.ts'

const webhookColumns = `id, url, description, kinds, types, secret, previous_secret, previous_secret_until, state, cursor, attempts,
  failing_since, next_attempt_at, created_at, created_by, revision`
const deliveryColumns =
  'webhook_id, reason, event_id, event_type, subject, sequence, attempt, at, duration, status, error'

export const selectWebhook = `SELECT ${webhookColumns} FROM webhooks WHERE id = ?`
export const selectWebhooks = `SELECT ${webhookColumns} FROM webhooks ORDER BY number`
export const deleteWebhook = 'DELETE FROM webhooks WHERE id = ? RETURNING id'
export const selectDelivery = `SELECT number, ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND number = ?`
export const selectDeliveries = `SELECT number, ${deliveryColumns} FROM deliveries
  WHERE webhook_id = ? AND number < ? ORDER BY number DESC LIMIT ?`

/* Each of these is done inside a transaction. */

export async function insertWebhook(link: Link, webhook: StoredWebhook) {
  const { id, createdAt, createdBy, revision } = webhook
  await link.run(
    `INSERT INTO webhooks (${webhookColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    [id, ...editedColumns(webhook), createdAt, createdBy, revision]
  )
}

export async function updateWebhook(
  link: Link,
  id: string,
  expectedRevision: number,
  edit: WebhookEdit
): Promise<StoredWebhook | undefined> {
  const current = await lock(link, id)
  if (!current) return undefined
  if (current.revision !== expectedRevision) {
    throw new CatalogueError('version_mismatch', `Somebody else changed webhook "${id}" just now; try again`)
  }
  await link.run(
    `UPDATE webhooks SET url = ?, description = ?, kinds = ?, types = ?, secret = ?, previous_secret = ?, previous_secret_until = ?,
       state = ?, cursor = ?, attempts = ?, failing_since = ?, next_attempt_at = ?, revision = ? WHERE id = ?`,
    [...editedColumns({ ...current, ...edit }), current.revision + 1, id]
  )
  return find(link, id)
}

export async function advanceWebhook(link: Link, { from, to, delivery }: WebhookProgress) {
  if (!(await lock(link, from.id))) return undefined
  await Promise.all([
    link.run('UPDATE webhooks SET cursor = ? WHERE id = ? AND cursor = ?', [to.cursor, from.id, from.cursor]),
    link.run(
      'UPDATE webhooks SET state = ?, attempts = ?, failing_since = ?, next_attempt_at = ? WHERE id = ? AND revision = ?',
      [to.state, to.attempts, to.failingSince, to.nextAttemptAt, from.id, from.revision]
    )
  ])
  if (delivery) await logDelivery(link, from.id, delivery)
  return find(link, from.id)
}

export async function logDelivery(
  link: Link,
  webhookId: string,
  delivery: NewDelivery
): Promise<StoredDelivery | undefined> {
  if (!(await lock(link, webhookId))) return undefined
  const { reason, eventId, eventType, subject, sequence, attempt, at, duration, status, error } = delivery
  const [row] = await link.run(
    `INSERT INTO deliveries (${deliveryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number, ${deliveryColumns}`,
    [webhookId, reason, eventId, eventType, subject, sequence, attempt, at, Math.round(duration), status, error]
  )
  await link.run(
    `DELETE FROM deliveries WHERE webhook_id = ? AND number <=
       (SELECT number FROM deliveries WHERE webhook_id = ? ORDER BY number DESC LIMIT 1 OFFSET ${maxStoredDeliveries})`,
    [webhookId, webhookId]
  )
  return row && toDelivery(row)
}

async function lock(link: Link, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await link.run(`${selectWebhook} FOR UPDATE`, [id])
  return row && toWebhook(row)
}

async function find(link: Link, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await link.run(selectWebhook, [id])
  return row && toWebhook(row)
}

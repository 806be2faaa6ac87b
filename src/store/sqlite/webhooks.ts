import type { DatabaseSync } from 'node:sqlite'

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
import { prepareWriting } from './connection.ts'

export type WebhookWrite =
  | { readonly kind: 'insert'; readonly webhook: StoredWebhook }
  | { readonly kind: 'update'; readonly id: string; readonly expectedRevision: number; readonly edit: WebhookEdit }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'advance'; readonly progress: WebhookProgress }
  | { readonly kind: 'log'; readonly webhookId: string; readonly delivery: NewDelivery }

const webhookColumns = `id, url, description, kinds, types, secret, previous_secret, previous_secret_until, state, cursor, attempts,
  failing_since, next_attempt_at, created_at, created_by, revision`
const deliveryColumns =
  'webhook_id, reason, event_id, event_type, subject, sequence, attempt, at, duration, status, error'

/** Writes webhooks and their deliveries, inside the transaction that is open. */
export function createWebhookWriter(db: DatabaseSync) {
  const { find } = prepareWebhookReads(db)
  const insert = prepareWriting(
    db,
    `INSERT INTO webhooks (${webhookColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const update = prepareWriting(
    db,
    `UPDATE webhooks SET url = ?, description = ?, kinds = ?, types = ?, secret = ?, previous_secret = ?, previous_secret_until = ?,
       state = ?, cursor = ?, attempts = ?, failing_since = ?, next_attempt_at = ?, revision = ? WHERE id = ?`
  )
  const remove = prepareWriting(db, 'DELETE FROM webhooks WHERE id = ?')
  const moveCursor = prepareWriting(db, 'UPDATE webhooks SET cursor = ? WHERE id = ? AND cursor = ?')
  const setProgress = prepareWriting(
    db,
    'UPDATE webhooks SET state = ?, attempts = ?, failing_since = ?, next_attempt_at = ? WHERE id = ? AND revision = ?'
  )
  const insertDelivery = prepareWriting(
    db,
    `INSERT INTO deliveries (${deliveryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number, ${deliveryColumns}`
  )
  const forgetDeliveries = prepareWriting(
    db,
    `DELETE FROM deliveries WHERE webhook_id = ?1 AND number <=
       (SELECT number FROM deliveries WHERE webhook_id = ?1 ORDER BY number DESC LIMIT 1 OFFSET ${maxStoredDeliveries})`
  )

  function log(webhookId: string, delivery: NewDelivery): StoredDelivery {
    const { reason, eventId, eventType, subject, sequence, attempt, at, duration, status, error } = delivery
    const row = insertDelivery.get(
      webhookId,
      reason,
      eventId,
      eventType,
      subject,
      sequence,
      attempt,
      at,
      duration,
      status,
      error
    )
    forgetDeliveries.run(webhookId)
    return toDelivery(row ?? {})
  }

  return {
    apply(write: WebhookWrite): StoredWebhook | StoredDelivery | boolean | undefined {
      switch (write.kind) {
        case 'insert': {
          const { id, createdAt, createdBy, revision } = write.webhook
          insert.run(id, ...editedColumns(write.webhook), createdAt, createdBy, revision)
          return true
        }
        case 'update': {
          const current = find(write.id)
          if (!current) return undefined
          if (current.revision !== write.expectedRevision) {
            throw new CatalogueError(
              'version_mismatch',
              `Somebody else changed webhook "${write.id}" just now; try again`
            )
          }
          update.run(...editedColumns({ ...current, ...write.edit }), current.revision + 1, write.id)
          return find(write.id)
        }
        case 'delete':
          return remove.run(write.id).changes > 0
        case 'advance': {
          const { from, to, delivery } = write.progress
          if (!find(from.id)) return undefined
          moveCursor.run(to.cursor, from.id, from.cursor)
          setProgress.run(to.state, to.attempts, to.failingSince, to.nextAttemptAt, from.id, from.revision)
          if (delivery) log(from.id, delivery)
          return find(from.id)
        }
        case 'log':
          return find(write.webhookId) && log(write.webhookId, write.delivery)
      }
    }
  }
}

export function prepareWebhookReads(db: DatabaseSync) {
  const one = db.prepare(`SELECT ${webhookColumns} FROM webhooks WHERE id = ?`)
  const all = db.prepare(`SELECT ${webhookColumns} FROM webhooks ORDER BY number`)
  const oneDelivery = db.prepare(
    `SELECT number, ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND number = ?`
  )
  const someDeliveries = db.prepare(
    `SELECT number, ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND number < ? ORDER BY number DESC LIMIT ?`
  )
  return {
    find: (id: string) => {
      const row = one.get(id)
      return row && toWebhook(row)
    },
    list: () => all.all().map(toWebhook),
    findDelivery: (webhookId: string, number: number) => {
      const row = oneDelivery.get(webhookId, number)
      return row && toDelivery(row)
    },
    listDeliveries: (webhookId: string, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      someDeliveries.all(webhookId, before, limit).map(toDelivery)
  }
}

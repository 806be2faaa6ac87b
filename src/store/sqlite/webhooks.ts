import type { DatabaseSync } from 'node:sqlite'

import type { NewDelivery, StoredDelivery, StoredWebhook, WebhookEdit, WebhookProgress } from '../ports/webhooks.ts'
import { webhookChanged } from '../refusals.ts'
import * as rows from '../webhook-rows.ts'
import { prepareWriting } from './connection.ts'

export type WebhookWrite =
  | { readonly kind: 'insert'; readonly webhook: StoredWebhook }
  | { readonly kind: 'update'; readonly id: string; readonly expectedRevision: number; readonly edit: WebhookEdit }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'advance'; readonly progress: WebhookProgress }
  | { readonly kind: 'log'; readonly webhookId: string; readonly delivery: NewDelivery }

/** Writes webhooks and their deliveries, inside the open transaction. */
export function createWebhookWriter(db: DatabaseSync) {
  const { findWebhook } = prepareWebhookReads(db)
  const insert = prepareWriting(db, rows.insertWebhook)
  const update = prepareWriting(db, rows.updateWebhook)
  const remove = prepareWriting(db, 'DELETE FROM webhooks WHERE id = ?')
  const move = prepareWriting(db, rows.moveCursor)
  const progress = prepareWriting(db, rows.setProgress)
  const add = prepareWriting(db, rows.insertDelivery)
  const deleteOld = prepareWriting(db, rows.deleteOldDeliveries)

  function log(webhookId: string, delivery: NewDelivery): StoredDelivery {
    const row = add.get(...rows.deliveryRow(webhookId, delivery))
    deleteOld.run(webhookId, webhookId)
    return rows.toDelivery(row ?? {})
  }

  return {
    apply(write: WebhookWrite): StoredWebhook | StoredDelivery | boolean | undefined {
      switch (write.kind) {
        case 'insert':
          insert.run(...rows.webhookRow(write.webhook))
          return true
        case 'update': {
          const current = findWebhook(write.id)
          if (!current) return undefined
          if (current.revision !== write.expectedRevision) throw webhookChanged(write.id)
          update.run(...rows.editedColumns({ ...current, ...write.edit }), current.revision + 1, write.id)
          return findWebhook(write.id)
        }
        case 'delete':
          return remove.run(write.id).changes > 0
        case 'advance': {
          const { from, to, delivery } = write.progress
          if (!findWebhook(from.id)) return undefined
          move.run(to.cursor, from.id, from.cursor)
          progress.run(to.state, to.attempts, to.failingSince, to.nextAttemptAt, from.id, from.revision)
          if (delivery) log(from.id, delivery)
          return findWebhook(from.id)
        }
        case 'log':
          return findWebhook(write.webhookId) && log(write.webhookId, write.delivery)
      }
    }
  }
}

export function prepareWebhookReads(db: DatabaseSync) {
  const one = db.prepare(rows.selectWebhook)
  const all = db.prepare(rows.selectWebhooks)
  const oneDelivery = db.prepare(rows.selectDelivery)
  const someDeliveries = db.prepare(rows.selectDeliveries)
  return {
    findWebhook(id: string) {
      const row = one.get(id)
      return row && rows.toWebhook(row)
    },
    listWebhooks: () => all.all().map(rows.toWebhook),
    findDelivery(webhookId: string, number: number) {
      const row = oneDelivery.get(webhookId, number)
      return row && rows.toDelivery(row)
    },
    listDeliveries: (webhookId: string, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      someDeliveries.all(webhookId, before, limit).map(rows.toDelivery)
  }
}

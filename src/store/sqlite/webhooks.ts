import type { DatabaseSync } from 'node:sqlite'

import type { NewDelivery, StoredDelivery, StoredWebhook, WebhookEdit, WebhookProgress } from '../ports/webhooks.ts'
import { webhookChanged } from '../refusals.ts'
import {
  deleteOldDeliveries,
  deliveryRow,
  editedColumns,
  insertDelivery,
  insertWebhook,
  moveCursor,
  selectDeliveries,
  selectDelivery,
  selectWebhook,
  selectWebhooks,
  setProgress,
  toDelivery,
  toWebhook,
  updateWebhook,
  webhookRow
} from '../rows.ts'
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
  const insert = prepareWriting(db, insertWebhook)
  const update = prepareWriting(db, updateWebhook)
  const remove = prepareWriting(db, 'DELETE FROM webhooks WHERE id = ?')
  const move = prepareWriting(db, moveCursor)
  const progress = prepareWriting(db, setProgress)
  const add = prepareWriting(db, insertDelivery)
  const deleteOld = prepareWriting(db, deleteOldDeliveries)

  function log(webhookId: string, delivery: NewDelivery): StoredDelivery {
    const row = add.get(...deliveryRow(webhookId, delivery))
    deleteOld.run(webhookId, webhookId)
    return toDelivery(row ?? {})
  }

  return {
    apply(write: WebhookWrite): StoredWebhook | StoredDelivery | boolean | undefined {
      switch (write.kind) {
        case 'insert':
          insert.run(...webhookRow(write.webhook))
          return true
        case 'update': {
          const current = findWebhook(write.id)
          if (!current) return undefined
          if (current.revision !== write.expectedRevision) throw webhookChanged(write.id)
          update.run(...editedColumns({ ...current, ...write.edit }), current.revision + 1, write.id)
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
  const one = db.prepare(selectWebhook)
  const all = db.prepare(selectWebhooks)
  const oneDelivery = db.prepare(selectDelivery)
  const someDeliveries = db.prepare(selectDeliveries)
  return {
    findWebhook(id: string) {
      const row = one.get(id)
      return row && toWebhook(row)
    },
    listWebhooks: () => all.all().map(toWebhook),
    findDelivery(webhookId: string, number: number) {
      const row = oneDelivery.get(webhookId, number)
      return row && toDelivery(row)
    },
    listDeliveries: (webhookId: string, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      someDeliveries.all(webhookId, before, limit).map(toDelivery)
  }
}

import type { NewDelivery, StoredDelivery, StoredWebhook, WebhookStore } from '../ports/webhooks.ts'
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
import type { Link } from './connection.ts'
import type { Statements } from './statements.ts'

export const createWebhooks = ({ first, read, inTransaction }: Statements): WebhookStore => ({
  async insertWebhook(webhook) {
    await inTransaction(link => link.run(`${insertWebhook} ON CONFLICT (id) DO NOTHING`, webhookRow(webhook)))
  },
  async findWebhook(id) {
    const row = await first(selectWebhook, id)
    return row && toWebhook(row)
  },
  listWebhooks: async () => (await read(selectWebhooks)).map(toWebhook),
  updateWebhook: (id, expectedRevision, edit) =>
    inTransaction(async link => {
      const current = await lock(link, id)
      if (!current) return undefined
      if (current.revision !== expectedRevision) throw webhookChanged(id)
      await link.run(updateWebhook, [...editedColumns({ ...current, ...edit }), current.revision + 1, id])
      return find(link, id)
    }),
  deleteWebhook: async id =>
    (await inTransaction(link => link.run('DELETE FROM webhooks WHERE id = ? RETURNING id', [id]))).length > 0,
  advanceWebhook: ({ from, to, delivery }) =>
    inTransaction(async link => {
      if (!(await lock(link, from.id))) return undefined
      await Promise.all([
        link.run(moveCursor, [to.cursor, from.id, from.cursor]),
        link.run(setProgress, [to.state, to.attempts, to.failingSince, to.nextAttemptAt, from.id, from.revision])
      ])
      if (delivery) await logDelivery(link, from.id, delivery)
      return find(link, from.id)
    }),
  logDelivery: (webhookId, delivery) => inTransaction(link => logDelivery(link, webhookId, delivery)),
  listDeliveries: async (webhookId, limit, before = Number.MAX_SAFE_INTEGER) =>
    (await read(selectDeliveries, [webhookId, before, limit])).map(toDelivery),
  async findDelivery(webhookId, number) {
    const row = await first(selectDelivery, webhookId, number)
    return row && toDelivery(row)
  }
})

async function logDelivery(link: Link, webhookId: string, delivery: NewDelivery): Promise<StoredDelivery | undefined> {
  if (!(await lock(link, webhookId))) return undefined
  const [row] = await link.run(insertDelivery, deliveryRow(webhookId, delivery))
  await link.run(deleteOldDeliveries, [webhookId, webhookId])
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

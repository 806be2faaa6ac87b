import type { NewDelivery, StoredDelivery, StoredWebhook, WebhookStore } from '../ports/webhooks.ts'
import { webhookChanged } from '../refusals.ts'
import * as rows from '../webhook-rows.ts'
import type { Link } from './connection.ts'
import type { Statements } from './statements.ts'

export const createWebhooks = ({ first, read, inTransaction }: Statements): WebhookStore => ({
  async insertWebhook(webhook) {
    await inTransaction(link => link.run(`${rows.insertWebhook} ON CONFLICT (id) DO NOTHING`, rows.webhookRow(webhook)))
  },
  async findWebhook(id) {
    const row = await first(rows.selectWebhook, id)
    return row && rows.toWebhook(row)
  },
  listWebhooks: async () => (await read(rows.selectWebhooks)).map(rows.toWebhook),
  updateWebhook: (id, expectedRevision, edit) =>
    inTransaction(async link => {
      const current = await lock(link, id)
      if (!current) return undefined
      if (current.revision !== expectedRevision) throw webhookChanged(id)
      await link.run(rows.updateWebhook, [...rows.editedColumns({ ...current, ...edit }), current.revision + 1, id])
      return find(link, id)
    }),
  deleteWebhook: async id =>
    (await inTransaction(link => link.run('DELETE FROM webhooks WHERE id = ? RETURNING id', [id]))).length > 0,
  advanceWebhook: ({ from, to, delivery }) =>
    inTransaction(async link => {
      if (!(await lock(link, from.id))) return undefined
      await Promise.all([
        link.run(rows.moveCursor, [to.cursor, from.id, from.cursor]),
        link.run(rows.setProgress, [to.state, to.attempts, to.failingSince, to.nextAttemptAt, from.id, from.revision])
      ])
      if (delivery) await logDelivery(link, from.id, delivery)
      return find(link, from.id)
    }),
  logDelivery: (webhookId, delivery) => inTransaction(link => logDelivery(link, webhookId, delivery)),
  listDeliveries: async (webhookId, limit, before = Number.MAX_SAFE_INTEGER) =>
    (await read(rows.selectDeliveries, [webhookId, before, limit])).map(rows.toDelivery),
  async findDelivery(webhookId, number) {
    const row = await first(rows.selectDelivery, webhookId, number)
    return row && rows.toDelivery(row)
  }
})

async function logDelivery(link: Link, webhookId: string, delivery: NewDelivery): Promise<StoredDelivery | undefined> {
  if (!(await lock(link, webhookId))) return undefined
  const [row] = await link.run(rows.insertDelivery, rows.deliveryRow(webhookId, delivery))
  await link.run(rows.deleteOldDeliveries, [webhookId, webhookId])
  return row && rows.toDelivery(row)
}

async function lock(link: Link, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await link.run(`${rows.selectWebhook} FOR UPDATE`, [id])
  return row && rows.toWebhook(row)
}

async function find(link: Link, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await link.run(rows.selectWebhook, [id])
  return row && rows.toWebhook(row)
}

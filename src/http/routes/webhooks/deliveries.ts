import Type from 'typebox'

import type { WebhookManager } from '#events/webhook-manager.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { maxPerPage, needsAdmin } from '../../schemas/common.ts'
import { Deliveries, Delivery, WebhookParams } from '../../schemas/webhook.ts'
import { route } from '../../openapi/route.ts'

const doc = { tag: 'Webhooks', needs: 'admin' } as const

/** Deliveries to a webhook: the log, tests and replays. */
export function deliveryRoutes(app: App, webhooks: WebhookManager) {
  app.post(
    '/webhooks/:id/test',
    route(
      { params: WebhookParams, response: { 200: Delivery } },
      {
        ...doc,
        summary: 'Send a test event now',
        act: { name: 'webhook.test' },
        description: `${needsAdmin} The answer is the delivery, successful or not.`,
        problems: ['not_found', 'storage_full']
      }
    ),
    request => webhooks.test(request.params.id)
  )

  app.get(
    '/webhooks/:id/deliveries',
    route(
      {
        params: WebhookParams,
        querystring: Type.Object({
          limit: Type.Integer({
            minimum: 1,
            maximum: maxPerPage,
            default: 20,
            description: 'Maximum number of deliveries'
          }),
          before: Type.Optional(
            Type.String({ maxLength: 100, description: 'Only deliveries before this one. Part of `next`' })
          )
        }),
        response: { 200: Deliveries }
      },
      {
        ...doc,
        summary: 'List deliveries to a webhook, newest first',
        description: `${needsAdmin} The last 1,000 attempts are stored.`,
        problems: ['invalid', 'not_found']
      }
    ),
    async request => {
      const { id } = request.params
      const { limit, before } = request.query
      const deliveries = await webhooks.listDeliveries(id, limit, before)
      const last = deliveries.length === limit ? deliveries.at(-1) : undefined
      return {
        deliveries,
        ...(last ? { next: `${request.basePath}/webhooks/${id}/deliveries?limit=${limit}&before=${last.id}` } : {})
      }
    }
  )

  app.post(
    '/webhooks/:id/deliveries/:delivery_id/replay',
    route(
      {
        params: Type.Object({ ...WebhookParams.properties, delivery_id: Type.String({ maxLength: 100 }) }),
        response: { 200: Delivery }
      },
      {
        ...doc,
        summary: 'Send the event of a delivery again, now',
        act: { name: 'webhook.replay' },
        description: `${needsAdmin} The answer is the delivery, successful or not.`,
        problems: ['not_found', 'cursor_expired', 'storage_full']
      }
    ),
    request => webhooks.replay(request.params.id, request.params.delivery_id)
  )
}

import Type from 'typebox'

import { forbidden } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { WebhookManager } from '#events/webhook-manager.ts'
import { maxPerPage } from '../schemas/common.ts'
import {
  Deliveries,
  Delivery,
  ResumeQuery,
  Webhook,
  WebhookInput,
  WebhookPatch,
  WebhookWithSecret
} from '../schemas/webhook.ts'
import type { App } from '../openapi/typebox-provider.ts'

const WebhookParams = Type.Object({ id: Type.String({ maxLength: 100 }) })

/** Who is told of changes; only for those with scope `admin`. */
export function webhookRoutes(app: App, webhooks: WebhookManager) {
  app.get(
    '/webhooks',
    {
      schema: { response: { 200: Type.Array(Webhook) } },
      config: { doc: { tag: 'Webhooks', summary: 'List webhooks', description: 'Needs scope `admin`.' } }
    },
    async request => {
      refuseOthers(request.principal)
      return webhooks.list()
    }
  )

  app.post(
    '/webhooks',
    {
      schema: { body: WebhookInput, response: { 201: WebhookWithSecret } },
      config: {
        doc: {
          tag: 'Webhooks',
          needs: 'admin',
          summary: 'Make a webhook',
          description:
            'Needs scope `admin`. Every change is sent to it as a CloudEvent, in the order of the feed, at least once, signed as in Standard Webhooks. The secret is shown this once.',
          problems: ['invalid', 'cursor_expired', 'storage_full']
        }
      }
    },
    async (request, reply) => {
      refuseOthers(request.principal)
      const created = await webhooks.create(request.body, request.principal)
      return reply.code(201).header('location', `/webhooks/${created.id}`).send(created)
    }
  )

  app.get(
    '/webhooks/:id',
    {
      schema: { params: WebhookParams, response: { 200: Webhook } },
      config: {
        doc: {
          tag: 'Webhooks',
          summary: 'Read a webhook: how far it is, and whether it fails',
          description: 'Needs scope `admin`.',
          problems: ['not_found']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      return webhooks.read(request.params.id)
    }
  )

  app.patch(
    '/webhooks/:id',
    {
      schema: { params: WebhookParams, body: WebhookPatch, response: { 200: Webhook } },
      config: {
        doc: {
          tag: 'Webhooks',
          needs: 'admin',
          summary: 'Change or pause a webhook',
          description: 'Needs scope `admin`. What is not given stays.',
          problems: ['invalid', 'not_found', 'version_mismatch', 'storage_full']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      return webhooks.update(request.params.id, request.body, request.principal)
    }
  )

  app.delete(
    '/webhooks/:id',
    {
      schema: { params: WebhookParams, response: { 204: Type.Null() } },
      config: {
        doc: {
          tag: 'Webhooks',
          needs: 'admin',
          summary: 'Delete a webhook and its log',
          description: 'Needs scope `admin`.',
          problems: ['not_found', 'storage_full']
        }
      }
    },
    async (request, reply) => {
      refuseOthers(request.principal)
      await webhooks.delete(request.params.id)
      return reply.code(204).send()
    }
  )

  app.post(
    '/webhooks/:id/rotate-secret',
    {
      schema: { params: WebhookParams, response: { 200: WebhookWithSecret } },
      config: {
        doc: {
          tag: 'Webhooks',
          needs: 'admin',
          summary: 'Give a webhook a new secret',
          description:
            'Needs scope `admin`. The new secret is shown this once; for a day everything is signed with both.',
          problems: ['not_found', 'version_mismatch', 'storage_full']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      return webhooks.rotateSecret(request.params.id)
    }
  )

  app.post(
    '/webhooks/:id/resume',
    {
      schema: { params: WebhookParams, querystring: ResumeQuery, response: { 200: Webhook } },
      config: {
        doc: {
          tag: 'Webhooks',
          needs: 'admin',
          summary: 'Make a paused, parked or disabled webhook active again',
          description: 'Needs scope `admin`. It is tried at once, with the change it was at.',
          problems: ['invalid', 'not_found', 'cursor_expired', 'version_mismatch', 'storage_full']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      return webhooks.resume(request.params.id, request.principal, request.query.from)
    }
  )

  app.post(
    '/webhooks/:id/test',
    {
      schema: { params: WebhookParams, response: { 200: Delivery } },
      config: {
        doc: {
          tag: 'Webhooks',
          needs: 'admin',
          summary: 'Send a test event now',
          description: 'Needs scope `admin`. Answers what came of it, whatever that was.',
          problems: ['not_found', 'storage_full']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      return webhooks.test(request.params.id)
    }
  )

  app.get(
    '/webhooks/:id/deliveries',
    {
      schema: {
        params: WebhookParams,
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: maxPerPage, default: 20, description: 'How many to give' }),
          before: Type.Optional(
            Type.String({ maxLength: 100, description: 'Id of a delivery: those before it. Part of `next`' })
          )
        }),
        response: { 200: Deliveries }
      },
      config: {
        doc: {
          tag: 'Webhooks',
          summary: 'What was sent to a webhook, newest first',
          description: 'Needs scope `admin`. The last 1,000 attempts are kept.',
          problems: ['invalid', 'not_found']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      const { id } = request.params
      const { limit, before } = request.query
      const deliveries = await webhooks.listDeliveries(id, limit, before)
      const last = deliveries.length === limit ? deliveries.at(-1) : undefined
      return {
        deliveries,
        ...(last ? { next: `/webhooks/${id}/deliveries?limit=${limit}&before=${last.id}` } : {})
      }
    }
  )

  app.post(
    '/webhooks/:id/deliveries/:delivery_id/replay',
    {
      schema: {
        params: Type.Object({ ...WebhookParams.properties, delivery_id: Type.String({ maxLength: 100 }) }),
        response: { 200: Delivery }
      },
      config: {
        doc: {
          tag: 'Webhooks',
          needs: 'admin',
          summary: 'Send the event of a delivery again, now',
          description: 'Needs scope `admin`. Answers what came of it, whatever that was.',
          problems: ['not_found', 'cursor_expired', 'storage_full']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      return webhooks.replay(request.params.id, request.params.delivery_id)
    }
  )
}

function refuseOthers(principal: Principal) {
  if (!principal.isAdmin) throw forbidden('look after webhooks')
}

import Type from 'typebox'

import type { Json } from '#domain/entity/entity.ts'
import type { WebhookManager } from '#events/webhook-manager.ts'
import { actOf } from '../../access/audited-acts.ts'
import type { AuditedAct } from '../../openapi/route-doc.ts'
import { needsAdmin } from '../../schemas/common.ts'
import {
  ResumeQuery,
  Webhook,
  WebhookInput,
  WebhookParams,
  WebhookPatch,
  WebhookWithSecret
} from '../../schemas/webhook.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { deliveryRoutes } from './deliveries.ts'
import { route } from '../../openapi/route.ts'

const doc = { tag: 'Webhooks', needs: 'admin', description: needsAdmin } as const

/** Webhooks; they need the scope `admin`. */
export function webhookRoutes(app: App, webhooks: WebhookManager) {
  app.get('/webhooks', route({ response: { 200: Type.Array(Webhook) } }, { ...doc, summary: 'List webhooks' }), () =>
    webhooks.list()
  )

  app.post(
    '/webhooks',
    route(
      { body: WebhookInput, response: { 201: WebhookWithSecret } },
      {
        ...doc,
        summary: 'Create a webhook',
        act: acts.create,
        holdsSecret: true,
        description: `${needsAdmin} Every change is sent to it as a CloudEvent, in the order of the feed, at least once, signed as in Standard Webhooks. The secret is shown only in this answer.`,
        problems: ['invalid', 'cursor_expired', 'storage_full']
      }
    ),
    async (request, reply) => {
      const created = await webhooks.create(request.body, request.principal, actOf(request, acts.create))
      return reply.code(201).header('location', `/webhooks/${created.id}`).send(created)
    }
  )

  app.get(
    '/webhooks/:id',
    route(
      { params: WebhookParams, response: { 200: Webhook } },
      {
        ...doc,
        summary: 'Read a webhook with its position in the feed and its failures',
        problems: ['not_found']
      }
    ),
    request => webhooks.read(request.params.id)
  )

  app.patch(
    '/webhooks/:id',
    route(
      { params: WebhookParams, body: WebhookPatch, response: { 200: Webhook } },
      {
        ...doc,
        summary: 'Change or pause a webhook',
        act: acts.update,
        description: `${needsAdmin} Members that are left out do not change.`,
        problems: ['invalid', 'not_found', 'version_mismatch', 'storage_full']
      }
    ),
    request => webhooks.update(request.params.id, request.body, request.principal, actOf(request, acts.update))
  )

  app.delete(
    '/webhooks/:id',
    route(
      { params: WebhookParams, response: { 204: Type.Null() } },
      {
        ...doc,
        summary: 'Delete a webhook and its log',
        act: acts.delete,
        problems: ['not_found', 'storage_full']
      }
    ),
    async (request, reply) => {
      await webhooks.delete(request.params.id, actOf(request, acts.delete))
      return reply.code(204).send()
    }
  )

  app.post(
    '/webhooks/:id/rotate-secret',
    route(
      { params: WebhookParams, response: { 200: WebhookWithSecret } },
      {
        ...doc,
        summary: 'Rotate the secret of a webhook',
        act: acts.rotate,
        holdsSecret: true,
        description: `${needsAdmin} The new secret is shown only in this answer; for one day deliveries are signed with both.`,
        problems: ['not_found', 'version_mismatch', 'storage_full']
      }
    ),
    request => webhooks.rotateSecret(request.params.id, actOf(request, acts.rotate))
  )

  app.post(
    '/webhooks/:id/resume',
    route(
      { params: WebhookParams, querystring: ResumeQuery, response: { 200: Webhook } },
      {
        ...doc,
        summary: 'Resume a paused, parked or disabled webhook',
        act: acts.resume,
        description: `${needsAdmin} The next delivery is attempted at once.`,
        problems: ['invalid', 'not_found', 'cursor_expired', 'version_mismatch', 'storage_full']
      }
    ),
    request => webhooks.resume(request.params.id, request.principal, request.query.from, actOf(request, acts.resume))
  )

  deliveryRoutes(app, webhooks)
}

const acts = {
  create: { name: 'webhook.create', details: ({ body }) => webhookFacts(body) },
  update: { name: 'webhook.update', details: ({ body }) => webhookFacts(body) },
  delete: { name: 'webhook.delete' },
  rotate: { name: 'webhook.rotate_secret' },
  resume: { name: 'webhook.resume' }
} satisfies Record<string, AuditedAct>

/**
 * The facts about a webhook for the audit log. Of the address only the host: the rest may contain a
 * secret of the receiver.
 */
function webhookFacts(body: unknown): Json {
  const { url, ...rest } = body as { url?: string } & Record<string, Json>
  return { ...rest, ...(url === undefined ? {} : { host: URL.parse(url)?.host ?? '' }) }
}

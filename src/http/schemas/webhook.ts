import Type from 'typebox'

import { changeEventTypes, deliveryReasons, webhookStates } from '#domain/events/webhook.ts'

export const WebhookParams = Type.Object({ id: Type.String({ maxLength: 100 }) })

const nullable = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'An http or https address. Private, local and reserved addresses are refused, also when a host name resolves to them'
})
const description = Type.String({ maxLength: 200, description: 'For people' })
const eventTypes = (items: { maxLength: number } | { enum: readonly string[] }) =>
  Type.Array(Type.String(items), {
    maxItems: changeEventTypes.length,
    description: `Events to send: ${changeEventTypes.join(', ')}; all when empty`
  })
const entityTypes = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 200,
  description: 'Entity types; an umbrella such as `work` includes its subtypes; all types when empty'
})

const from = { maxLength: 100, description: '`now`, `beginning`, or a cursor of the change feed' }

const webhookMembers = {
  id: Type.String(),
  url,
  description,
  event_types: eventTypes({ enum: changeEventTypes }),
  entity_types: entityTypes,
  state: Type.String({
    enum: webhookStates,
    description:
      '`parked`: the last retry failed; `disabled`: the receiver answered 410. `resume` makes it active again'
  }),
  cursor: Type.String({ description: 'The last change of the feed that was sent or did not match' }),
  attempts: Type.Integer({ description: 'Failed attempts for the next change' }),
  failing_since: nullable('Time of the first of the current failures'),
  next_attempt_at: nullable('Time of the next attempt'),
  previous_secret_until: nullable('Until this time deliveries are also signed with the previous secret'),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.String()
}

export const Webhook = Type.Object(webhookMembers, { $id: 'Webhook', additionalProperties: false })

export const WebhookWithSecret = Type.Object(
  {
    ...webhookMembers,
    secret: Type.String({ description: 'Verifies the signatures (Standard Webhooks). Shown only in this answer' })
  },
  { $id: 'WebhookWithSecret', additionalProperties: false }
)

export const WebhookInput = Type.Object(
  {
    url,
    description: Type.Optional(description),
    event_types: Type.Optional(eventTypes({ maxLength: 100 })),
    entity_types: Type.Optional(entityTypes),
    from: Type.Optional(
      Type.String({ ...from, description: `Start of the deliveries: ${from.description}; \`now\` by default` })
    )
  },
  { $id: 'WebhookInput', additionalProperties: false }
)

export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    event_types: Type.Optional(eventTypes({ maxLength: 100 })),
    entity_types: Type.Optional(entityTypes),
    state: Type.Optional(
      Type.Union([Type.Literal('active'), Type.Literal('paused')], { description: '`active` is the same as `resume`' })
    )
  },
  { $id: 'WebhookPatch', additionalProperties: false }
)

export const ResumeQuery = Type.Object({
  from: Type.Optional(
    Type.String({ ...from, description: `Where to continue: ${from.description}; by default the last position` })
  )
})

export const Delivery = Type.Object(
  {
    id: Type.String(),
    reason: Type.String({ enum: deliveryReasons }),
    event_id: Type.String({ description: 'The `webhook-id` of the request and the `id` of the event' }),
    event_type: Type.String(),
    subject: Type.String({ description: 'Id of the entity; of the webhook, for a test' }),
    attempt: Type.Integer({ description: 'Counted from 1' }),
    at: Type.String({ format: 'date-time' }),
    duration_ms: Type.Integer(),
    delivered: Type.Boolean({ description: 'Whether the receiver answered 2xx' }),
    status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Status of the answer' }),
    error: nullable('Reason for a missing answer')
  },
  { $id: 'Delivery', additionalProperties: false }
)

export const Deliveries = Type.Object(
  { deliveries: Type.Array(Delivery), next: Type.Optional(Type.String()) },
  { $id: 'Deliveries', additionalProperties: false }
)

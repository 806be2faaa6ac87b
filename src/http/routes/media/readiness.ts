import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { type ReadinessState, readinessStates } from '#domain/find/readiness-states.ts'
import { mediaAvailabilities, mediaCategories } from '#domain/record-types/production.ts'
import { dueCalendar, dueFeed } from '#formats/due.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { sendTagged } from '../../reply/json.ts'
import { EntityParams, NotModified } from '../../schemas/common.ts'
import { Difference } from '../../schemas/history.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'

const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] })

const ruleMembers = {
  name: Type.String(),
  label: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'The name for people, by language' })),
  due: Type.Optional(Type.String({ description: 'The day at which it is due: `2026-11-14`' }))
}

const counted = Type.Integer({ minimum: 0 })

const Due = Type.Object(
  {
    id: Type.String({ description: 'The record whose tasks these are' }),
    count: Type.Integer(),
    states: Type.Object(
      { ready: counted, incomplete: counted, contradictory: counted } satisfies Record<ReadinessState, unknown>,
      { additionalProperties: false, description: 'Number of its productions in each state of readiness' }
    ),
    results: Type.Array(
      Type.Object(
        { id: Type.String({ description: 'The record that lacks it' }), ...ruleMembers },
        { additionalProperties: false }
      )
    )
  },
  { $id: 'Due', additionalProperties: false }
)

const Readiness = Type.Object(
  {
    id: Type.String(),
    state: oneOf(readinessStates),
    categories: Type.Array(
      Type.Object(
        {
          category: oneOf(mediaCategories),
          declared: oneOf(mediaAvailabilities),
          files: Type.Integer({ minimum: 0, description: 'Number of files' }),
          agrees: Type.Boolean({ description: 'Whether the declared status matches the files' }),
          done: Type.Boolean({ description: 'Whether the category is complete' })
        },
        { additionalProperties: false }
      )
    ),
    publishable: Type.Boolean(),
    missing: Type.Array(Type.String(), { description: 'Reasons why it cannot be published' }),
    missing_fields: Type.Array(Type.String(), { description: 'Keys of the fields that are missing for it' }),
    rules: Type.Array(
      Type.Object(
        { ...ruleMembers, met: Type.Boolean({ description: 'Whether the record meets the rule' }) },
        { additionalProperties: false }
      ),
      { description: 'The rules of the model for records that are published' }
    ),
    published: Type.Optional(
      Type.Object(
        {
          version: Type.Integer({ description: 'The version that was current then' }),
          at: Type.String(),
          changes: Type.Array(Difference, { description: 'Differences between that version and the current one' })
        },
        { additionalProperties: false, description: 'The last time that it became public; absent for never' }
      )
    )
  },
  { $id: 'Readiness', additionalProperties: false }
)

export function readinessRoutes(app: App, catalogue: Catalogue, publicUrl: string) {
  app.get(
    '/entities/:id/readiness',
    route(
      { params: EntityParams, response: { 200: Readiness } },
      {
        tag: 'Media',
        summary: 'Read the media readiness of a production, and whether it can be published',
        description:
          'Compares the media files of each category with the status that the production declares for it: `ready`, `incomplete`, or `contradictory` where they disagree. `missing_fields` names what publication needs besides. `rules` are those of the model; a production that does not meet all of them is not `ready`. `published` has the changes since it last became public.',
        problems: ['not_found']
      }
    ),
    async request => {
      const { id, state, categories, missing, missingFields, rules, published } = await catalogue.productions.readiness(
        request.principal,
        request.params.id,
        Date.now()
      )
      return {
        id,
        state,
        categories: categories.map(({ isDone, ...each }) => ({ ...each, done: isDone })),
        publishable: missing.length === 0,
        missing,
        missing_fields: missingFields,
        rules: rules.map(({ isMet, ...rule }) => ({ ...rule, met: isMet })),
        ...(published ? { published } : {})
      }
    }
  )

  app.get(
    '/entities/:id/due',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({
          format: Type.Unsafe<keyof typeof formats | 'json'>({
            type: 'string',
            enum: ['json', ...Object.keys(formats)],
            default: 'json',
            description: '`ics` is a calendar to subscribe to, `atom` a feed'
          }),
          lang: Type.Optional(Type.String({ maxLength: 35, description: 'The language of the calendar and the feed' })),
          ticket: Type.Optional(Type.String({ maxLength: 2000, description: 'A ticket, instead of a bearer' }))
        }),
        response: { 200: Due, 304: NotModified }
      },
      {
        tag: 'Media',
        summary: 'List what productions lack before they are published',
        description:
          'The rules of the model that a production does not meet, or those that the productions of a season, venue or company do not meet; the earliest due first; `states` counts its productions by their readiness. Calendar programs and feed readers that cannot send a bearer use a ticket with `entity_id`.',
        alsoProduces: Object.values(formats).map(({ type }) => type),
        problems: ['not_found'],
        ticketFor: 'calendar'
      }
    ),
    async (request, reply) => {
      const { format, lang = 'en' } = request.query
      const { owner, entries, states } = await catalogue.productions.due(request.principal, request.params.id)
      if (format === 'json') {
        const results = entries.map(({ entity, ...rule }) => ({ ...rule, id: entity.id }))
        return { id: owner.id, count: results.length, states, results }
      }
      const address = `${addressOf(publicUrl, owner.id)}/due?format=${format}`
      const { write, type } = formats[format]
      const text = write({ owner, entries, address, publicUrl, language: lang })
      return sendTagged(request, reply, `${type}; charset=utf-8`, text)
    }
  )
}

/** The formats of the list of what is due, beside JSON. */
const formats = {
  ics: { write: dueCalendar, type: 'text/calendar' },
  atom: { write: dueFeed, type: 'application/atom+xml' }
} as const

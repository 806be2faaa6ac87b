import type { FastifyReply } from 'fastify'
import Type from 'typebox'

import { type TicketAction, ticketActions, type TicketIssuer } from '#auth/tickets.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import { forbidden, invalidWith } from '#domain/errors.ts'
import { sendJson } from '../../reply/json.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'

const maxTicketSeconds = 86_400
/** A calendar is subscribed to once and fetched over a season or longer. */
const maxCalendarTicketSeconds = 400 * maxTicketSeconds

const TicketInput = Type.Object(
  {
    mediafile_id: Type.Optional(Type.String({ maxLength: 512, description: 'The media file of the ticket' })),
    filename: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Alternatively: the filename of the media file, for uploads' })
    ),
    entity_id: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'Alternatively: the venue, company, production or season of a calendar'
      })
    ),
    action: Type.Optional(Type.Unsafe<TicketAction>({ type: 'string', enum: [...ticketActions] })),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxCalendarTicketSeconds,
        description: `Validity in seconds: at most ${maxTicketSeconds}, by default 300; for a calendar ${maxCalendarTicketSeconds}`
      })
    )
  },
  { $id: 'TicketInput', additionalProperties: true }
)

/** Tickets: they replace a bearer for a short time, as `?ticket=…` of an address. */
export function ticketRoutes(app: App, catalogue: Catalogue, tickets: TicketIssuer) {
  app.post(
    '/tickets',
    route(
      { body: TicketInput, response: { 201: Type.String({ description: 'The ticket' }) } },
      {
        tag: 'Media',
        needs: 'read or write',
        holdsSecret: true,
        summary:
          'Create a ticket: a right to fetch or send the bytes of one media file, or to fetch one calendar, without a bearer',
        description:
          'Use it as `?ticket=…` of `/mediafiles/{id}/content` or `/entities/{id}/calendar.ics`. It becomes invalid with the token that created it. `action` is by default `download` for a media file, else `upload`.',
        problems: ['invalid', 'not_found']
      }
    ),
    async (request, reply) => {
      const { principal } = request
      const { mediafile_id, filename, entity_id, expires_in = 300 } = request.body
      if (entity_id !== undefined) {
        if (mediafile_id !== undefined || filename !== undefined || (request.body.action ?? 'calendar') !== 'calendar')
          throw invalidWith([
            { pointer: '/entity_id', message: 'A ticket is for a calendar or for a media file, not both' }
          ])
        const { owner } = await catalogue.productions.programme(principal, entity_id, emptyPeriod)
        const seconds = request.body.expires_in ?? maxCalendarTicketSeconds
        return sendTicket(reply, await tickets.create(principal, { action: 'calendar', entityId: owner.id }, seconds))
      }
      if (request.body.action === 'calendar')
        throw invalidWith([{ pointer: '/entity_id', message: 'A ticket for a calendar needs "entity_id"' }])
      if (expires_in > maxTicketSeconds)
        throw invalidWith([{ pointer: '/expires_in', message: `Must be at most ${maxTicketSeconds}` }])
      const action = request.body.action ?? (mediafile_id === undefined ? 'upload' : 'download')
      const find = action === 'upload' ? catalogue.media.findWritable : catalogue.media.read
      if (mediafile_id !== undefined) {
        const { id } = await find(principal, mediafile_id)
        return sendTicket(reply, await tickets.create(principal, { action, mediafileId: id }, expires_in))
      }
      if (filename === undefined || action !== 'upload')
        throw invalidWith([{ pointer: '/mediafile_id', message: 'A ticket needs "mediafile_id"' }])
      if (!principal.writesAnything) throw forbidden('write')
      return sendTicket(reply, await tickets.create(principal, { action, filename }, expires_in))
    }
  )
}

/** Only the owner of the calendar is needed, not its entries. */
const emptyPeriod = { from: 0, to: -1 }

/** Sends the ticket as a JSON string: existing clients remove the quotes. */
const sendTicket = (reply: FastifyReply, ticket: string) => sendJson(reply.code(201), JSON.stringify(ticket))

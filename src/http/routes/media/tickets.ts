import type { FastifyReply } from 'fastify'
import Type from 'typebox'

import { type TicketAction, ticketActions, type TicketIssuer } from '#auth/tickets.ts'
import type { Catalogue } from '#catalogue/catalogue.ts'
import { forbidden, invalidWith } from '#domain/errors.ts'
import { sendJson } from '../../reply/json.ts'
import type { App } from '../../openapi/typebox-provider.ts'

const longestTicket = 86_400
/** A calendar is subscribed to once, and asked for over a season and longer. */
const longestCalendarTicket = 400 * longestTicket

const TicketInput = Type.Object(
  {
    mediafile_id: Type.Optional(Type.String({ maxLength: 512, description: 'The media file it is good for' })),
    filename: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Instead: the filename of the media file, for uploads' })
    ),
    entity_id: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'Instead: the venue, company, production or season whose calendar it is'
      })
    ),
    action: Type.Optional(Type.Unsafe<TicketAction>({ type: 'string', enum: [...ticketActions] })),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: longestCalendarTicket,
        description: `Seconds that it is good for: at most ${longestTicket}, and 300 where left out; of a calendar ${longestCalendarTicket}`
      })
    )
  },
  { $id: 'TicketInput', additionalProperties: true }
)

/**
 * Links that work for a short time without a bearer: `?ticket=…` behind the address of the content.
 */
export function ticketRoutes(app: App, catalogue: Catalogue, tickets: TicketIssuer) {
  app.post(
    '/tickets',
    {
      schema: { body: TicketInput, response: { 201: Type.String({ description: 'The ticket' }) } },
      config: {
        doc: {
          tag: 'Media',
          needs: 'read or write',
          summary:
            'Make a ticket: a right to fetch or send the bytes of one media file, or to fetch one calendar, without a bearer',
          description:
            'Use it as `?ticket=…` of `/mediafiles/{id}/content` or `/entities/{id}/calendar.ics`. It ends with the token that made it. `action` is `download` where a media file is named, else `upload`.',
          problems: ['invalid', 'not_found']
        }
      }
    },
    async (request, reply) => {
      const { principal } = request
      const { mediafile_id, filename, entity_id, expires_in = 300 } = request.body
      if (entity_id !== undefined) {
        if (mediafile_id !== undefined || filename !== undefined || (request.body.action ?? 'calendar') !== 'calendar')
          throw invalidWith([
            { pointer: '/entity_id', message: 'A ticket is for one thing: a calendar, or a media file' }
          ])
        const { owner } = await catalogue.readProgramme(principal, entity_id, noTime)
        const seconds = request.body.expires_in ?? longestCalendarTicket
        return sendTicket(reply, await tickets.create(principal, { action: 'calendar', entityId: owner.id }, seconds))
      }
      if (request.body.action === 'calendar')
        throw invalidWith([{ pointer: '/entity_id', message: 'A ticket needs the record whose calendar it is for' }])
      if (expires_in > longestTicket)
        throw invalidWith([{ pointer: '/expires_in', message: `Must be at most ${longestTicket}` }])
      const action = request.body.action ?? (mediafile_id === undefined ? 'upload' : 'download')
      const find = action === 'upload' ? catalogue.findWritableMediafile : catalogue.readMediafile
      if (mediafile_id !== undefined) {
        const { id } = await find(principal, mediafile_id)
        return sendTicket(reply, await tickets.create(principal, { action, mediafileId: id }, expires_in))
      }
      if (filename === undefined || action !== 'upload')
        throw invalidWith([{ pointer: '/mediafile_id', message: 'A ticket needs the media file that it is for' }])
      if (!principal.writesAnything) throw forbidden('write')
      return sendTicket(reply, await tickets.create(principal, { action, filename }, expires_in))
    }
  )
}

/** Whose calendar it is has to be known, not what is in it. */
const noTime = { from: 0, to: -1 }

/** As a JSON string: existing clients take the quotes off. */
const sendTicket = (reply: FastifyReply, ticket: string) => sendJson(reply.code(201), JSON.stringify(ticket))

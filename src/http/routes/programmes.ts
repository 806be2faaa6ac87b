import { hash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { readDate } from '#domain/values/dates.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import { programmeCalendar, programmeTable } from '#formats/programme.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { isKnownToClient } from '../reply/conditions.ts'
import { EntityParams, NotModified } from '../schemas/common.ts'
import type { App } from '../openapi/typebox-provider.ts'

const day = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))
const PeriodQuery = Type.Object({
  from: day('Only performances that begin then or later: ISO 8601'),
  to: day('Only performances that begin then or earlier; a bare date means the end of that day')
})

const ticketParameter = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Instead of a bearer: made by `POST /tickets` with `entity_id`' })
)

/** Programmes of a venue, a company, a production, a season, for those who show and print them. */
export function programmeRoutes(app: App, catalogue: Catalogue, publicUrl: string) {
  app.get(
    '/entities/:id/calendar.ics',
    {
      schema: {
        params: EntityParams,
        querystring: Type.Object({ ...PeriodQuery.properties, ticket: ticketParameter }),
        response: { 200: Type.String(), 304: NotModified }
      },
      config: {
        doc: {
          tag: 'Entities',
          summary: 'The performances of a venue, company, booking agency, production or season as a calendar',
          produces: 'text/calendar',
          ticketFor: 'calendar',
          problems: ['not_found', 'invalid', 'query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { owner, entries } = await catalogue.readProgramme(
        request.principal,
        request.params.id,
        readPeriod(request.query)
      )
      const address = `${addressOf(publicUrl, owner.id)}/calendar.ics`
      return send(request, reply, 'text/calendar; charset=utf-8', programmeCalendar(owner, entries, address))
    }
  )

  app.get(
    '/entities/:id/programme.csv',
    {
      schema: { params: EntityParams, querystring: PeriodQuery, response: { 200: Type.String(), 304: NotModified } },
      config: {
        doc: {
          tag: 'Entities',
          summary: 'The performances of a venue, company, booking agency, production or season as a table',
          produces: 'text/csv',
          problems: ['not_found', 'invalid', 'query_timeout']
        }
      }
    },
    async (request, reply) => {
      const { owner, entries } = await catalogue.readProgramme(
        request.principal,
        request.params.id,
        readPeriod(request.query)
      )
      reply.header('content-disposition', `attachment; filename="${owner.id.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.csv"`)
      return send(request, reply, 'text/csv; charset=utf-8; header=present', programmeTable(entries))
    }
  )
}

function readPeriod({ from, to }: { readonly from?: string; readonly to?: string }) {
  const faults: Fault[] = []
  const read = (pointer: string, text: string | undefined) => {
    const date = text === undefined ? undefined : readDate(text)
    if (text !== undefined && !date) faults.push({ pointer, message: `Not an ISO 8601 date: "${text}"` })
    return date
  }
  const period = {
    from: read('from', from)?.first ?? Number.NEGATIVE_INFINITY,
    to: read('to', to)?.last ?? Number.POSITIVE_INFINITY
  }
  if (faults.length > 0) throw invalidWith(faults)
  return period
}

function send(request: FastifyRequest, reply: FastifyReply, contentType: string, body: string): FastifyReply {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
  reply.header('etag', etag)
  if (isKnownToClient(request.headers, etag)) return reply.code(304).send()
  return reply.type(contentType).send(body)
}

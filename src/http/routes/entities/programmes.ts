import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { readDate } from '#domain/values/dates.ts'
import { isZoneName } from '#domain/values/time-zone.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { programmeCalendar, programmeTable, type ProgrammeZones } from '#formats/programme.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { sendTagged } from '../../reply/json.ts'
import { EntityParams, NotModified } from '../../schemas/common.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'

const day = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))
const PeriodQuery = Type.Object({
  from: day('Earliest begin of performances: ISO 8601'),
  to: day('Latest begin of performances; a bare date means the end of that day')
})

const zoneParameter = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      'Time zone of all times, such as `Europe/Brussels`; without it, that of each venue, else that of the catalogue'
  })
)

const ticketParameter = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Replaces a bearer: created by `POST /tickets` with `entity_id`' })
)

const subject = 'Read the performances of a venue, company, booking agency, production or season'
const doc = { tag: 'Entities', problems: ['not_found', 'invalid', 'query_timeout'] } as const

interface ProgrammeRequest {
  readonly principal: Principal
  readonly params: { readonly id: string }
  readonly query: { readonly from?: string; readonly to?: string }
}

/** Programmes of a venue, company, production or season, to show and print. */
export function programmeRoutes(app: App, catalogue: Catalogue, publicUrl: string, timeZone: string) {
  const read = ({ principal, params, query }: ProgrammeRequest) =>
    catalogue.productions.programme(principal, params.id, readPeriod(query))
  const zonesFor = (tz: string | undefined): ProgrammeZones => {
    if (tz !== undefined && !isZoneName(tz))
      throw invalidWith([{ pointer: 'tz', message: `Unknown time zone: "${tz}"` }])
    return { wanted: tz, catalogue: timeZone }
  }

  app.get(
    '/entities/:id/calendar.ics',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({ ...PeriodQuery.properties, tz: zoneParameter, ticket: ticketParameter }),
        response: { 200: Type.String(), 304: NotModified }
      },
      {
        ...doc,
        summary: `${subject} as a calendar`,
        description:
          'An iCalendar file (RFC 5545) to subscribe to: programs that cannot send a bearer use a ticket. Cancelled performances are marked as such.',
        produces: 'text/calendar',
        ticketFor: 'calendar'
      }
    ),
    async (request, reply) => {
      const zones = zonesFor(request.query.tz)
      const { owner, entries } = await read(request)
      const address = `${addressOf(publicUrl, owner.id)}/calendar.ics`
      const calendar = programmeCalendar(owner, entries, address, zones)
      return sendTagged(request, reply, 'text/calendar; charset=utf-8', calendar)
    }
  )

  app.get(
    '/entities/:id/programme.csv',
    route(
      {
        params: EntityParams,
        querystring: Type.Object({ ...PeriodQuery.properties, tz: zoneParameter }),
        response: { 200: Type.String(), 304: NotModified }
      },
      {
        ...doc,
        summary: `${subject} as a table`,
        description: 'CSV with one performance a line, in the order of time, for listings, printing and spreadsheets.',
        produces: 'text/csv'
      }
    ),
    async (request, reply) => {
      const zones = zonesFor(request.query.tz)
      const { owner, entries } = await read(request)
      reply.header('content-disposition', `attachment; filename="${owner.id.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.csv"`)
      return sendTagged(request, reply, 'text/csv; charset=utf-8; header=present', programmeTable(entries, zones))
    }
  )
}

function readPeriod({ from, to }: ProgrammeRequest['query']) {
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

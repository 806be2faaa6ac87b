import Type, { type TSchema } from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { readDate } from '#domain/values/dates.ts'
import { isZoneName } from '#domain/values/time-zone.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import { uitProgramme } from '#formats/events/write-uitdatabank.ts'
import { programmeCalendar, programmeTable } from '#formats/programme.ts'
import { type ProgrammeDocument, programmeFeed, programmePrint } from '#formats/programme-documents.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { sendTagged } from '../../reply/json.ts'
import { EntityParams, NotModified } from '../../schemas/common.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { route } from '../../openapi/route.ts'
import { languagesOf } from './views.ts'

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

const lang = Type.Optional(
  Type.String({ maxLength: 100, description: 'Language of texts and labels; else `Accept-Language` chooses it' })
)

interface ProgrammeFile {
  /** The end of the summary of the operation. */
  readonly as: string
  readonly description: string
  readonly mediaType: string
  readonly parameters?: Readonly<Record<string, TSchema>>
  /** The extension of the file that browsers save; without it, they show it. */
  readonly savedAs?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The answer, where it is JSON. */
  readonly answer?: TSchema
  write(document: ProgrammeDocument): string
}

/** The documents that a programme is written as. */
const files: Readonly<Record<string, ProgrammeFile>> = {
  'calendar.ics': {
    as: 'a calendar',
    description:
      'An iCalendar file (RFC 5545) to subscribe to: programs that cannot send a bearer use a ticket. Cancelled performances are marked as such.',
    mediaType: 'text/calendar; charset=utf-8',
    parameters: { ticket: ticketParameter },
    write: ({ owner, entries, address, zones }) => programmeCalendar(owner, entries, address, zones)
  },
  'programme.csv': {
    as: 'a table',
    description: 'CSV with one performance a line, in the order of time, for listings, printing and spreadsheets.',
    mediaType: 'text/csv; charset=utf-8; header=present',
    savedAs: 'csv',
    write: ({ entries, zones }) => programmeTable(entries, zones)
  },
  'programme.rss': {
    as: 'a feed',
    description: 'RSS 2.0 with an item for each performance, in the order of time.',
    mediaType: 'application/rss+xml; charset=utf-8',
    parameters: { lang },
    write: programmeFeed
  },
  'programme.html': {
    as: 'a page to print',
    description:
      'HTML without scripts, laid out for paper and PDF: a section for each production with its texts, prices and dates.',
    mediaType: 'text/html; charset=utf-8',
    parameters: { lang },
    headers: {
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox"
    },
    write: programmePrint
  },
  'uitdatabank.json': {
    as: 'events of UiTdatabank',
    description:
      'JSON with `events`, each a body for the entry API of UiTdatabank: a production at a venue with its dates. `left_out` says what UiTdatabank cannot have, and why. Venues need their address there as an identifier.',
    mediaType: 'application/json; charset=utf-8',
    answer: Type.Object({
      events: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: 'Bodies for `POST /events` there'
      }),
      left_out: Type.Array(
        Type.Object({ production_id: Type.String(), message: Type.String({ description: 'The reason' }) })
      )
    }),
    write: ({ entries, zones }) => JSON.stringify(uitProgramme(entries, zones))
  }
}

const subject = 'Read the performances of a venue, company, booking agency, production or season'
const doc = { tag: 'Entities', problems: ['not_found', 'invalid', 'query_timeout'] } as const

/** Programmes of a venue, company, production or season, to show, print and send. */
export function programmeRoutes(app: App, catalogue: Catalogue, publicUrl: string, timeZone: string) {
  for (const [name, file] of Object.entries(files))
    app.get(
      `/entities/:id/${name}`,
      route(
        {
          params: EntityParams,
          querystring: Type.Object({ ...PeriodQuery.properties, tz: zoneParameter, ...file.parameters }),
          response: { 200: file.answer ?? Type.String(), 304: NotModified }
        },
        {
          ...doc,
          summary: `${subject} as ${file.as}`,
          description: file.description,
          produces: file.mediaType.replace(/;.*/, ''),
          ...(file.parameters?.ticket && { ticketFor: 'calendar' as const })
        }
      ),
      async (request, reply) => {
        const { tz, ...period } = request.query as { tz?: string; from?: string; to?: string }
        const zones = { wanted: readZone(tz), catalogue: timeZone }
        const { owner, entries } = await catalogue.productions.programme(
          request.principal,
          request.params.id,
          readPeriod(period)
        )
        const text = file.write({
          ...{
            owner,
            entries,
            zones,
            languages: languagesOf(request),
            address: `${addressOf(publicUrl, owner.id)}/${name}`
          },
          addressOf: id => `${publicUrl}/record/${encodeURIComponent(id)}`
        })
        if (file.savedAs !== undefined)
          reply.header(
            'content-disposition',
            `attachment; filename="${owner.id.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.${file.savedAs}"`
          )
        if (file.headers) reply.headers(file.headers)
        return sendTagged(request, reply, file.mediaType, text)
      }
    )
}

function readZone(tz: string | undefined): string | undefined {
  if (tz === undefined || isZoneName(tz)) return tz
  throw invalidWith([{ pointer: 'tz', message: `Unknown time zone: "${tz}"` }])
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

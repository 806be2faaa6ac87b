import { type CallOptions, queryText, type Sender } from './send-request.ts'

/** The part of a programme. */
export interface ProgrammeRange {
  /** Earliest begin of performances: ISO 8601. */
  readonly from?: string
  /** Latest begin; a bare date means the end of that day. */
  readonly to?: string
  /** A time zone for all times, such as `Europe/Brussels`; by default that of each venue. */
  readonly tz?: string
}

/** The performances of a venue, company, booking agency, production or season, in local time. */
export function createProgrammes(sender: Sender) {
  const placeOf = (id: string, file: string, query: Readonly<Record<string, string | undefined>>) =>
    `/entities/${encodeURIComponent(id)}/${file}${queryText(query)}`
  const read = async (id: string, file: string, options: CallOptions & ProgrammeRange) => {
    const { from, to, tz, ...call } = options
    return (await sender.open(placeOf(id, file, { from, to, tz }), call)).text()
  }
  return {
    /** The address of the calendar, where visitors may read it. */
    calendarUrl: (id: string, range: ProgrammeRange = {}): string =>
      sender.addressOf(placeOf(id, 'calendar.ics', { ...range })),

    /** An address of the calendar for a calendar program, which needs no token. */
    async calendarTicketUrl(id: string, range: ProgrammeRange = {}, call: CallOptions = {}): Promise<string> {
      const body = { entity_id: id, action: 'calendar' as const }
      const { data: ticket } = await sender.send('POST /tickets', { body, ...call })
      return sender.addressOf(placeOf(id, 'calendar.ics', { ...range, ticket }))
    },

    /** The calendar as iCalendar text. */
    calendar: (id: string, options: CallOptions & ProgrammeRange = {}) => read(id, 'calendar.ics', options),

    /** The programme as CSV, with the local time of each venue. */
    table: (id: string, options: CallOptions & ProgrammeRange = {}) => read(id, 'programme.csv', options)
  }
}

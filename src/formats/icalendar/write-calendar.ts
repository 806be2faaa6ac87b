/*
 * Calendars according to RFC 5545, with times in UTC. https://www.rfc-editor.org/rfc/rfc5545
 */

export interface CalendarEvent {
  /** Never changes, so that a calendar program recognises the event. */
  readonly uid: string
  /** The time of the last change, in milliseconds, and the number of changes. */
  readonly changed: number
  readonly created: number
  readonly sequence: number
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  readonly start: CalendarTime
  readonly end?: CalendarTime
  readonly summary: string
  readonly description?: string
  readonly location?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly url?: string
  readonly contact?: string
  readonly comment?: string
  readonly categories?: readonly string[]
}

/** A moment in milliseconds, or the beginning of a day. */
export interface CalendarTime {
  readonly at: number
  readonly isDay: boolean
}

export interface Calendar {
  readonly name: string
  /** The address of its page. */
  readonly address: string
  readonly events: readonly CalendarEvent[]
}

export function writeCalendar({ name, address, events }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Libretto//Programme//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `SOURCE;VALUE=URI:${address}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    // A calendar needs at least one component; one without events declares its time zone.
    ...(events.length === 0 ? utc : []),
    ...events.flatMap(eventLines),
    'END:VCALENDAR'
  ]
  return lines.map(line => `${fold(line)}\r\n`).join('')
}

const utc = [
  ...['BEGIN:VTIMEZONE', 'TZID:Etc/UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
  ...['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE']
]

function eventLines(event: CalendarEvent): string[] {
  const { latitude, longitude, categories = [] } = event
  const optional = (name: string, text: string | undefined) =>
    text === undefined || text === '' ? [] : [`${name}:${escapeText(text)}`]
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `DTSTAMP:${moment(event.changed)}`,
    `CREATED:${moment(event.created)}`,
    `LAST-MODIFIED:${moment(event.changed)}`,
    `SEQUENCE:${event.sequence}`,
    `STATUS:${event.status}`,
    `DTSTART${timeText(event.start)}`,
    ...(event.end ? [`DTEND${timeText(event.end)}`] : []),
    `SUMMARY:${escapeText(event.summary)}`,
    ...optional('DESCRIPTION', event.description),
    ...optional('LOCATION', event.location),
    ...(latitude === undefined || longitude === undefined
      ? []
      : [`GEO:${latitude.toFixed(6)};${longitude.toFixed(6)}`]),
    // An address is not text, so nothing is escaped in it; it has no line ends.
    ...(event.url === undefined ? [] : [`URL:${event.url}`]),
    ...optional('CONTACT', event.contact),
    ...optional('COMMENT', event.comment),
    ...(categories.length === 0 ? [] : [`CATEGORIES:${categories.map(escapeText).join(',')}`]),
    'END:VEVENT'
  ]
}

/** `20260116T190000Z` */
const moment = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

const timeText = ({ at, isDay }: CalendarTime) => (isDay ? `;VALUE=DATE:${moment(at).slice(0, 8)}` : `:${moment(at)}`)

function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/(?!\t)\p{Cc}/gu, '')
}

const maxLineBytes = 75

/** A line of more than 75 bytes continues in the next one, after a space; no character is split. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= maxLineBytes) return line
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > maxLineBytes) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}

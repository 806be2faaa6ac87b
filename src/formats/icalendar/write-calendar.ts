import { clockChangesIn, isShownTwice, offsetAt, utc } from '#domain/values/time-zone.ts'

/*
 * Calendars according to RFC 5545. Times are on the clocks of their zone, which the calendar
 * describes. https://www.rfc-editor.org/rfc/rfc5545
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
  /** The zone of the moment; UTC by default. */
  readonly zone?: string
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
    ...(events.length === 0 ? utcLines : []),
    ...zoneLines(events),
    ...events.flatMap(eventLines),
    'END:VCALENDAR'
  ]
  return lines.map(line => `${fold(line)}\r\n`).join('')
}

const utcLines = [
  ...['BEGIN:VTIMEZONE', 'TZID:Etc/UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
  ...['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE']
]

/** The zones of the events, each with its clock changes in the years that have events. */
function zoneLines(events: readonly CalendarEvent[]): string[] {
  const yearsOf = new Map<string, Set<number>>()
  for (const { start, end } of events)
    for (const { at, isDay, zone = utc } of end ? [start, end] : [start])
      if (!isDay && zone !== utc)
        yearsOf.set(zone, (yearsOf.get(zone) ?? new Set()).add(localDate(at, offsetAt(zone, at)).getUTCFullYear()))
  return [...yearsOf].flatMap(([zone, years]) => [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...[...years].sort((one, other) => one - other).flatMap(year => yearLines(zone, year)),
    'END:VTIMEZONE'
  ])
}

/** The offset of a zone from the beginning of a year on, and its changes in that year. */
function yearLines(zone: string, year: number): string[] {
  const { first, changes } = clockChangesIn(zone, year)
  const standard = Math.min(first, ...changes.map(({ to }) => to))
  // The year begins earlier in the east than in UTC.
  const begin = { at: Date.UTC(year, 0, 1) - 86_400_000, from: first, to: first }
  return [begin, ...changes].flatMap(({ at, from, to }) => {
    const kind = to === standard ? 'STANDARD' : 'DAYLIGHT'
    return [
      `BEGIN:${kind}`,
      `DTSTART:${wallTime(at, from)}`,
      `TZOFFSETFROM:${offsetText(from)}`,
      `TZOFFSETTO:${offsetText(to)}`,
      `END:${kind}`
    ]
  })
}

/** `-0330` */
function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${String(rest).padStart(2, '0')}`
}

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

/** The time on clocks with an offset in minutes, as if it were UTC. */
const localDate = (at: number, offset: number) => new Date(at + offset * 60_000)

/** `20260116T200000` */
const wallTime = (at: number, offset: number) =>
  localDate(at, offset).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

/** `20260116T190000Z` */
const moment = (at: number) => `${wallTime(at, 0)}Z`

function timeText({ at, isDay, zone = utc }: CalendarTime): string {
  if (isDay) return `;VALUE=DATE:${moment(at).slice(0, 8)}`
  // Programs disagree on which of two equal times is meant.
  return zone === utc || isShownTwice(zone, at) ? `:${moment(at)}` : `;TZID=${zone}:${wallTime(at, offsetAt(zone, at))}`
}

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

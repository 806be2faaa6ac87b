import { table } from '#domain/table.ts'
import { playedTypes, type ProgrammeEntry, usualValues } from '#domain/record-types/programme.ts'
import { readDate } from '#domain/values/dates.ts'
import { momentIn } from '#domain/values/time-zone.ts'
import { zoneOfPlace } from '#domain/values/zone-of-place.ts'
import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { textOf } from '#domain/search/index-values.ts'
import { htmlToText } from './html/html-to-text.ts'
import { writeCsv } from './tables/write-csv.ts'
import { type CalendarEvent, type CalendarTime, writeCalendar } from './icalendar/write-calendar.ts'
import { toWebAddress } from './rdf/triples.ts'

/* Programmes for publishing: a calendar, and a table. */

/** The zones of the times in a programme. */
export interface ProgrammeZones {
  /** The zone of all times; without it, each time is in the zone of its venue. */
  readonly wanted?: string | undefined
  /** The zone of times at places whose own is not known. */
  readonly catalogue: string
}

export function zoneOf({ venues }: ProgrammeEntry, { wanted, catalogue }: ProgrammeZones): string {
  return wanted ?? venues.flatMap(each => zoneOfPlace(each) ?? [])[0] ?? catalogue
}

/** Writes a programme as a calendar to subscribe to. */
export function programmeCalendar(
  owner: Entity,
  entries: readonly ProgrammeEntry[],
  address: string,
  zones: ProgrammeZones
): string {
  const events = entries.flatMap(each => toEvent(each, zoneOf(each, zones)))
  return writeCalendar({ name: nameOf(owner), address, events })
}

const statuses: Readonly<Record<string, CalendarEvent['status']>> = table({
  cancelled: 'CANCELLED',
  postponed: 'TENTATIVE'
})

function toEvent(
  { performance, production, venues, halls, companies, genres }: ProgrammeEntry,
  zone: string
): CalendarEvent[] {
  const start = timeOf(performance, 'start')
  if (!start) return []
  const [venue] = venues
  const status = first(performance, 'status')
  const latitude = venue && numberOf(venue, 'latitude')
  const longitude = venue && numberOf(venue, 'longitude')
  const url = toWebAddress(first(performance, 'url') ?? '')?.iri
  const end = endOf(performance, production, start)
  const wordsIn = (key: string) =>
    valuesOf(performance, key)
      .map(textOf)
      .filter(each => each !== '' && !usualValues.has(each))
      .map(asWords)
  const kind = wordsIn('event_type')
  const state = [...new Set(['status', 'status_reason', 'availability'].flatMap(wordsIn))]
  const description = production && (first(production, 'description_short') ?? first(production, 'description'))
  return [
    {
      uid: performance._id,
      // An event is made of several records: the latest of their changes counts.
      changed: Math.max(
        ...[performance, ...(production ? [production] : []), ...venues].map(each => Date.parse(each.audit.updated.at))
      ),
      created: Date.parse(performance.audit.created.at),
      sequence: performance.version,
      status: statuses[status ?? ''] ?? 'CONFIRMED',
      start: { ...start, zone },
      ...(end ? { end: { ...end, zone } } : {}),
      summary: [production ? nameOf(production) : venue ? nameOf(venue) : performance.id, ...kind].join(': '),
      ...(description === undefined ? {} : { description: htmlToText(description) }),
      ...(venues.length === 0 ? {} : { location: [...halls.map(nameOf), ...venues.map(placeText)].join('; ') }),
      ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
      ...(url === undefined ? {} : { url }),
      ...(companies.length === 0 ? {} : { contact: companies.map(nameOf).join(', ') }),
      // There is no status for it; its meaning for a visitor is written in words.
      ...(state.length === 0 ? {} : { comment: state.join(', ') }),
      categories: genres.map(nameOf)
    }
  ]
}

export const asWords = (value: string) => value.replaceAll('_', ' ')

/** The known end, or the one that follows from the length of the production. */
function endOf(performance: Entity, production: Entity | undefined, start: CalendarTime): CalendarTime | undefined {
  const end = timeOf(performance, 'end')
  if (end) return end.at > start.at && end.isDay === start.isDay ? end : undefined
  const minutes = production && numberOf(production, 'duration')
  const at = start.at + (minutes ?? 0) * 60_000
  return minutes && !start.isDay && isWritable(at) ? { at, isDay: false } : undefined
}

/** The columns of the table, each with its value for a performance. */
const columns: Readonly<Record<string, (entry: ProgrammeEntry, zone: string) => string | number | undefined>> = table({
  start: ({ performance }, zone) => momentText(performance, 'start', zone),
  end: ({ performance, production }, zone) => endText(performance, production, zone),
  status: ({ performance }) => first(performance, 'status') ?? 'scheduled',
  title: ({ production }) => production && first(production, 'title'),
  subtitle: ({ production }) => production && first(production, 'subtitle'),
  company: ({ companies }) => companies.map(nameOf).join('; '),
  venue: ({ venues }) => venues.map(nameOf).join('; '),
  city: ({ venues }) => venues.flatMap(each => first(each, 'city') ?? []).join('; '),
  country: ({ venues }) => venues.flatMap(each => first(each, 'country') ?? []).join('; '),
  genre: ({ genres }) => genres.map(nameOf).join('; '),
  age_category: ({ production }) => production && first(production, 'age_category'),
  duration: ({ production }) => production && numberOf(production, 'duration'),
  url: ({ performance }) => first(performance, 'url'),
  production_id: ({ production }) => production?.id,
  performance_id: ({ performance }) => performance.id,
  doors: ({ performance }, zone) => momentText(performance, 'doors', zone),
  former_start: ({ performance }, zone) => momentText(performance, 'former_start', zone),
  status_reason: ({ performance }) => first(performance, 'status_reason'),
  event_type: ({ performance }) => first(performance, 'event_type') ?? playedTypes[0],
  occasion: ({ occasion }) => occasion,
  hall: ({ halls }) => halls.map(nameOf).join('; '),
  availability: ({ performance }) => first(performance, 'availability'),
  on_sale_from: ({ performance }, zone) => momentText(performance, 'on_sale_from', zone),
  price: entry => pricesOf(entry).join('; '),
  accessibility: ({ performance }) => valuesOf(performance, 'accessibility').map(textOf).join('; '),
  time_zone: (_, zone) => zone
})

/**
 * Writes a programme as a table: a row for each performance, times in a zone with their offset. The
 * last column names the zone.
 */
export function programmeTable(entries: readonly ProgrammeEntry[], zones: ProgrammeZones): string {
  const rows = entries.map(entry => Object.values(columns).map(valueFor => valueFor(entry, zoneOf(entry, zones))))
  return writeCsv(Object.keys(columns), rows)
}

/** The prices of a performance: its own, else those of its production. */
export function pricesOf({ performance, production }: ProgrammeEntry): readonly string[] {
  const own = valuesOf(performance, 'price')
  return (own.length > 0 || !production ? own : valuesOf(production, 'price')).map(textOf)
}

export function first(entity: Entity, key: string): string | undefined {
  const text = textOf(valuesOf(entity, key)[0] ?? null)
  return text === '' ? undefined : text
}

/** Productions have a title, everything else here has a name. */
export const nameOf = (entity: Entity) => first(entity, 'name') ?? first(entity, 'title') ?? entity.id

export function numberOf(entity: Entity, key: string): number | undefined {
  const number = Number(first(entity, key) ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
}

export function timeOf(entity: Entity, key: string): CalendarTime | undefined {
  const date = readDate(first(entity, key) ?? '')
  return date && isWritable(date.first) ? { at: date.first, isDay: date.isDay } : undefined
}

/** Calendars support years of four digits. */
const isWritable = (at: number) => at >= Date.UTC(1000, 0, 1) && at < Date.UTC(10_000, 0, 1)

/** The end as stored, or the one that the calendar computes. */
export function endText(performance: Entity, production: Entity | undefined, zone: string): string | undefined {
  const start = timeOf(performance, 'start')
  return momentText(performance, 'end', zone) ?? textIn(zone, start && endOf(performance, production, start))
}

export const momentText = (entity: Entity, key: string, zone: string) => textIn(zone, timeOf(entity, key))

function textIn(zone: string, time: CalendarTime | undefined): string | undefined {
  return time && (time.isDay ? new Date(time.at).toISOString().slice(0, 10) : momentIn(zone, time.at))
}

function placeText(venue: Entity): string {
  const town = [first(venue, 'postal_code'), first(venue, 'city')].filter(Boolean).join(' ')
  return [nameOf(venue), first(venue, 'address'), town, first(venue, 'country')].filter(Boolean).join(', ')
}

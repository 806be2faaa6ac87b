import type ICAL from 'ical.js'
import { eventTypes } from '#domain/record-types/stage.ts'
import { table } from '#domain/table.ts'
import { instantIn, isZoneName, momentIn } from '#domain/values/time-zone.ts'
import type { EventNight, EventPlace, ReadEvent, ReadShow } from '../events/event.ts'
import type { ByteSource } from '../source/bytes.ts'
import { type Defect, notUtf8, overLimit } from '../source/defects.ts'
import { addLine, beginGroup, bytesOf, type LineGroup } from '../source/line-group.ts'
import { maxUnreadableBytes } from '../source/position.ts'
import { readLines } from '../source/read-lines.ts'

/*
 * Events of calendars (RFC 5545). The file is cut into its events here, and each is read by
 * ical.js: a damaged event does not affect the next, and a file of any length takes memory for one
 * (decision 53).
 */

type Ical = typeof ICAL
type Component = ICAL.Component
type Property = ICAL.Property
/** A rule of repeated dates. */
type Rule = { readonly freq: string; readonly parts: Readonly<Record<string, readonly unknown[]>> }

/** Maximum dates of a repeated event. */
const maxDates = 400

/** The parts of a file that its events share. */
interface Surroundings {
  readonly ical: Ical
  /** The zone of times without one. */
  zone: string | undefined
  readonly zones: Map<string, ICAL.Timezone>
  /** The dates of repeated events that other events of the file replace. */
  readonly replaced: Set<string>
}

/** Properties that are read, or that are about the entry in the calendar only. */
const read = new Set([
  ...['uid', 'summary', 'description', 'location', 'geo', 'url', 'categories', 'comment', 'status', 'dtstart', 'dtend'],
  ...['duration', 'recurrence-id', 'rrule', 'rdate', 'exdate', 'organizer'],
  ...['dtstamp', 'created', 'last-modified', 'sequence', 'transp', 'class', 'priority']
])

export async function* readCalendar(source: ByteSource, limit: number): AsyncGenerator<ReadEvent, void, undefined> {
  const { default: ical } = await import('ical.js')
  const around: Surroundings = { ical, zone: undefined, zones: new Map(), replaced: new Set() }
  /** Repeated events are read last, since other events may replace some of their dates. */
  const repeated: (() => ReadEvent)[] = []
  let number = 0
  let open: { readonly end: string; readonly group: LineGroup } | undefined
  const finish = (group: LineGroup, defect?: Defect): ReadEvent[] => {
    const position = { number: ++number, offset: group.offset, length: group.end - group.offset }
    const bytes = bytesOf(group)
    const trouble = group.isOver ? overLimit(limit) : defect
    const found = trouble === undefined ? parse(ical, bytes) : { defect: trouble }
    if ('defect' in found) return [{ position, source: bytes, found }]
    const make = () => ({ position, source: bytes, found: tried(() => showOf(found, bytes, around)) })
    if (!found.hasProperty('rrule') && !found.hasProperty('rdate')) return [make()]
    repeated.push(make)
    return []
  }
  for await (const line of readLines(source, limit, maxUnreadableBytes)) {
    const text = line.bytes.toString('latin1', 0, 200).trim()
    const [, name] = /^BEGIN:(VEVENT|VTIMEZONE)$/i.exec(text) ?? []
    const [, zone] = /^X-WR-TIMEZONE:(.+)$/i.exec(text) ?? []
    if (zone !== undefined && isZoneName(zone)) around.zone = zone
    if (open === undefined && name !== undefined) open = { end: `END:${name.toUpperCase()}`, group: beginGroup(line) }
    if (open === undefined) continue
    addLine(open.group, line, limit)
    if (text.toUpperCase() !== open.end) continue
    if (open.end === 'END:VEVENT') yield* finish(open.group)
    else addZone(open.group, around)
    open = undefined
  }
  if (open?.end === 'END:VEVENT')
    yield* finish(open.group, { kind: 'truncated', message: 'The file ends within an event' })
  for (const make of repeated) yield make()
}

/** Runs a part of the reading; ical.js throws for a line, or later for the value of a property. */
function tried<T>(read: () => T): T | { readonly defect: Defect } {
  try {
    return read()
  } catch (error) {
    const message = `Not an event: ${(error as Error).message.slice(0, 200)}`
    return { defect: { kind: 'not_well_formed', message } }
  }
}

const parse = ({ Component, parse: read }: Ical, bytes: Buffer) => tried(() => new Component(read(bytes.toString())))

/**
 * Adds the definition of a zone, for names that are not those of the IANA database. Its clocks
 * change once a year, on a day such as the last Sunday of March: other rules may not end.
 */
function addZone(group: LineGroup, { ical, zones }: Surroundings): void {
  const component = parse(ical, bytesOf(group))
  if ('defect' in component) return
  tried(() => {
    const tzid = component.getFirstPropertyValue('tzid')
    const rules = component.getAllSubcomponents().flatMap(each => each.getAllProperties('rrule'))
    const isYearly = rules.every(each => {
      const { freq, parts } = each.getFirstValue() as unknown as Rule
      return (
        freq === 'YEARLY' &&
        Object.entries(parts).every(([name, days]) => /^BY(?:MONTH|DAY)$/.test(name) && days.length === 1)
      )
    })
    if (typeof tzid === 'string' && isYearly) zones.set(tzid, new ical.Timezone({ component, tzid }))
  })
}

function showOf(component: Component, bytes: Buffer, around: Surroundings): ReadShow {
  const defects: Defect[] = bytes.includes('\ufffd') ? [notUtf8] : []
  const text = (name: string) => {
    const value = component.getFirstPropertyValue(name)
    return value === null || String(value).trim() === '' ? undefined : String(value).trim()
  }
  const summary = text('summary') ?? ''
  // Calendars that we write add the kind of an event that is not a performance.
  const eventType = eventTypes.find(each => summary.endsWith(`: ${each.replaceAll('_', ' ')}`))
  const title = eventType === undefined ? summary : summary.slice(0, -eventType.length - 2)
  const { venue, hall } = placesIn(text('location'), component, zoneOf(component.getFirstProperty('dtstart'), around))
  const status = statuses[text('status')?.toUpperCase() ?? '']
  const uid = text('uid')
  const replaced = component.getFirstProperty('recurrence-id')
  const name = (at: string) => `${uid}@${at}`
  if (replaced) around.replaced.add(name(timeText(replaced, around, defects)))
  const nights = datesOf(component, around, defects)
    .map(({ start, end }, at): EventNight => {
      const isOfSeries = at > 0 || component.hasProperty('rrule') || component.hasProperty('rdate')
      const own = replaced ? name(timeText(replaced, around, [])) : isOfSeries ? name(start) : uid
      return {
        ...{ id: own ?? `${title} ${start}`, start, end, event_type: eventType, status, url: text('url'), venue, hall },
        status_reason: status && reasonIn(text('comment'), status)
      }
    })
    .filter(({ id }) => replaced !== null || !around.replaced.has(id))
  const organizer = component.getFirstProperty('organizer')?.getParameter('cn')
  return {
    show: {
      title: { text: title },
      description: { text: text('description') ?? '' },
      companies: typeof organizer === 'string' ? [organizer] : [],
      genres: component.getAllProperties('categories').flatMap(each => each.getValues().map(String)),
      nights
    },
    defects,
    unmapped: [...new Set(component.getAllProperties().map(each => each.name))]
      .filter(each => !read.has(each))
      .map(each => each.toUpperCase())
  }
}

const statuses: Readonly<Record<string, string>> = table({ CANCELLED: 'cancelled', TENTATIVE: 'postponed' })

/** The reason in a comment; calendars that we write begin it with the status. */
const reasonIn = (comment = '', status: string) =>
  (comment === status || comment.startsWith(`${status}, `) ? comment.slice(status.length + 2) : comment) || undefined

/** The dates of an event: one, or those of a rule that surely ends. */
function datesOf(component: Component, around: Surroundings, defects: Defect[]) {
  const start = component.getFirstProperty('dtstart')
  if (!start) return []
  const bad = (tag: string, message: string) => defects.push({ kind: 'bad_value', tag, message })
  const event = new around.ical.Event(component)
  const first = timeText(start, around, defects)
  const endProperty = component.getFirstProperty('dtend')
  const minutes = event.duration.toSeconds() / 60
  const endOf = (from: string) => (minutes <= 0 || from.length === 10 ? undefined : momentAfter(from, minutes))
  const rule = component.getFirstPropertyValue('rrule') as unknown as Rule | null
  const last = endProperty && first.length > 10 ? timeText(endProperty, around, defects) : endOf(first)
  if (rule === null && !component.hasProperty('rdate')) return [{ start: first, end: last }]
  const parts = Object.keys(rule?.parts ?? {})
  const isSimple =
    rule === null ||
    (rule.freq === 'DAILY' && parts.length === 0) ||
    (rule.freq === 'WEEKLY' && parts.every(each => each === 'BYDAY'))
  if (!isSimple) {
    bad('RRULE', 'Only daily and weekly dates are read; the event has its first date')
    return [{ start: first, end: last }]
  }
  const dates: { start: string; end: string | undefined }[] = []
  const times = event.iterator()
  for (let next = times.next(); next; next = times.next()) {
    if (dates.length >= maxDates) {
      bad('RRULE', `Only the first ${maxDates} dates are read`)
      break
    }
    const at = timeText(start, around, [], next)
    dates.push({ start: at, end: endOf(at) })
  }
  return dates
}

const momentAfter = (from: string, minutes: number): string | undefined => {
  const [, offset = ''] = /(Z|[+-]\d\d:\d\d)$/.exec(from) ?? []
  const local = Date.parse(`${from.slice(0, 19)}Z`) + minutes * 60_000
  return Number.isNaN(local) ? undefined : new Date(local).toISOString().slice(0, 19) + offset
}

const tzidOf = (property: Property): string | undefined => {
  const given = property.getParameter('tzid')
  return typeof given === 'string' ? given : undefined
}

/** The name of a zone in the IANA database. Some programs put an address before it. */
const ianaName = (tzid = '') => [tzid, tzid.split('/').slice(-2).join('/')].find(isZoneName)

/** The zone of an event, which is that of its venue. */
const zoneOf = (start: Property | null, { zone }: Surroundings) => (start && ianaName(tzidOf(start))) ?? zone

/** A time as ISO 8601: a day, or a moment with the offset of its zone, if that is known. */
function timeText(
  property: Property,
  { ical, zone, zones }: Surroundings,
  defects: Defect[],
  time = property.getFirstValue() as ICAL.Time
): string {
  const local = time.toString().slice(0, 19)
  if (time.isDate) return local.slice(0, 10)
  if (time.zone === ical.Timezone.utcTimezone) return `${local}Z`
  const tzid = tzidOf(property)
  const name = ianaName(tzid) ?? (tzid === undefined ? zone : undefined)
  if (name !== undefined) return momentIn(name, instantIn(name, Date.parse(`${local}Z`)))
  const defined = zones.get(tzid ?? '')
  if (defined === undefined) {
    if (tzid !== undefined)
      defects.push({
        kind: 'bad_value',
        tag: property.name.toUpperCase(),
        message: `"${tzid}" is not a known time zone`
      })
    return local
  }
  const seconds = defined.utcOffset(time)
  const [hours, rest] = [Math.floor(Math.abs(seconds) / 3600), Math.floor((Math.abs(seconds) % 3600) / 60)]
  return `${local}${seconds < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

/**
 * The venue in a location such as `Great hall; Theatre, Street 1, 9000 Ghent, BE`: its name is
 * before the first comma, a hall before a semicolon.
 */
function placesIn(
  location: string | undefined,
  component: Component,
  zone: string | undefined
): { readonly venue?: EventPlace; readonly hall?: { id: string; name: string } } {
  if (location === undefined) return {}
  const pieces = location.split('; ')
  const [name = '', ...lines] = (pieces.at(-1) ?? '').split(/[,\n]/).map(each => each.trim())
  const country = lines.length > 0 && /^[A-Z]{2}$/.test(lines.at(-1) ?? '') ? lines.pop() : undefined
  const town = lines.findIndex(each => /^\d{4,5}(?: ?[A-Z]{2})? \S/.test(each))
  const [, code, city] = /^(\d{4,5}(?: ?[A-Z]{2})?) (.+)$/.exec(lines[town] ?? '') ?? []
  const [latitude, longitude] = (component.getFirstPropertyValue('geo') as unknown as number[] | null) ?? []
  const address = lines.filter((_, at) => at !== town).join(', ')
  const venue = { name, address, postal_code: code, city, country, latitude, longitude, time_zone: zone }
  const hall = pieces.length > 1 ? pieces[0] : undefined
  return { venue, ...(hall === undefined ? {} : { hall: { id: `${name}: ${hall}`, name: hall } }) }
}

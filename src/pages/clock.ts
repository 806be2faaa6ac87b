import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { memoize } from '#domain/memoize.ts'
import { momentIn, offsetAt } from '#domain/values/time-zone.ts'
import { zoneOfPlace } from '#domain/values/zone-of-place.ts'
import { cityOf, type Locale } from './locale.ts'

/** The beginning of a performance by the clock of its venue. */
export interface LocalTime {
  /** ISO 8601, with the offset of the venue. */
  readonly iso: string
  /** `2026-01-16` */
  readonly day: string
  /** `20:00` */
  readonly hour: string
  readonly zone: string
}

/** A performance with its venues. */
interface Placed {
  readonly performance: Entity
  readonly venues: readonly Entity[]
}

/**
 * Reads the beginning of a performance by the clock of its venue, else by that of the catalogue.
 */
export function localTimeOf({ performance, venues }: Placed, zone: string): LocalTime {
  return timeIn(performance, venues.flatMap(each => zoneOfPlace(each) ?? [])[0] ?? zone)
}

/** Reads the beginning of a performance by the clocks of a zone. */
export function timeIn(performance: Entity, zone: string): LocalTime {
  const start = String(valuesOf(performance, 'start')[0] ?? '')
  const instant = /(?:Z|[+-]\d\d:?\d\d)$/.test(start) ? Date.parse(start) : Number.NaN
  const iso = Number.isNaN(instant) ? start : momentIn(zone, instant)
  return { iso, day: iso.slice(0, 10), hour: iso.slice(11, 16), zone }
}

const formats = {
  /** Fri 22 */
  shortDay: { weekday: 'short', day: 'numeric' },
  /** Fri 22 Jan */
  dayOfMonth: { weekday: 'short', day: 'numeric', month: 'short' },
  /** Fri 22 Jan 2027 */
  dayOfWeek: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  /** Friday 22 January 2027 */
  longDay: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** 22 Jan */
  day: { day: 'numeric', month: 'short' },
  /** 22 Jan 2027 */
  dayOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  /** January 2027 */
  month: { month: 'long', year: 'numeric' }
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

const formatIn = memoize(100, key => {
  const [tag, name = 'longDay'] = key.split(' ')
  const options = formats[name as keyof typeof formats]
  return new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
})

/** A day in words; a text that is none stays as it is. */
export function dayText({ tag }: Locale, name: keyof typeof formats, day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : formatIn(`${tag} ${name}`).format(time).replace(',', '')
}

/** A day is told without its year where it is nearer than this, in milliseconds. */
const nearby = 300 * 86_400_000

/** Days in words, from the first to the last: `16 Jan – 14 Mar`. */
export function daysText({ tag }: Locale, first: string, last: string, now: number): string {
  const [from, to] = [first, last].map(each => Date.parse(`${each}T00:00:00Z`))
  if (from === undefined || to === undefined || Number.isNaN(from + to)) return first
  const isNear = [from, to].every(each => Math.abs(each - now) < nearby)
  const format = formatIn(`${tag} ${isNear ? 'day' : 'dayOfYear'}`)
  // Words of a range have thin spaces around the dash.
  return from < to ? format.formatRange(from, to).replaceAll('\u2009', ' ') : format.format(from)
}

/** Names the clock by which a time is given, where it is not that of the catalogue. */
export function clockNote({ phrases }: Locale, { iso, zone }: LocalTime, usual: string): string | undefined {
  const instant = Date.parse(iso)
  if (zone === usual || Number.isNaN(instant) || offsetAt(zone, instant) === offsetAt(usual, instant)) return undefined
  return phrases.localTime(cityOf(zone))
}

/** The day and time of a performance in a few words, with its clock where that needs to be told. */
export function momentText(locale: Locale, time: LocalTime, usual: string, now: number): string {
  const isNear = Math.abs(Date.parse(time.day) - now) < nearby
  const clock = clockNote(locale, time, usual)
  const moment = `${dayText(locale, isNear ? 'dayOfMonth' : 'dayOfWeek', time.day)}, ${time.hour}`
  return clock === undefined ? moment : `${moment} (${clock})`
}

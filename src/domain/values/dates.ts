/*
 * Dates as catalogues write them: a day (`2026-02-01`), or a moment (`2026-02-01T19:30:00+01:00`).
 * A moment without a zone is read as UTC. Instants are milliseconds since 1970.
 */

export interface DateReading {
  readonly first: number
  /** The last instant: the end of the day for a bare date, else the same instant. */
  readonly last: number
  readonly isDay: boolean
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/
const momentPattern =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i
const [zero, nine] = [0x30, 0x39]
const dayInMilliseconds = 86_400_000

/**
 * Reads an ISO 8601 date or moment. Returns undefined for anything else, including the 30th of
 * February.
 */
export function readDate(text: string): DateReading | undefined {
  // Most texts are no dates.
  const beginning = text.charCodeAt(0)
  if (!(beginning >= zero && beginning <= nine)) return undefined
  const day = dayPattern.exec(text)
  if (day) {
    const first = instantOfDay(Number(day[1]), Number(day[2]), Number(day[3]))
    return first === undefined ? undefined : { first, last: first + dayInMilliseconds - 1, isDay: true }
  }
  const moment = momentPattern.exec(text)
  if (!moment) return undefined
  const midnight = instantOfDay(Number(moment[1]), Number(moment[2]), Number(moment[3]))
  const hours = Number(moment[4])
  const minutes = Number(moment[5])
  const seconds = Number(moment[6] ?? '0')
  if (midnight === undefined || hours > 23 || minutes > 59 || seconds > 60) return undefined
  const milliseconds = Number((moment[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offset = offsetMinutes(moment[8] ?? 'Z')
  if (offset === undefined) return undefined
  const instant = midnight + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000 + milliseconds
  return { first: instant, last: instant, isDay: false }
}

function instantOfDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const same = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return same ? date.getTime() : undefined
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/*
 * Moments in a time zone (IANA: `Europe/Brussels`), written with their offset from UTC.
 */

/** Tests whether the name of a time zone is known. */
export function isTimeZone(name: string): boolean {
  try {
    formatFor(name)
    return true
  } catch {
    return false
  }
}

/** The moment as ISO 8601 with the offset of the zone: `2026-09-01T20:00:00+02:00`. */
export function momentIn(zone: string, instant: number): string {
  if (zone === utc) return `${new Date(instant).toISOString().slice(0, 19)}Z`
  const offset = offsetAt(zone, instant)
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `${local}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`
}

export const utc = 'UTC'

/**
 * The instant of a local time in a zone, given as if it were UTC. Of a time that occurs twice, when
 * clocks are set back, the first is meant.
 */
export function instantIn(zone: string, local: number): number {
  if (zone === utc) return local
  // The offset an hour or so away may differ from that of the moment itself.
  const candidates = [local - dayInMilliseconds, local + dayInMilliseconds]
    .map(near => local - offsetAt(zone, near) * 60_000)
    .filter(instant => instant + offsetAt(zone, instant) * 60_000 === local)
  return candidates.length > 0 ? Math.min(...candidates) : local - offsetAt(zone, local) * 60_000
}

const dayInMilliseconds = 86_400_000
const pad = (number: number) => String(number).padStart(2, '0')

/** Minutes that a zone is ahead of UTC at an instant. */
function offsetAt(zone: string, instant: number): number {
  const name = formatFor(zone)
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours, minutes = '0'] = /^GMT([+-])(\d{1,2})(?::(\d{2}))?/.exec(name ?? '') ?? []
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Formats by zone: making one takes longer than using it, and there are about 600 zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  if (formats.size < 1000) formats.set(zone, made)
  return made
}

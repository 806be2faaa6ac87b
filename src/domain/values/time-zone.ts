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

/**
 * Tests whether a text is the name of a time zone in the IANA database, as it is written there. An
 * offset from UTC is no name: it does not know summer time.
 */
export const isZoneName = (text: string) =>
  /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(text) && isTimeZone(text)

/** The moment as ISO 8601 with the offset of the zone: `2026-09-01T20:00:00+02:00`. */
export function momentIn(zone: string, instant: number): string {
  if (zone === utc) return `${new Date(instant).toISOString().slice(0, 19)}Z`
  const offset = offsetAt(zone, instant)
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19)
  // Years of more than four digits have another form, and the last hours of 9999 may be in one.
  if (!/^\d/.test(local)) return momentIn(utc, instant)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `${local}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`
}

export const utc = 'UTC'

/**
 * The instant of a local time in a zone, given as if it were UTC. Of a time that occurs twice, when
 * clocks are set back, the first is meant. A time that clocks skip, when they are set forward, is
 * counted on from the time before.
 */
export function instantIn(zone: string, local: number): number {
  if (zone === utc) return local
  // The offset an hour or so away may differ from that of the moment itself.
  const byOffset = [local - dayInMilliseconds, local + dayInMilliseconds].map(
    near => local - offsetAt(zone, near) * 60_000
  )
  const exact = byOffset.filter(instant => instant + offsetAt(zone, instant) * 60_000 === local)
  return exact.length > 0 ? Math.min(...exact) : (byOffset[0] ?? local)
}

/** Tests whether clocks of a zone show the time of an instant twice, because they are set back. */
export function isShownTwice(zone: string, instant: number): boolean {
  const offset = offsetAt(zone, instant)
  return [-dayInMilliseconds, dayInMilliseconds].some(away => {
    const other = instant + (offset - offsetAt(zone, instant + away)) * 60_000
    return other !== instant && other + offsetAt(zone, other) * 60_000 === instant + offset * 60_000
  })
}

/** A change of the clocks of a zone: the instant, and the offsets around it in minutes. */
export interface ClockChange {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** The changes of the clocks of a zone in a year of UTC, and the offset at its beginning. */
export function clockChangesIn(zone: string, year: number): { first: number; changes: readonly ClockChange[] } {
  const [begin, end] = [startOfYear(year), startOfYear(year + 1)]
  const changes: ClockChange[] = []
  const first = offsetAt(zone, begin)
  let from = first
  for (let low = begin; low < end; low += changeStep) {
    const high = Math.min(low + changeStep, end)
    const to = offsetAt(zone, high)
    if (to === from) continue
    let [before, after] = [low, high]
    while (after - before > 60_000) {
      const middle = Math.floor((before + after) / 120_000) * 60_000
      if (offsetAt(zone, middle) === from) before = middle
      else after = middle
    }
    changes.push({ at: after, from, to })
    from = to
  }
  return { first, changes }
}

/** Between two changes of a zone are at least ten days; Morocco has two within five weeks. */
const changeStep = 10 * 86_400_000

function startOfYear(year: number): number {
  const date = new Date(0)
  return date.setUTCFullYear(year, 0, 1)
}

const dayInMilliseconds = 86_400_000
const pad = (number: number) => String(number).padStart(2, '0')

/** Minutes that a zone is ahead of UTC at an instant. */
export function offsetAt(zone: string, instant: number): number {
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

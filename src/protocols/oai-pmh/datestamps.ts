import { readDate } from '#domain/values/dates.ts'
import { oaiError } from './errors.ts'

/** A period, both ends included. */
export interface TimeRange {
  readonly from?: string
  readonly until?: string
}

const day = /^\d{4}-\d{2}-\d{2}$/
const second = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/

/** A time stamp to the second, as in answers. */
export const toDatestamp = (moment: string) => `${moment.slice(0, 19)}Z`

/** Reads `from` and `until`: both days or both seconds, in order. Throws `badArgument`. */
export function readTimeRange(from: string | undefined, until: string | undefined): TimeRange {
  const first = from === undefined ? undefined : readStamp('from', from)
  const last = until === undefined ? undefined : readStamp('until', until)
  if (from !== undefined && until !== undefined && from.length !== until.length)
    throw oaiError('badArgument', '"from" and "until" must both be days, or both be seconds')
  if (first !== undefined && last !== undefined && first.from > last.until)
    throw oaiError('badArgument', '"from" is later than "until"')
  return {
    ...(first === undefined ? {} : { from: first.from }),
    ...(last === undefined ? {} : { until: last.until })
  }
}

function readStamp(name: string, text: string): { from: string; until: string } {
  const date = day.test(text) || second.test(text) ? readDate(text) : undefined
  if (!date)
    throw oaiError(
      'badArgument',
      `"${name}" must be a day such as 2026-01-31 or a second such as 2026-01-31T23:59:59Z, got "${text}"`
    )
  // A second includes its last millisecond.
  return {
    from: new Date(date.first).toISOString(),
    until: new Date(date.isDay ? date.last : date.first + 999).toISOString()
  }
}

import { readDate } from '#domain/values/dates.ts'
import { foldText } from '#domain/values/fold.ts'
import { instantIn, momentIn } from '#domain/values/time-zone.ts'

/*
 * Dates and times as people write them in tables: 5 oktober 2026, 5/10/2026 20.30, Oct 5, 2026,
 * 8 PM.
 */

/** The order of day and month in dates of numbers. */
export const dateOrders = ['DMY', 'MDY'] as const
export type DateOrder = (typeof dateOrders)[number]

export interface DateReader {
  readonly order: DateOrder | undefined
  /** The zone of times without one; undefined leaves them without one. */
  readonly zone: string | undefined
}

/** A day, or a moment in ISO 8601; or the reason why it is neither, as the end of a sentence. */
export type WrittenDate = { readonly text: string } | { readonly problem: string }

/** Maximum characters of a date; longer texts are not examined. */
const maxLength = 100

/** Reads a day. The time of a moment is left out. */
export function readDay(given: string, reader: DateReader): WrittenDate {
  const found = findDay(given, reader)
  return 'problem' in found ? found : { text: found.day }
}

/**
 * Reads a moment. The date and the time may be in two values; a date without a time is a day.
 */
export function readMoment(given: readonly string[], reader: DateReader): WrittenDate {
  const [date = '', ...times] = given
  const found = findDay(date, reader)
  if ('problem' in found) return found
  const apart = times.join(' ').trim()
  const written = apart === '' ? found.rest : apart
  if (written.trim() === '') return { text: found.day }
  const time = findTime(written)
  if (time === undefined) return { problem: `"${written.trim()}" is not a time` }
  const local = `${found.day}T${time.clock}`
  if (time.offset !== undefined) return { text: `${local}${time.offset}` }
  if (reader.zone === undefined) return { text: local }
  const instant = readDate(`${local}Z`)
  return { text: instant === undefined ? local : momentIn(reader.zone, instantIn(reader.zone, instant.first)) }
}

interface FoundDay {
  readonly day: string
  /** The text after the date. */
  readonly rest: string
}

function findDay(given: string, { order }: DateReader): FoundDay | { readonly problem: string } {
  const text = given.trim()
  const unreadable = { problem: `"${text.slice(0, 40)}" is not a date` }
  if (text.length > maxLength) return unreadable
  const found = findIsoDay(text) ?? findNumberDay(text, order) ?? findNamedDay(text)
  if (found === undefined) return unreadable
  if ('problem' in found) return found
  return readDate(found.day) === undefined ? unreadable : found
}

function findIsoDay(text: string): FoundDay | undefined {
  const [all, year = '', month = '', day = ''] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)(?=$|T)/.exec(text) ?? []
  return all === undefined
    ? undefined
    : { day: dayOf(year, month, day), rest: text.slice(all.length).replace(/^T/i, '') }
}

function findNumberDay(
  text: string,
  order: DateOrder | undefined
): FoundDay | { readonly problem: string } | undefined {
  const [all, one = '', sign = '', other = '', year = ''] =
    /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(text) ?? []
  if (all === undefined) return undefined
  const isDayFirst =
    Number(one) > 12 || (Number(other) <= 12 && (order === 'DMY' || (order === undefined && sign === '.')))
  const isMonthFirst = Number(other) > 12 || (!isDayFirst && order === 'MDY')
  if (!isDayFirst && !isMonthFirst)
    return { problem: `"${all}" may be two dates; set "dates" of the mapping to "DMY" or "MDY"` }
  const [day, month] = isDayFirst ? [one, other] : [other, one]
  return { day: dayOf(fullYear(year), month, day), rest: without(text, all) }
}

function findNamedDay(text: string): FoundDay | undefined {
  const folded = foldText(text)
  const dayFirst = /(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th|er|e)?\s*(?:de\s+|of\s+)?([a-z]{3,})\.?,?\s*(\d{4})(?!\d)/.exec(
    folded
  )
  if (dayFirst !== null) {
    const [all, day = '', name = '', year = ''] = dayFirst
    const month = monthNamed(name)
    if (month !== undefined) return { day: dayOf(year, month, day), rest: without(folded, all) }
  }
  const [all, name = '', day = '', year = ''] =
    /(?<![a-z])([a-z]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/.exec(folded) ?? []
  const month = monthNamed(name)
  return all === undefined || month === undefined
    ? undefined
    : { day: dayOf(year, month, day), rest: without(folded, all) }
}

/** The text before a date is the name of a day of the week, if there is any. */
const without = (text: string, date: string) => text.slice(text.indexOf(date) + date.length)

const two = (number: string | number) => String(number).padStart(2, '0')
const dayOf = (year: string, month: string | number, day: string) => `${year}-${two(month)}-${two(day)}`
/** Years of two digits are of 1970 to 2069. */
const fullYear = (year: string) => (year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`)

/** The beginnings of names of months in English, Dutch, French and German, without marks. */
const monthBeginnings: readonly (readonly string[])[] = [
  ['jan'],
  ['feb', 'fev'],
  ['mar', 'maa', 'mrt'],
  ['apr', 'avr'],
  ['may', 'mei', 'mai'],
  ['juin', 'jun'],
  ['juil', 'jul'],
  ['aug', 'aou'],
  ['sep'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dez']
]

function monthNamed(name: string): number | undefined {
  const at = monthBeginnings.findIndex(beginnings => beginnings.some(each => name.startsWith(each)))
  return at < 0 ? undefined : at + 1
}

interface FoundTime {
  readonly clock: string
  readonly offset: string | undefined
}

function findTime(given: string): FoundTime | undefined {
  const text = given
    .trim()
    .replace(/^(?:om|at|a|à|um|,|-|–|\||T)\s*/i, '')
    .trim()
  const [all, hour = '', minute = '0', second = '0', half = ''] =
    /^(\d{1,2})\s*[:.hu]\s*(\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap])?(?:\.?m\.?)?/i.exec(text) ??
    /^(\d{1,2})()()\s*([ap])\.?m\.?/i.exec(text) ??
    /^(\d{1,2})\s*(?:h|u|uur|uhr|heures?)(?![a-z\d])/i.exec(text) ??
    []
  if (all === undefined) return undefined
  const rest = text
    .slice(all.length)
    .replace(/^\s*(?:uur|uhr|h|u)\b\.?/i, '')
    .trim()
  const [, offset] = /^(Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i.exec(rest) ?? []
  if (rest !== '' && offset === undefined) return undefined
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return {
    clock: `${two(hours)}:${two(minute === '' ? 0 : minute)}:${two(second === '' ? 0 : second)}`,
    offset: offset === undefined ? undefined : /^[+-]/.test(offset) ? offset : 'Z'
  }
}

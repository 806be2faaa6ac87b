/*
 * Dates with times as people type and paste them, one line a date, in English, Dutch, French and
 * German. The day comes before the month: `3/4/2027` is in April.
 */

/** A date of a list, or a line that cannot be read. */
export interface TypedDate {
  readonly line: string
  /** The day and the time at the venue, as `2027-04-03T20:00`. */
  readonly moment?: string
  /** Whether the line cannot be read, names another day of the week, or has a date again. */
  readonly fault?: 'unread' | 'otherDay' | 'twice'
}

interface Usual {
  /** The day after which a date without a year is looked for, as `2027-04-03`. */
  readonly from: string
  /** The time of lines that have none, as `20:00`. */
  readonly time: string
}

const monthNames = [
  'january januari janvier januar janner',
  'february februari fevrier februar',
  'march maart mars marz mrt mrz',
  'april avril',
  'may mei mai',
  'june juni juin',
  'july juli juillet',
  'august augustus aout',
  'september septembre',
  'october oktober octobre',
  'november novembre',
  'december dezember decembre'
].map(names => names.split(' '))

/** By the number of `getUTCDay`. */
const dayNames = [
  'sunday zondag dimanche sonntag',
  'monday maandag lundi montag',
  'tuesday dinsdag mardi dienstag',
  'wednesday woensdag mercredi mittwoch',
  'thursday donderdag jeudi donnerstag',
  'friday vrijdag vendredi freitag',
  'saturday zaterdag samedi samstag sonnabend'
].map(names => names.split(' '))

/** Words around a date that say nothing. */
const fillers = new Set('a am and at de den der en et le of om on op the u uhr um und uur h hrs'.split(' '))

const between = /\d\s{0,2}(?:-|–|tot|bis|to)\s{0,2}\d{1,2}[:.hu]\d/
const isoDay = /\b(\d{4})-(\d{1,2})-(\d{1,2})t?/g
const dayMonth = /\b(\d{1,2})(?:er|st|nd|rd|th|e|\.)?\s{0,3}(?:of\s|de\s)?([a-z]{3,9})\b\.?,?(?:\s{0,3}(\d{4})\b)?/g
const monthDay = /\b([a-z]{3,9})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?(?![:.hu\d]),?(?:\s{0,3}(\d{4})\b)?/g
const numbers = /\b(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4}|\d{2}))?(?!\d)/g
const clock = /\b(\d{1,2})(?:\s?[:.hu]\s?(\d{2})(?::00)?)?\s?(am|pm|h|u|uur|uhr|hrs|heures?)?\b/g

/** The dates of a list. A line may have several times; one without a time is at the usual time. */
export function readDates(text: string, usual: Usual): readonly TypedDate[] {
  const seen = new Set<string>()
  let from = usual.from
  return text
    .split(/[\n;]/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .flatMap((line): readonly TypedDate[] => {
      const read = readLine(line, from)
      if (typeof read === 'string') return [{ line, fault: read }]
      from = read.day
      return (read.times.length === 0 ? [usual.time] : read.times).map(time => {
        const moment = `${read.day}T${time}`
        if (seen.has(moment)) return { line, moment, fault: 'twice' }
        seen.add(moment)
        return { line, moment }
      })
    })
}

/** The days of a period that are on these days of the week; all days if none is given. */
export function daysOf(first: string, last: string, weekDays: readonly number[]): readonly string[] {
  const [start, end] = [Date.parse(first), Date.parse(last === '' ? first : last)]
  const count = Number.isNaN(start + end) ? 0 : Math.min(maxDays, (end - start) / dayMilliseconds + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) => new Date(start + index * dayMilliseconds))
    .filter(day => weekDays.length === 0 || weekDays.includes(day.getUTCDay()))
    .map(day => day.toISOString().slice(0, 10))
}

const dayMilliseconds = 86_400_000
/** Maximum number of days of a period. */
const maxDays = 366

/** A date with its time in the language of the reader, as `readDates` reads it. */
export const dateText = (moment: string, locale: string) =>
  new Intl.DateTimeFormat(locale, {
    ...({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const)
  }).format(new Date(`${moment}Z`))

function readLine(line: string, from: string): { day: string; times: readonly string[] } | 'unread' | 'otherDay' {
  const plain = line
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\b([ap])\.m\b\.?/g, '$1m')
  const found = findDay(plain, from)
  if (!found || between.test(plain)) return 'unread'
  const afterDay = `${plain.slice(0, found.start)} ${plain.slice(found.end)}`
  const times: string[] = []
  const rest = afterDay.replace(clock, (whole: string, hour: string, minute?: string, suffix?: string) => {
    const time = minute === undefined && suffix === undefined ? undefined : timeOf(Number(hour), minute ?? '00', suffix)
    if (time === undefined) return whole
    times.push(time)
    return ' '
  })
  const words = rest.match(/[a-z\d]+/g) ?? []
  const named = words.filter(word => !fillers.has(word)).map(word => numbersOf(dayNames, word, 2))
  if (named.some(days => days.length === 0)) return 'unread'
  const weekDay = new Date(found.day).getUTCDay()
  return named.every(days => days.includes(weekDay)) ? { day: found.day, times } : 'otherDay'
}

interface FoundDay {
  readonly day: string
  readonly start: number
  readonly end: number
}

/** The first day in a text that exists. One without a year is the next such day. */
function findDay(text: string, from: string): FoundDay | undefined {
  const monthOf = (word = '') => {
    const all = numbersOf(monthNames, word, 3)
    return all.length === 1 ? (all[0] ?? 0) + 1 : 0
  }
  const inOrder: readonly [RegExp, (parts: readonly string[]) => readonly [string | undefined, number, string?]][] = [
    [isoDay, ([, year, month, day]) => [year, Number(month), day]],
    [dayMonth, ([, day, month, year]) => [year, monthOf(month), day]],
    [monthDay, ([, month, day, year]) => [year, monthOf(month), day]],
    [numbers, ([, day, month, year]) => [year, Number(month), day]]
  ]
  for (const [pattern, partsOf] of inOrder)
    for (const match of text.matchAll(pattern)) {
      const [year, month, day] = partsOf(match)
      const found = year === undefined ? nextDay(from, month, Number(day)) : dayOf(fullYear(year), month, Number(day))
      if (found !== undefined) return { day: found, start: match.index, end: match.index + match[0].length }
    }
  return undefined
}

const fullYear = (year: string) => Number(year) + (year.length === 2 ? 2000 : 0)

function nextDay(from: string, month: number, day: number): string | undefined {
  const year = Number(from.slice(0, 4))
  const found = dayOf(year, month, day)
  return found !== undefined && found < from ? dayOf(year + 1, month, day) : found
}

/** A day as text; undefined if the calendar does not have it. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const text = [String(year).padStart(4, '0'), ...[month, day].map(each => String(each).padStart(2, '0'))].join('-')
  const moment = Date.parse(text)
  return Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 10) !== text ? undefined : text
}

function timeOf(hour: number, minute: string, suffix: string | undefined): string | undefined {
  const isHalfDay = suffix === 'am' || suffix === 'pm'
  const hours = isHalfDay ? (hour % 12) + (suffix === 'pm' ? 12 : 0) : hour
  if (hours > 23 || Number(minute) > 59 || (isHalfDay && (hour < 1 || hour > 12))) return undefined
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** The numbers of the names that begin with a word. */
const numbersOf = (names: readonly (readonly string[])[], word: string, min: number) =>
  word.length < min ? [] : names.flatMap((each, index) => (each.some(name => name.startsWith(word)) ? [index] : []))

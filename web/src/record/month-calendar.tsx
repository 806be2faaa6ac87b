import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from '../parts/router.tsx'

import type { Entity, Filter } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { instantOf, localTime } from '../data/time-zones.ts'
import { useRecords } from '../data/use-names.ts'
import { recordKey } from '../data/use-record.ts'
import { useZones } from '../data/use-zone.ts'
import { useLocale } from '../i18n/locale.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'
import { ZoneNote } from './zone-note.tsx'
import { RecordNames } from '../parts/record-name.tsx'

interface MonthCalendarProps {
  readonly entity: Entity
  /** The filters of its performances in a period. */
  readonly filtersIn: (from: string, to: string) => Filter[]
  /** The month that is shown first, as `2026-01`. */
  readonly first: string
  /** The relations of a performance that are shown. */
  readonly tells: readonly string[]
}

/** Maximum number of performances of one month. */
const maxPerformances = 1000

/** The performances of a record as a calendar, one month at a time. */
export function MonthCalendar({ entity, filtersIn, first, tells }: MonthCalendarProps) {
  const { client } = useSession()
  const { words, locale, number } = useLocale()
  const [month, setMonth] = useState(first)
  const days = daysOf(month)
  // A day more at each end: it may be another day there than here.
  const filters = filtersIn(shifted(days[0] ?? '', -1), shifted(days.at(-1) ?? '', 1))
  const page = useQuery({
    queryKey: [...recordKey(entity.id), 'month', filters],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.entities.find(filters, { limit: maxPerformances, orderBy: 'start', signal })
  })
  const title = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const dayName = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', timeZone: 'UTC' })
  const shows = useShows(page.data?.results ?? [], tells)
  const byDay = Map.groupBy(shows, ({ day }) => day)
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const count = shows.filter(({ day }) => day.startsWith(month)).length
  return (
    <div className="calendar">
      <div className="calendar-head">
        <button
          type="button"
          className="icon-button"
          aria-label={words.earlierMonth}
          onClick={() => setMonth(monthAfter(month, -1))}
        >
          <ChevronLeft size={18} aria-hidden="true" />
        </button>
        <h3 aria-live="polite">
          {title.format(new Date(`${month}-01T00:00:00Z`))} <span className="count">{number(count)}</span>
        </h3>
        <button
          type="button"
          className="icon-button"
          aria-label={words.laterMonth}
          onClick={() => setMonth(monthAfter(month, 1))}
        >
          <ChevronRight size={18} aria-hidden="true" />
        </button>
      </div>
      <SectionNote queries={[page]} label={words.performances} />
      <ZoneNote zones={shows.map(({ zone }) => zone)} />
      <table>
        <thead>
          <tr>
            {weeks[0]?.map(day => (
              <th key={day} scope="col">
                {weekday.format(new Date(`${day}T00:00:00Z`))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(week => (
            <tr key={week[0]}>
              {week.map(day => {
                const played = day.startsWith(month) ? (byDay.get(day) ?? []) : []
                return (
                  <td
                    key={day}
                    className={[
                      day.startsWith(month) ? '' : 'outside',
                      played.length === 0 ? 'empty' : '',
                      day === new Date().toLocaleDateString('sv') ? 'today' : ''
                    ].join(' ')}
                  >
                    <time dateTime={day}>
                      <span className="calendar-number">{Number(day.slice(-2))}</span>
                      <span className="calendar-day">{dayName.format(new Date(`${day}T00:00:00Z`))}</span>
                    </time>
                    {played.length > 0 && (
                      <ul>
                        {played.map(({ performance, time, shown, isOff }) => (
                          <li key={performance.id} className={isOff ? 'off' : ''}>
                            <Link to={`/record/${encodeURIComponent(performance.id)}`}>
                              <span className="performance-hour">{time}</span> <RecordNames records={shown} />
                            </Link>
                          </li>
                        ))}
                      </ul>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Performances with their day and time at the venue, and the names of their surroundings. */
function useShows(performances: readonly Entity[], tells: readonly string[]) {
  const related = (performance: Entity, types: readonly string[]) =>
    types.flatMap(type => performance.relations.find(each => each.type === type)?.key ?? [])
  const records = useRecords(performances.flatMap(each => related(each, tells)))
  const zoneAt = useZones(performances)
  return performances.map(performance => {
    const zone = zoneAt(performance)
    const start = instantOf(textOf(valuesOf(performance, 'start')[0] ?? ''))
    const status = textOf(valuesOf(performance, 'status')[0] ?? '')
    return {
      performance,
      zone,
      ...localTime(start, zone),
      shown: related(performance, tells).flatMap(id => records.get(id) ?? []),
      isOff: status === 'cancelled' || status === 'postponed'
    }
  })
}

const dayMilliseconds = 86_400_000

const dayText = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)

const shifted = (day: string, days: number) => dayText(Date.parse(`${day}T00:00:00Z`) + days * dayMilliseconds)

/** The days of the weeks that a month touches, from Monday to Sunday. */
function daysOf(month: string): readonly string[] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const last = Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`) - dayMilliseconds
  const weekdayOf = (moment: number) => (new Date(moment).getUTCDay() + 6) % 7
  const start = first - weekdayOf(first) * dayMilliseconds
  const end = last + (6 - weekdayOf(last)) * dayMilliseconds
  return Array.from({ length: (end - start) / dayMilliseconds + 1 }, (_, day) => dayText(start + day * dayMilliseconds))
}

function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

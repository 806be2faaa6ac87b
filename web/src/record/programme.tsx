import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '../parts/router.tsx'

import type { Entity, Filter } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { days, type StageTypes } from '../data/stage-types.ts'
import { instantOf, isElsewhere, zoneName } from '../data/time-zones.ts'
import { useRecords } from '../data/use-names.ts'
import { usePages } from '../data/use-pages.ts'
import { recordKey } from '../data/use-record.ts'
import { useZones } from '../data/use-zone.ts'
import { SectionNote } from '../parts/section-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { MonthCalendar } from './month-calendar.tsx'
import { ProgrammeActions } from './programme-actions.tsx'
import { ZoneNote } from './zone-note.tsx'
import './production.css'
import { RecordNames } from '../parts/record-name.tsx'

const performancesAtOnce = 100

/**
 * The path from performances to the record whose programme it is, and the relations shown of each.
 */
const programmes: Readonly<Record<string, { readonly path: string; readonly tells: readonly string[] }>> = {
  production: { path: 'relations.refProduction.key', tells: ['refVenues'] },
  venue: { path: 'relations.refVenues.key', tells: ['refProduction'] },
  company: { path: 'properties.refProduction.refCompanies.value', tells: ['refProduction', 'refVenues'] },
  booking_agency: { path: 'properties.refProduction.refBookingAgency.value', tells: ['refProduction', 'refVenues'] },
  season: { path: 'properties.refProduction.refSeasons.value', tells: ['refProduction', 'refVenues'] },
  hall: { path: 'relations.refHalls.key', tells: ['refProduction'] },
  subscription: { path: 'relations.refSubscriptions.key', tells: ['refProduction', 'refVenues'] },
  tour: { path: 'relations.refTours.key', tells: ['refProduction', 'refVenues'] }
}

/** The performances of a record: upcoming ones by month, past ones on request. */
export function Programme({ entity }: { readonly entity: Entity }) {
  const { model } = useSession()
  const { words, number } = useLocale()
  const [opened, setOpened] = useState<boolean>()
  const [view, setView] = useState<'list' | 'month'>('list')
  // From midnight, so that tonight's performance still counts as upcoming.
  const today = new Date().toLocaleDateString('sv')
  const programme = programmes[entity.type]
  const coming = usePerformances(entity, { min: today }, true)
  // Without upcoming performances the past ones are open.
  const isPastOpen = opened ?? coming.count === 0
  const past = usePerformances(entity, { max: today, included: false }, isPastOpen)
  const countOfPast = usePastCount(entity, { max: today, included: false })
  const pastCount = countOfPast.data
  if (!programme) return null
  if (coming.count === undefined || pastCount === undefined)
    return <SectionNote queries={[coming.pages, countOfPast]} label={words.performances} />
  const all = coming.count + pastCount
  if (all === 0 && entity.type !== model.stage.production?.type) return null
  return (
    <section>
      <h2 className="section-title">
        {words.performances} <span className="count">{number(all)}</span>
      </h2>
      {all > 0 && (
        <div className="programme-tools">
          <fieldset className="segmented" aria-label={words.view}>
            {(['list', 'month'] as const).map(each => (
              <button key={each} type="button" aria-pressed={view === each} onClick={() => setView(each)}>
                {words.views[each]}
              </button>
            ))}
          </fieldset>
          <ProgrammeActions entity={entity} />
        </div>
      )}
      {all > 0 && view === 'month' && (
        <MonthCalendar
          entity={entity}
          tells={programme.tells}
          first={firstMonth(coming.results[0])}
          filtersIn={(from, to) => filtersOf(model.stage, entity, { min: from, max: to })}
        />
      )}
      {all === 0 && <p className="soft">{words.noPerformances}</p>}
      {view === 'list' && all > 0 && coming.count === 0 && <p className="soft">{words.nothingToCome}</p>}
      {view === 'list' && (
        <>
          <Months performances={coming.results} tells={programme.tells} />
          <ShowMore
            pages={coming.pages}
            shown={coming.results.length}
            count={coming.count}
            label={words.performances}
          />
        </>
      )}
      {view === 'list' && pastCount > 0 && (
        <details className="past" open={isPastOpen} onToggle={event => setOpened(event.currentTarget.open)}>
          <summary>{words.earlierPerformances(number(pastCount))}</summary>
          <SectionNote queries={[past.pages]} label={words.performances} />
          <Months performances={past.results} tells={programme.tells} />
          <ShowMore pages={past.pages} shown={past.results.length} count={past.count} label={words.performances} />
        </details>
      )}
    </section>
  )
}

/** The month that a calendar opens at: that of the next performance, or this one. */
function firstMonth(next: Entity | undefined): string {
  const start = new Date(textOf(next ? (valuesOf(next, 'start')[0] ?? '') : ''))
  return (Number.isNaN(start.getTime()) ? new Date() : start).toLocaleDateString('sv').slice(0, 7)
}

interface Days {
  readonly min?: string
  readonly max?: string
  readonly included?: boolean
}

function filtersOf({ performance, season }: StageTypes, entity: Entity, when: Days): Filter[] {
  const path = programmes[entity.type]?.path ?? ''
  // A production may continue in the next season; a season lists the performances within its dates.
  const [first] = valuesOf(entity, days.first)
  const [last] = valuesOf(entity, days.last)
  const isWithin = entity.type === season?.row.type && first !== undefined && last !== undefined
  return [
    { type: 'type', value: performance?.type },
    { type: 'selection', key: path, value: [entity.id], match_exact: true },
    { type: 'date', key: 'properties.start.value', value: { ...when } },
    ...(isWithin
      ? [{ type: 'date', key: 'properties.start.value', value: { min: textOf(first), max: textOf(last) } }]
      : [])
  ]
}

/** Upcoming performances in order of time, past ones latest first. */
function usePerformances(entity: Entity, when: Days, isWanted: boolean) {
  const { client, model } = useSession()
  const filters = filtersOf(model.stage, entity, when)
  const pages = usePages({
    queryKey: [...recordKey(entity.id), 'performances', filters],
    enabled: isWanted && entity.type in programmes,
    body: filters,
    first: signal =>
      client.entities.find(filters, {
        limit: performancesAtOnce,
        orderBy: 'start',
        descending: when.min === undefined,
        signal
      })
  })
  return { pages, count: pages.data?.pages[0]?.count, results: pages.data?.pages.flatMap(page => page.results) ?? [] }
}

function usePastCount(entity: Entity, when: Days) {
  const { client, model } = useSession()
  const filters = filtersOf(model.stage, entity, when)
  return useQuery({
    queryKey: [...recordKey(entity.id), 'performances counted', filters],
    enabled: entity.type in programmes,
    queryFn: ({ signal }) => client.entities.find(filters, { limit: 0, signal }).then(page => page.count)
  })
}

interface MonthsProps {
  readonly performances: readonly Entity[]
  /** The relations of a performance that are shown. */
  readonly tells: readonly string[]
}

function Months({ performances, tells }: MonthsProps) {
  const { valueName, locale } = useLocale()
  const played = performances.map(performance => ({
    performance,
    start: instantOf(textOf(valuesOf(performance, 'start')[0] ?? '')),
    status: textOf(valuesOf(performance, 'status')[0] ?? ''),
    told: tells.flatMap(type => performance.relations.find(each => each.type === type)?.key ?? [])
  }))
  const records = useRecords(played.flatMap(({ told }) => told))
  const zoneAt = useZones(performances)
  const inZone = (options: Intl.DateTimeFormatOptions, moment: Date, zone: string) =>
    Number.isNaN(moment.getTime()) ? '' : new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }).format(moment)
  const month = ({ performance, start }: (typeof played)[number]) =>
    inZone({ month: 'long', year: 'numeric' }, start, zoneAt(performance))
  const months = [...Map.groupBy(played, month)].map(([name, all]) => (
    <div key={name} className="month">
      <h3>{name}</h3>
      <ul>
        {all.map(({ performance, start, status, told }) => {
          const shown = told.flatMap(id => records.get(id) ?? [])
          const zone = zoneAt(performance)
          const isOff = status === 'cancelled' || status === 'postponed'
          return (
            <li key={performance.id} className={isOff ? 'performance off' : 'performance'}>
              <Link to={`/record/${encodeURIComponent(performance.id)}`}>
                <span className="performance-day">{inZone({ weekday: 'short', day: 'numeric' }, start, zone)}</span>
                <span className="performance-hour">
                  {inZone({ hour: '2-digit', minute: '2-digit' }, start, zone)}
                  {isElsewhere(start, zone) && <span className="zone"> {zoneName(zone)}</span>}
                </span>
                <span className="performance-place">
                  {shown.length > 0 ? <RecordNames records={shown} /> : '\u00a0'}
                </span>
                {status !== '' && status !== 'scheduled' && <span className="tag">{valueName(status)}</span>}
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  ))
  return (
    <>
      <ZoneNote zones={performances.map(zoneAt)} />
      {months}
    </>
  )
}

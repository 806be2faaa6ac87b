import { Check, CircleDashed, CircleHelp, CircleMinus, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'

import type { Entity, FieldRow, Readiness } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useReferring } from '../data/use-record.ts'
import { HtmlText } from '../parts/html-text.tsx'
import { useSpeech } from '../words/words.tsx'
import './production.css'

/** Fields that say how far the material of a show is: those whose values run up to `complete`. */
export const readinessFields = (fields: readonly FieldRow[]) =>
  fields.filter(({ of }) => of?.includes('complete') && of.includes('follows_later'))

const stages: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: string }>> = {
  complete: { icon: Check, tone: 'good' },
  partially: { icon: CircleDashed, tone: 'middling' },
  follows_later: { icon: Clock, tone: 'waiting' },
  not_applicable: { icon: CircleMinus, tone: 'none' },
  status_to_be_determined: { icon: CircleHelp, tone: 'open' }
}

/** How far the material of a production is, at a glance: what is declared, how many files there are, and whether the two go together. */
export function ReadinessStages({ readiness }: { readonly readiness: Readiness }) {
  const { words, valueName, number } = useSpeech()
  const wanted = readiness.categories.filter(({ declared }) => declared !== 'not_applicable')
  const ready = wanted.filter(({ done, agrees }) => done && agrees).length
  return (
    <section>
      <h2 className="section-title">
        {words.readiness} <span className="count">{words.readinessOf(ready, wanted.length)}</span>
      </h2>
      <meter
        className="readiness-meter"
        min={0}
        max={Math.max(1, wanted.length)}
        value={ready}
        aria-label={words.readiness}
      >
        {words.readinessOf(ready, wanted.length)}
      </meter>
      <ul className="readiness">
        {readiness.categories.map(({ category, declared, files, agrees }) => {
          const { icon: Icon, tone } = stages[declared] ?? { icon: CircleHelp, tone: 'open' }
          return (
            <li key={category} className={`stage stage-${agrees ? tone : 'bad'}`}>
              {agrees ? <Icon size={18} aria-hidden="true" /> : <TriangleAlert size={18} aria-hidden="true" />}
              <span className="stage-name">{valueName(category)}</span>
              <span className="stage-value">
                {valueName(declared)} · {words.files(files, number(files))}
              </span>
            </li>
          )
        })}
      </ul>
      {readiness.categories.some(({ agrees }) => !agrees) && (
        <p className="note note-warn readiness-note">{words.readinessDisagrees}</p>
      )}
    </section>
  )
}

/** The texts of a production, as they would be read in a programme. */
export function Texts({ entity, keys }: { readonly entity: Entity; readonly keys: readonly string[] }) {
  const { fieldName, language } = useSpeech()
  return keys.flatMap(key => {
    const [value] = valuesOf(entity, key, language)
    if (value === undefined) return []
    return [
      <section key={key} className="prose">
        <h2 className="section-title">{fieldName(key)}</h2>
        <HtmlText html={textOf(value)} />
      </section>
    ]
  })
}

const mostPerformances = 300

/** When and where it is played, month by month. */
export function Calendar({ entity }: { readonly entity: Entity }) {
  const { words, valueName, language } = useSpeech()
  const nameOf = useNameOf()
  const performances = useReferring(entity.id, 'refProduction', mostPerformances, 'start')
  const played = (performances.data?.results ?? []).map(performance => ({
    performance,
    start: textOf(valuesOf(performance, 'start')[0] ?? ''),
    status: textOf(valuesOf(performance, 'status')[0] ?? ''),
    venue: performance.relations.find(({ type }) => type === 'refVenues')?.key
  }))
  const venues = useRecords(played.flatMap(({ venue }) => venue ?? []))
  if (!performances.data) return null
  const locale = language === 'en' ? 'en-GB' : 'nl-BE'
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' })
  const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  const months = [...Map.groupBy(played, ({ start }) => month.format(new Date(start)))]
  return (
    <section>
      <h2 className="section-title">
        {words.performances} <span className="count">{performances.data.count}</span>
      </h2>
      {played.length === 0 && <p className="soft">{words.noPerformances}</p>}
      {months.map(([name, all]) => (
        <div key={name} className="month">
          <h3>{name}</h3>
          <ul>
            {all.map(({ performance, start, status, venue }) => {
              const place = venue === undefined ? undefined : venues.get(venue)
              const isOff = status === 'cancelled' || status === 'postponed'
              return (
                <li key={performance.id} className={isOff ? 'performance off' : 'performance'}>
                  <Link to={`/record/${encodeURIComponent(performance.id)}`}>
                    <span className="performance-day">{day.format(new Date(start))}</span>
                    <span className="performance-hour">{hour.format(new Date(start))}</span>
                    <span className="performance-place">{place ? nameOf(place) : '\u00a0'}</span>
                    {status !== '' && status !== 'scheduled' && <span className="tag">{valueName(status)}</span>}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </section>
  )
}

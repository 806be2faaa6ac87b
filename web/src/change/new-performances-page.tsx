import { Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Choices } from '../parts/choices.tsx'
import { useNavigate, useSearchParams } from '../parts/router.tsx'

import { type Entity, isProblem } from '../../../client/index.ts'
import { zoneName, zoneOf } from '../data/time-zones.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useRecord } from '../data/use-record.ts'
import { useLocale } from '../i18n/locale.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { dropDraft, findDraft, newDraftName } from './drafts.ts'
import { faultsOf, type FormFaults, noFaults } from './form-content.ts'
import { FormFoot } from './form-foot.tsx'
import { ofParameter, performancesOf } from './prefill.ts'
import { RecordPicker } from './record-picker.tsx'
import { dateText, daysOf, readDates } from './typed-dates.ts'
import { useChanges } from './use-changes.ts'
import { useDraft } from './use-draft.ts'
import { useSaving } from './use-saving.ts'
import { writeTogether } from './write-together.ts'
import './change.css'
import { RecordName } from '../parts/record-name.tsx'

export default function NewPerformancesPage() {
  const [query] = useSearchParams()
  const id = query.get(ofParameter) ?? ''
  const { model } = useSession()
  const { words } = useLocale()
  const production = useRecord(id)
  const { performance } = model.stage
  if (id === '' || !performance?.may.includes('write')) return <FullPageNote isWhole title={words.pageNotFound} />
  if (!production.data) return <QueryNote isWhole query={production} />
  return <PerformancesForm key={id} production={production.data} />
}

/** The unsaved input: the dates as text, their venue, and the other venue of single dates. */
interface PerformancesDraft {
  readonly text: string
  readonly venue: string
  readonly venueAt: Readonly<Record<string, string>>
}

const usualTime = '20:00'
const today = () => new Date().toISOString().slice(0, 10)

/** A form for several performances of a production at once: a list of dates, one in each line. */
function PerformancesForm({ production }: { readonly production: Entity }) {
  const { client, model } = useSession()
  const { words, problemText, locale, number, relationName } = useLocale()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const id = useId()
  const { created } = useChanges()
  const draftName = newDraftName(performancesOf(production.id))
  const venues = production.relations.filter(({ type }) => type === 'refVenues').map(({ key }) => key)
  const [typed, setTyped] = useState<PerformancesDraft>(() => ({
    ...{ text: '', venue: venues[0] ?? '', venueAt: {} },
    ...findDraft<Partial<PerformancesDraft>>(draftName)
  }))
  const { text, venue, venueAt } = typed
  const [faults, setFaults] = useState<FormFaults>(noFaults)
  const [time, setTime] = useState(usualTime)
  const known = [...new Set([...venues, venue, ...Object.values(venueAt)])].filter(each => each !== '')
  const records = useRecords(known)
  const isUntouched = text.trim() === ''
  const forgetDraft = useDraft(draftName, isUntouched ? undefined : typed)
  const dates = readDates(text, { from: today(), time })
  const isRead = dates.length > 0 && dates.every(({ fault }) => fault === undefined)
  const title = words.performancesOf(nameOf(production))
  useTitle(title)

  const { performance } = model.stage
  const toProduction = performance?.relations.find(({ to }) => to.includes(production.type))?.type ?? ''
  const venueTypes = performance?.relations.find(({ type }) => type === 'refVenues')?.to ?? []
  const save = useSaving({
    mutationFn: (moments: readonly string[]) =>
      writeTogether(
        client,
        [],
        moments.map(moment => {
          const place = venueAt[moment] ?? venue
          return {
            op: 'create' as const,
            id: `PF-${crypto.randomUUID()}`,
            type: performance?.type,
            // Without an offset: the service adds that of the venue.
            metadata: [{ key: performance?.name_field ?? '', value: `${moment}:00` }],
            relations: [
              { type: toProduction, key: production.id },
              ...(place === '' ? [] : [{ type: 'refVenues', key: place }])
            ]
          }
        })
      ),
    onSuccess: async made => {
      forgetDraft()
      const [first] = made
      if (first)
        await created(made, first, words.performancesAdded(made.length, number(made.length), nameOf(production)))
    },
    onError: error =>
      setFaults(
        isProblem(error)
          ? faultsOf(error, { entries: [], targets: [] }, problemText)
          : { ...noFaults, rest: [problemText(error)] }
      )
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isRead) return setFaults({ ...noFaults, rest: [words.datesUnread] })
    setFaults(noFaults)
    const moments = dates.flatMap(({ moment }) => moment ?? [])
    save.mutate(moments, { onSuccess: () => navigate(`/record/${encodeURIComponent(production.id)}`) })
  }
  const cancel = () => {
    dropDraft(draftName)
    navigate(`/record/${encodeURIComponent(production.id)}`)
  }
  const venueChoices = (
    <>
      <option value="">{words.noChoice}</option>
      {known.map(each => {
        const record = records.get(each)
        return (
          <option key={each} value={each}>
            {record ? <RecordName record={record} /> : each}
          </option>
        )
      })}
    </>
  )
  return (
    <form className="change dates-form" onSubmit={submit} noValidate>
      <h1>{title}</h1>
      <div className="dates-typed">
        <div className="date-row">
          <label htmlFor={`${id}-venue`}>
            {relationName('refVenues')}
            <select
              id={`${id}-venue`}
              value={venue}
              onChange={event => setTyped({ ...typed, venue: event.target.value })}
            >
              {venueChoices}
            </select>
          </label>
          <RecordPicker
            label={words.otherVenue}
            types={venueTypes}
            without={known}
            onPick={picked => setTyped({ ...typed, venue: picked.id })}
          />
        </div>
        <label htmlFor={`${id}-dates`}>{words.datesLines}</label>
        <textarea
          id={`${id}-dates`}
          rows={Math.min(20, Math.max(8, text.split('\n').length))}
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={event => setTyped({ ...typed, text: event.target.value })}
        />
        <p id={`${id}-hint`} className="hint">
          {words.datesHint(dateText('2027-04-03T20:30', locale))}{' '}
          {words.inZone(zoneName(zoneOf(records.get(venue), model.timeZone)))}
        </p>
        <DaysOfWeek
          time={time}
          onTime={setTime}
          onAdd={lines => setTyped({ ...typed, text: [text.trimEnd(), ...lines].filter(Boolean).join('\n') })}
        />
      </div>
      <section className="dates-read" aria-live="polite">
        <h2 className="section-title">{words.performancesCount(dates.length, number(dates.length))}</h2>
        <ol className="dates">
          {dates.map(({ line, moment, fault }, index) => (
            // Equal lines are told apart by their place only.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is read from the text as a whole
            <li key={index}>
              <span className={fault === undefined ? '' : 'fault'}>
                {moment === undefined ? line : dateText(moment, locale)}
                {fault !== undefined && `: ${words.dateFaults[fault]}`}
              </span>
              {known.length > 1 && moment !== undefined && fault === undefined && (
                <select
                  aria-label={`${relationName('refVenues')}: ${dateText(moment, locale)}`}
                  value={venueAt[moment] ?? venue}
                  onChange={event => setTyped({ ...typed, venueAt: { ...venueAt, [moment]: event.target.value } })}
                >
                  {venueChoices}
                </select>
              )}
            </li>
          ))}
        </ol>
      </section>
      <FormFoot faults={[faults]} isBusy={save.isPending} isIdle={isUntouched} onCancel={cancel} />
    </form>
  )
}

interface DaysOfWeekProps {
  readonly time: string
  readonly onTime: (time: string) => void
  readonly onAdd: (lines: readonly string[]) => void
}

/** Monday first, by the number of `getUTCDay`. */
const weekDays = [1, 2, 3, 4, 5, 6, 0]

/** Adds the days of a period to the list: all, or those of some days of the week. */
function DaysOfWeek({ time, onTime, onAdd }: DaysOfWeekProps) {
  const { words, locale, fieldName } = useLocale()
  const id = useId()
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [except, setExcept] = useState('')
  const without = readDates(except.replaceAll(',', '\n'), { from: first || today(), time })
  const isUnread = without.some(({ fault }) => fault === 'unread' || fault === 'otherDay')
  const days = daysOf(first, last, chosen).filter(day => !without.some(({ moment }) => moment?.startsWith(day)))
  // 4 January 1970 was a Sunday.
  const dayName = (day: number) =>
    new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(1970, 0, 4 + day)))
  return (
    <fieldset className="date-row">
      <legend>{words.daysOfPeriod}</legend>
      <label htmlFor={`${id}-first`}>
        {words.from}
        <input id={`${id}-first`} type="date" value={first} onChange={event => setFirst(event.target.value)} />
      </label>
      <label htmlFor={`${id}-last`}>
        {words.to}
        <input id={`${id}-last`} type="date" value={last} onChange={event => setLast(event.target.value)} />
      </label>
      <label htmlFor={`${id}-time`}>
        {fieldName('start')}
        <input id={`${id}-time`} type="time" value={time} onChange={event => onTime(event.target.value || usualTime)} />
      </label>
      <label htmlFor={`${id}-except`}>
        {words.exceptDays}
        <input
          id={`${id}-except`}
          aria-invalid={isUnread}
          value={except}
          onChange={event => setExcept(event.target.value)}
        />
      </label>
      <div className="week-days">
        <Choices of={weekDays} chosen={chosen} onChoose={setChosen} name={dayName} />
      </div>
      <button
        type="button"
        className="button"
        disabled={days.length === 0 || isUnread}
        onClick={() => onAdd(days.map(day => dateText(`${day}T${time}`, locale)))}
      >
        <Plus size={16} aria-hidden="true" /> {words.addDays(days.length)}
      </button>
    </fieldset>
  )
}

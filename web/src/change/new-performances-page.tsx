import { Plus, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

import { type Entity, isProblem } from '../../../client/index.ts'
import { isWallTime, zoneName, zoneOf } from '../data/time-zones.ts'
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
import { useChanges } from './use-changes.ts'
import { useDraft } from './use-draft.ts'
import { useSaving } from './use-saving.ts'
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

/** One performance that is being typed: a day and a time at the venue. */
interface Row {
  readonly line: number
  readonly day: string
  readonly time: string
  readonly venue: string
}

interface PerformancesDraft {
  readonly rows: readonly Row[]
}

const dayMilliseconds = 86_400_000
const usualTime = '20:00'

/** A form for several performances of a production at once. */
function PerformancesForm({ production }: { readonly production: Entity }) {
  const { client, model } = useSession()
  const { words, problemText } = useLocale()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const { created } = useChanges()
  const draftName = newDraftName(performancesOf(production.id))
  const venues = production.relations.filter(({ type }) => type === 'refVenues').map(({ key }) => key)
  const blank: Row = { line: 0, day: '', time: usualTime, venue: venues[0] ?? '' }
  const [rows, setRows] = useState<readonly Row[]>(() => findDraft<PerformancesDraft>(draftName)?.rows ?? [blank])
  const [faults, setFaults] = useState<FormFaults>(noFaults)
  const records = useRecords([...venues, ...rows.map(({ venue }) => venue).filter(venue => venue !== '')])
  const isUntouched = rows.every(({ day }) => day === '')
  const forgetDraft = useDraft(draftName, isUntouched ? undefined : ({ rows } satisfies PerformancesDraft))
  const title = words.performancesOf(nameOf(production))
  useTitle(title)

  const change = (line: number, changed: Partial<Row>) =>
    setRows(rows.map(row => (row.line === line ? { ...row, ...changed } : row)))
  /** The next performance is often a day later, at the same time and place. */
  const add = () => {
    const last = rows.at(-1) ?? blank
    const next = Date.parse(`${last.day}T00:00:00Z`) + dayMilliseconds
    const day = Number.isNaN(next) ? '' : new Date(next).toISOString().slice(0, 10)
    setRows([...rows, { ...last, day, line: Math.max(-1, ...rows.map(({ line }) => line)) + 1 }])
  }
  /** Without an offset: the service adds that of the venue. */
  const momentOf = ({ day, time }: Row) => `${day}T${time}:00`

  const { performance } = model.stage
  const toProduction = performance?.relations.find(({ to }) => to.includes(production.type))?.type ?? ''
  const save = useSaving({
    mutationFn: async (sent: readonly Row[]) => {
      const lines = sent.map(row => ({
        op: 'create',
        id: `PF-${crypto.randomUUID()}`,
        type: performance?.type,
        metadata: [{ key: performance?.name_field, value: momentOf(row) }],
        relations: [
          { type: toProduction, key: production.id },
          ...(row.venue === '' ? [] : [{ type: 'refVenues', key: row.venue }])
        ]
      }))
      await client.send('POST /entities/batch', { query: { atomic: 1 }, body: lines })
      return Promise.all(lines.map(({ id }) => client.entities.read(id)))
    },
    onSuccess: async made => {
      forgetDraft()
      const [first] = made
      if (first) await created(made, first)
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
    const wanted = rows.filter(({ day }) => day !== '')
    if (wanted.length === 0 || !wanted.every(row => isWallTime(momentOf(row))))
      return setFaults({ ...noFaults, rest: [words.dateMissing] })
    setFaults(noFaults)
    save.mutate(wanted, { onSuccess: () => navigate(`/record/${encodeURIComponent(production.id)}`) })
  }
  const cancel = () => {
    dropDraft(draftName)
    navigate(`/record/${encodeURIComponent(production.id)}`)
  }
  return (
    <form className="change" onSubmit={submit} noValidate>
      <h1>{title}</h1>
      <ol className="dates">
        {rows.map((row, index) => (
          <li key={row.line}>
            <DateRow
              row={row}
              name={words.performanceNumber(index + 1)}
              venues={venues}
              records={records}
              onChange={changed => change(row.line, changed)}
              onRemove={rows.length > 1 ? () => setRows(rows.filter(({ line }) => line !== row.line)) : undefined}
            />
          </li>
        ))}
      </ol>
      <button type="button" className="button" onClick={add}>
        <Plus size={16} aria-hidden="true" /> {words.addDate}
      </button>
      <FormFoot faults={[faults]} isBusy={save.isPending} isIdle={isUntouched} onCancel={cancel} />
    </form>
  )
}

interface DateRowProps {
  readonly row: Row
  readonly name: string
  readonly venues: readonly string[]
  readonly records: ReadonlyMap<string, Entity>
  readonly onChange: (changed: Partial<Row>) => void
  readonly onRemove: (() => void) | undefined
}

function DateRow({ row, name, venues, records, onChange, onRemove }: DateRowProps) {
  const { model } = useSession()
  const { words, fieldName, relationName } = useLocale()
  const id = useId()
  const zone = zoneOf(records.get(row.venue), model.timeZone)
  const known = [...new Set([...venues, ...(row.venue === '' ? [] : [row.venue])])]
  const venueTypes = model.stage.performance?.relations.find(({ type }) => type === 'refVenues')?.to ?? []
  return (
    <fieldset className="date-row">
      <legend className="visually-hidden">{name}</legend>
      <label htmlFor={`${id}-day`}>
        {words.day}
        <input id={`${id}-day`} type="date" value={row.day} onChange={event => onChange({ day: event.target.value })} />
      </label>
      <label htmlFor={`${id}-time`}>
        {fieldName('start')}
        <input
          id={`${id}-time`}
          type="time"
          value={row.time}
          onChange={event => onChange({ time: event.target.value })}
        />
      </label>
      <label htmlFor={`${id}-venue`}>
        {relationName('refVenues')}
        <select id={`${id}-venue`} value={row.venue} onChange={event => onChange({ venue: event.target.value })}>
          <option value="">{words.noChoice}</option>
          {known.map(each => {
            const record = records.get(each)
            return (
              <option key={each} value={each}>
                {record ? <RecordName record={record} /> : each}
              </option>
            )
          })}
        </select>
      </label>
      <div className="date-other">
        <RecordPicker
          label={words.otherVenue}
          types={venueTypes}
          without={known}
          onPick={entity => onChange({ venue: entity.id })}
        />
      </div>
      <p className="hint">{words.inZone(zoneName(zone))}</p>
      {onRemove && (
        <button type="button" className="icon-button" aria-label={words.removeValue(name)} onClick={onRemove}>
          <X size={16} aria-hidden="true" />
        </button>
      )}
    </fieldset>
  )
}

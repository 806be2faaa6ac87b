import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react'

import { SelectField } from '../parts/select-field.tsx'
import type { Entity, FieldRow, RecordTypeRow } from '../../../client/index.ts'
import { FieldInput } from '../change/field-input.tsx'
import { languagesOfTexts } from '../change/record-fields.tsx'
import { RecordPicker } from '../change/record-picker.tsx'
import { useStoredState } from '../change/use-stored-state.ts'
import { isComputed, textOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { keepLastChange } from './last-change.ts'
import {
  changed,
  fieldActions,
  isComplete,
  isFind,
  type ManyChange,
  needsNew,
  needsOld,
  type Replace,
  relationActions,
  replacementOf
} from './bulk-change.ts'
import { BulkProgress, type Progress } from './bulk-progress.tsx'
import { ManyOutcomeView } from './bulk-result.tsx'
import { ManyPreview } from './bulk-preview.tsx'
import { type ManyOutcome, type PlannedChange, sendMany } from './send-bulk-change.ts'
import { RecordName } from '../parts/record-name.tsx'
import { Options } from '../parts/options.tsx'

interface ChangeFormProps {
  readonly entities: readonly Entity[]
  /** The name under which unsaved input is stored. */
  readonly draft: string
  /** Called when the change is carried out. */
  readonly onBegun: () => void
  /** Reads the records again. */
  readonly onDone: () => void
}

/** Takes the change, previews it, carries it out and shows the result. */
export function ChangeForm({ entities, draft, onBegun, onDone }: ChangeFormProps) {
  const { client, me, model } = useSession()
  const { words, problemText } = useLocale()
  const queries = useQueryClient()
  const [change, setChange, forgetChange] = useStoredState<ManyChange | undefined>(draft, undefined)
  const describe = useDescription(change)
  const [progress, setProgress] = useState<Progress>()
  const stop = useRef(new AbortController())

  const planned = (given: ManyChange, replace: Replace): PlannedChange[] =>
    entities.flatMap(entity => {
      const row = model.find(entity.type)
      const next = row && changed(row, entity, given, replace)
      return next === undefined ? [] : [{ entity, next }]
    })
  const preview = useMutation({
    mutationFn: async (given: ManyChange) => {
      const changes = planned(given, await replacementOf(given))
      setProgress({ handled: 0, all: changes.length })
      const outcome = await sendMany(client, changes, {
        isDry: true,
        signal: new AbortController().signal,
        onProgress: handled => setProgress({ handled, all: changes.length })
      })
      return { given, changes, outcome }
    },
    onSettled: () => setProgress(undefined)
  })
  const carryOut = useMutation({
    mutationFn: async ({ given, changes }: { given: ManyChange; changes: readonly PlannedChange[] }) => {
      stop.current = new AbortController()
      onBegun()
      setProgress({ handled: 0, all: changes.length })
      const at = new Date().toISOString()
      const keep = ({ done }: ManyOutcome) => keepLastChange(me.name, { what: describe(given), at, done })
      const outcome = await sendMany(client, changes, {
        isDry: false,
        signal: stop.current.signal,
        onProgress(handled, now) {
          setProgress({ handled, all: changes.length })
          // Stored step by step, so that it can be undone even if the window is closed in the
          // middle.
          keep(now)
        }
      })
      return { outcome, changes, wasStopped: stop.current.signal.aborted }
    },
    onSuccess: forgetChange,
    onSettled: async () => {
      setProgress(undefined)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'change many' })
    }
  })
  useKeepOpen(carryOut.isPending)

  if (carryOut.data)
    return (
      <ManyOutcomeView
        outcome={carryOut.data.outcome}
        entities={entities}
        wasStopped={carryOut.data.wasStopped}
        title={words.manyChanged}
        more={words.changeMany}
        onMore={() => {
          carryOut.reset()
          preview.reset()
          onDone()
        }}
      />
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change && isComplete(change)) preview.mutate(change)
  }
  const isBusy = preview.isPending || carryOut.isPending
  const error = preview.error ?? carryOut.error
  return (
    <>
      <form className="change" onSubmit={submit}>
        <fieldset className="many-form" disabled={isBusy}>
          <SayWhat
            entities={entities}
            change={change}
            onChange={given => {
              preview.reset()
              setChange(given)
            }}
          />
        </fieldset>
        <div className="many-actions">
          <button type="submit" className="button primary" disabled={isBusy || !change || !isComplete(change)}>
            {words.showPreview}
          </button>
          {(!change || !isComplete(change)) && <span className="soft">{words.chooseFieldFirst}</span>}
        </div>
      </form>
      {error && (
        <p className="fault" role="alert">
          {problemText(error)}
        </p>
      )}
      <BulkProgress
        progress={progress}
        label={words.changeMany}
        onStop={carryOut.isPending ? () => stop.current.abort() : undefined}
      />
      {preview.data && !isBusy && (
        <ManyPreview
          all={entities.length}
          changes={preview.data.changes}
          refused={preview.data.outcome.refused}
          onCarryOut={changes => carryOut.mutate({ given: preview.data.given, changes })}
        />
      )}
    </>
  )
}

/** Warns before the window is closed while the change is running. */
export function useKeepOpen(isBusy: boolean) {
  useLayoutEffect(() => {
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isBusy])
}

/** A short description of a change, for a later undo. The records of the current one are named. */
function useDescription(current: ManyChange | undefined): (change: ManyChange) => string {
  const { words, fieldName, relationName } = useLocale()
  const nameOf = useNameOf()
  const records = useRecords(current?.of === 'relation' ? [current.from, current.to].filter(id => id !== '') : [])
  return change => {
    const name = change.of === 'field' ? fieldName(change.key) : relationName(change.type)
    const say = (value: unknown) => {
      const record = change.of === 'relation' ? records.get(textOf(value)) : undefined
      return record ? nameOf(record) : textOf(value ?? '')
    }
    const [from, to] = [say(change.from), say(change.to)]
    switch (change.action) {
      case 'set':
        return `${name} → ${to}`
      case 'add':
        return `${name} + ${to}`
      case 'remove':
        return `${name} − ${from}`
      case 'replace':
      case 'find':
        return `${name} ${from} → ${to === '' ? words.emptyValue : to}`
      case 'empty':
        return `${name} → ${words.emptyValue}`
    }
  }
}

interface SayWhatProps {
  readonly entities: readonly Entity[]
  readonly change: ManyChange | undefined
  readonly onChange: (change: ManyChange | undefined) => void
}

/** The field or relation, the action and its value, offered by the tables of the selected types. */
function SayWhat({ entities, change, onChange }: SayWhatProps) {
  const { model } = useSession()
  const { words, fieldName, relationName, languageName } = useLocale()
  const id = useId()
  const rows = [...new Set(entities.map(({ type }) => type))].flatMap(type => model.find(type) ?? [])
  const fields = distinct(
    rows.flatMap(row => row.fields.filter(({ key }) => !isComputed(row, key))),
    ({ key }) => key
  )
  const relations = distinct(
    rows.flatMap(row => row.relations),
    ({ type }) => type
  )
  const field = change?.of === 'field' ? fields.find(({ key }) => key === change.key) : undefined
  const relation = change?.of === 'relation' ? relations.find(({ type }) => type === change.type) : undefined
  const choose = (value: string) => {
    const [of, name = ''] = value.split(' ')
    if (of === 'field') onChange({ of, key: name, action: 'set', from: '', to: '' })
    else onChange(of === 'relation' ? { of, type: name, action: 'add', from: '', to: '' } : undefined)
  }
  const named = change && (change.of === 'field' ? `field ${change.key}` : `relation ${change.type}`)
  return (
    <>
      <SelectField label={words.whichField} value={named ?? ''} onChoose={choose}>
        <option value="">{words.noChoice}</option>
        <optgroup label={words.fieldsGroup}>
          <Options
            of={fields.map(({ key }) => `field ${key}`)}
            name={value => fieldName(value.slice('field '.length))}
          />
        </optgroup>
        <optgroup label={words.relationsGroup}>
          <Options
            of={relations.map(({ type }) => `relation ${type}`)}
            name={value => relationName(value.slice('relation '.length))}
          />
        </optgroup>
      </SelectField>
      {change && (
        <SelectField
          label={words.doWhat}
          value={change.action}
          onChoose={action => onChange({ ...change, action: action as never })}
        >
          {change.of === 'field' ? (
            <Options
              of={fieldActions.filter(action => !isFind(action) || hasText(field))}
              name={action => words.actions[action]}
            />
          ) : (
            <Options of={relationActions} name={action => words.relationActions[action]} />
          )}
        </SelectField>
      )}
      {change?.of === 'field' && field && (
        <>
          {needsOld(change.action) && (
            <Value
              name={words.oldValue}
              field={field}
              value={change.from}
              known={knownValues(entities, change.key)}
              onChange={from => onChange({ ...change, from })}
            />
          )}
          {needsNew(change.action) && (
            <Value name={words.newValue} field={field} value={change.to} onChange={to => onChange({ ...change, to })} />
          )}
          {field.translatable && (change.action === 'set' || change.action === 'add') && (
            <div className="field">
              <label htmlFor={`${id}-lang`}>{words.valueLanguage}</label>
              <select
                id={`${id}-lang`}
                value={change.lang ?? ''}
                onChange={({ target: { value } }) => {
                  const { lang: _, ...rest } = change
                  onChange(value === '' ? rest : { ...rest, lang: value })
                }}
              >
                <option value="">{words.noChoice}</option>
                <Options of={languagesOfTexts} name={languageName} />
              </select>
            </div>
          )}
          {isFind(change.action) && (
            <>
              {(['from', 'to'] as const).map(part => (
                <div key={part} className="field">
                  <label htmlFor={`${id}-${part}`}>{part === 'from' ? words.findText : words.replaceBy}</label>
                  <input
                    id={`${id}-${part}`}
                    value={textOf(change[part] ?? '')}
                    onChange={event => onChange({ ...change, [part]: event.target.value })}
                  />
                </div>
              ))}
              <label className="check">
                <input
                  type="checkbox"
                  checked={change.isPattern === true}
                  onChange={() => onChange({ ...change, isPattern: change.isPattern !== true })}
                />
                {words.asPattern}
              </label>
            </>
          )}
        </>
      )}
      {change?.of === 'relation' && relation && (
        <>
          {needsOld(change.action) && (
            <Target
              name={words.oldTarget}
              relation={relation}
              id={change.from}
              onChange={from => onChange({ ...change, from })}
            />
          )}
          {needsNew(change.action) && (
            <Target
              name={words.newTarget}
              relation={relation}
              id={change.to}
              onChange={to => onChange({ ...change, to })}
            />
          )}
        </>
      )}
    </>
  )
}

/** Whether a field has texts in which something can be found. */
const hasText = (field: FieldRow | undefined) => field?.kind === 'text' || field?.kind === 'html'

const distinct = <Each,>(list: readonly Each[], nameOf: (each: Each) => string): Each[] => [
  ...new Map(list.map(each => [nameOf(each), each])).values()
]

/** Maximum number of existing values that are offered. */
const maxKnown = 200

const knownValues = (entities: readonly Entity[], key: string): string[] =>
  [
    ...new Set(
      entities.flatMap(({ metadata }) => metadata.filter(each => each.key === key).map(each => textOf(each.value)))
    )
  ]
    .sort()
    .slice(0, maxKnown)

interface ValueProps {
  readonly name: string
  readonly field: FieldRow
  readonly value: unknown
  /** Values to choose from: only an existing value can be removed. */
  readonly known?: readonly string[]
  readonly onChange: (value: unknown) => void
}

function Value({ name, field, value, known, onChange }: ValueProps) {
  const { model } = useSession()
  const { words, valueName } = useLocale()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      {known === undefined ? (
        <FieldInput
          id={id}
          field={{ ...field, required: false }}
          value={value}
          isInvalid={false}
          describedBy={undefined}
          zone={model.timeZone}
          onChange={onChange}
        />
      ) : (
        <select id={id} value={textOf(value ?? '')} onChange={event => onChange(event.target.value)}>
          <option value="">{words.noChoice}</option>
          <Options of={known} name={each => (field.kind === 'choice' ? valueName(each) : each)} />
        </select>
      )}
    </div>
  )
}

interface TargetProps {
  readonly name: string
  readonly relation: RecordTypeRow['relations'][number]
  readonly id: string
  readonly onChange: (id: string) => void
}

function Target({ name, relation, onChange, id }: TargetProps) {
  const { words, relationName } = useLocale()
  const record = useRecords(id === '' ? [] : [id]).get(id)
  const label = useId()
  return (
    <fieldset className="field" aria-labelledby={label}>
      <legend id={label}>{name}</legend>
      {id !== '' && (
        <ul className="picked">
          <li>
            <span className="picked-name">{record ? <RecordName record={record} /> : id}</span>
            <button type="button" className="link-button" onClick={() => onChange('')}>
              {words.remove}
            </button>
          </li>
        </ul>
      )}
      {id === '' && (
        <RecordPicker
          label={words.chooseRecord(relationName(relation.type))}
          types={relation.to}
          onPick={entity => onChange(entity.id)}
        />
      )}
    </fieldset>
  )
}

import { Suspense, useState } from 'react'

import type { FieldRow } from '../../../client/index.ts'
import { isEmpty, textOf } from '../data/record-model.ts'
import { instantOf, isWallTime, localTime, zoneNames } from '../data/time-zones.ts'
import { lazyPart } from '../parts/lazy-page.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { HtmlText } from '../parts/html-text.tsx'
import { Options } from '../parts/options.tsx'

const HtmlEditor = lazyPart('html-editor', () => import('./html-editor.tsx'))

export interface InputProps {
  readonly id: string
  readonly field: FieldRow
  readonly value: unknown
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  /** The time zone of the place, for moments. */
  readonly zone: string
  readonly onChange: (value: unknown) => void
}

/** The text as it will be in the editor, so that nothing moves when the editor is there. */
const EditorPlace = ({ html }: { readonly html: string }) => (
  <div className="html-editor">
    <div className="html-tools">
      <span className="icon-button" />
    </div>
    <div className="ProseMirror">
      <HtmlText html={html} />
    </div>
  </div>
)

const ages = ['all', '0+', '3+', '4+', '6+', '8+', '10+', '12+', '14+', '16+', '18+']

/**
 * The control for a kind of value. Invalid input is kept as typed; the service reports the fault.
 */
export function FieldInput({ id, field, value, describedBy, isInvalid, zone, onChange }: InputProps) {
  const { words, valueName, fieldName } = useLocale()
  const text = isEmpty(value) ? '' : textOf(value)
  const common = { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid, 'aria-required': field.required }
  const plain = (given: {
    type?: string
    inputMode?: 'numeric' | 'url' | 'email' | 'tel'
    list?: string
    placeholder?: string
    min?: number
    max?: number
    step?: string
  }) => <input {...common} {...given} value={text} onChange={event => onChange(event.target.value)} />
  const choose = (values: readonly string[]) => (
    <select {...common} value={text} onChange={event => onChange(event.target.value)}>
      {(!field.required || text === '') && <option value="">{words.noChoice}</option>}
      <Options of={[...new Set([...values, ...(text === '' ? [] : [text])])]} name={valueName} />
    </select>
  )
  // Decided once: a control that changes while somebody types would lose the cursor.
  const [asText] = useState(() => text !== '' && !suitsControl(field.kind, value))
  if (asText) return plain({})
  switch (field.kind) {
    case 'choice':
      return choose(field.of ?? [])
    case 'age_category':
      return (
        <>
          {plain({ list: `${id}-ages` })}
          <datalist id={`${id}-ages`}>
            {ages.map(each => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )
    case 'price':
      return plain({ placeholder: '24.50 EUR Standard' })
    case 'html':
      return (
        <Suspense fallback={<EditorPlace html={text} />}>
          <HtmlEditor
            id={id}
            label={fieldName(field.key)}
            html={text}
            describedBy={describedBy}
            isInvalid={isInvalid}
            onChange={onChange}
          />
        </Suspense>
      )
    case 'number':
    case 'minutes': {
      const step = field.kind === 'minutes' ? '1' : 'any'
      const bounds = {
        ...(field.min === undefined ? {} : { min: field.min }),
        ...(field.max === undefined ? {} : { max: field.max })
      }
      return (
        <input
          {...common}
          {...bounds}
          type="number"
          step={step}
          value={text}
          onChange={event => onChange(event.target.value === '' ? '' : event.target.valueAsNumber)}
        />
      )
    }
    case 'date':
      return plain({ type: 'date' })
    case 'moment':
      return (
        <input
          {...common}
          type="datetime-local"
          value={localMoment(text, zone)}
          // Without an offset: the service adds that of the venue, which may be chosen later.
          onChange={event => onChange(event.target.value)}
        />
      )
    case 'boolean':
      return (
        <select
          {...common}
          value={value === true ? 'yes' : value === false ? 'no' : ''}
          onChange={event => onChange(event.target.value === '' ? '' : event.target.value === 'yes')}
        >
          <option value="">{words.noChoice}</option>
          <option value="yes">{words.yes}</option>
          <option value="no">{words.no}</option>
        </select>
      )
    case 'codes':
      return (
        <input
          {...common}
          value={text}
          onChange={event => onChange(event.target.value === '' ? [] : event.target.value.split(/,\s*/))}
        />
      )
    case 'year':
      return plain({ inputMode: 'numeric' })
    case 'time_zone':
      return (
        <>
          {plain({ list: `${id}-zones` })}
          <datalist id={`${id}-zones`}>
            {zoneNames().map(each => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )
    default:
      return plain({})
  }
}

/**
 * Whether the control of a kind can show a value. A date control shows nothing for a date with a
 * time, for example; such a value is edited as text.
 */
function suitsControl(kind: FieldRow['kind'], value: unknown): boolean {
  switch (kind) {
    case 'number':
    case 'minutes':
      return typeof value === 'number'
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(textOf(value))
    case 'moment':
      return localMoment(textOf(value), 'UTC') !== ''
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return true
  }
}

/** A moment in the form of the browser's control: the time in a zone, to the minute. */
function localMoment(text: string, zone: string): string {
  if (isWallTime(text)) return text.slice(0, 16)
  const { day, time } = localTime(instantOf(text), zone)
  return day === '' ? '' : `${day}T${time}`
}

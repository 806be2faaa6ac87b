import { ArrowUp, Plus, X } from 'lucide-react'
import { useId, useState } from 'react'

import type { FieldRow, RecordTypeRow } from '../../../client/index.ts'
import { isEmpty, isComputed, textOf } from '../data/record-model.ts'
import { pictureRelations } from '../data/use-covers.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { zoneName } from '../data/time-zones.ts'
import { useVenueZone } from '../data/use-zone.ts'
import { useLocale } from '../i18n/locale.tsx'
import { roles } from '../../../src/domain/labels/roles.ts'
import { faultText } from './fault-text.ts'
import { FieldInput } from './field-input.tsx'
import {
  type FormContent,
  type FormEntry,
  type FormFaults,
  type FormTarget,
  madeIn,
  type NewRecord,
  nextLine
} from './form-content.ts'
import { RecordPicker } from './record-picker.tsx'
import './change.css'
import { RecordName } from '../parts/record-name.tsx'
import { Options } from '../parts/options.tsx'

interface RecordFieldsProps {
  readonly row: RecordTypeRow
  readonly form: FormContent
  readonly faults: FormFaults
  readonly onChange: (form: FormContent) => void
  /** Relations that are edited elsewhere. */
  readonly without?: readonly string[]
  /** Whether rarely used fields are folded away. */
  readonly isBrief?: boolean
  /** New records of this form and of those that are saved with it, which can be chosen again. */
  readonly made?: readonly NewRecord[]
  /** The title that the record gets if none is typed. */
  readonly titleAbove?: string
}

/** The fields that most records have. */
const common = [
  'title',
  'subtitle',
  'name',
  'year',
  'isbn',
  'year_of_publication',
  'refAuthors',
  'refLanguages',
  'refPublishers'
]

export const languagesOfTexts = ['nl', 'en', 'fr', 'de']

/**
 * The fields and relations of a record, each with its control. Built from the table of its type; no
 * type is built in.
 */
export function RecordFields(props: RecordFieldsProps) {
  const { row, form, faults, onChange, without = [], isBrief = false, made = madeIn(form), titleAbove = '' } = props
  const { words } = useLocale()
  const declared = new Set(row.fields.map(field => field.key))
  const undeclared = [...new Set(form.entries.map(({ entry }) => entry.key))].filter(
    key => !declared.has(key) && !isComputed(row, key)
  )
  const fields: readonly FieldRow[] = [
    ...row.fields.map(field => (field.key === 'title' && titleAbove !== '' ? { ...field, required: false } : field)),
    ...undeclared.map(key => ({ key, kind: 'text' as const, required: false, repeatable: true, translatable: true }))
  ]
  const known = new Set(row.relations.map(relation => relation.type))
  const unknown = [...new Set(form.targets.map(({ relation }) => relation.type))].filter(type => !known.has(type))
  const relations = [...row.relations, ...unknown.map(type => ({ type, to: [] }))].filter(
    // Pictures are added on the page of the record, where they are seen.
    ({ type }) => !without.includes(type) && !pictureRelations.includes(type)
  )
  const given = { form, faults, onChange }
  const zone = useVenueZone(form.targets.map(({ relation }) => relation))
  const all = [
    ...fields.map(field => ({
      name: field.key,
      isNeeded: field.required,
      control: (
        <Field key={field.key} field={field} zone={zone} ifEmpty={field.key === 'title' ? titleAbove : ''} {...given} />
      )
    })),
    ...relations.map(relation => ({
      name: relation.type,
      isNeeded: ('min' in relation ? (relation.min ?? 0) : 0) > 0,
      control: <RelationField key={relation.type} relation={relation} made={made} {...given} />
    }))
  ]
  const isFirst = ({ name, isNeeded }: (typeof all)[number]) =>
    !isBrief || isNeeded || common.includes(name) || faults.fields.has(name)
  const rest = all.filter(each => !isFirst(each))
  return (
    <>
      {all.filter(isFirst).map(each => each.control)}
      {rest.length > 0 && (
        <details className="more-fields">
          <summary>{words.moreFields}</summary>
          <div className="change">{rest.map(each => each.control)}</div>
        </details>
      )}
    </>
  )
}

interface FieldProps {
  readonly field: FieldRow
  /** The time zone of the venue, for moments. */
  readonly zone: string
  /** The value that the record gets if none is typed. */
  readonly ifEmpty: string
  readonly form: FormContent
  readonly faults: FormFaults
  readonly onChange: (form: FormContent) => void
}

function Field({ field, zone, ifEmpty, form, faults, onChange }: FieldProps) {
  const { words, fieldName } = useLocale()
  const lines = form.entries.filter(({ entry }) => entry.key === field.key)
  const isMissing = field.required && lines.every(({ entry }) => isEmpty(entry.value))
  const faultOfField = faults.fields.has(field.key) && isMissing ? words.missing : faults.fields.get(field.key)
  const faultOf = (line: number, { value }: FormEntry['entry']) => {
    const said = faults.lines.get(line)
    return said === undefined ? undefined : faultText(words, field, value, said)
  }
  const name = fieldName(field.key)
  const isSeveral = lines.length > 1
  const change = (line: number, entry: FormEntry['entry']) =>
    onChange({ ...form, entries: form.entries.map(each => (each.line === line ? { line, entry } : each)) })
  const add = () => {
    const at = form.entries.findLastIndex(({ entry }) => entry.key === field.key)
    const used = lines.map(({ entry }) => entry.lang)
    // A field that is only translatable has one value for each language.
    const lang = field.repeatable ? undefined : languagesOfTexts.find(each => !used.includes(each))
    const added = { line: nextLine(), entry: { key: field.key, value: '', ...(lang === undefined ? {} : { lang }) } }
    onChange({ ...form, entries: form.entries.toSpliced(at + 1, 0, added) })
  }
  const remove = (line: number) => onChange({ ...form, entries: form.entries.filter(each => each.line !== line) })
  return (
    <div className={field.kind === 'html' ? 'field tall' : 'field'} data-field={field.key}>
      {lines.map(({ line, entry }, index) => (
        <FieldLine
          key={line}
          field={field}
          zone={zone}
          ifEmpty={ifEmpty}
          name={isSeveral ? `${name} ${index + 1}` : name}
          entry={entry}
          fault={faultOf(line, entry) ?? (index === 0 ? faultOfField : undefined)}
          onChange={changed => change(line, changed)}
          onRemove={isSeveral ? () => remove(line) : undefined}
          onAdd={(field.repeatable || field.translatable) && index === lines.length - 1 ? add : undefined}
        />
      ))}
    </div>
  )
}

interface FieldLineProps {
  readonly field: FieldRow
  readonly zone: string
  readonly ifEmpty: string
  readonly name: string
  readonly entry: FormEntry['entry']
  readonly fault: string | undefined
  readonly onChange: (entry: FormEntry['entry']) => void
  readonly onRemove: (() => void) | undefined
  readonly onAdd: (() => void) | undefined
}

function FieldLine({ field, zone, ifEmpty, name, entry, fault, onChange, onRemove, onAdd }: FieldLineProps) {
  const { words, fieldName, languageName } = useLocale()
  const id = useId()
  const length = field.max_length === undefined ? undefined : [...textOf(entry.value ?? '')].length
  const hint =
    field.kind === 'moment'
      ? words.inZone(zoneName(zone))
      : ifEmpty !== '' && isEmpty(entry.value)
        ? words.titleFrom(ifEmpty)
        : length === undefined
          ? undefined
          : `${length} / ${field.max_length}`
  const languages = [...new Set([...languagesOfTexts, ...(entry.lang === undefined ? [] : [entry.lang])])]
  return (
    <div className="field-line">
      <label htmlFor={id}>
        {name}
        {field.required && <span className="soft"> ({words.required})</span>}
      </label>
      <div className="field-control">
        <FieldInput
          id={id}
          field={field}
          value={entry.value}
          isInvalid={fault !== undefined}
          zone={zone}
          describedBy={fault === undefined && hint === undefined ? undefined : `${id}-note`}
          onChange={value => onChange({ ...entry, value })}
        />
        {(field.translatable || entry.lang !== undefined) && (
          <select
            className="lang-select"
            aria-label={`${words.valueLanguage}: ${name}`}
            title={words.valueLanguage}
            value={entry.lang ?? ''}
            onChange={event => {
              const { lang: _, ...rest } = entry
              onChange(event.target.value === '' ? rest : { ...rest, lang: event.target.value })
            }}
          >
            <option value="">{words.noChoice}</option>
            <Options of={languages} name={languageName} />
          </select>
        )}
        {onRemove && (
          <button type="button" className="icon-button" aria-label={words.removeValue(name)} onClick={onRemove}>
            <X size={16} aria-hidden="true" />
          </button>
        )}
        {onAdd && (
          <button
            type="button"
            className="icon-button"
            title={words.addValue(fieldName(field.key))}
            aria-label={words.addValue(fieldName(field.key))}
            onClick={onAdd}
          >
            <Plus size={16} aria-hidden="true" />
          </button>
        )}
      </div>
      {(fault ?? hint) !== undefined && (
        <p id={`${id}-note`} className={fault === undefined ? 'hint' : 'fault'}>
          {fault ?? hint}
        </p>
      )}
    </div>
  )
}

interface RelationFieldProps extends Omit<FieldProps, 'field' | 'zone' | 'ifEmpty'> {
  readonly relation: RecordTypeRow['relations'][number]
  readonly made: readonly NewRecord[]
}

function RelationField({ relation, made, form, faults, onChange }: RelationFieldProps) {
  const { words, relationName, typeName, roleName } = useLocale()
  const nameOf = useNameOf()
  const id = useId()
  const name = relationName(relation.type)
  const lines = form.targets.filter(each => each.relation.type === relation.type)
  const records = useRecords(lines.flatMap(each => (each.made ? [] : [each.relation.key])))
  const isFull = relation.max !== undefined && lines.length >= relation.max
  const isMissing = lines.length < (relation.min ?? 0)
  const fault = faults.fields.has(relation.type) && isMissing ? words.missing : faults.fields.get(relation.type)
  const add = (target: Omit<FormTarget, 'line' | 'relation'>, key: string) =>
    onChange({
      ...form,
      targets: [...form.targets, { line: nextLine(), relation: { key, type: relation.type }, ...target }]
    })
  const remove = (line: number) => onChange({ ...form, targets: form.targets.filter(each => each.line !== line) })
  /** Moves a target before the one above it. The order of people is the order of the credits. */
  const moveUp = (index: number) => {
    const [above, moved] = [lines[index - 1], lines[index]]
    if (!above || !moved) return
    const swap = { [above.line]: moved, [moved.line]: above }
    onChange({ ...form, targets: form.targets.map(each => swap[each.line] ?? each) })
  }
  const details = relation.details ?? []
  const setDetail = (line: number, key: string, value: string | boolean) =>
    onChange({
      ...form,
      targets: form.targets.map(each => {
        if (each.line !== line) return each
        const rest = (each.relation.metadata ?? []).filter(entry => entry.key !== key)
        const metadata = value === '' || value === false ? rest : [...rest, { key, value }]
        const { metadata: _, ...bare } = each.relation
        return { ...each, relation: metadata.length > 0 ? { ...bare, metadata } : bare }
      })
    })
  return (
    <fieldset className="field" data-field={relation.type}>
      <legend>
        {name}
        {(relation.min ?? 0) > 0 && <span className="soft"> ({words.required})</span>}
      </legend>
      {details.includes('role') && (
        <datalist id={`${id}-roles`}>
          {roles.map(({ names: [role = ''] }) => (
            <option key={role} value={roleName(role)} />
          ))}
        </datalist>
      )}
      <ul className="picked">
        {lines.map(({ line, made: newRecord, relation: { key, metadata } }, index) => {
          const record = newRecord ?? records.get(key)
          const called = record ? nameOf(record) : key
          return (
            <li key={line}>
              <span className="picked-name">
                {record ? <RecordName record={record} /> : key}{' '}
                {relation.to.length > 1 && record && <span className="soft">{typeName(record.type)}</span>}
                {newRecord && <span className="tag">{words.newHere}</span>}
              </span>
              {details.map(key => (
                <DetailInput
                  key={key}
                  name={key}
                  of={called}
                  listId={`${id}-roles`}
                  value={metadata?.find(entry => entry.key === key)?.value ?? ''}
                  onChange={value => setDetail(line, key, value)}
                />
              ))}
              {index > 0 && (
                <button
                  type="button"
                  className="icon-button"
                  title={words.moveUp(called)}
                  aria-label={words.moveUp(called)}
                  onClick={() => moveUp(index)}
                >
                  <ArrowUp size={16} aria-hidden="true" />
                </button>
              )}
              <button
                type="button"
                className="icon-button"
                aria-label={words.removeValue(called)}
                onClick={() => remove(line)}
              >
                <X size={16} aria-hidden="true" />
              </button>
              {faults.lines.has(line) && <p className="fault">{words.targetUnfit}</p>}
            </li>
          )
        })}
      </ul>
      {!isFull && relation.to.length > 0 && (
        <RecordPicker
          label={words.chooseRecord(name)}
          types={relation.to}
          without={lines.map(each => each.relation.key)}
          made={made}
          onMake={record => add({ made: record }, record.id)}
          isInvalid={fault !== undefined}
          describedBy={fault === undefined ? undefined : `${id}-note`}
          onPick={record => add({}, record.id)}
        />
      )}
      {fault !== undefined && (
        <p id={`${id}-note`} className="fault">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

interface DetailInputProps {
  /** The key of the detail. */
  readonly name: string
  /** The name of the related record. */
  readonly of: string
  readonly listId: string
  readonly value: unknown
  readonly onChange: (value: string | boolean) => void
}

/** A detail of a relation: a role, the part of an actor, or whether they are an alternate. */
function DetailInput({ name, of, listId, value, onChange }: DetailInputProps) {
  const { words, fieldName } = useLocale()
  if (name === 'role')
    return <RoleInput label={`${words.role}: ${of}`} listId={listId} role={textOf(value)} onChange={onChange} />
  const label = `${fieldName(name)}: ${of}`
  if (name === 'alternate')
    return (
      <label className="soft">
        <input
          type="checkbox"
          aria-label={label}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />{' '}
        {fieldName(name)}
      </label>
    )
  return (
    <input
      className="role-input"
      aria-label={label}
      placeholder={fieldName(name)}
      value={textOf(value)}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface RoleInputProps {
  readonly label: string
  readonly listId: string
  readonly role: string
  readonly onChange: (role: string) => void
}

/**
 * A role in the language of the reader. The record has its English name, by which every reader sees
 * it; other roles are stored as typed.
 */
function RoleInput({ label, listId, role, onChange }: RoleInputProps) {
  const { words, language, roleName } = useLocale()
  /** The text while it is being typed: a part of it may be another role. */
  const [typed, setTyped] = useState<string>()
  return (
    <input
      className="role-input"
      aria-label={label}
      placeholder={words.role}
      list={listId}
      value={typed ?? roleName(role)}
      onChange={({ target: { value } }) => {
        setTyped(value)
        const known = roles.find(each => each[language] === value.trim().toLowerCase())
        onChange(known?.names[0] ?? value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

import { useId } from 'react'

import { Options } from '../parts/options.tsx'
import { useSiteWords } from './use-site-words.ts'
import { type SiteText, WordsInput } from './words-input.tsx'

export interface Link {
  readonly text: SiteText
  readonly address: string
}

interface InputProps<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A labelled line of text. */
function Line({ label, value, onChange }: InputProps<string> & { readonly label: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} value={value} maxLength={2000} onChange={event => onChange(event.target.value)} />
    </div>
  )
}

export function LinkInput({ value, onChange }: InputProps<Link>) {
  const words = useSiteWords()
  return (
    <>
      <WordsInput label={words.linkText} value={value.text} onChange={text => onChange({ ...value, text })} />
      <Line label={words.linkAddress} value={value.address} onChange={address => onChange({ ...value, address })} />
    </>
  )
}

export type BlockKind = keyof ReturnType<typeof useSiteWords>['blocks']

export interface Block {
  readonly block: BlockKind
  readonly title?: SiteText
  readonly text?: SiteText
  readonly record?: string
  readonly address?: string
}

interface BlockInputProps extends InputProps<Block> {
  /** The members of each block, beside its name. */
  readonly membersOf: Readonly<Record<string, readonly string[]>>
}

export function BlockInput({ value, onChange, membersOf }: BlockInputProps) {
  const words = useSiteWords()
  const id = useId()
  const labels = {
    title: words.blockTitle,
    text: words.blockText,
    record: words.blockRecord,
    address: words.blockAddress
  }
  const set = (key: keyof typeof labels, next: SiteText) => {
    const { [key]: _, ...rest } = value
    onChange(next === '' ? rest : { ...rest, [key]: next })
  }
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{words.block}</label>
        <select id={id} value={value.block} onChange={({ target }) => onChange({ block: target.value as BlockKind })}>
          <Options of={Object.keys(membersOf)} name={kind => words.blocks[kind as BlockKind]} />
        </select>
      </div>
      {(Object.keys(labels) as (keyof typeof labels)[]).map(key =>
        !membersOf[value.block]?.includes(key) ? null : key === 'record' || key === 'address' ? (
          <Line key={key} label={labels[key]} value={value[key] ?? ''} onChange={next => set(key, next)} />
        ) : (
          <WordsInput key={key} label={labels[key]} value={value[key] ?? ''} onChange={next => set(key, next)} />
        )
      )}
    </>
  )
}

export interface Catalogue {
  readonly name: string
  readonly address: string
  readonly version?: string
  readonly schema?: string
  readonly isbn?: string
  readonly words?: string
}

/** A template of the MARC editor. */
export interface Template {
  readonly name: string
  readonly lines: string
}

export function TemplateInput({ value, onChange }: InputProps<Template>) {
  const words = useSiteWords()
  const id = useId()
  return (
    <>
      <Line label={words.templateName} value={value.name} onChange={name => onChange({ ...value, name })} />
      <div className="field">
        <label htmlFor={id}>{words.templateLines}</label>
        <textarea
          id={id}
          rows={Math.max(4, value.lines.split('\n').length + 1)}
          spellCheck={false}
          autoCapitalize="off"
          value={value.lines}
          onChange={event => onChange({ ...value, lines: event.target.value })}
        />
      </div>
    </>
  )
}

interface CatalogueInputProps extends InputProps<Catalogue> {
  /** The members where none are given. */
  readonly usual: Required<Omit<Catalogue, 'name' | 'address'>>
}

export function CatalogueInput({ value, onChange, usual }: CatalogueInputProps) {
  const words = useSiteWords()
  const id = useId()
  return (
    <>
      <Line label={words.catalogueName} value={value.name} onChange={name => onChange({ ...value, name })} />
      <Line
        label={words.catalogueAddress}
        value={value.address}
        onChange={address => onChange({ ...value, address })}
      />
      <div className="field">
        <label htmlFor={id}>{words.version}</label>
        <select
          id={id}
          value={value.version ?? usual.version}
          onChange={event => onChange({ ...value, version: event.target.value })}
        >
          <Options of={['1.1', '1.2']} name={each => each} />
        </select>
      </div>
      {(
        [
          ['schema', words.schema],
          ['isbn', words.isbnIndex],
          ['words', words.wordsIndex]
        ] as const
      ).map(([key, label]) => (
        <Line
          key={key}
          label={label}
          value={value[key] ?? usual[key]}
          onChange={next => onChange({ ...value, [key]: next })}
        />
      ))}
    </>
  )
}

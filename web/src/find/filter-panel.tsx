import { ChevronRight } from 'lucide-react'
import { memo, useEffect, useState } from 'react'

import type { Entity } from '../../../client/index.ts'
import type { ModelFacet } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { type FindState, findAddress } from '../../../src/domain/find/find-state.ts'
import { choose, chosenIn, type Facet, facetsFor, typesFacet, useFacets } from './use-find.ts'
import { RecordName } from '../parts/record-name.tsx'

interface NarrowingProps {
  readonly state: FindState
  readonly onChange: (changed: Partial<FindState>) => void
}

/**
 * Delay in milliseconds before choices are counted: counting costs the service more than searching.
 */
const pausesBeforeCounting = { typing: 300, choosing: 100 } as const

/** The filters beside the results, each with the number of remaining results. */
export function FilterPanel({ state, onChange }: NarrowingProps) {
  const [counted, setCounted] = useState(state)
  const isTyped = counted.text !== state.text
  useEffect(() => {
    const timer = setTimeout(() => setCounted(state), pausesBeforeCounting[isTyped ? 'typing' : 'choosing'])
    return () => clearTimeout(timer)
  }, [state, isTyped])
  return <Groups state={state} counted={counted} onChange={onChange} />
}

interface GroupsProps extends NarrowingProps {
  readonly counted: FindState
}

/** Memoised: typing does not change them, and they are many. */
const Groups = memo(function Groups({ state, counted, onChange }: GroupsProps) {
  const { model } = useSession()
  const { words, fieldName, relationName } = useLocale()
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const groups = facetsFor(model, state)
  const isOpen = ({ name, open }: ModelFacet) => open || unfolded.has(name) || chosenIn(state, name).length > 0
  const { facets, answers } = useFacets(counted, [typesFacet, ...groups.filter(isOpen)])
  const propsOf = (name: string) => {
    const chosen = chosenIn(state, name)
    return {
      facet: facets[name],
      chosen,
      onToggle: (value: string) =>
        onChange(
          choose(state, name, chosen.includes(value) ? chosen.filter(each => each !== value) : [...chosen, value])
        )
    }
  }
  return (
    <>
      <SectionNote queries={answers} label={words.filters} />
      <Families {...propsOf(typesFacet.name)} />
      <Years state={state} onChange={onChange} />
      {groups.map(group => {
        const { name, isRelation } = group
        const legend = isRelation ? relationName(name) : fieldName(name)
        if (isOpen(group))
          return isRelation ? (
            <Related key={name} legend={legend} {...propsOf(name)} />
          ) : (
            <Values key={name} legend={legend} isChoice={model.kindOf(name) === 'choice'} {...propsOf(name)} />
          )
        return (
          <button
            key={name}
            type="button"
            className="filter-unfold"
            aria-expanded="false"
            onClick={() => setUnfolded(new Set([...unfolded, name]))}
          >
            <ChevronRight size={14} aria-hidden="true" /> {legend}
          </button>
        )
      })}
    </>
  )
}, isSameNarrowing)

function isSameNarrowing(one: GroupsProps, other: GroupsProps): boolean {
  const withoutText = (state: FindState) => findAddress({ ...state, text: '' })
  return (
    findAddress(one.counted) === findAddress(other.counted) &&
    one.onChange === other.onChange &&
    withoutText(one.state) === withoutText(other.state)
  )
}

interface GroupProps {
  readonly facet: Facet | undefined
  readonly chosen: readonly string[]
  readonly onToggle: (value: string) => void
}

/** Kinds of records, in the order of their tables. The service counts types. */
function Families({ facet = [], chosen, onToggle }: GroupProps) {
  const { model } = useSession()
  const { words, familyName } = useLocale()
  const counts = new Map<string, number>()
  for (const { value, count } of facet) {
    const family = model.familyOf(value)
    counts.set(family, (counts.get(family) ?? 0) + count)
  }
  const choices = [...model.families.keys()]
    .filter(family => counts.has(family) || chosen.includes(family))
    .map(family => ({ value: family, name: familyName(family), count: counts.get(family) ?? 0, family }))
  return <Choices legend={words.filterType} choices={choices} chosen={chosen} onToggle={onToggle} />
}

/** Filters by related records. */
function Related({ legend, facet = [], chosen, onToggle }: GroupProps & { readonly legend: string }) {
  const nameOf = useNameOf()
  const missing = chosen.filter(id => !facet.some(({ value }) => value === id))
  const records = useRecords([...facet.map(({ value }) => value), ...missing])
  const all = [...facet, ...missing.map(value => ({ value, label: value, count: 0 }))]
  const choices = all.map(({ value, label, count }) => {
    const record = records.get(value)
    return { value, name: record ? nameOf(record) : (label ?? value), record, count }
  })
  return <Choices legend={legend} choices={choices} chosen={chosen} onToggle={onToggle} />
}

interface ValuesProps extends GroupProps {
  readonly legend: string
  readonly isChoice: boolean
}

/** Filters by the values of a field, such as the status of productions and performances. */
function Values({ legend, isChoice, facet = [], chosen, onToggle }: ValuesProps) {
  const { valueName } = useLocale()
  const counts = new Map([
    ...chosen.map(value => [value, 0] as const),
    ...facet.map(each => [each.value, each.count] as const)
  ])
  const choices = [...counts].map(([value, count]) => ({ value, name: isChoice ? valueName(value) : value, count }))
  return <Choices legend={legend} choices={choices} chosen={chosen} onToggle={onToggle} />
}

interface ChoicesProps extends Omit<GroupProps, 'facet'> {
  readonly legend: string
  readonly choices: readonly {
    readonly value: string
    readonly name: string
    /** The record whose name it is. */
    readonly record?: Entity | undefined
    readonly count: number
    readonly family?: string
  }[]
}

const shownAtFirst = 8

function Choices({ legend, choices, chosen, onToggle }: ChoicesProps) {
  const { words, number } = useLocale()
  const [isWhole, setWhole] = useState(false)
  if (choices.length === 0) return null
  const shown = isWhole ? choices : choices.filter(({ value }, at) => at < shownAtFirst || chosen.includes(value))
  return (
    <fieldset className="filter-group">
      <legend>{legend}</legend>
      {shown.map(({ value, name, record, count, family }) => (
        <label key={value} className="check">
          <input type="checkbox" aria-label={name} checked={chosen.includes(value)} onChange={() => onToggle(value)} />
          {family !== undefined && <FamilyIcon family={family} size={16} />}
          <span>{record ? <RecordName record={record} /> : name}</span>
          <span className="count">{number(count)}</span>
        </label>
      ))}
      {shown.length < choices.length && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          {words.showAll(number(choices.length))}
        </button>
      )}
    </fieldset>
  )
}

const pauseBeforeYears = 400
const isYear = (text: string) => text === '' || /^-?\d{3,4}$/.test(text)

function Years({ state: { from, to }, onChange }: NarrowingProps) {
  const { words } = useLocale()
  /** The years being typed; undefined once they are applied. */
  const [typed, setTyped] = useState<{ readonly from: string; readonly to: string }>()
  const years = typed ?? { from, to }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about when they change, not about what they are
  useEffect(() => setTyped(undefined), [from, to])
  useEffect(() => {
    if (!typed || !isYear(typed.from) || !isYear(typed.to)) return
    const timer = setTimeout(() => {
      setTyped(undefined)
      if (typed.from !== from || typed.to !== to) onChange(typed)
    }, pauseBeforeYears)
    return () => clearTimeout(timer)
  }, [typed, from, to, onChange])
  return (
    <fieldset className="filter-group years">
      <legend>{words.filterYear}</legend>
      {(['from', 'to'] as const).map(end => (
        <label key={end}>
          <span>{words[end]}</span>
          <input
            type="text"
            inputMode="numeric"
            maxLength={5}
            value={years[end]}
            onChange={event => setTyped({ ...years, [end]: event.target.value.trim() })}
          />
        </label>
      ))}
    </fieldset>
  )
}

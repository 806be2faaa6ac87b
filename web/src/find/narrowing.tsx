import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { useNameOf } from '../data/use-name-of.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import { type FindState, narrowingRelations } from './find-state.ts'

interface NarrowingProps {
  readonly state: FindState
  readonly onChange: (changed: Partial<FindState>) => void
}

/** The ways to narrow the results, beside them. */
export function Narrowing({ state, onChange }: NarrowingProps) {
  const { model } = useSession()
  const { words, familyName } = useSpeech()
  const toggle = (values: readonly string[], value: string) =>
    values.includes(value) ? values.filter(each => each !== value) : [...values, value]
  const families = [...model.families].filter(([, rows]) => rows.some(row => row.may.includes('read')))

  return (
    <>
      <fieldset className="narrowing-group">
        <legend>{words.filterType}</legend>
        {families.map(([family]) => (
          <label key={family} className="check">
            <input
              type="checkbox"
              checked={state.types.includes(family)}
              onChange={() => onChange({ types: toggle(state.types, family) })}
            />
            <FamilyIcon family={family} size={16} />
            <span>{familyName(family)}</span>
          </label>
        ))}
      </fieldset>
      <Years state={state} onChange={onChange} />
      <RelatedChoice
        legend={words.filterLanguage}
        relation={narrowingRelations.languages}
        chosen={state.languages}
        onToggle={id => onChange({ languages: toggle(state.languages, id) })}
      />
      <RelatedChoice
        legend={words.filterGenre}
        relation={narrowingRelations.genres}
        chosen={state.genres}
        onToggle={id => onChange({ genres: toggle(state.genres, id) })}
      />
    </>
  )
}

function Years({ state, onChange }: NarrowingProps) {
  const { words } = useSpeech()
  const [years, setYears] = useState({ from: state.from, to: state.to })
  const settled = useDebounced(years, 400)
  useEffect(() => setYears({ from: state.from, to: state.to }), [state.from, state.to])
  useEffect(() => {
    const isYear = (text: string) => text === '' || /^-?\d{3,4}$/.test(text)
    const isChanged = settled.from !== state.from || settled.to !== state.to
    if (settled === years && isChanged && isYear(settled.from) && isYear(settled.to)) onChange(settled)
  }, [settled, years, state.from, state.to, onChange])
  return (
    <fieldset className="narrowing-group years">
      <legend>{words.filterYear}</legend>
      {(['from', 'to'] as const).map(end => (
        <label key={end}>
          <span>{words[end]}</span>
          <input
            type="text"
            inputMode="numeric"
            maxLength={5}
            value={years[end]}
            onChange={event => setYears({ ...years, [end]: event.target.value.trim() })}
          />
        </label>
      ))}
    </fieldset>
  )
}

interface RelatedChoiceProps {
  readonly legend: string
  readonly relation: string
  readonly chosen: readonly string[]
  readonly onToggle: (id: string) => void
}

/** As many as can be looked through; whoever wants another one finds it by its name and goes on from there. */
const mostChoices = 40
const shownAtFirst = 8

/** Narrows by what records are related to: the records that this relation may point to. */
function RelatedChoice({ legend, relation, chosen, onToggle }: RelatedChoiceProps) {
  const { client, model } = useSession()
  const { words, number } = useSpeech()
  const nameOf = useNameOf()
  const [isWhole, setWhole] = useState(false)
  const to = [...new Set(model.types.flatMap(row => row.relations.find(each => each.type === relation)?.to ?? []))]
  const { data: choices = [] } = useQuery({
    queryKey: ['choices', to],
    enabled: to.length > 0,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      client.entities
        .find([{ type: 'type', value: to }], { limit: mostChoices, orderBy: 'name', signal })
        .then(page => page.results)
  })
  if (choices.length === 0) return null
  const shown = isWhole ? choices : choices.filter((each, at) => at < shownAtFirst || chosen.includes(each.id))
  return (
    <fieldset className="narrowing-group">
      <legend>{legend}</legend>
      {shown.map(each => (
        <label key={each.id} className="check">
          <input type="checkbox" checked={chosen.includes(each.id)} onChange={() => onToggle(each.id)} />
          <span>{nameOf(each)}</span>
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

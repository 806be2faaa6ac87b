import { type KeyboardEvent, memo } from 'react'
import { Link } from 'react-router'

import type { Entity } from '../../../client/index.ts'
import { isEmpty, textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import { wordsIn } from './find-state.ts'

/** What tells one record from another of the same name, in the order in which it is told. */
const tellingRelations = ['refAuthors', 'refProduction', 'refCompanies', 'refVenues', 'refPublishers', 'refLanguages']
const tellingFields = ['year_of_publication', 'year', 'life_dates', 'premiere_date', 'city', 'code', 'level']
const mostOfEach = 2

const resultClass = 'result'

export const focusFirstResult = () => document.querySelector<HTMLElement>(`.${resultClass} a`)?.focus()

interface ResultListProps {
  readonly entities: readonly Entity[]
  /** What was typed; it is marked where it stands. */
  readonly text?: string
  readonly label?: string
  /** The record on whose page they stand: it is not named again, but what part it has in each is. */
  readonly about?: string
  /** Where records can be chosen: which are, and what to do when one is. */
  readonly choosing?: { readonly isChosen: (id: string) => boolean; readonly onToggle: (id: string) => void }
}

/** Records as a list to choose from, by mouse or by arrow keys. */
export const ResultList = memo(function ResultList({ entities, text = '', label, about, choosing }: ResultListProps) {
  const { model } = useSession()
  const { words, typeName, language, date } = useSpeech()
  const nameOf = useNameOf()
  const told = (entity: Entity) =>
    tellingRelations.flatMap(type =>
      relationsOf(entity, type)
        .filter(id => id !== about)
        .slice(0, mostOfEach)
    )
  const records = useRecords(entities.flatMap(told))
  const facts = (entity: Entity) => [
    ...(about === undefined ? [] : rolesOf(entity, about)),
    ...told(entity).flatMap(id => {
      const record = records.get(id)
      return record ? [nameOf(record)] : []
    }),
    ...tellingFields.flatMap(key => {
      const [value] = isNameField(entity, key) ? [] : valuesOf(entity, key, language)
      if (isEmpty(value)) return []
      return [model.kindOf(key) === 'date' ? date(textOf(value)) : textOf(value)]
    })
  ]
  const isNameField = (entity: Entity, key: string) => model.find(entity.type)?.name_field === key

  return (
    <ul className="results" aria-label={label} onKeyDown={moveByArrows}>
      {entities.map(entity => (
        <li key={entity.id} className={choosing ? `${resultClass} choosable` : resultClass}>
          {choosing && (
            <input
              type="checkbox"
              aria-label={words.chooseThis(nameOf(entity))}
              checked={choosing.isChosen(entity.id)}
              onChange={() => choosing.onToggle(entity.id)}
            />
          )}
          <Link to={`/record/${encodeURIComponent(entity.id)}`}>
            <FamilyIcon family={model.familyOf(entity.type)} />
            <span className="result-name">
              <Marked text={nameOf(entity)} words={wordsIn(text)} />
            </span>
            {/* Names come a moment later: their line is there from the beginning. */}
            {(told(entity).length > 0 || facts(entity).length > 0) && (
              <span className="result-facts">{[...new Set(facts(entity))].slice(0, 4).join(' · ') || '\u00a0'}</span>
            )}
            <span className="result-type">{typeName(entity.type)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
})

const relationsOf = (entity: Entity, type: string) =>
  entity.relations.filter(each => each.type === type).map(each => each.key)

/** What part a record has in another: translator, director. */
const rolesOf = (entity: Entity, id: string) =>
  entity.relations
    .filter(each => each.key === id)
    .flatMap(each => each.metadata?.filter(({ key }) => key === 'role').map(({ value }) => textOf(value)) ?? [])

function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(`.${resultClass} a`)]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  if (at + step < 0) document.querySelector<HTMLElement>('.search-box input')?.focus()
  else links[at + step]?.focus()
}

/** A text with the words that were typed marked in it, whatever their case and accents. */
function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const folded = fold(text)
  // Folding that changes the length would put the marks in the wrong place.
  if (words.length === 0 || folded.length !== text.length) return text
  const isMarked = new Array<boolean>(text.length).fill(false)
  for (const word of words.map(fold).filter(each => each !== '')) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
      isMarked.fill(true, at, at + word.length)
  }
  const pieces: { at: number; text: string; isMarked: boolean }[] = []
  for (const [at, letter] of [...text].entries()) {
    const last = pieces.at(-1)
    if (last && last.isMarked === isMarked[at]) last.text += letter
    else pieces.push({ at, text: letter, isMarked: isMarked[at] ?? false })
  }
  return pieces.map(piece => (piece.isMarked ? <mark key={piece.at}>{piece.text}</mark> : piece.text))
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

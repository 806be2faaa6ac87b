import { type KeyboardEvent, memo } from 'react'

import type { Entity } from '../../../client/index.ts'
import { isEmpty, textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { useStable } from '../parts/use-stable.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { wordsIn } from '../../../src/domain/find/find-filters.ts'

/** The fields that distinguish records of the same name, in order. */
const tellingRelations = ['refAuthors', 'refProduction', 'refCompanies', 'refVenues', 'refPublishers', 'refLanguages']
const tellingFields = ['year_of_publication', 'year', 'life_dates', 'premiere_date', 'city', 'code', 'level']
const maxOfEach = 2

export const resultClass = 'result'

export const focusFirstResult = () => document.querySelector<HTMLElement>(`.${resultClass} a`)?.focus()

interface ResultListProps {
  readonly entities: readonly Entity[]
  /** The searched words, which are marked. */
  readonly text?: string
  readonly label?: string
  /** The record whose page lists them: it is not named again, but its role in each is. */
  readonly about?: string
  /** The selection, where records can be selected. */
  readonly choosing?: {
    readonly isChosen: (id: string) => boolean
    readonly onToggle: (id: string, isRange: boolean) => void
  }
}

/** A list of records, for the mouse and the arrow keys. */
export const ResultList = memo(function ResultList({ entities, text = '', label, about, choosing }: ResultListProps) {
  const { model } = useSession()
  const { language, date, roleName } = useLocale()
  const nameOf = useNameOf()
  const isChoosing = choosing !== undefined
  // A stable handler, so that unchanged rows are not redrawn.
  const onToggle = useStable((id: string, isRange: boolean) => choosing?.onToggle(id, isRange))
  const told = (entity: Entity) =>
    tellingRelations.flatMap(type =>
      relationsOf(entity, type)
        .filter(id => id !== about)
        .slice(0, maxOfEach)
    )
  const records = useRecords(entities.flatMap(told))
  const isNameField = (entity: Entity, key: string) => model.find(entity.type)?.name_field === key
  const factsOf = (entity: Entity) => {
    const related = told(entity)
    const facts = [
      ...(about === undefined ? [] : rolesOf(entity, about).map(roleName)),
      ...related.flatMap(id => {
        const record = records.get(id)
        return record ? [nameOf(record)] : []
      }),
      ...tellingFields.flatMap(key => {
        const [value] = isNameField(entity, key) ? [] : valuesOf(entity, key, language)
        if (isEmpty(value)) return []
        return [model.kindOf(key) === 'date' ? date(textOf(value)) : textOf(value)]
      })
    ]
    // The line is reserved from the start, since names arrive later.
    return [...new Set(facts)].slice(0, 4).join(' · ') || (related.length > 0 ? '\u00a0' : '')
  }

  return (
    <ul className="results" aria-label={label} onKeyDown={moveByArrows}>
      {entities.map(entity => (
        <Row
          key={entity.id}
          entity={entity}
          name={nameOf(entity)}
          facts={factsOf(entity)}
          text={text}
          isChoosing={isChoosing}
          isChosen={choosing?.isChosen(entity.id) ?? false}
          onToggle={onToggle}
        />
      ))}
    </ul>
  )
})

interface RowProps {
  readonly entity: Entity
  readonly name: string
  readonly facts: string
  readonly text: string
  readonly isChoosing: boolean
  readonly isChosen: boolean
  readonly onToggle: (id: string, isRange: boolean) => void
}

const Row = memo(function Row({ entity, name, facts, text, isChoosing, isChosen, onToggle }: RowProps) {
  const { model } = useSession()
  const { words, typeName } = useLocale()
  const family = model.familyOf(entity.type)
  return (
    <li className={isChoosing ? `${resultClass} choosable` : resultClass}>
      {isChoosing && (
        <input
          type="checkbox"
          aria-label={words.selectThis(name)}
          checked={isChosen}
          onChange={event => onToggle(entity.id, (event.nativeEvent as MouseEvent).shiftKey === true)}
        />
      )}
      <RecordLink id={entity.id}>
        <FamilyIcon family={family} />
        <span className="result-name" dir="auto">
          <Marked text={name} words={wordsIn(text)} />
        </span>
        {facts !== '' && (
          <span className="result-facts" dir="auto">
            {facts}
          </span>
        )}
        <span className="result-type">{typeName(entity.type)}</span>
      </RecordLink>
    </li>
  )
})

/** The facts by which records of the same name are told apart. */
export const tellingFacts = {
  relationsOf: (entity: Entity) => tellingRelations.flatMap(type => relationsOf(entity, type).slice(0, maxOfEach)),
  textsOf(
    entity: Entity,
    records: ReadonlyMap<string, Entity>,
    nameOf: (entity: Entity) => string,
    language: string
  ): string[] {
    const related = tellingFacts.relationsOf(entity).flatMap(id => records.get(id) ?? [])
    const fields = ['year_of_publication', 'year', 'life_dates', 'city', 'code', 'land_or_language', 'material_type']
    return [
      ...new Set([
        ...related.map(nameOf),
        ...fields.flatMap(key => valuesOf(entity, key, language).slice(0, 1).map(textOf))
      ])
    ]
  }
}

const relationsOf = (entity: Entity, type: string) =>
  entity.relations.filter(each => each.type === type).map(each => each.key)

/** The role of a record in another: translator, director. */
const rolesOf = (entity: Entity, id: string) =>
  entity.relations
    .filter(each => each.key === id)
    .flatMap(each => each.metadata?.filter(({ key }) => key === 'role').map(({ value }) => textOf(value)) ?? [])

export function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(`.${resultClass} a`)]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  if (at + step < 0) document.querySelector<HTMLElement>('.search-box input')?.focus()
  else links[at + step]?.focus()
}

/** A text with the searched words marked, ignoring case and accents. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  // Each character is folded by itself, so that marks stay in place after letters of two units.
  const letters = [...text]
  const folded = letters.map(fold)
  const whole = folded.join('')
  const wanted = words.map(fold).filter(each => each !== '')
  if (wanted.length === 0) return text
  const isMarked = new Array<boolean>(whole.length).fill(false)
  for (const word of wanted)
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + 1))
      isMarked.fill(true, at, at + word.length)
  const pieces: { at: number; text: string; isMarked: boolean }[] = []
  let at = 0
  for (const [index, letter] of letters.entries()) {
    const length = folded[index]?.length ?? 0
    const last = pieces.at(-1)
    // A mark above the letter before it belongs to that letter.
    const isHere = length === 0 ? (last?.isMarked ?? false) : isMarked.slice(at, at + length).includes(true)
    if (last && last.isMarked === isHere) last.text += letter
    else pieces.push({ at, text: letter, isMarked: isHere })
    at += length
  }
  return pieces.map(piece => (piece.isMarked ? <mark key={piece.at}>{piece.text}</mark> : piece.text))
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

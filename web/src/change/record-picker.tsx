import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronsDown, ListTree, Plus, Search } from 'lucide-react'
import { useState } from 'react'

import type { Entity, EntityPage, Filter, RecordType, RecordTypeRow } from '../../../client/index.ts'
import { Hierarchy } from '../browse/hierarchy.tsx'
import { useClassPaths } from '../browse/use-class-paths.ts'
import { isClassification } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { wordsIn } from '../../../src/domain/find/find-filters.ts'
import { tellingFacts } from '../find/result-list.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useCombobox } from '../parts/use-combobox.ts'
import { useDebounced } from '../parts/use-debounced.ts'
import { useSession } from '../session/session.tsx'
import type { NewRecord } from './form-content.ts'
import { newId } from './three-levels.ts'
import { RecordName } from '../parts/record-name.tsx'

interface RecordPickerProps {
  readonly id?: string
  readonly label: string
  /** Types that can be chosen. */
  readonly types: readonly string[]
  /** Ids that are chosen already and not offered. */
  readonly without?: readonly string[]
  readonly onPick: (record: NewRecord) => void
  /** Called with a record that is to be created with the form; without it none can be. */
  readonly onMake?: (record: NewRecord) => void
  /** Records that the form creates already; they are offered too. */
  readonly made?: readonly NewRecord[]
  readonly isInvalid?: boolean
  readonly describedBy?: string | undefined
}

/** Number of choices shown at first, and added by each "Show more". */
const choicesAtOnce = 8

/** Maximum number of choices in a list; further ones are found by typing. */
const maxChoices = 200

/** Maximum number of facts beside a name. */
const maxFacts = 3

/** The key of the line that shows more choices. */
const moreKey = 'more'

/** Finds a record by typing or, in a classification, by browsing; or describes a new one. */
export function RecordPicker(props: RecordPickerProps) {
  const { label, types, without = [], onPick, onMake, made = [], isInvalid = false, describedBy } = props
  const { client, model } = useSession()
  const { words, typeName, number } = useLocale()
  const nameOf = useNameOf()
  const [text, setText] = useState('')
  /** The number of choices to fetch, and for which words. */
  const [wanted, setWanted] = useState({ text: '', limit: choicesAtOnce })
  const [isWanted, setIsWanted] = useState(false)
  const settled = useDebounced(text, 120)
  const typed = wordsIn(settled).join(' ')
  const filters: Filter[] = [
    { type: 'type', value: [...types] },
    ...(typed === '' ? [] : [{ type: 'search', value: typed }])
  ]
  const limit = wanted.text === typed ? wanted.limit : choicesAtOnce
  // With words, the best match comes first.
  const orderBy = typed === '' ? 'title,name' : ''
  const { data, isPlaceholderData } = useQuery<EntityPage>({
    queryKey: ['pick', filters, limit],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: ({ signal }) => client.entities.find(filters, { limit, orderBy, descending: false, signal })
  })
  /** Whether the shown choices belong to earlier words. */
  const isBehind = settled !== text || isPlaceholderData
  const results = data?.results ?? []
  const hasMore = data !== undefined && data.count > results.length && limit < maxChoices
  const found = results.filter(entity => !without.includes(entity.id))
  const name = text.trim()
  const isNamed = (record: NewRecord) => nameOf(record).toLowerCase().includes(name.toLowerCase())
  const offered = made.filter(each => types.includes(each.type) && !without.includes(each.id) && isNamed(each))
  const makable =
    onMake !== undefined && name !== '' && !isBehind ? types.flatMap(type => makableRow(model.find(type)) ?? []) : []
  const choices: readonly Choice[] = [
    ...offered.map(record => ({ key: record.id, record, isNew: true })),
    ...found.map(record => ({ key: record.id, record })),
    ...(hasMore ? [{ key: moreKey }] : []),
    ...makable.map(row => ({ key: `new ${row.type}`, row }))
  ]
  const facts = useFacts(found)

  const choose = (index: number) => {
    const choice = choices[index]
    if (choice?.record && choice.isNew) onMake?.(choice.record)
    else if (choice?.record) onPick(choice.record)
    else if (choice?.row)
      onMake?.({
        id: newId(choice.row),
        type: choice.row.type as RecordType,
        metadata: [{ key: choice.row.name_field, value: name }]
      })
    else if (choice?.key === moreKey) {
      // The first added choice becomes the active one.
      box.forgetActive()
      return setWanted({ text: typed, limit: Math.min(maxChoices, limit + 3 * choicesAtOnce) })
    } else return
    setText('')
    box.close()
  }
  const box = useCombobox({
    id: props.id,
    keys: choices.map(({ key }) => key),
    startsAt: 'first',
    onChoose: choose,
    // An outdated list may have another record than the typed one, and nothing typed means none.
    mayEnter: hasMoved => !isBehind && (name !== '' || hasMoved)
  })
  const isNothing = box.isOpen && name !== '' && !isBehind && data !== undefined && found.length === 0
  return (
    <div className="picker-line">
      <div className="picker">
        <Search size={16} aria-hidden="true" />
        <input
          {...box.field}
          type="text"
          aria-label={label}
          aria-invalid={isInvalid}
          aria-describedby={describedBy}
          placeholder={label}
          value={text}
          onChange={event => {
            setText(event.target.value)
            box.typed()
          }}
          onFocus={() => {
            setIsWanted(true)
            box.field.onFocus()
          }}
          onKeyDown={box.onKey}
        />
        <div {...box.list} role="listbox" aria-label={label} aria-busy={isBehind}>
          {box.isShown &&
            choices.map((choice, index) => (
              <div key={choice.key} {...box.option(index)} className={choice.record ? 'suggestion' : 'suggestion all'}>
                {choice.record ? (
                  <FamilyIcon family={model.familyOf(choice.record.type)} size={16} />
                ) : choice.row ? (
                  <Plus size={16} aria-hidden="true" />
                ) : (
                  <ChevronsDown size={16} aria-hidden="true" />
                )}
                <span className="suggestion-name">
                  {choice.record ? (
                    <RecordName record={choice.record} />
                  ) : choice.row ? (
                    words.createNew(name)
                  ) : (
                    words.typeMore(number(results.length), number(data?.count ?? 0))
                  )}
                  {choice.record && facts(choice.record.id) !== '' && (
                    <span className="suggestion-facts" dir="auto">
                      {' '}
                      {facts(choice.record.id)}
                    </span>
                  )}
                </span>
                {choice.key !== moreKey && (
                  <span className="suggestion-type">{typeName((choice.record ?? choice.row)?.type ?? '')}</span>
                )}
              </div>
            ))}
        </div>
        <p className={isNothing && makable.length === 0 ? 'hint' : 'visually-hidden'} role="status">
          {isNothing ? words.nothingFound(name) : box.isShown && !isBehind ? words.choices(found.length) : ''}
        </p>
      </div>
      <Browsing types={types} without={without} onPick={onPick} />
    </div>
  )
}

/** The facts that distinguish records of the same name: makers, dates, codes, the classes above. */
function useFacts(records: readonly Entity[]): (id: string) => string {
  const { language } = useLocale()
  const nameOf = useNameOf()
  const related = useRecords(records.flatMap(tellingFacts.relationsOf))
  const paths = useClassPaths(records)
  return id => {
    const record = records.find(each => each.id === id)
    if (!record) return ''
    const path = (paths?.get(id) ?? []).map(nameOf)
    const told = tellingFacts
      .textsOf(record, related, nameOf, language)
      .filter(each => each !== nameOf(record))
      .slice(0, maxFacts)
    return [...told, ...(path.length > 0 ? [path.join(' › ')] : [])].join(' · ')
  }
}

interface Choice {
  readonly key: string
  readonly record?: NewRecord
  /** Whether the form creates this record. */
  readonly isNew?: boolean
  /** The type of a record to create. */
  readonly row?: RecordTypeRow
}

type BrowsingProps = Required<Pick<RecordPickerProps, 'types' | 'without' | 'onPick'>>

/** A button that opens the classification from which a class is chosen. */
function Browsing({ types, without, onPick }: BrowsingProps) {
  const { model } = useSession()
  const { words, familyName } = useLocale()
  const [isOpen, setOpen] = useState(false)
  const row = types.map(model.find).find(each => each !== undefined && isClassification(each))
  if (!row) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <ListTree size={16} aria-hidden="true" /> {words.browseFor(familyName(row.type))}
      </button>
      {isOpen && (
        <Dialog title={words.browseFor(familyName(row.type))} onClose={() => setOpen(false)} wide>
          <Hierarchy
            type={row.type}
            climbsBy={row.climbs_by}
            picking={{
              isPicked: id => without.includes(id),
              onPick: entity => {
                onPick(entity)
                setOpen(false)
              }
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** The table of a type if a record can be created from a name alone. */
function makableRow(row: RecordTypeRow | undefined): RecordTypeRow | undefined {
  if (!row?.may.includes('write') || row.relations.some(relation => (relation.min ?? 0) > 0)) return undefined
  const needed = row.fields.filter(field => field.required).map(field => field.key)
  const isText = row.fields.some(field => field.key === row.name_field && field.kind === 'text')
  return isText && needed.every(key => key === row.name_field) ? row : undefined
}

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { ChevronsDown, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'

import type { Entity, EntityPage, Filter, RecordTypeRow } from '../../../client/index.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { wordsIn } from '../find/find-state.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { useChanges } from './use-changes.ts'

interface RecordPickerProps {
  readonly id?: string
  readonly label: string
  /** Types that can be chosen. */
  readonly types: readonly string[]
  /** Ids that are chosen already and not offered. */
  readonly without?: readonly string[]
  readonly onPick: (entity: Pick<Entity, 'id' | 'type' | 'metadata'>) => void
  /** Whether a new record can be created here. */
  readonly creates?: boolean
  readonly isInvalid?: boolean
  readonly describedBy?: string | undefined
}

/** Number of choices shown at first, and added by each "Show more". */
const choicesAtOnce = 8

/** Maximum number of choices in a list; further ones are found by typing. */
const maxChoices = 200

/** The key of the line that shows more choices. */
const moreKey = 'more'

/** Finds a record by typing, or creates one. */
export function RecordPicker(props: RecordPickerProps) {
  const { label, types, without = [], onPick, creates = false, isInvalid = false, describedBy } = props
  const { client, model } = useSession()
  const { words, typeName, number, problemText } = useLocale()
  const nameOf = useNameOf()
  const { say } = useToasts()
  const { tell } = useChanges()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  /** The active choice, by its key: the list may change meanwhile. */
  const [activeKey, setActiveKey] = useState<string>()
  /** The number of choices to fetch, and for which words. */
  const [wanted, setWanted] = useState({ text: '', limit: choicesAtOnce })
  const ownId = useId()
  const id = props.id ?? ownId
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
    enabled: isOpen,
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
  const makable = creates && name !== '' && !isBehind ? types.flatMap(type => makableRow(model.find(type)) ?? []) : []
  const choices = [
    ...found.map(entity => ({ key: entity.id, entity, row: undefined })),
    ...(hasMore ? [{ key: moreKey, entity: undefined, row: undefined }] : []),
    ...makable.map(row => ({ key: `new ${row.type}`, entity: undefined, row }))
  ]
  const active = Math.max(
    0,
    choices.findIndex(({ key }) => key === activeKey)
  )
  const make = useMutation({
    mutationFn: (row: RecordTypeRow) =>
      client.entities.create({ type: row.type, metadata: [{ key: row.name_field, value: name }] }),
    onSuccess: made => {
      tell(words.created(nameOf(made)), () => client.entities.delete(made.id, { detach: true }))
      pick(made)
    },
    onError: error => say(problemText(error))
  })
  const pick = (entity: Pick<Entity, 'id' | 'type' | 'metadata'>) => {
    onPick(entity)
    setText('')
    setOpen(false)
    setActiveKey(undefined)
  }
  const showMore = () => {
    // The first added choice becomes the active one.
    setActiveKey(undefined)
    setWanted({ text: typed, limit: Math.min(maxChoices, limit + 3 * choicesAtOnce) })
  }
  const choose = (index: number) => {
    const choice = choices[index]
    if (choice?.entity) pick(choice.entity)
    else if (choice?.key === moreKey) showMore()
    // A record that is being created is not created twice.
    else if (choice?.row && !make.isPending) make.mutate(choice.row)
  }
  const onKey = (event: KeyboardEvent) => {
    // Keys of an input method belong to it until it is done.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setOpen(false)
    }
    if (event.key === 'Enter') {
      // Enter chooses here; it never submits the form.
      event.preventDefault()
      // The list is outdated: it would be another record than the typed one.
      if (isOpen && !isBehind && (name !== '' || activeKey !== undefined)) choose(active)
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || choices.length === 0) return
    event.preventDefault()
    setOpen(true)
    setActiveKey(choices[(active + step + choices.length) % choices.length]?.key)
  }
  const isShown = isOpen && choices.length > 0
  return (
    <div className="picker">
      <Search size={16} aria-hidden="true" />
      <input
        id={id}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        aria-activedescendant={isShown ? `${id}-${active}` : undefined}
        placeholder={label}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setActiveKey(undefined)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-busy={isBehind}
        className="suggestions"
        hidden={!isShown}
      >
        {isShown &&
          choices.map(({ key, entity, row }, index) => (
            <div
              key={key}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={active === index}
              className={entity ? 'suggestion' : 'suggestion all'}
              onMouseDown={event => {
                event.preventDefault()
                choose(index)
              }}
              onMouseMove={() => setActiveKey(key)}
            >
              {entity ? (
                <FamilyIcon family={model.familyOf(entity.type)} size={16} />
              ) : row ? (
                <Plus size={16} aria-hidden="true" />
              ) : (
                <ChevronsDown size={16} aria-hidden="true" />
              )}
              <span className="suggestion-name">
                {entity
                  ? nameOf(entity)
                  : row
                    ? words.createNew(name)
                    : words.typeMore(number(results.length), number(data?.count ?? 0))}
              </span>
              {key !== moreKey && <span className="suggestion-type">{typeName(entity?.type ?? row?.type ?? '')}</span>}
            </div>
          ))}
      </div>
    </div>
  )
}

/** The table of a type if a record can be created from a name alone. */
function makableRow(row: RecordTypeRow | undefined): RecordTypeRow | undefined {
  if (!row?.may.includes('write') || row.relations.some(relation => (relation.min ?? 0) > 0)) return undefined
  const needed = row.fields.filter(field => field.required).map(field => field.key)
  const isText = row.fields.some(field => field.key === row.name_field && field.kind === 'text')
  return isText && needed.every(key => key === row.name_field) ? row : undefined
}

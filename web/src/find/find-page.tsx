import { Bookmark, Download, ListChecks, SlidersHorizontal, X } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { useLocation, useNavigate } from '../parts/router.tsx'

import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { ExportDialog } from '../export/export-dialog.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { type Chosen, SelectionBar } from './selection-bar.tsx'
import { filtersOf } from '../../../src/domain/find/find-filters.ts'
import { type FindState, findAddress, relatedIn, type Sort, sorts } from '../../../src/domain/find/find-state.ts'
import { useSearchState } from './search-state.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { GroupedList } from './grouped-list.tsx'
import { Offers } from './offers.tsx'
import { useRemembered } from './recent-searches.ts'
import { SavedSearches } from './saved-searches.tsx'
import { ResultList } from './result-list.tsx'
import { choose, chosenIn, useFind, useNextAhead } from './use-find.ts'
import { Options } from '../parts/options.tsx'
import { NextButton } from '../parts/show-more.tsx'
import './find.css'

/** Setting the title is as expensive as drawing some results, so it waits for a pause. */
const pauseBeforeTitle = 300

export default function FindPage() {
  const { model } = useSession()
  const { words, number } = useLocale()
  const { state, change } = useSearchState()
  const navigate = useNavigate()
  const [areFiltersOpen, setFiltersOpen] = useState(false)
  const [chosen, setChosen] = useSelection()
  const [lastToggled, setLastToggled] = useState('')
  const isChoosing = chosen !== undefined
  // Records are selected, not works with all their parts.
  const listed = useMemo((): FindState => (isChoosing ? { ...state, view: 'records' } : state), [state, isChoosing])
  const found = useFind(listed)
  const [isExporting, setExporting] = useState(false)
  const [isSaving, setSaving] = useState(false)
  useRemembered(state)
  const asideId = useId()
  useTitle(useDebounced(state.text, pauseBeforeTitle) || words.find)

  const pages = found.data?.pages
  const { count = 0, records = 0 } = pages?.at(-1) ?? {}
  const entities = useMemo(() => pages?.flatMap(page => page.entities) ?? [], [pages])
  const entries = useMemo(() => pages?.flatMap(page => page.entries) ?? [], [pages])
  const showMore = useNextAhead(listed, found.isPlaceholderData ? undefined : pages?.at(-1)?.next)
  // The marked words are those of the shown results, until the next ones arrive.
  const [foundBy, setFoundBy] = useState(listed)
  if (!found.isPlaceholderData && foundBy !== listed) setFoundBy(listed)

  /** Selects a record or not any more; with Shift, also all those between it and the last one. */
  const toggle = (id: string, isRange: boolean) => {
    const shown = entities.map(entity => entity.id)
    const ids = new Set(chosen === 'all' ? shown : chosen)
    const [from, to] = [shown.indexOf(lastToggled), shown.indexOf(id)].sort((one, other) => one - other)
    const meant = isRange && from !== undefined && from >= 0 ? shown.slice(from, (to ?? from) + 1) : [id]
    const isAdded = !ids.has(id)
    for (const each of meant) {
      if (isAdded) ids.add(each)
      else ids.delete(each)
    }
    setLastToggled(id)
    setChosen(ids)
  }
  const choosing = chosen && {
    isChosen: (id: string) => chosen === 'all' || chosen.has(id),
    onToggle: toggle
  }

  return (
    <div className="find">
      <aside id={asideId} className={areFiltersOpen ? 'filters open' : 'filters'} aria-label={words.filters}>
        <FilterPanel state={state} onChange={change} />
      </aside>
      <section className="found" aria-busy={found.isFetching} data-of={findAddress({ ...foundBy, view: state.view })}>
        <header className="found-head">
          <div className="found-title">
            <h1 className="found-count" aria-live="polite">
              {pages ? (entries.length > 0 ? words.entries : words.results)(count, number(count)) : '\u00a0'}
            </h1>
            {entries.length > 0 && records !== count && (
              <span className="soft">{words.foundIn(words.results(records, number(records)))}</span>
            )}
          </div>
          <button
            type="button"
            className="button filter-toggle"
            aria-expanded={areFiltersOpen}
            aria-controls={asideId}
            onClick={() => setFiltersOpen(!areFiltersOpen)}
          >
            <SlidersHorizontal size={16} aria-hidden="true" /> {words.filters}
          </button>
          <button type="button" className="button" onClick={() => setSaving(true)}>
            <Bookmark size={16} aria-hidden="true" /> {words.savedSearches}
          </button>
          {(!pages || count > 0) && (
            <button
              type="button"
              className="button"
              disabled={!pages}
              aria-pressed={chosen !== undefined}
              onClick={() => setChosen(chosen === undefined ? new Set() : undefined)}
            >
              <ListChecks size={16} aria-hidden="true" /> {words.select}
            </button>
          )}
          {(!pages || count > 0) && (
            <button type="button" className="button" disabled={!pages} onClick={() => setExporting(true)}>
              <Download size={16} aria-hidden="true" /> {words.export}
            </button>
          )}
          {(!pages || count > 0) && state.types.length === 0 && (
            <label className="check">
              <input
                type="checkbox"
                checked={state.view === ''}
                onChange={() => change({ view: state.view === '' ? 'records' : '' })}
              />
              <span>{words.groupedByWork}</span>
            </label>
          )}
          <label className="inline-choice">
            <span>{words.sort}</span>
            <select value={state.sort} onChange={event => change({ sort: event.target.value as Sort })}>
              <Options
                of={sorts.filter(sort => sort !== 'next' || model.stage.production)}
                name={sort => words.sortBy[sort]}
              />
            </select>
          </label>
        </header>
        <Chips state={state} onChange={change} />
        <div className={found.isPlaceholderData ? 'progress busy' : 'progress'} />
        {!pages && <QueryNote query={found} />}
        {pages && count === 0 && (
          <FullPageNote
            title={words.nothingFound(state.text)}
            action={words.clearFilters}
            onAction={() => navigate(findAddress({ text: '' }))}
          >
            {words.nothingFoundHint}
          </FullPageNote>
        )}
        {pages?.[0] && count === 0 && !found.isPlaceholderData && <Offers state={listed} {...pages[0]} />}
        {entries.length > 0 && <GroupedList entries={entries} text={foundBy.text} label={words.find} />}
        {entities.length > 0 && entries.length === 0 && (
          <ResultList entities={entities} text={foundBy.text} label={words.find} {...(choosing ? { choosing } : {})} />
        )}
        <NextButton pages={found} ref={showMore} />
        {isSaving && <SavedSearches state={state} onClose={() => setSaving(false)} />}
        {isExporting && (
          <ExportDialog
            title={words.exportResults}
            filters={filtersOf(state, model)}
            count={records}
            name="libretto"
            onClose={() => setExporting(false)}
          />
        )}
        {chosen && count > 0 && <SelectionBar state={state} count={count} chosen={chosen} onChoose={setChosen} />}
      </section>
    </div>
  )
}

/** Selections by the entries of the history, so that *Back* from a record finds them again. */
const selections = new Map<string, Chosen>()

function useSelection() {
  const { key } = useLocation()
  const [chosen, setChosen] = useState<Chosen | undefined>(() => selections.get(key))
  useEffect(() => {
    if (chosen === undefined) selections.delete(key)
    else selections.set(key, chosen)
  }, [key, chosen])
  return [chosen, setChosen] as const
}

interface ChipsProps {
  readonly state: FindState
  readonly onChange: (changed: Partial<FindState>) => void
}

/** The active filters, each with a button to remove it. */
function Chips({ state, onChange }: ChipsProps) {
  const { words, number, familyName, relationName, valueName } = useLocale()
  const { model } = useSession()
  const nameOf = useNameOf()
  const [relation = '', relatedId = ''] = relatedIn(state) ?? []
  const related = model.facets.flatMap(({ name, isRelation }) => (isRelation ? (state.facets[name] ?? []) : []))
  const records = useRecords([...related, ...(relatedId ? [relatedId] : [])])
  const named = (id: string) => {
    const record = records.get(id)
    return record ? nameOf(record) : id
  }
  const madeBy = (by: string) =>
    by.startsWith('import:') ? words.madeInImport : words.madeBy(by.replace(/^token:/, ''))
  const without = (values: readonly string[], value: string) => values.filter(each => each !== value)
  const years = [state.from, state.to].some(Boolean) ? `${state.from}–${state.to}` : undefined
  const chips = [
    ...state.types.map(type => ({ name: familyName(type), gone: { types: without(state.types, type) } })),
    ...model.facets.flatMap(({ name, isRelation }) =>
      chosenIn(state, name).map((value, _, chosen) => ({
        name: isRelation ? named(value) : model.kindOf(name) === 'choice' ? valueName(value) : value,
        gone: choose(state, name, without(chosen, value))
      }))
    ),
    ...(state.ids.length === 0 ? [] : [{ name: words.selected(number(state.ids.length)), gone: { ids: [] } }]),
    ...(years === undefined ? [] : [{ name: years, gone: { from: '', to: '' } }]),
    ...(state.readiness === ''
      ? []
      : [{ name: words.readinessStates[state.readiness], gone: { readiness: '' as const } }]),
    ...(relatedId === '' ? [] : [{ name: `${relationName(relation)}: ${named(relatedId)}`, gone: { related: '' } }]),
    ...(state.addedBy === '' ? [] : [{ name: madeBy(state.addedBy), gone: { addedBy: '' } }]),
    ...state.unknown.map(each => ({ name: words.notUnderstood(each), gone: { unknown: without(state.unknown, each) } }))
  ]
  if (chips.length === 0) return null
  return (
    <ul className="chips">
      {chips.map(({ name, gone }) => (
        <li key={name}>
          <button type="button" className="chip" aria-label={words.removeFilter(name)} onClick={() => onChange(gone)}>
            {name} <X size={14} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

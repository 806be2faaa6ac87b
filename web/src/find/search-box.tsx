import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import type { Suggestions } from '../../../client/index.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { findAddress } from './find-state.ts'
import { useSearchState } from './search-state.tsx'
import { focusFirstResult } from './result-list.tsx'

/** Stands for the line "All results"; no record has this id. */
const allResults = ' all'

/** The search box. On the results page it filters while typing; elsewhere it suggests records. */
export function SearchBox() {
  const { words } = useLocale()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const search = useSearchState()
  const isFinding = pathname === '/find'
  const [typed, setTyped] = useState('')
  const text = isFinding ? search.state.text : typed
  const [isOpen, setOpen] = useState(false)
  /** The active suggestion, by its id: the list may change meanwhile. */
  const [activeId, setActiveId] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const { suggestions, of } = useSuggestions(isFinding || !isOpen ? '' : text)
  const { model } = useSession()
  const { typeName } = useLocale()
  const isShown = isOpen && !isFinding && text.trim() !== ''
  // The last line leads to all results.
  const ids = [...suggestions.map(({ id }) => id), allResults]
  const active = activeId === undefined ? -1 : ids.indexOf(activeId)

  useEffect(() => {
    const focusOnSlash = (event: globalThis.KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [contenteditable], dialog')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.select()
    }
    addEventListener('keydown', focusOnSlash)
    return () => removeEventListener('keydown', focusOnSlash)
  }, [])

  const change = (value: string) => {
    setOpen(true)
    setActiveId(undefined)
    // With every key: outdated requests are cancelled, and the last answer stays until the next
    // arrives.
    if (isFinding) search.change({ text: value }, 'typing')
    else setTyped(value)
  }
  const findAll = () => {
    setOpen(false)
    if (isFinding) return search.settle()
    setTyped('')
    navigate(findAddress({ text: text.trim() }))
  }
  const open = (index: number) => {
    const chosen = suggestions[index]
    if (!chosen) return findAll()
    setOpen(false)
    setTyped('')
    navigate(`/record/${encodeURIComponent(chosen.id)}`)
  }
  const onKey = (event: KeyboardEvent) => {
    // Keys of an input method belong to it until it is done.
    if (event.nativeEvent.isComposing) return
    const last = suggestions.length
    const activate = (index: number) => setActiveId(ids[index])
    if (event.key === 'ArrowDown' && isFinding) {
      event.preventDefault()
      focusFirstResult()
    } else if (event.key === 'ArrowDown' && isShown) {
      event.preventDefault()
      activate(active >= last ? 0 : active + 1)
    } else if (event.key === 'ArrowUp' && isShown) {
      event.preventDefault()
      activate(active <= 0 ? last : active - 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(active)
    } else if (event.key === 'Escape') {
      if (isShown) setOpen(false)
      else change('')
    }
  }

  return (
    <search className="search-box">
      <Search size={18} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        role="combobox"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={words.searchLabel}
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
        placeholder={words.searchPlaceholder}
        value={text}
        onChange={event => change(event.target.value)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
      />
      {text === '' ? (
        <span className="key" aria-hidden="true">
          /
        </span>
      ) : (
        <button
          type="button"
          className="icon-button"
          aria-label={words.clearSearch}
          onClick={() => {
            change('')
            input.current?.focus()
          }}
        >
          <X size={16} aria-hidden="true" />
        </button>
      )}
      <div
        id={listId}
        role="listbox"
        aria-label={words.suggestions}
        className="suggestions"
        hidden={!isShown}
        data-of={of}
      >
        {isShown &&
          suggestions.map(({ id, type, label }, index) => (
            <div
              key={id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={active === index}
              className="suggestion"
              // On mouse down, before the blur closes the list.
              onMouseDown={event => {
                event.preventDefault()
                open(index)
              }}
              onMouseMove={() => setActiveId(id)}
            >
              <FamilyIcon family={model.familyOf(type)} />
              <span className="suggestion-name">{label}</span>
              <span className="suggestion-type">{typeName(type)}</span>
            </div>
          ))}
        {isShown && (
          <div
            id={`${listId}-${suggestions.length}`}
            role="option"
            tabIndex={-1}
            aria-selected={active === suggestions.length}
            className="suggestion all"
            onMouseDown={event => {
              event.preventDefault()
              findAll()
            }}
            onMouseMove={() => setActiveId(allResults)}
          >
            <Search size={16} aria-hidden="true" />
            <span className="suggestion-name">{words.allResultsFor(text.trim())}</span>
          </div>
        )}
      </div>
    </search>
  )
}

const maxSuggestions = 7
type Suggestion = Suggestions['suggestions'][number]

/**
 * Suggestions for the typed text, and the text they belong to. The last answer stays until the next
 * arrives.
 */
function useSuggestions(text: string): {
  readonly suggestions: readonly Suggestion[]
  readonly of: string | undefined
} {
  const { client } = useSession()
  const typed = text.trim()
  const { data, isPlaceholderData } = useQuery<readonly Suggestion[]>({
    queryKey: ['suggest', typed],
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    queryFn: ({ signal }) => client.suggest(typed, { limit: maxSuggestions, signal })
  })
  return { suggestions: typed === '' ? [] : (data ?? []), of: data && !isPlaceholderData ? typed : undefined }
}

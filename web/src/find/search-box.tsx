import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Bookmark, History, Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from '../parts/router.tsx'

import type { Suggestions } from '../../../client/index.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useCombobox } from '../parts/use-combobox.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { useSearchState } from './search-state.tsx'
import { recentSearches } from './recent-searches.ts'
import { titleOf, useSavedSearches } from './use-saved-searches.ts'
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
  const input = useRef<HTMLInputElement>(null)
  const { suggestions, of } = useSuggestions(isFinding ? '' : text)
  const { model } = useSession()
  const { typeName } = useLocale()

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

  const findAll = () => {
    box.close()
    if (isFinding) return search.settle()
    setTyped('')
    navigate(findAddress({ text: text.trim() }))
  }
  const isEmpty = text.trim() === ''
  const [wasFocused, setFocused] = useState(false)
  const offers = useOffers(wasFocused && !isFinding && isEmpty)
  const open = (index: number) => {
    const offer = isEmpty ? offers[index] : undefined
    if (offer) {
      box.close()
      return navigate(offer.address)
    }
    const chosen = suggestions[index]
    if (!chosen) return findAll()
    box.close()
    setTyped('')
    navigate(`/record/${encodeURIComponent(chosen.id)}`)
  }
  const box = useCombobox({
    // The last line leads to all results.
    keys: isEmpty ? offers.map(({ address }) => address) : [...suggestions.map(({ id }) => id), allResults],
    startsAt: 'none',
    isEnabled: !isFinding,
    onChoose: open
  })
  const change = (value: string) => {
    box.typed()
    // With every key: outdated requests are cancelled, and the last answer stays until the next
    // arrives.
    if (isFinding) search.change({ text: value }, 'typing')
    else setTyped(value)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && isFinding && !event.nativeEvent.isComposing) {
      event.preventDefault()
      focusFirstResult()
    } else if (!box.onKey(event) && event.key === 'Escape') change('')
  }

  return (
    <search className="search-box">
      <Search size={18} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        {...box.field}
        onFocus={() => {
          setFocused(true)
          box.field.onFocus()
        }}
        spellCheck={false}
        aria-label={words.searchLabel}
        placeholder={words.searchPlaceholder}
        value={text}
        onChange={event => change(event.target.value)}
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
      <div {...box.list} role="listbox" aria-label={words.suggestions} data-of={of}>
        {box.isShown &&
          isEmpty &&
          offers.map(({ address, text, isSaved }, index) => (
            <div key={address} {...box.option(index)} className="suggestion">
              {isSaved ? <Bookmark size={16} aria-hidden="true" /> : <History size={16} aria-hidden="true" />}
              <span className="suggestion-name">{text}</span>
              <span className="suggestion-type">{isSaved ? words.savedSearch : words.recentSearch}</span>
            </div>
          ))}
        {box.isShown &&
          suggestions.map(({ id, type, label }, index) => (
            <div key={id} {...box.option(index)} className="suggestion">
              <FamilyIcon family={model.familyOf(type)} />
              <span className="suggestion-name">{label}</span>
              <span className="suggestion-type">{typeName(type)}</span>
            </div>
          ))}
        {box.isShown && !isEmpty && (
          <div {...box.option(suggestions.length)} className="suggestion all">
            <Search size={16} aria-hidden="true" />
            <span className="suggestion-name">{words.allResultsFor(text.trim())}</span>
          </div>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {box.isShown && (isEmpty || of === text.trim()) && words.choices((isEmpty ? offers : suggestions).length)}
      </p>
    </search>
  )
}

const maxSaved = 6

/**
 * Searches for an empty box: the last ones of this browser, and saved ones. Those that colleagues
 * share stand for what is popular: nobody's searches are counted.
 */
function useOffers(isWanted: boolean) {
  const { searches } = useSavedSearches(isWanted)
  if (!isWanted) return []
  const recent = recentSearches().map(each => ({ ...each, isSaved: false }))
  const saved = searches.map(each => ({ address: each.address, text: titleOf(each), isSaved: true }))
  const offers = [...recent, ...saved.slice(0, maxSaved)]
  // A search that is both is offered under its name.
  return [...new Map(offers.map(each => [each.address, each])).values()]
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

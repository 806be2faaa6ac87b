import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from '../parts/router.tsx'

import { useLatest } from '../parts/use-latest.ts'
import { useSession } from '../session/session.tsx'
import { type FindState, findAddress, readFindState } from '../../../src/domain/find/find-state.ts'
import { findQuestion } from './use-find.ts'

/*
 * The state of the search. The address follows later: writing it costs the browser 12 ms of
 * processor time and setting the title 4 ms, together a third of the time to the results if done
 * with every key.
 */

export interface SearchState {
  readonly state: FindState
  /**
   * Changes the search. Typing is one step in the history; each other change is a step of its own.
   */
  readonly change: (changed: Partial<FindState>, isTyping?: 'typing') => void
  /** Writes the address now. */
  readonly settle: () => void
}

/** Delay in milliseconds before the address is written. */
const pauses = { typing: 300, step: 120 } as const

/** A pending address: when to write it, its content, and the history entry it replaces. */
interface Unwritten {
  readonly timer: number
  readonly kind: keyof typeof pauses
  readonly since: string
}

const SearchStateContext = createContext<SearchState | undefined>(undefined)

export function useSearchState(): SearchState {
  const search = use(SearchStateContext)
  if (!search) throw new Error('There is no SearchStateProvider above')
  return search
}

export function SearchStateProvider({ children }: { readonly children: ReactNode }) {
  const { client, model } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { pathname, search, key } = useLocation()
  /** The search that is not in the address yet, and the history entry it belongs to. */
  const [ahead, setAhead] = useState<{ readonly state: FindState; readonly since: string }>()
  const state = useMemo(
    () =>
      ahead?.since === key
        ? ahead.state
        : readFindState(new URLSearchParams(pathname === '/find' ? search : ''), model),
    [ahead, key, pathname, search, model]
  )
  const now = useLatest({ state, key, navigate })
  const unwritten = useRef<Unwritten>(undefined)

  const settle = useCallback(() => {
    if (!unwritten.current) return
    const { timer, kind, since } = unwritten.current
    clearTimeout(timer)
    unwritten.current = undefined
    // Users who left the page meanwhile are not brought back.
    if (since !== now.current.key) return
    // Synchronously: a key pressed in between would be lost.
    flushSync(() => {
      now.current.navigate(findAddress(now.current.state), { replace: kind === 'typing' })
      setAhead(undefined)
    })
  }, [now])

  const change = useCallback<SearchState['change']>(
    (changed, isTyping) => {
      const kind = isTyping ?? 'step'
      // An earlier step stays in the history.
      if (kind === 'step' || unwritten.current?.kind === 'step') settle()
      const next = { ...now.current.state, ...changed }
      // The request is sent first, so that the service works while the page is drawn.
      queries.prefetchInfiniteQuery(findQuestion(queries, client, model, next))
      now.current.state = next
      const since = now.current.key
      setAhead({ state: next, since })
      clearTimeout(unwritten.current?.timer)
      unwritten.current = { timer: window.setTimeout(settle, pauses[kind]), kind, since }
    },
    [queries, client, model, settle, now]
  )

  // A search that was not written before leaving the page is dropped.
  useEffect(() => setAhead(last => (last?.since === key ? last : undefined)), [key])

  // Written when the page is left, so that Back returns to this search.
  useEffect(() => {
    const moments = ['click', 'focusout', 'pagehide'] as const
    for (const moment of moments) addEventListener(moment, settle, { capture: true })
    return () => {
      for (const moment of moments) removeEventListener(moment, settle, { capture: true })
    }
  }, [settle])

  return (
    <SearchStateContext value={useMemo(() => ({ state, change, settle }), [state, change, settle])}>
      {children}
    </SearchStateContext>
  )
}

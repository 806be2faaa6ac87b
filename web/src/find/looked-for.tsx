import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router'

import { useSession } from '../session/session.tsx'
import { type FindState, findAddress, readFindState } from './find-state.ts'
import { findQuestion } from './use-find.ts'

/*
 * What is looked for is known here at once, and the address follows when there is time. To write an address costs the browser 12 ms of processor time, and
 * to name the window 4 more (it keeps its history and draws its bar): with every key, at the same moment, that would be a third of the wait for the results.
 */

export interface LookedFor {
  readonly state: FindState
  /** Looks for something else. What is typed is one step in the history when it is done; everything else is a step of its own. */
  readonly change: (changed: Partial<FindState>, isTyping?: 'typing') => void
  /** Writes the address now. */
  readonly settle: () => void
}

/** So many milliseconds after a change its address is written. */
const pauses = { typing: 300, step: 120 } as const

/** An address that is to be written: when, as what, and over which entry of the history. */
interface Unwritten {
  readonly timer: number
  readonly kind: keyof typeof pauses
  readonly since: string
}

const LookedForContext = createContext<LookedFor | undefined>(undefined)

export function useLookedFor(): LookedFor {
  const lookedFor = use(LookedForContext)
  if (!lookedFor) throw new Error('There is no LookedForProvider above')
  return lookedFor
}

export function LookedForProvider({ children }: { readonly children: ReactNode }) {
  const { client, model } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { pathname, search, key } = useLocation()
  /** What the address does not say yet, and the entry of the history since which. Wherever one goes meanwhile, that counts. */
  const [ahead, setAhead] = useState<{ readonly state: FindState; readonly since: string }>()
  const state = useMemo(
    () => (ahead?.since === key ? ahead.state : readFindState(new URLSearchParams(pathname === '/find' ? search : ''))),
    [ahead, key, pathname, search]
  )
  const now = useRef({ state, key, navigate })
  now.current = { state, key, navigate }
  const unwritten = useRef<Unwritten>(undefined)

  const settle = useCallback(() => {
    if (!unwritten.current) return
    const { timer, kind, since } = unwritten.current
    clearTimeout(timer)
    unwritten.current = undefined
    // Whoever went elsewhere meanwhile is not brought back.
    if (since !== now.current.key) return
    // In one go: a key that is pressed in between would be lost.
    flushSync(() => {
      now.current.navigate(findAddress(now.current.state), { replace: kind === 'typing' })
      setAhead(undefined)
    })
  }, [])

  const change = useCallback<LookedFor['change']>(
    (changed, isTyping) => {
      const kind = isTyping ?? 'step'
      // A step before this one stays one.
      if (kind === 'step' || unwritten.current?.kind === 'step') settle()
      const next = { ...now.current.state, ...changed }
      // The question goes first: the service is at work while the page is drawn.
      queries.prefetchInfiniteQuery(findQuestion(queries, client, model, next))
      now.current.state = next
      const since = now.current.key
      setAhead({ state: next, since })
      clearTimeout(unwritten.current?.timer)
      unwritten.current = { timer: window.setTimeout(settle, pauses[kind]), kind, since }
    },
    [queries, client, model, settle]
  )

  // What was not written before somebody went elsewhere is over, also when they come back.
  useEffect(() => setAhead(last => (last?.since === key ? last : undefined)), [key])

  // Whoever turns to something else finds the way back to what they looked for.
  useEffect(() => {
    const moments = ['click', 'focusout', 'pagehide'] as const
    for (const moment of moments) addEventListener(moment, settle, { capture: true })
    return () => {
      for (const moment of moments) removeEventListener(moment, settle, { capture: true })
    }
  }, [settle])

  return (
    <LookedForContext value={useMemo(() => ({ state, change, settle }), [state, change, settle])}>
      {children}
    </LookedForContext>
  )
}

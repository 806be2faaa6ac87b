import { useEffect } from 'react'

import { type FindState, findAddress } from '../../../src/domain/find/find-state.ts'

/* The last searches of this browser. The service does not record what people look for. */

export interface RecentSearch {
  readonly text: string
  readonly address: string
}

const storageKey = 'libretto-searches'
const maxSearches = 6
/** Milliseconds that a search stays before it is remembered: others are on the way to it. */
const rest = 1_500

export function recentSearches(): readonly RecentSearch[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(each => typeof each?.text === 'string' && each.address) : []
  } catch {
    return []
  }
}

/** Forgets them, for the next user of this browser. */
export const forgetSearches = () => localStorage.removeItem(storageKey)

/** Remembers a search with words. It takes the place of those that it continues. */
export function useRemembered(state: FindState) {
  const text = state.text.trim()
  const address = findAddress(state)
  useEffect(() => {
    if (text === '') return
    const timer = setTimeout(() => {
      const others = recentSearches().filter(each => each.address !== address && !text.startsWith(each.text))
      localStorage.setItem(storageKey, JSON.stringify([{ text, address }, ...others].slice(0, maxSearches)))
    }, rest)
    return () => clearTimeout(timer)
  }, [text, address])
}

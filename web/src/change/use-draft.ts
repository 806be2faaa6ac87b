import { useCallback, useEffect, useRef } from 'react'

import { useLatest } from '../parts/use-latest.ts'
import { dropDraft, keepDraft } from './drafts.ts'

/** Milliseconds without typing before the draft is stored. */
const pause = 250

/**
 * Stores a draft while typing, and deletes it if there is nothing to store. It is also stored when
 * the tab is closed or the session ends. Returns a function that deletes it once it is saved.
 */
export function useDraft(name: string, draft: object | undefined): () => void {
  const latest = useLatest(draft)
  const isSaved = useRef(false)

  useEffect(() => {
    if (!draft) return dropDraft(name)
    const timer = setTimeout(() => {
      if (!isSaved.current) keepDraft(name, draft)
    }, pause)
    return () => clearTimeout(timer)
  }, [name, draft])

  useEffect(() => {
    isSaved.current = false
    const keepNow = () => {
      if (latest.current && !isSaved.current) keepDraft(name, latest.current)
    }
    // The browser asks before it closes a page whose draft it does not store.
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current && !isSaved.current && !keepDraft(name, latest.current)) event.preventDefault()
    }
    addEventListener('pagehide', keepNow)
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('pagehide', keepNow)
      removeEventListener('beforeunload', ask)
      keepNow()
    }
  }, [name, latest])

  return useCallback(() => {
    isSaved.current = true
    dropDraft(name)
  }, [name])
}

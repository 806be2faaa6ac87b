import { useCallback, useEffect, useRef } from 'react'

import { dropDraft, keepDraft } from './drafts.ts'

/** How long nothing is typed, in milliseconds, before it is kept. */
const pause = 250

/**
 * Keeps what is being typed, and forgets it when there is nothing to keep. Whoever leaves before the pause is over loses nothing either, be it that
 * the tab is closed or that a sign-in came to its end. Gives what forgets it once it is saved.
 */
export function useKeptDraft(name: string, draft: object | undefined): () => void {
  const latest = useRef(draft)
  const isSaved = useRef(false)
  latest.current = draft

  useEffect(() => {
    if (!draft) return dropDraft(name)
    const timer = setTimeout(() => isSaved.current || keepDraft(name, draft), pause)
    return () => clearTimeout(timer)
  }, [name, draft])

  useEffect(() => {
    isSaved.current = false
    const keepNow = () => {
      if (latest.current && !isSaved.current) keepDraft(name, latest.current)
    }
    addEventListener('pagehide', keepNow)
    return () => {
      removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [name])

  return useCallback(() => {
    isSaved.current = true
    dropDraft(name)
  }, [name])
}

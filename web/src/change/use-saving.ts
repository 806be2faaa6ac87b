import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useLocale } from '../i18n/locale.tsx'
import { useToasts } from '../parts/toasts.tsx'

/**
 * Saves a form. If that fails after the user left the form, a message says so: the form is not
 * there to show its faults, but its draft is kept.
 */
export function useSaving<Saved, Sent>(options: UseMutationOptions<Saved, Error, Sent>) {
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useMutation({
    ...options,
    onError: (error, ...rest) =>
      isShown.current ? options.onError?.(error, ...rest) : say(words.notSaved(problemText(error)))
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { useToasts } from '../parts/toasts.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { useSession } from '../session/session.tsx'
import { dropLastChange } from './last-change.ts'
import { type DoneChange, undoMany } from './send-bulk-change.ts'

/** Undoes a bulk change and reports its progress. */
export function useUndoMany() {
  const { client, me } = useSession()
  const { problemText } = useLocale()
  const { say } = useToasts()
  const queries = useQueryClient()
  const [handled, setHandled] = useState(0)
  const undo = useMutation({
    mutationFn: (changes: readonly DoneChange[]) => undoMany(client, changes, setHandled),
    onSuccess: async () => {
      dropLastChange(me.name)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'change many' })
    },
    onError: error => say(problemText(error))
  })
  return { undo, handled }
}

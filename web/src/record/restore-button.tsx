import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'

import { useLocale } from '../i18n/locale.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'

interface RestoreButtonProps {
  readonly id: string
  readonly version: number
  readonly label: string
  readonly isPrimary?: boolean
}

/** Restores a version of a record. */
export function RestoreButton({ id, version, label, isPrimary = false }: RestoreButtonProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const restore = useMutation({
    mutationFn: () => client.entities.revert(id, version),
    onSuccess: async () => {
      await queries.invalidateQueries()
      say(words.restored(version))
    },
    onError: error => say(problemText(error))
  })
  return (
    <button
      type="button"
      className={isPrimary ? 'button primary' : 'button'}
      disabled={restore.isPending}
      onClick={() => restore.mutate()}
    >
      <RotateCcw size={16} aria-hidden="true" /> {label}
    </button>
  )
}

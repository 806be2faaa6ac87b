import { useNavigate } from './router.tsx'

import { isProblem } from '../../../client/index.ts'
import { useLocale } from '../i18n/locale.tsx'
import { FullPageNote } from './full-page-note.tsx'

interface QueryNoteProps {
  readonly isWhole?: boolean
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown }
}

/** Shown in place of an answer: loading, or the error. */
export function QueryNote({ isWhole = false, query: { error, refetch } }: QueryNoteProps) {
  const { words, problemText } = useLocale()
  const navigate = useNavigate()
  if (error === null) return <FullPageNote quiet>{words.loading}</FullPageNote>
  if (isProblem(error, 'not_found'))
    return (
      <FullPageNote
        isWhole={isWhole}
        title={words.notFound}
        {...(isWhole ? { action: words.toStart, onAction: () => navigate('/') } : {})}
      >
        {words.notFoundHint}
      </FullPageNote>
    )
  return (
    <FullPageNote isWhole={isWhole} title={words.wrong} action={words.retry} onAction={() => refetch()}>
      {problemText(error)}
    </FullPageNote>
  )
}

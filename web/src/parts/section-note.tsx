import { TriangleAlert } from 'lucide-react'

import { useLocale } from '../i18n/locale.tsx'

interface SectionNoteProps {
  /** The requests of the section; nothing is shown once all are answered. */
  readonly queries: readonly {
    readonly error: Error | null
    readonly isLoading: boolean
    readonly isFetching: boolean
    readonly failureCount: number
    readonly refetch: () => unknown
  }[]
  /** The name of the section. */
  readonly label: string
}

/**
 * Says that a section is loading, after a moment, or that it could not be loaded, and why, with a
 * button to try again.
 */
export function SectionNote({ queries, label }: SectionNoteProps) {
  const { words, problemText } = useLocale()
  const failed = queries.filter(({ error }) => error !== null)
  const [first] = failed
  if (!first?.error)
    return queries.some(({ isLoading }) => isLoading) ? (
      <p className={queries.some(({ failureCount }) => failureCount > 0) ? 'soft' : 'soft late'} role="status">
        {label}: {words.loading}
      </p>
    ) : null
  return (
    <div className="note note-warn section-note" role="alert">
      <TriangleAlert size={18} aria-hidden="true" />
      <p>
        <strong>{words.sectionFailed(label)}</strong> {problemText(first.error)}
      </p>
      <button
        type="button"
        className="button"
        disabled={failed.some(({ isFetching }) => isFetching)}
        onClick={() => failed.map(({ refetch }) => refetch())}
      >
        {words.retry}
      </button>
    </div>
  )
}

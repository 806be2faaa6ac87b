import type { ReactNode } from 'react'

interface NoteProps {
  readonly title?: string
  /** Whether the note is the whole page: its title is then the title of the page. */
  readonly isWhole?: boolean
  readonly children?: ReactNode
  /** Whether it is about loading: shown late, so that it does not flash. */
  readonly quiet?: boolean
  readonly action?: string
  readonly onAction?: () => void
}

/** A note in an otherwise empty place: nothing there, loading, or an error. */
export function FullPageNote({ title, isWhole = false, children, quiet = false, action, onAction }: NoteProps) {
  return (
    <div className={quiet ? 'full-note late' : 'full-note'} role={quiet ? 'status' : undefined}>
      {title !== undefined && (isWhole ? <h1>{title}</h1> : <h2>{title}</h2>)}
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && (
        <button type="button" className="button" onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  )
}

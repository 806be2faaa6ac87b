import type { ReactNode } from 'react'

interface NoteProps {
  readonly title?: string
  /** Whether it is all that the page shows: then its title is the title of the page. */
  readonly isWhole?: boolean
  readonly children?: ReactNode
  /** Says that it is only a moment: shown late, so that it does not flash. */
  readonly quiet?: boolean
  readonly action?: string
  readonly onAction?: () => void
}

/** In the middle of an otherwise empty place: nothing there, not yet there, or gone wrong. */
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

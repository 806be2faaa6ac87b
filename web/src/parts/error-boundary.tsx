import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react'

import { wordsAtFirst } from '../i18n/locale.tsx'
import { FullPageNote } from './full-page-note.tsx'
import { LostPartError } from './lazy-page.tsx'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** A new value clears the error, such as the address of the next page. */
  readonly resetKey?: string
}

interface ErrorBoundaryState {
  readonly error: unknown
  readonly hasError: boolean
  readonly resetKey: string | undefined
}

/** Shows an error that was thrown while drawing, in place of the part that threw it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, hasError: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error, hasError: true }
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState
  ): Partial<ErrorBoundaryState> | null {
    return resetKey === state.resetKey ? null : { error: undefined, hasError: false, resetKey }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    if (!(error instanceof LostPartError)) console.error(error, componentStack)
  }

  override render() {
    return this.state.hasError ? <ErrorNote error={this.state.error} /> : this.props.children
  }
}

/** Takes its words from no context: the error may have come from there. */
function ErrorNote({ error }: { readonly error: unknown }) {
  const words = wordsAtFirst()
  const isLost = error instanceof LostPartError
  useEffect(() => {
    if (!isLost) return
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [isLost])
  const isOffline = isLost && !navigator.onLine
  return (
    <div role="alert" className="error-note">
      <FullPageNote
        isWhole
        title={isOffline ? words.offline : words.wrong}
        {...(isOffline ? {} : { action: words.reload, onAction: () => location.reload() })}
      >
        {isOffline ? words.offlineHint : isLost ? words.partLost : words.brokenHint(messageOf(error))}
      </FullPageNote>
    </div>
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

import type { ReactNode } from 'react'

import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  /** The question, and the label of the button that confirms it. */
  readonly title: string
  readonly does: string
  /** Whether the action can be undone; others have a red button. */
  readonly isSafe?: boolean
  readonly isDisabled: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** The consequence. */
  readonly children: ReactNode
}

/** Confirms an action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, does, isSafe = false, isDisabled, onConfirm, onClose, children } = props
  const { words } = useLocale()
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button
          type="button"
          className={isSafe ? 'button primary' : 'button danger'}
          disabled={isDisabled}
          onClick={onConfirm}
        >
          {does}
        </button>
      </div>
    </Dialog>
  )
}

import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  /** The question, its consequence, and the label of the button that confirms it. */
  readonly title: string
  readonly hint: string
  readonly does: string
  readonly isPending: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Confirms an action that cannot be undone. */
export function ConfirmDialog({ title, hint, does, isPending, onConfirm, onClose }: ConfirmDialogProps) {
  const { words } = useLocale()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" className="button danger" disabled={isPending} onClick={onConfirm}>
          {does}
        </button>
      </div>
    </Dialog>
  )
}

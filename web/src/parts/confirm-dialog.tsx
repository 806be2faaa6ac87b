import { useSpeech } from '../words/words.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  /** The question, what follows from it, and what the button says that does it. */
  readonly title: string
  readonly hint: string
  readonly does: string
  readonly isPending: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks once more before something that cannot be taken back. */
export function ConfirmDialog({ title, hint, does, isPending, onConfirm, onClose }: ConfirmDialogProps) {
  const { words } = useSpeech()
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

import { useLocale } from '../i18n/locale.tsx'

interface DialogFootProps {
  /** The name of the button that does it. */
  readonly does: string
  readonly isDisabled: boolean
  readonly error: Error | null
  readonly onCancel: () => void
}

/** The end of a form in a dialog: why it failed, and the buttons that cancel and do it. */
export function DialogFoot({ does, isDisabled, error, onCancel }: DialogFootProps) {
  const { words, problemText } = useLocale()
  return (
    <>
      {error && (
        <p className="fault" role="alert">
          {problemText(error)}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          {words.cancel}
        </button>
        <button type="submit" className="button primary" disabled={isDisabled}>
          {does}
        </button>
      </div>
    </>
  )
}

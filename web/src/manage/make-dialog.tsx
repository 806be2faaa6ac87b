import { type FormEvent, type ReactNode, useId } from 'react'

import { Dialog } from '../parts/dialog.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'

interface MakeDialogProps {
  readonly title: string
  /** The label of the button. */
  readonly makes: string
  readonly isIncomplete?: boolean
  readonly making: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly mutate: (form: FormData) => void
  }
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A short form in a dialog, which shows errors of the service. */
export function MakeDialog({ title, makes, isIncomplete = false, making, onClose, children }: MakeDialogProps) {
  const { words, problemText } = useLocale()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    making.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="manage-form" onSubmit={submit}>
        {children}
        {making.error && (
          <p className="fault" role="alert">
            {problemText(making.error)}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="button primary" disabled={making.isPending || isIncomplete}>
            {makes}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The kind of records, or all; the field is called `type`. */
export function KindChoice() {
  const { model } = useSession()
  const { words, familyName } = useLocale()
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{words.onlyType}</label>
      <select id={id} name="type">
        <option value="">{words.allTypes}</option>
        {[...model.families.keys()].map(family => (
          <option key={family} value={family}>
            {familyName(family)}
          </option>
        ))}
      </select>
    </>
  )
}

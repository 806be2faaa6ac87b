import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'

import { DialogFoot } from '../parts/dialog-foot.tsx'
import { dropDraft, findDraft, formDraftName, keepDraft } from '../change/drafts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Options } from '../parts/options.tsx'

interface MakeDialogProps {
  readonly title: string
  /** The label of the button. */
  readonly makes: string
  /** The name under which unsaved input is stored. The caller deletes it once it is saved. */
  readonly draft: string
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
export function MakeDialog(props: MakeDialogProps) {
  const { title, makes, draft, isIncomplete = false, making, onClose, children } = props
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    making.mutate(new FormData(event.currentTarget))
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    for (const [name, value] of Object.entries(
      findDraft<Readonly<Record<string, string>>>(formDraftName(draft)) ?? {}
    )) {
      const field = form.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
  }, [draft])
  const keep = (event: FormEvent<HTMLFormElement>) =>
    keepDraft(formDraftName(draft), Object.fromEntries(new FormData(event.currentTarget)))
  const cancel = () => {
    dropDraft(formDraftName(draft))
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} className="manage-form" onSubmit={submit} onInput={keep}>
        {children}
        <DialogFoot does={makes} isDisabled={making.isPending || isIncomplete} error={making.error} onCancel={cancel} />
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
        <Options of={[...model.families.keys()]} name={familyName} />
      </select>
    </>
  )
}

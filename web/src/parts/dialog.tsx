import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'

import { useLocale } from '../i18n/locale.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
  readonly wide?: boolean
}

/**
 * The browser's own dialog: it traps the focus and closes by Escape. The first form field gets the
 * focus.
 */
export function Dialog({ title, children, onClose, wide = false }: DialogProps) {
  const { words } = useLocale()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    if (dialog && !dialog.open) dialog.showModal()
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus()
    // A dialog that is removed while open does not restore the focus by itself.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={ref} className={wide ? 'dialog wide' : 'dialog'} aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label={words.close} onClick={() => ref.current?.close()}>
          <X size={18} aria-hidden="true" />
        </button>
      </header>
      {children}
    </dialog>
  )
}

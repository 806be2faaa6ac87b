import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

import { Dialog } from '../parts/dialog.tsx'
import { useLocale } from '../i18n/locale.tsx'

interface ShownOnceProps {
  readonly title: string
  readonly hint: string
  readonly secret: string
  readonly onClose: () => void
}

/** A secret that is shown once, to be copied. */
export function ShownOnce({ title, hint, secret, onClose }: ShownOnceProps) {
  const { words } = useLocale()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="note note-warn">{hint}</p>
      <output className="secret code">{secret}</output>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={copy}>
          {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
          {isCopied ? words.copied : words.copy}
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  )
}

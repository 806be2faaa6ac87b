import { useEffect, useState } from 'react'

import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** The list of keyboard shortcuts, opened by `?`. */
export function KeysHelp() {
  const { words } = useLocale()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const openOnKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [contenteditable], dialog')
      if (event.key !== '?' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', openOnKey)
    return () => removeEventListener('keydown', openOnKey)
  }, [])
  if (!isOpen) return null
  return (
    <Dialog title={words.keys} onClose={() => setOpen(false)}>
      <dl className="keys">
        {Object.entries(words.keyNames).map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

import { X } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback, useLayoutEffect, useMemo, useState } from 'react'

import { useSpeech } from '../words/words.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly name: string; readonly run: () => void }
}

interface Toasts {
  /** Says something at the edge of the page. What can be taken back stays until it is closed or another takes its place. */
  say(text: string, action?: Toast['action']): void
}

const ToastContext = createContext<Toasts | undefined>(undefined)
const lifetime = 6000

export function useToasts(): Toasts {
  const toasts = use(ToastContext)
  if (!toasts) throw new Error('There is no ToastProvider above')
  return toasts
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const { words } = useSpeech()
  const [toast, setToast] = useState<Toast>()
  const close = useCallback((id: number) => setToast(current => (current?.id === id ? undefined : current)), [])
  const say = useCallback<Toasts['say']>(
    (text, action) => {
      const id = performance.now()
      setToast({ id, text, ...(action ? { action } : {}) })
      if (!action) setTimeout(() => close(id), lifetime)
    },
    [close]
  )
  const toasts = useMemo(() => ({ say }), [say])
  const act = useCallback(
    ({ id, action }: Toast) => {
      close(id)
      action?.run()
    },
    [close]
  )

  // What was done last is taken back as everywhere else, except where that takes back what is being typed. From the moment it is shown: a key that is
  // pressed then must not be lost.
  useLayoutEffect(() => {
    if (toast?.action?.name !== words.undo) return
    const actOnKey = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [contenteditable]')
      if (!isUndo || isTyping) return
      event.preventDefault()
      act(toast)
    }
    addEventListener('keydown', actOnKey)
    return () => removeEventListener('keydown', actOnKey)
  }, [toast, act, words])

  return (
    <ToastContext value={toasts}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toast && (
          <div className="toast" key={toast.id}>
            <span>{toast.text}</span>
            {toast.action && (
              <button
                type="button"
                className="toast-action"
                aria-keyshortcuts="Control+Z Meta+Z"
                onClick={() => act(toast)}
              >
                {toast.action.name}
              </button>
            )}
            <button type="button" className="icon-button" aria-label={words.close} onClick={() => close(toast.id)}>
              <X size={16} aria-hidden="true" />
            </button>
          </div>
        )}
      </div>
    </ToastContext>
  )
}

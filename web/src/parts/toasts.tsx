import { X } from 'lucide-react'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from 'react'

import { useLocale } from '../i18n/locale.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly name: string; readonly run: () => void }
}

interface Toasts {
  /** Shows a message in the strip below the content, for a while. */
  say(text: string, action?: Toast['action']): void
}

const ToastContext = createContext<Toasts | undefined>(undefined)

/**
 * Milliseconds that a message stays. One with an action stays longer; the history can undo later.
 */
const lifetime = { plain: 8_000, withAction: 30_000 }

/** Maximum number of messages at a time; a new one ends the oldest. */
const maxToasts = 3

export function useToasts(): Toasts {
  const toasts = use(ToastContext)
  if (!toasts) throw new Error('There is no ToastProvider above')
  return toasts
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const { words } = useLocale()
  const [shown, setShown] = useState<readonly Toast[]>([])
  const nextId = useRef(0)
  const close = useCallback((id: number) => setShown(current => current.filter(each => each.id !== id)), [])
  const say = useCallback<Toasts['say']>((text, action) => {
    const id = nextId.current++
    setShown(current => [{ id, text, ...(action ? { action } : {}) }, ...current].slice(0, maxToasts))
  }, [])
  const toasts = useMemo(() => ({ say }), [say])
  const act = useCallback(
    ({ id, action }: Toast) => {
      close(id)
      action?.run()
    },
    [close]
  )
  const last = shown.find(({ action }) => action?.name === words.undo)
  useUndoKey(last, act)
  const strip = useRef<HTMLDivElement>(null)
  useReservedHeight(strip)

  return (
    <ToastContext value={toasts}>
      {children}
      <div ref={strip} className="toasts" role="status" aria-live="polite">
        {shown.map(toast => (
          <ToastLine key={toast.id} toast={toast} onAct={act} onClose={close} />
        ))}
      </div>
    </ToastContext>
  )
}

/** Undoes the last change by Ctrl+Z, except where that would undo typing. */
function useUndoKey(last: Toast | undefined, act: (toast: Toast) => void) {
  // Before the message is painted: a key pressed at that moment must not be lost.
  useLayoutEffect(() => {
    if (!last) return
    const actOnKey = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [contenteditable]')
      if (!isUndo || isTyping) return
      event.preventDefault()
      act(last)
    }
    addEventListener('keydown', actOnKey)
    return () => removeEventListener('keydown', actOnKey)
  }, [last, act])
}

/** Tells the style sheet how high the strip is: the page ends above it, and so do fixed footers. */
function useReservedHeight(strip: { readonly current: HTMLElement | null }) {
  useEffect(() => {
    const element = strip.current
    if (!element) return
    const root = document.documentElement
    const watch = new ResizeObserver(() => root.style.setProperty('--toasts', `${element.offsetHeight}px`))
    watch.observe(element)
    return () => watch.disconnect()
  }, [strip])
}

interface ToastLineProps {
  readonly toast: Toast
  readonly onAct: (toast: Toast) => void
  readonly onClose: (id: number) => void
}

/** One message. It does not end while the pointer or the focus is in it. */
function ToastLine({ toast, onAct, onClose }: ToastLineProps) {
  const { words } = useLocale()
  const [isHeld, setHeld] = useState(false)
  const { id, action } = toast
  const stays = action ? lifetime.withAction : lifetime.plain
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => onClose(id), stays)
    return () => clearTimeout(timer)
  }, [id, stays, isHeld, onClose])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only keep the message from ending
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {action && (
        <button
          type="button"
          className="toast-action"
          aria-keyshortcuts="Control+Z Meta+Z"
          onClick={() => onAct(toast)}
        >
          {action.name}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={words.close} onClick={() => onClose(id)}>
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  )
}

import { type KeyboardEvent, useId, useState } from 'react'

interface ComboboxOptions {
  /** The id of the field; one is made otherwise. */
  readonly id?: string | undefined
  /** The keys of the choices, in order. */
  readonly keys: readonly string[]
  /** Whether a choice is active before an arrow key was pressed: the first, or none. */
  readonly startsAt: 'first' | 'none'
  /** Whether the list may be shown, when there is something in it. */
  readonly isEnabled?: boolean
  /** Called with the index of a choice, or with -1 for Enter without an active choice. */
  readonly onChoose: (index: number) => void
  /** Whether Enter chooses now: not while the list is outdated or nothing was typed. */
  readonly mayEnter?: (hasMoved: boolean) => boolean
}

/**
 * The state, keys and attributes of a field with a list of choices, as the ARIA practices describe
 * a combobox with a list. The caller draws field and list.
 */
export function useCombobox(options: ComboboxOptions) {
  const { keys, startsAt, isEnabled = true, onChoose, mayEnter = () => true } = options
  const ownId = useId()
  const id = options.id ?? ownId
  const [isOpen, setOpen] = useState(false)
  /** The active choice, by its key: the list may change meanwhile. */
  const [activeKey, setActiveKey] = useState<string>()
  const found = activeKey === undefined ? -1 : keys.indexOf(activeKey)
  const active = found < 0 && startsAt === 'first' ? 0 : found
  const isShown = isOpen && isEnabled && keys.length > 0

  const close = () => {
    setOpen(false)
    setActiveKey(undefined)
  }
  const move = (step: number) => {
    setOpen(true)
    const from = active < 0 && step < 0 ? 0 : active
    setActiveKey(keys[(from + step + keys.length) % keys.length])
  }
  /** Handles a key. Returns whether it was meant for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    // Keys of an input method belong to it until it is done.
    if (event.nativeEvent.isComposing) return true
    if (event.key === 'Escape' && isShown) {
      event.stopPropagation()
      setOpen(false)
      return true
    }
    if (event.key === 'Enter') {
      // Enter chooses; it never submits the form.
      event.preventDefault()
      if (isShown || startsAt === 'none') if (mayEnter(activeKey !== undefined)) onChoose(isShown ? active : -1)
      return true
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || keys.length === 0 || !isEnabled) return false
    event.preventDefault()
    move(step)
    return true
  }

  return {
    isOpen,
    isShown,
    active,
    close,
    /** Forgets the active choice, as when other words are typed. */
    typed() {
      setActiveKey(undefined)
      setOpen(true)
    },
    forgetActive: () => setActiveKey(undefined),
    onKey,
    field: {
      id,
      role: 'combobox',
      autoComplete: 'off',
      'aria-expanded': isShown,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': isShown && active >= 0 ? `${id}-${active}` : undefined,
      onFocus: () => setOpen(true),
      onBlur: () => setOpen(false)
    },
    list: { id: `${id}-list`, className: 'suggestions', hidden: !isShown },
    option: (index: number) => ({
      id: `${id}-${index}`,
      role: 'option',
      tabIndex: -1,
      'aria-selected': active === index,
      // On mouse down, before the blur closes the list.
      onMouseDown(event: { preventDefault(): void }) {
        event.preventDefault()
        onChoose(index)
      },
      onMouseMove: () => setActiveKey(keys[index])
    })
  } as const
}

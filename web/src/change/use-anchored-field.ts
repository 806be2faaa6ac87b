import { type RefObject, useEffect } from 'react'

import { anchoredField } from './field-anchor.ts'

const focusable = 'input, select:not(.lang-select), textarea, [contenteditable="true"]'

/** Moves the focus to the field that the address leads to, as soon as its control is there. */
export function useAnchoredField(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const key = anchoredField()
    const field = key === undefined ? null : (form.current?.querySelector(`[data-field="${key}"]`) ?? null)
    if (!field) return
    const focus = () => {
      const control = field.querySelector<HTMLElement>(focusable)
      control?.focus()
      return control !== null
    }
    field.scrollIntoView({ block: 'center' })
    if (focus()) return
    // The editor of long texts is loaded when it is needed.
    const watch = new MutationObserver(() => focus() && watch.disconnect())
    watch.observe(field, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [form])
}

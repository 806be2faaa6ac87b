import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

/** A button that unfolds a list of further, less frequent actions. */
export function Menu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const close = () => setOpen(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and focus of the buttons in it pass here
    <div
      className="menu"
      onBlur={({ currentTarget, relatedTarget }) => relatedTarget && !currentTarget.contains(relatedTarget) && close()}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <button
        type="button"
        className="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {label} <ChevronDown size={16} aria-hidden="true" />
      </button>
      {/* Every action closes the list, by a click or by Enter. */}
      <div id={id} className="menu-list" hidden={!isOpen} onClickCapture={close}>
        {children}
      </div>
    </div>
  )
}

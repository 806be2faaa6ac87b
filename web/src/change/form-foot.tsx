import { useEffect, useRef } from 'react'

import { useLocale } from '../i18n/locale.tsx'
import type { FormFaults } from './form-content.ts'
import './change.css'

interface FormFootProps {
  readonly faults: readonly FormFaults[]
  readonly isBusy: boolean
  /** Whether there is nothing to save. */
  readonly isIdle?: boolean
  /** The name of the button, if it does not save. */
  readonly saveName?: string
  readonly onCancel: () => void
}

/** The footer of a form: faults of the form as a whole, Cancel and Save. */
export function FormFoot({ faults, isBusy, isIdle = false, saveName, onCancel }: FormFootProps) {
  const { words } = useLocale()
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const saveOnKey = (event: KeyboardEvent) => {
      const isSave = event.key === 's' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isSave) return
      event.preventDefault()
      // The button decides whether there is something to save.
      place.current?.querySelector<HTMLButtonElement>('[type=submit]')?.click()
    }
    addEventListener('keydown', saveOnKey)
    return () => removeEventListener('keydown', saveOnKey)
  }, [])
  const count = faults.reduce((sum, each) => sum + each.lines.size + each.fields.size + each.rest.length, 0)
  return (
    <footer ref={place} className="form-foot">
      <div className="form-foot-says" role="alert">
        {count > 0 && <p className="fault">{words.fixErrors(count)}</p>}
        {faults
          .flatMap(each => each.rest)
          .map(text => (
            <p key={text} className="fault">
              {text}
            </p>
          ))}
      </div>
      <button type="button" className="button" onClick={onCancel}>
        {words.cancel}
      </button>
      <button type="submit" className="button primary" aria-keyshortcuts="Control+S Meta+S" disabled={isBusy || isIdle}>
        {isBusy ? words.saving : (saveName ?? words.save)}
      </button>
    </footer>
  )
}

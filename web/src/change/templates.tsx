import { BookmarkPlus } from 'lucide-react'
import { useId, useState } from 'react'

import { useLocale } from '../i18n/locale.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useToasts } from '../parts/toasts.tsx'
import type { Content } from './drafts.ts'
import { dropTemplate, keepTemplate, listTemplates } from './stored-templates.ts'

interface TemplatesProps {
  readonly type: string
  /** The current content of the form. */
  readonly content: Content
  readonly onUse: (content: Content) => void
}

/** Fills the form from a template, or stores what it has as one. */
export function Templates({ type, content, onUse }: TemplatesProps) {
  const { words } = useLocale()
  const { say } = useToasts()
  const id = useId()
  const [templates, setTemplates] = useState(() => listTemplates(type))
  const [chosen, setChosen] = useState('')
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const isEmpty = content.metadata.length === 0 && content.relations.length === 0
  const use = (wanted: string) => {
    setChosen(wanted)
    const template = templates.find(each => each.name === wanted)
    if (template) onUse(template.content)
  }
  const keep = () => {
    if (name.trim() === '') return
    keepTemplate(type, { name: name.trim(), content })
    setTemplates(listTemplates(type))
    setChosen(name.trim())
    setNaming(false)
    say(words.templateKept(name.trim()))
  }
  const drop = () => {
    dropTemplate(type, chosen)
    setTemplates(listTemplates(type))
    setChosen('')
  }
  if (isEmpty && templates.length === 0) return null
  return (
    <div className="templates">
      {templates.length > 0 && (
        <label className="inline-choice">
          <span>{words.template}</span>
          <select value={chosen} onChange={event => use(event.target.value)}>
            <option value="">{words.noChoice}</option>
            {templates.map(each => (
              <option key={each.name} value={each.name}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen !== '' && (
        <button type="button" className="link-button" onClick={drop}>
          {words.templateDrop}
        </button>
      )}
      {!isEmpty && (
        <button type="button" className="link-button" onClick={() => setNaming(true)}>
          <BookmarkPlus size={16} aria-hidden="true" /> {words.templateKeep}
        </button>
      )}
      {isNaming && (
        <Dialog title={words.templateKeep} onClose={() => setNaming(false)}>
          <div className="field">
            <label htmlFor={id}>{words.templateName}</label>
            <input
              id={id}
              aria-describedby={`${id}-hint`}
              value={name}
              onChange={event => setName(event.target.value)}
              onKeyDown={event => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                // The dialog is inside the form of the record, which is not meant.
                event.preventDefault()
                keep()
              }}
            />
            <p id={`${id}-hint`} className="hint">
              {words.templateHint}
            </p>
          </div>
          <div className="dialog-actions">
            <button type="button" className="button primary" disabled={name.trim() === ''} onClick={keep}>
              {words.templateKeep}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  )
}

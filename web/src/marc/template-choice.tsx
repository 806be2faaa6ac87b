import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'

import { useLocale } from '../i18n/locale.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import {
  dropOwnTemplate,
  keepOwnTemplate,
  type KindTemplate,
  linesOfKind,
  listOwnTemplates,
  type RecordKind,
  templatesOf,
  withTemplate
} from './marc-templates.ts'
import { marcWords } from './marc-words.ts'

interface MarcTemplatesProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly kind: RecordKind
  readonly onUse: (text: string) => void
}

/** Adds the fields of a kind of record, or of a template of the house or of this browser. */
export function MarcTemplates({ area, text, kind, onUse }: MarcTemplatesProps) {
  const { words, language } = useLocale()
  const own = marcWords[language]
  const { say } = useToasts()
  const [templates, setTemplates] = useState(listOwnTemplates)
  const { client } = useSession()
  const { data: house = [] } = useQuery({
    queryKey: ['templates'],
    queryFn: async ({ signal }) => (await client.send('GET /templates', { signal })).data
  })
  const [selected, setSelected] = useState<string>()
  const [name, setName] = useState('')
  const use = (chosen: string) => {
    const lines = chosen.startsWith('own ')
      ? templates.find(each => each.name === chosen.slice(4))?.lines
      : chosen.startsWith('house ')
        ? house.find(each => each.name === chosen.slice(6))?.lines
        : linesOfKind(chosen as KindTemplate)
    if (lines !== undefined) onUse(withTemplate(text, lines))
  }
  const selectedLines = () => {
    const { selectionStart = 0, selectionEnd = 0 } = area.current ?? {}
    const from = text.lastIndexOf('\n', selectionStart - 1) + 1
    const to = text.indexOf('\n', selectionEnd)
    return text.slice(from, to < 0 ? text.length : to)
  }
  const keep = () => {
    if (name.trim() === '' || selected === undefined) return
    if (!keepOwnTemplate({ name: name.trim(), lines: selected })) return say(own.notStored)
    setTemplates(listOwnTemplates())
    setSelected(undefined)
    setName('')
  }
  return (
    <div className="templates">
      <label className="inline-choice">
        <span>{own.addFields}</span>
        <select value="" onChange={event => use(event.target.value)}>
          <option value="">{words.noChoice}</option>
          {templatesOf(text.trim() === '' ? undefined : kind).map(each => (
            <option key={each} value={each}>
              {own.kinds[each]}
            </option>
          ))}
          {house.length > 0 && (
            <optgroup label={own.house}>
              {house.map(each => (
                <option key={each.name} value={`house ${each.name}`}>
                  {each.name}
                </option>
              ))}
            </optgroup>
          )}
          {templates.length > 0 && (
            <optgroup label={own.own}>
              {templates.map(each => (
                <option key={each.name} value={`own ${each.name}`}>
                  {each.name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      {selected === undefined ? (
        <button type="button" className="link-button" onClick={() => setSelected(selectedLines())}>
          {own.keepLines}
        </button>
      ) : (
        <span className="marc-keep">
          <label>
            {own.templateName}{' '}
            <input
              value={name}
              onChange={event => setName(event.target.value)}
              onKeyDown={event => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                keep()
              }}
            />
          </label>
          <button type="button" className="button" onClick={keep}>
            {words.save}
          </button>
          <button type="button" className="link-button" onClick={() => setSelected(undefined)}>
            {words.cancel}
          </button>
          {templates.map(each => (
            <button
              key={each.name}
              type="button"
              className="link-button"
              onClick={() => {
                if (!dropOwnTemplate(each.name)) say(own.notStored)
                setTemplates(listOwnTemplates())
              }}
            >
              {own.drop(each.name)}
            </button>
          ))}
        </span>
      )}
    </div>
  )
}

import { useId } from 'react'

import { useLocale } from '../i18n/locale.tsx'
import { useSiteWords } from './use-site-words.ts'

export const siteLanguages = ['en', 'nl', 'fr', 'de'] as const

/** A text of the house: the same in every language, or one for each. */
export type SiteText = string | Readonly<Partial<Record<(typeof siteLanguages)[number], string>>>

interface WordsInputProps {
  readonly label: string
  /** Whether it is the same in every language. */
  readonly isPlain?: boolean
  readonly value: SiteText
  readonly onChange: (value: SiteText) => void
}

/** One text for all languages, or a text for each. */
export function WordsInput({ label, isPlain = false, value, onChange }: WordsInputProps) {
  const { languageName } = useLocale()
  const words = useSiteWords()
  const id = useId()
  const isOne = typeof value === 'string'
  const first = isOne ? value : (Object.values(value)[0] ?? '')
  return (
    <div className="field">
      {isOne ? (
        <>
          <label htmlFor={id}>{label}</label>
          <input id={id} value={value} maxLength={2000} onChange={event => onChange(event.target.value)} />
        </>
      ) : (
        <fieldset className="words-input">
          <legend>{label}</legend>
          {siteLanguages.map(each => (
            <label key={each}>
              {languageName(each)}
              <input
                lang={each}
                value={value[each] ?? ''}
                maxLength={2000}
                onChange={event => {
                  const { [each]: _, ...rest } = value
                  onChange(event.target.value === '' ? rest : { ...rest, [each]: event.target.value })
                }}
              />
            </label>
          ))}
        </fieldset>
      )}
      {!isPlain && (
        <button type="button" className="link-button" onClick={() => onChange(isOne ? { en: first } : first)}>
          {isOne ? words.eachLanguage : words.oneText}
          <span className="visually-hidden">: {label}</span>
        </button>
      )}
    </div>
  )
}

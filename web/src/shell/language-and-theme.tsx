import { useEffect, useState } from 'react'

import { languages } from '../i18n/first-language.ts'
import { languageNames } from '../i18n/languages.ts'
import { useLocale } from '../i18n/locale.tsx'
import { Options } from '../parts/options.tsx'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]
const storageKey = 'libretto-theme'

/** Applies the theme that was chosen on this device. */
export function applyTheme(theme: Theme = storedTheme()) {
  document.documentElement.dataset.theme = theme
}

const storedTheme = (): Theme => themes.find(theme => theme === localStorage.getItem(storageKey)) ?? 'auto'

export function LanguageAndTheme() {
  const { words, language, setLanguage } = useLocale()
  const [theme, setTheme] = useState(storedTheme)
  useEffect(() => {
    localStorage.setItem(storageKey, theme)
    applyTheme(theme)
  }, [theme])
  return (
    <>
      <label className="inline-choice">
        <span>{words.language}</span>
        <select
          value={language}
          onChange={event => setLanguage(languages.find(each => each === event.target.value) ?? language)}
        >
          <Options of={languages} name={each => languageNames[each]} />
        </select>
      </label>
      <label className="inline-choice">
        <span>{words.theme}</span>
        <select value={theme} onChange={event => setTheme(themes.find(each => each === event.target.value) ?? theme)}>
          <Options of={themes} name={each => words.themeNames[each]} />
        </select>
      </label>
    </>
  )
}

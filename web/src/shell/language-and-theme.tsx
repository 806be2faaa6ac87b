import { useEffect, useState } from 'react'

import { languageNames, languages, useSpeech } from '../words/words.tsx'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]
const kept = 'libretto-theme'

/** The theme that was chosen on this device; the browser's own colours follow it too. */
export function applyTheme(theme: Theme = keptTheme()) {
  document.documentElement.dataset.theme = theme
}

const keptTheme = (): Theme => themes.find(theme => theme === localStorage.getItem(kept)) ?? 'auto'

export function LanguageAndTheme() {
  const { words, language, setLanguage } = useSpeech()
  const [theme, setTheme] = useState(keptTheme)
  useEffect(() => {
    localStorage.setItem(kept, theme)
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
          {languages.map(each => (
            <option key={each} value={each}>
              {languageNames[each]}
            </option>
          ))}
        </select>
      </label>
      <label className="inline-choice">
        <span>{words.theme}</span>
        <select value={theme} onChange={event => setTheme(themes.find(each => each === event.target.value) ?? theme)}>
          {themes.map(each => (
            <option key={each} value={each}>
              {words.themeNames[each]}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

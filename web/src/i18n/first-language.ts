/** The languages of the page. */
export const languages = ['en', 'nl', 'fr'] as const
export type Language = (typeof languages)[number]

/** How numbers, dates and months are written in each. */
export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', nl: 'nl-BE', fr: 'fr-BE' }

export const languageKey = 'libretto-language'

/** The language chosen in this browser, or the first of the browser's that the page has. */
export function firstLanguage(): Language {
  const wanted = [localStorage.getItem(languageKey), ...navigator.languages.map(each => each.slice(0, 2))]
  return wanted.find((each): each is Language => languages.includes(each as Language)) ?? 'en'
}

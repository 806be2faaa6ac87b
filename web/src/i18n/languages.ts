import type { Labels } from '../../../src/domain/labels/labels.ts'
import type { Words } from './en.ts'

/* The languages of the page. The words of each are a script of their own, loaded when needed. */

export const languages = ['en', 'nl', 'fr'] as const
export type Language = (typeof languages)[number]

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', nl: 'Nederlands', fr: 'Français' }

/** All texts of the page in one language. */
export interface Texts {
  readonly words: Words
  readonly labels: Labels
}

export const textsIn: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => import('./texts-en.ts'),
  nl: () => import('./texts-nl.ts'),
  fr: () => import('./texts-fr.ts')
}

export const languageKey = 'libretto-language'

/** The language chosen in this browser, or the first of the browser's that the page has. */
export function firstLanguage(): Language {
  const wanted = [localStorage.getItem(languageKey), ...navigator.languages.map(each => each.slice(0, 2))]
  return wanted.find((each): each is Language => languages.includes(each as Language)) ?? 'en'
}

export const preloadLanguage = () => textsIn[firstLanguage()]()

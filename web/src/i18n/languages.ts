import type { Labels } from '../../../src/domain/labels/labels.ts'
import type { Words } from './en.ts'
import type { Language } from './first-language.ts'

/* The words of each language are a script of their own, loaded when needed. */

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

import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'

import { en, type Words } from './en.ts'
import { fr } from './fr.ts'
import { labelsEn } from '../../../src/domain/labels/en.ts'
import { labelsFr } from '../../../src/domain/labels/fr.ts'
import type { Labels } from '../../../src/domain/labels/labels.ts'
import { labelsNl } from '../../../src/domain/labels/nl.ts'
import { instantOf } from '../data/time-zones.ts'
import { nl } from './nl.ts'
import { problemText } from './problem-text.ts'
import { roles } from '../../../src/domain/labels/roles.ts'

export const languages = ['en', 'nl', 'fr'] as const
export type Language = (typeof languages)[number]

const wordsOf: Readonly<Record<Language, Words>> = { en, nl, fr }
const labelsOf: Readonly<Record<Language, Labels>> = { en: labelsEn, nl: labelsNl, fr: labelsFr }
export const languageNames: Readonly<Record<Language, string>> = {
  en: en.languageName,
  nl: nl.languageName,
  fr: fr.languageName
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', nl: 'nl-BE', fr: 'fr-BE' }

/** The messages, and the formats of numbers and dates, in the language of the reader. */
export interface Locale {
  readonly language: Language
  /** For numbers, dates and months. */
  readonly locale: string
  setLanguage(language: Language): void
  readonly words: Words
  typeName(type: string): string
  familyName(family: string): string
  fieldName(key: string): string
  relationName(type: string): string
  reverseName(type: string): string | undefined
  valueName(value: string): string
  /** The role of a person, as the reader says it. Roles of the catalogue's own stay as they are. */
  roleName(role: string): string
  /** The name of a language by its code. */
  languageName(code: string): string
  /** The author of a change: the name of a token or person, or an import. */
  whoName(by: string): string
  /** The sentence for an error. Faults of single values are in the words of the service. */
  problemText(error: Error): string
  number(value: number): string
  date(value: string): string
  /** A date with its time, by the clocks of a zone; otherwise by those of this device. */
  moment(value: string, zone?: string): string
  /** A relative time if recent, otherwise the date. */
  ago(value: string): string
}

const LocaleContext = createContext<Locale | undefined>(undefined)
const storageKey = 'libretto-language'

export function LocaleProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(
    () =>
      localeOf(language, chosen => {
        localStorage.setItem(storageKey, chosen)
        setLanguage(chosen)
      }),
    [language]
  )
  return <LocaleContext value={value}>{children}</LocaleContext>
}

export function useLocale(): Locale {
  const value = use(LocaleContext)
  if (!value) throw new Error('There is no LocaleProvider above')
  return value
}

/** The messages of the initial language, where no context is available. */
export const wordsAtFirst = (): Words => wordsOf[firstLanguage()]

function firstLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages.map(each => each.slice(0, 2))]
  return wanted.find((each): each is Language => languages.includes(each as Language)) ?? 'en'
}

function localeOf(language: Language, setLanguage: (language: Language) => void): Locale {
  const labels = labelsOf[language]
  const locale = locales[language]
  const numbers = new Intl.NumberFormat(locale)
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const momentsIn = (timeZone?: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...(timeZone ? { timeZone } : {}) })
  const moments = momentsIn()
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const moment = (value: string, zone?: string) =>
    isDate(value) ? (zone === undefined ? moments : momentsIn(zone)).format(instantOf(value)) : value
  return {
    language,
    locale,
    setLanguage,
    words: wordsOf[language],
    typeName: type => labels.types[type] ?? readable(type),
    familyName: family => labels.families[family] ?? labels.types[family] ?? readable(family),
    fieldName: key => labels.fields[key] ?? readable(key),
    relationName: type => labels.relations[type] ?? readable(type.replace(/^ref/, '')),
    reverseName: type => labels.reverse[type],
    roleName: role => roles.find(({ names }) => names.includes(role.toLowerCase()))?.[language] ?? role,
    languageName: code => nameOfLanguage(locale, code),
    valueName: value => labels.values[value] ?? readable(value),
    whoName: by => (by.startsWith('import:') ? wordsOf[language].anImport : by.replace(/^token:/, '')),
    problemText: error => problemText(wordsOf[language], error),
    number: value => numbers.format(value),
    date: value => (isDate(value) ? dates.format(new Date(value.length === 10 ? `${value}T00:00:00Z` : value)) : value),
    moment,
    ago(value) {
      const minutes = Math.round((new Date(value).getTime() - Date.now()) / 60_000)
      if (minutes > -1) return relative.format(0, 'minute')
      if (minutes > -60) return relative.format(minutes, 'minute')
      if (minutes > -60 * 24) return relative.format(Math.round(minutes / 60), 'hour')
      return minutes > -60 * 24 * 7 ? relative.format(Math.round(minutes / 60 / 24), 'day') : moment(value)
    }
  }
}

function nameOfLanguage(locale: string, code: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code
  } catch {
    // Not a code of a language.
    return code
  }
}

const isDate = (value: string) => !Number.isNaN(Date.parse(value))

/** A key as words: `shelf_mark` and `ShelfMark` become "Shelf mark". */
function readable(key: string): string {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

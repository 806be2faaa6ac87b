import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'

import { instantOf } from '../data/time-zones.ts'
import { loadPart } from '../parts/lazy-page.tsx'
import type { Words } from './en.ts'
import { firstLanguage, type Language, languageKey, locales } from './first-language.ts'
import { type Texts, textsIn } from './languages.ts'
import { problemText } from './problem-text.ts'
import { roles } from '../../../src/domain/labels/roles.ts'

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

/** The texts of the first language; loaded before the page is drawn. */
let atFirst: Texts | undefined

const load = (language: Language) => loadPart(`texts-${language}`, textsIn[language])

/** Loads the texts of the first language. */
export async function loadTexts() {
  atFirst = await load(firstLanguage())
}

/** The messages of the initial language, where no context is available. */
export function wordsAtFirst(): Words {
  if (!atFirst) throw new Error('The words are not loaded')
  return atFirst.words
}

export function LocaleProvider({ children }: { readonly children: ReactNode }) {
  const [{ language, texts }, setTexts] = useState({ language: firstLanguage(), texts: atFirst })
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(
    () =>
      texts &&
      localeOf(language, texts, chosen =>
        load(chosen).then(
          loaded => {
            localStorage.setItem(languageKey, chosen)
            setTexts({ language: chosen, texts: loaded })
          },
          // Without a connection the language stays.
          () => {}
        )
      ),
    [language, texts]
  )
  return <LocaleContext value={value}>{children}</LocaleContext>
}

export function useLocale(): Locale {
  const value = use(LocaleContext)
  if (!value) throw new Error('There is no LocaleProvider above')
  return value
}

function localeOf(language: Language, { words, labels }: Texts, setLanguage: (language: Language) => void): Locale {
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
    words,
    typeName: type => labels.types[type] ?? readable(type),
    familyName: family => labels.families[family] ?? labels.types[family] ?? readable(family),
    fieldName: key => labels.fields[key] ?? readable(key),
    relationName: type => labels.relations[type] ?? readable(type.replace(/^ref/, '')),
    reverseName: type => labels.reverse[type],
    roleName: role => roles.find(({ names }) => names.includes(role.toLowerCase()))?.[language] ?? role,
    languageName: code => nameOfLanguage(locale, code),
    valueName: value => labels.values[value] ?? readable(value),
    whoName: by => (by.startsWith('import:') ? words.anImport : by.replace(/^token:/, '')),
    problemText: error => problemText(words, error),
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

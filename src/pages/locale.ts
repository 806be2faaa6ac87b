import { type Entity, type Json, type MetadataEntry, valuesOf } from '#domain/entity/entity.ts'
import type { Labels } from '#domain/labels/labels.ts'
import { labelsOf } from '#domain/labels/labels-of.ts'
import { languagesIn } from '#domain/entity/languages.ts'
import { roles } from '#domain/labels/roles.ts'
import type { Model } from '#domain/record-types/model.ts'
import { language as languageType } from '#domain/record-types/related.ts'
import { momentIn } from '#domain/values/time-zone.ts'
import { nameForms } from '#formats/citations/citation.ts'
import { findLanguage } from '#formats/description/languages.ts'
import { writeInOrder } from '#formats/description/statements.ts'
import { type Language, type Phrases, phrases } from './phrases.ts'

const tags: Readonly<Record<Language, string>> = { en: 'en-GB', nl: 'nl-BE', fr: 'fr-BE', de: 'de-DE' }

/** The phrases, labels and formats of one language. */
export interface Locale {
  readonly language: Language
  /** The language with its country, such as `nl-BE`. */
  readonly tag: string
  /**
   * The beginning of the paths of pages in this language, such as `/nl`; empty where the address
   * names no language. Links to pages have it, so that the choice of a reader lasts.
   */
  readonly prefix: string
  readonly phrases: Phrases
  readonly labels: Labels
  number(value: number): string
  date(value: string): string
  /**
   * The time on the clocks of a zone, with its city; without one, as the record gives it, with its
   * offset.
   */
  moment(value: string, zone?: string): string
  /** The parts of a moment on the clocks of a zone; undefined where it is none. */
  clock(value: string, zone: string): Clock | undefined
  /** The role of a person, by its word or MARC code; other roles stay as they are. */
  role(role: string): string
  /** The label of a key in a table of labels; words made from the key where there is none. */
  label(table: Readonly<Record<string, string>>, key: string): string
}

/** A moment as a calendar shows it. */
export interface Clock {
  readonly weekday: string
  readonly day: string
  readonly month: string
  readonly time: string
}

const locales = new Map<Language, Locale>()

export function localeOf(language: Language): Locale {
  const known = locales.get(language)
  if (known) return known
  const tag = tags[language]
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const number = new Intl.NumberFormat(tag)
  const minute = new Intl.DateTimeFormat(tag, {
    ...{ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }
  })
  const clock = new Intl.DateTimeFormat(tag, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  })
  const made: Locale = {
    language,
    tag,
    prefix: '',
    phrases: phrases[language],
    labels: labelsOf[language],
    number: value => number.format(value),
    date(value) {
      const time = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value.slice(0, 10)) : Number.NaN
      return Number.isNaN(time) ? value : day.format(time)
    },
    moment(value, place) {
      const instant = /(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? Date.parse(value) : Number.NaN
      if (place !== undefined && !Number.isNaN(instant)) {
        const local = Date.parse(`${momentIn(place, instant).slice(0, 16)}:00Z`)
        return `${minute.format(local)} (${phrases[language].localTime(cityOf(place))})`
      }
      const [, wall, offset] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)[^Z+-]*(Z|[+-]\d\d:?\d\d)?$/.exec(value) ?? []
      const time = wall === undefined ? Number.NaN : Date.parse(`${wall}:00Z`)
      if (Number.isNaN(time)) return value
      const zone = offset === undefined || offset === 'Z' ? 'UTC' : `UTC${offset}`
      return `${minute.format(time)} (${zone})`
    },
    clock(value, zone) {
      const instant = Date.parse(value)
      if (Number.isNaN(instant)) return undefined
      const local = Date.parse(`${momentIn(zone, instant).slice(0, 16)}:00Z`)
      const parts = Object.fromEntries(clock.formatToParts(local).map(({ type, value }) => [type, value]))
      const { weekday = '', day = '', month = '', hour = '', minute = '' } = parts
      return { weekday, day, month, time: `${hour}:${minute}` }
    },
    role: role => roles.find(({ names }) => names.includes(role.toLowerCase()))?.[language] ?? role,
    label: (table, key) =>
      Object.hasOwn(table, key)
        ? (table[key] ?? key)
        : sentenceCase(key.replace(/^ref(?=[A-Z])/, '').replace(/(?<=[a-z])(?=[A-Z])|_/g, ' '))
  }
  locales.set(language, made)
  return made
}

/** The city by which a time zone is called. */
export const cityOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** The name of a record as text; a name that is a moment or a day is written out. */
export function nameText(model: Model, entity: Entity, locale: Locale, zone?: string): string {
  const text = String(nameOf(model, entity, locale.language).value)
  const key = model.findType(entity.type)?.nameField
  const kind = key === undefined ? undefined : model.fieldOf(entity.type, key)?.kind
  return kind === 'moment' ? locale.moment(text, zone) : kind === 'date' ? locale.date(text) : text
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()

/** The language of this name or tag, if it is offered. */
export const languageOf = (text: string | undefined, offered: readonly Language[]): Language | undefined =>
  offered.find(each => each === text?.slice(0, 2).toLowerCase())

/** The first language of `Accept-Language` that is offered, or the first of all. */
export function chooseLanguage(acceptLanguage: string | undefined, offered: readonly Language[]): Language {
  const known = languagesIn(acceptLanguage).map(tag => languageOf(tag, offered))
  return known.find(each => each !== undefined) ?? offered[0] ?? 'en'
}

/** A value to show, with its language where the record gives it. */
export interface ShownValue {
  readonly value: Json
  readonly lang?: string
  /** The name as the catalogue files it, where readers see it in another order. */
  readonly filed?: string
}

/**
 * The values of a key for a reader: of values in several languages those in the reader's, or else
 * those in the language of the first.
 */
export function valuesFor(metadata: readonly MetadataEntry[], key: string, language: Language): ShownValue[] {
  const entries = metadata.filter(each => each.key === key && each.value !== null && each.value !== '')
  const ofLanguage = entries.filter(({ lang }) => lang?.slice(0, 2).toLowerCase() === language)
  const first = entries[0]?.lang
  const chosen = ofLanguage.length > 0 ? ofLanguage : entries.filter(({ lang }) => lang === undefined || lang === first)
  return chosen.flatMap(({ value, lang }) =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(each =>
      lang === undefined ? { value: each } : { value: each, lang }
    )
  )
}

/** The name that people know a record by, as they write it; its id where it has none. */
export function nameOf(model: Model, entity: Entity, language: Language): ShownValue {
  const key = model.findType(entity.type)?.nameField
  const [name] = key === undefined ? [] : valuesFor(entity.metadata, key, language)
  if (name === undefined) return { value: entity.id }
  if (entity.type === languageType.type && name.lang?.slice(0, 2).toLowerCase() !== language)
    return translated(entity, language) ?? name
  if (typeof name.value !== 'string' || !Object.hasOwn(nameForms, entity.type)) return name
  const value = writeInOrder(name.value)
  return value === name.value ? name : { ...name, value, filed: name.value }
}

/** The name of a language in that of the reader, by its code; undefined where that is unknown. */
function translated(entity: Entity, language: Language): ShownValue | undefined {
  const name = findLanguage(String(valuesOf(entity, 'code')[0] ?? ''), language)?.name
  return name === undefined ? undefined : { value: name.charAt(0).toUpperCase() + name.slice(1), lang: language }
}

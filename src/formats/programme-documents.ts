import type { Entity } from '#domain/entity/entity.ts'
import { inLanguages } from '#domain/entity/languages.ts'
import { labelsOf } from '#domain/labels/labels-of.ts'
import { priceText } from '#domain/labels/price.ts'
import { type ProgrammeEntry, usualValues } from '#domain/record-types/programme.ts'
import { htmlToText } from './html/html-to-text.ts'
import { asWords, first, nameOf, pricesOf, type ProgrammeZones, timeOf, zoneOf } from './programme.ts'
import { element, elementOf, type Xml, xmlDocument } from './xml/write-xml.ts'

/* Programmes for readers: a feed (RSS 2.0), and a document to print. */

/** The record whose programme it is, in the languages of the reader. */
export interface ProgrammeDocument {
  readonly owner: Entity
  readonly entries: readonly ProgrammeEntry[]
  readonly zones: ProgrammeZones
  readonly languages: readonly string[]
  /** The address of a record for readers. */
  readonly addressOf: (id: string) => string
  /** The address of the document. */
  readonly address: string
}

type Language = keyof typeof labelsOf

const languageOf = (languages: readonly string[]): Language =>
  languages.map(each => each.slice(0, 2)).find((each): each is Language => Object.hasOwn(labelsOf, each)) ?? 'en'

const wholeDay = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const

/** The beginning of a performance in words, on the clocks of its venue. */
function startText({ performance }: ProgrammeEntry, language: string, zone: string): string {
  const time = timeOf(performance, 'start')
  if (time === undefined) return ''
  const clock = time.isDay ? { timeZone: 'UTC' } : ({ hour: '2-digit', minute: '2-digit', timeZone: zone } as const)
  return new Intl.DateTimeFormat(language, { ...wholeDay, ...clock }).format(time.at)
}

const placeText = ({ halls, venues }: ProgrammeEntry) =>
  [...halls.map(nameOf), ...venues.flatMap(each => [nameOf(each), first(each, 'city') ?? []].flat())].join(', ')

/** The kind and the state of a performance in words, such as a premiere or a cancellation. */
function stateText({ performance, occasion }: ProgrammeEntry, language: Language): string {
  const { values } = labelsOf[language]
  return ['event_type', 'status', 'availability']
    .map(key => first(performance, key))
    .concat(occasion)
    .filter(each => each !== undefined && !usualValues.has(each))
    .map(each => values[each as string] ?? asWords(each as string))
    .concat(first(performance, 'status_reason') ?? [])
    .join(', ')
}

const summaryOf = (production: Entity | undefined) =>
  production && htmlToText(first(production, 'description_short') ?? first(production, 'description') ?? '')

/**
 * Writes a programme as RSS 2.0: an item for each performance.
 * https://www.rssboard.org/rss-specification
 */
export function programmeFeed({ owner, entries, zones, languages, addressOf, address }: ProgrammeDocument): string {
  const language = languageOf(languages)
  const items = entries.map(entry => {
    const { performance, genres } = entry
    const production = entry.production && inLanguages(entry.production, languages)
    const title = [production && nameOf(production), startText(entry, language, zoneOf(entry, zones))]
    const text = [stateText(entry, language), placeText(entry), summaryOf(production)].filter(Boolean).join('. ')
    return element(
      'item',
      {},
      element('title', {}, title.filter(Boolean).join(': ')),
      element('link', {}, addressOf(production?.id ?? performance.id)),
      element('guid', { isPermaLink: 'false' }, `urn:uuid:${performance._id}`),
      element('pubDate', {}, new Date(performance.audit.updated.at).toUTCString()),
      ...genres.map(each => element('category', {}, nameOf(each))),
      ...elementOf('description', text)
    )
  })
  const name = nameOf(inLanguages(owner, languages))
  return xmlDocument(
    element(
      'rss',
      { version: '2.0', 'xmlns:atom': 'http://www.w3.org/2005/Atom' },
      element(
        'channel',
        {},
        element('title', {}, name),
        element('link', {}, addressOf(owner.id)),
        element('description', {}, name),
        element('language', {}, language),
        element('atom:link', { rel: 'self', type: 'application/rss+xml', href: address }),
        ...items
      )
    )
  )
}

const style = `@page{size:A4;margin:18mm}body{font:10.5pt/1.4 Georgia,serif;max-width:46rem;margin:2rem auto;color:#111}
h1{font-size:26pt;margin:0 0 6mm}h2{font-size:16pt;margin:0}section{break-inside:avoid;margin:0 0 9mm}p{margin:1mm 0}
table{border-collapse:collapse;width:100%;margin-top:2mm}td{border-top:.3pt solid #999;padding:1mm 3mm 1mm 0;vertical-align:top}
td:first-child{white-space:nowrap;width:40%}.quiet{color:#444}@media print{body{margin:0;max-width:none}}`

/** Writes a programme as a page to print: a section for each production, in the order of nights. */
export function programmePrint({ owner, entries, zones, languages }: ProgrammeDocument): string {
  const language = languageOf(languages)
  const sections = [...Map.groupBy(entries, each => each.production?.id).values()].map(nights =>
    sectionOf(nights, languages, language, zones)
  )
  const name = nameOf(inLanguages(owner, languages))
  const page = element(
    'html',
    { lang: language },
    element(
      'head',
      {},
      element('meta', { charset: 'utf-8' }),
      element('title', {}, name),
      element('style', {}, { markup: style })
    ),
    element('body', {}, element('h1', {}, name), ...sections)
  )
  return `<!doctype html>\n${page.markup}\n`
}

function sectionOf(
  nights: readonly ProgrammeEntry[],
  languages: readonly string[],
  language: Language,
  zones: ProgrammeZones
): Xml {
  const [entry] = nights as [ProgrammeEntry]
  const production = entry.production && inLanguages(entry.production, languages)
  const { fields, values } = labelsOf[language]
  const age = production && first(production, 'age_category')
  const minutes = production && first(production, 'duration')
  const facts = [
    minutes && `${fields.duration}: ${minutes} min`,
    age && `${fields.age_category}: ${values[age] ?? age}`,
    pricesOf(entry)
      .map(each => priceText(language, each))
      .join(' · ')
  ].filter(Boolean)
  return element(
    'section',
    {},
    element('h2', {}, production ? nameOf(production) : ''),
    ...elementOf('p', production && first(production, 'subtitle')),
    ...elementOf('p', entry.companies.map(nameOf).join(', '), { class: 'quiet' }),
    ...elementOf('p', summaryOf(production)),
    ...elementOf('p', facts.join(' | '), { class: 'quiet' }),
    element(
      'table',
      {},
      ...nights.map(each =>
        element(
          'tr',
          {},
          element('td', {}, startText(each, language, zoneOf(each, zones))),
          element('td', {}, placeText(each)),
          element('td', {}, stateText(each, language))
        )
      )
    )
  )
}

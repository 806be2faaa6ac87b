import { nightsOfRun } from '#catalogue/lists/summarise.ts'
import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { programme, type ProgrammeEntry, usualValues } from '#domain/record-types/programme.ts'
import { priceRange } from '#domain/labels/price.ts'
import { readLink } from '#domain/values/link.ts'
import { clockNote, dayText, localTimeOf } from './clock.ts'
import { linkTo, spanOf } from './facts.ts'
import { type Locale, valuesFor } from './locale.ts'
import { type Content, html, type Markup } from './markup.ts'
import { type PageParts, recordPath } from './page.ts'
import { addressWith, pagingOf, skipOf } from './paging.ts'
import { readRecords } from './read-records.ts'
import type { RecordContext, Section } from './record-context.ts'
import { recordPhrases } from './record-phrases.ts'

/** Performances on one page. */
const pageSize = 100

/** Maximum number of performances under way that are passed over to find the next one. */
const maxUnderWay = 20

/** A performance is among the coming ones for so long after its beginning, in milliseconds. */
const lateness = 3 * 3_600_000

/** States and availabilities in which no tickets are sold. */
const closed: ReadonlySet<unknown> = new Set(['cancelled', 'postponed', 'sold_out'])

/** The names of the parameters: the page, the city, and whether the earlier ones are shown. */
const [list, cityName, whenName] = ['dates', 'city', 'when'] as const

export interface Nights extends Section {
  /** The first performance to come. */
  readonly next: ProgrammeEntry | undefined
  readonly shown: readonly ProgrammeEntry[]
}

/**
 * The performances of a record by month, with links to those in one city and to the earlier ones.
 */
export async function nightsOf(context: RecordContext): Promise<Nights> {
  const { parts, locale, words, address, entity, base } = context
  const { catalogue, principal, now } = parts
  const start = now() - lateness
  const future = { from: start, to: Number.POSITIVE_INFINITY }
  const past = { from: Number.NEGATIVE_INFINITY, to: start - 1 }
  const find = (period: typeof future, page: { skip: number; limit: number; venues?: readonly string[] | undefined }) =>
    catalogue.productions.performances(principal, { owner: entity, period, isBackwards: period === past, ...page })
  const skip = skipOf(address, list)
  const isNarrowed = skip > 0 || address.parameters.has(cityName) || address.parameters.has(whenName)
  const [coming, earlier, withOccasions] = await Promise.all([
    find(future, { skip: 0, limit: isNarrowed ? maxUnderWay : pageSize }),
    find(past, { skip: 0, limit: 0 }),
    occasionsOf(context)
  ])
  if (coming.count + earlier.count === 0) return { markup: undefined, lists: [], next: undefined, shown: [] }
  const isPast = address.parameters.get(whenName) === 'past' || coming.count === 0
  const { count, venues } = isPast ? earlier : coming
  const cities = await citiesOf(context, venues)
  const city = cities.find(({ name }) => name === address.parameters.get(cityName))
  const isRead = !isNarrowed && !isPast
  const page = isRead ? coming : await find(isPast ? past : future, { skip, limit: pageSize, venues: city?.venues })
  const clocks = clocksOf(parts, page.entries, locale)
  const heading = isPast ? words.earlierNights : words.allNights
  const isCountedByCity = cities.reduce((sum, each) => sum + each.count, 0) === count
  const cityLink = (name: string | undefined, text: string) =>
    html`<li><a href="${addressWith(address, { [cityName]: name, [list]: undefined })}#dates"${name === city?.name && html` aria-current="true"`}>${text}</a></li>`
  const other = isPast ? coming.count : earlier.count
  const calendar = `${base}/entities/${encodeURIComponent(entity.id)}/calendar.ics`
  const markup = html`<section class="nights" id="dates"><h2>${heading} <span class="count">${locale.number(count)}</span></h2>
${coming.count === 0 && html`<p>${words.noNights}</p>`}
${
  cities.length > 1 &&
  html`<nav aria-label="${words.cities}"><ul class="chips">${cityLink(undefined, words.allCities)}${cities.map(each =>
    cityLink(each.name, isCountedByCity ? `${each.name} ${locale.number(each.count)}` : each.name)
  )}</ul></nav>`
}
${monthsOf(context, page.entries.map(withOccasions), clocks.areMixed)}
${clocks.note}
${pagingOf(address, { list, skip, shown: page.entries.length, count: page.count, size: pageSize, anchor: 'dates', label: heading }, locale)}
<p class="quiet">${other > 0 && html`<a href="${addressWith(address, { [whenName]: isPast ? undefined : 'past', [list]: undefined, [cityName]: undefined })}#dates">${isPast ? words.comingNights : words.earlierNights} (${locale.number(other)})</a> · `}<a href="${calendar}" rel="nofollow">${words.subscribe}</a></p></section>`
  return { markup, lists: [list], shown: page.entries, next: coming.entries.find(each => !hasBegun(each, now())) }
}

/** Marks the first and the last night of a production. */
async function occasionsOf({ parts: { catalogue, principal, now }, entity }: RecordContext) {
  const { premiere, last_night } =
    (await catalogue.lists.summarise(principal, [entity], { now: now(), nights: nightsOfRun })).get(entity.id) ?? {}
  return (entry: ProgrammeEntry): ProgrammeEntry => {
    const { id } = entry.performance
    return { ...entry, occasion: id === premiere?.id ? 'premiere' : id === last_night?.id ? 'last_night' : undefined }
  }
}

interface City {
  readonly name: string
  readonly count: number
  readonly venues: readonly string[]
}

/** The cities of some venues with the number of performances in each, by name. */
async function citiesOf(
  { parts, locale, entity }: RecordContext,
  counts: ReadonlyMap<string, number>
): Promise<readonly City[]> {
  if (counts.size < 2 || counts.has(entity.id)) return []
  const venues = await readRecords(parts, [...counts.keys()])
  const named = [...counts].flatMap(([id, count]) => {
    const venue = venues.get(id)
    const name = venue && cityOf(venue, locale)
    return name === undefined ? [] : [{ id, name, count }]
  })
  return [...Map.groupBy(named, each => each.name)]
    .map(([name, all]) => ({
      name,
      count: all.reduce((sum, each) => sum + each.count, 0),
      venues: all.map(({ id }) => id)
    }))
    .sort((one, other) => one.name.localeCompare(other.name, locale.language))
}

/** The city of a venue in the language of the reader. */
export function cityOf(venue: Entity, { language }: Locale): string | undefined {
  const [city] = valuesFor(venue.metadata, 'city', language)
  return city === undefined ? undefined : String(city.value)
}

/** Performances under the months in which they are played. */
function monthsOf(
  { parts, locale, entity: owner, base }: RecordContext,
  entries: readonly ProgrammeEntry[],
  hasClock: boolean
): Content {
  const timed = entries.map(entry => ({ entry, month: localTimeOf(entry, parts.timeZone).day.slice(0, 7) }))
  return [...Map.groupBy(timed, ({ month }) => month)].map(
    ([month, group]) =>
      html`<h3>${dayText(locale, 'month', `${month}-01`)}</h3><ol class="night-list">${group.map(({ entry }) => nightOf(parts, entry, locale, { owner, base, day: 'shortDay', hasClock }))}</ol>`
  )
}

/** How a list of performances tells their clocks. */
export interface Clocks {
  /** A line where they all have the same clock, which is not that of the catalogue. */
  readonly note: Content
  /** Whether each performance names its own. */
  readonly areMixed: boolean
}

export function clocksOf({ timeZone }: PageParts, entries: readonly ProgrammeEntry[], locale: Locale): Clocks {
  const [first, ...others] = new Set(entries.map(each => clockNote(locale, localTimeOf(each, timeZone), timeZone)))
  const areMixed = others.length > 0
  return { note: !areMixed && first !== undefined && html`<p class="zone">${first}</p>`, areMixed }
}

export interface NightOptions {
  /** The record whose page it is on, which is not named again. */
  readonly owner: Entity | undefined
  readonly base: string
  /** How the day is written; not at all where it stands above. */
  readonly day: 'shortDay' | 'dayOfMonth' | undefined
  readonly picture?: Content
  /** Whether it names its clock, where that is not the one of the catalogue. */
  readonly hasClock: boolean
}

/** One performance: when, what and where, and its tickets or its state. */
export function nightOf(parts: PageParts, entry: ProgrammeEntry, locale: Locale, options: NightOptions): Markup {
  const { model, timeZone } = parts
  const { performance, production, venues, halls, occasion } = entry
  const words = recordPhrases[locale.language]
  const { owner, base, day, picture, hasClock } = options
  const clock = hasClock ? clockNote(locale, localTimeOf(entry, timeZone), timeZone) : undefined
  const time = localTimeOf(entry, timeZone)
  const isNamed = production !== undefined && production.id !== owner?.id
  const places = venues.filter(({ id }) => id !== owner?.id)
  return html`<li class="night">${picture}<a class="night-when" href="${base}${locale.prefix}${recordPath(performance.id)}"><time datetime="${time.iso}">${
    day !== undefined && html`<b>${dayText(locale, day, time.day)}</b> `
  }<span>${time.hour}</span></time></a><div class="night-what">${
    isNamed && html`<strong>${linkTo(model, production, locale, base)}</strong>`
  }${places.map(each => html`<span>${linkTo(model, each, locale, base)}${cityHtml(each, locale)}</span>`)}${halls.map(each => html`<span>${linkTo(model, each, locale, base)}</span>`)}${clock !== undefined && html`<span class="zone">${clock}</span>`}${occasion && html`<span class="state">${occasion === 'premiere' ? words.premiere : words.lastNight}</span>`}</div>${stateOf(parts, entry, locale)}</li>`
}

const cityHtml = (venue: Entity, { language }: Locale): Content => {
  const [city] = valuesFor(venue.metadata, 'city', language)
  return city && html` <span class="city">${spanOf(city.value, city.lang)}</span>`
}

/** Whether a performance has begun; false where its time is not known. */
const hasBegun = ({ performance }: ProgrammeEntry, now: number) =>
  Date.parse(String(valuesOf(performance, 'start')[0] ?? '')) <= now

/** The tickets of a performance, or its state where that is not as planned. */
export function stateOf({ timeZone, now }: PageParts, entry: ProgrammeEntry, locale: Locale): Content {
  const { performance, production } = entry
  const states = new Set(['event_type', 'status', 'availability'].flatMap(key => valuesOf(performance, key)))
  const link = readLink(String(valuesOf(performance, 'url')[0] ?? '')).address
  const isSold = /^https?:/i.test(link) && ![...states].some(each => closed.has(each)) && !hasBegun(entry, now())
  const time = localTimeOf(entry, timeZone)
  const phrases = recordPhrases[locale.language]
  const title = production && valuesFor(production.metadata, 'title', locale.language)[0]?.value
  const label = [phrases.ticketsFor(`${dayText(locale, 'longDay', time.day)}, ${time.hour}`), title ?? '']
  const shown = [...states].map(String).filter(each => !usualValues.has(each))
  const former = states.has('moved') ? formerDay(entry, timeZone, locale) : undefined
  const help = valuesOf(performance, 'accessibility').flat().map(String)
  return html`<div class="night-state">${help.map(each => html`<span class="state state-help">${locale.label(locale.labels.values, each)}</span>`)}${shown.map(
    each =>
      html`<span class="state state-${each}">${each === 'moved' && former !== undefined ? phrases.movedFrom(former) : locale.label(locale.labels.values, each)}</span>`
  )}${isSold && html`<a class="button" href="${link}" rel="nofollow noopener" aria-label="${label.filter(each => each !== '').join(': ')}">${phrases.tickets}</a>`}</div>`
}

/** The day of a performance before it was moved, where that is known and another. */
function formerDay({ performance, venues }: ProgrammeEntry, timeZone: string, locale: Locale): string | undefined {
  const [start] = valuesOf(performance, 'former_start')
  if (typeof start !== 'string') return undefined
  const { day } = localTimeOf(
    { performance: { ...performance, metadata: [{ key: 'start', value: start }] }, venues },
    timeZone
  )
  return day === localTimeOf({ performance, venues }, timeZone).day ? undefined : dayText(locale, 'day', day)
}

/** The prices of a performance, else of its production. */
export function pricesOf({ performance, production }: ProgrammeEntry, { tag }: Locale): string | undefined {
  const own = valuesOf(performance, 'price').flat()
  const prices = own.length > 0 || production === undefined ? own : valuesOf(production, 'price').flat()
  return priceRange(tag, prices.map(String))
}

/** The calendar with one performance: that of its production at its moment. */
function calendarOf({ performance, production }: ProgrammeEntry, base: string): string | undefined {
  const start = String(valuesOf(performance, 'start')[0] ?? '')
  if (production === undefined || start === '') return undefined
  return `${base}/entities/${encodeURIComponent(production.id)}/calendar.ics?${new URLSearchParams({ from: start, to: start })}`
}

/** The next performance of a record, large, before anything else. */
export function nextNight({ parts, locale, words, entity, base }: RecordContext, next: ProgrammeEntry): Markup {
  const { model, timeZone } = parts
  const time = localTimeOf(next, timeZone)
  const places = next.venues.filter(({ id }) => id !== entity.id)
  const isOther = next.production !== undefined && next.production.id !== entity.id
  // The page of a performance is about that one, whether it is the next or not.
  const label = next.performance.id === entity.id ? locale.label(locale.labels.types, entity.type) : words.nextNight
  const prices = pricesOf(next, locale)
  const calendar = calendarOf(next, base)
  const where: Content[] = [
    ...places.map(each => html`${linkTo(model, each, locale, base)}${cityHtml(each, locale)}`),
    ...(prices === undefined ? [] : [html`<span class="next-price">${prices}</span>`])
  ]
  return html`<section class="next-night" aria-label="${label}"><div><p class="quiet">${label}</p>
<p class="next-when"><a href="${base}${locale.prefix}${recordPath(next.performance.id)}"><time datetime="${time.iso}">${dayText(locale, 'longDay', time.day)}, ${time.hour}</time></a></p>
${isOther && next.production && html`<p><strong>${linkTo(model, next.production, locale, base)}</strong></p>`}
${where.length > 0 && html`<p>${where.map((each, at) => html`${at > 0 && ' · '}${each}`)}</p>`}</div>${stateOf(parts, next, locale)}
${calendar !== undefined && html`<p class="next-calendar"><a href="${calendar}" rel="nofollow">${words.addToCalendar}</a></p>`}</section>`
}

/** The entry of a performance whose page is shown. */
export function entryOf({ entity, related }: RecordContext): ProgrammeEntry {
  const targets = (relation: string) =>
    entity.relations.flatMap(({ type, key }) => (type === relation ? (related.get(key) ?? []) : []))
  const [production] = targets(programme.ofProduction)
  return {
    performance: entity,
    production,
    venues: targets(programme.at),
    halls: targets(programme.halls),
    companies: [],
    genres: []
  }
}

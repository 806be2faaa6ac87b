import { eventLanguages } from '#domain/record-types/event-records.ts'
import { isJsonObject, type JsonObject } from '#domain/json.ts'
import { table } from '#domain/table.ts'
import { readLanguage } from '../description/describe-drafts.ts'
import type { CastMember, EventLanguage, EventNight, EventPlace, EventSeries, Texts } from './event.ts'
import { listOf, numberIn, type Resolve, type ShowReader, textIn, unreadMembers } from './read-json-events.ts'

/*
 * Events in the vocabulary of schema.org, as web pages have them (JSON-LD).
 * https://schema.org/Event
 */

/** Roles by the properties that name people. */
const roleOf: Readonly<Record<string, string | undefined>> = table({
  ...{ director: 'director', actor: 'actor', composer: 'composer', translator: 'translator', performer: undefined },
  contributor: undefined
})

const read = new Set([
  ...['@context', '@id', '@type', 'name', 'alternateName', 'description', 'disambiguatingDescription', 'duration'],
  ...['typicalAgeRange', 'offers', 'organizer', 'keywords', 'image', 'location', 'subEvent', 'superEvent', 'startDate'],
  ...['endDate', 'doorTime', 'previousStartDate', 'eventStatus', 'eventAttendanceMode', 'accessibilityFeature', 'url'],
  ...[
    'inLanguage',
    'subtitleLanguage',
    'additionalType',
    'copyrightNotice',
    'subjectOf',
    'sameAs',
    'identifier',
    ...Object.keys(roleOf)
  ]
])

const typesOf = (node: JsonObject | undefined) => listOf(node?.['@type']).map(each => nameOf(String(each)))
/** The name of a class or a value: `EventCancelled` of `https://schema.org/EventCancelled`. */
const nameOf = (address: string) => address.replace(/^.*[/:#]/, '')
const nodesOf = (value: unknown, resolve: Resolve): JsonObject[] =>
  listOf(value)
    .map(resolve)
    .filter(each => each !== undefined)
const isEvent = (node: JsonObject | undefined) =>
  typesOf(node).some(each => /Event$|^EventSeries$|^Festival$/.test(each))
/** A series or festival in which shows are played is not a show itself. */
const isShow = (node: JsonObject | undefined) => typesOf(node).some(each => /Event$/.test(each))

export const schemaOrgShow: ShowReader = (event, resolve) => {
  if (!isEvent(event)) return undefined
  const around = listOf(event.superEvent).map(resolve).find(isShow)
  const parts = nodesOf(event.subEvent, resolve)
  // The events of a series or a festival are shows of their own.
  if (!isShow(event) || (parts.length === 0 && textIn(event.startDate) === undefined)) return undefined
  const show = around ?? event
  const isOwnNight = parts.length === 0
  const id = isOwnNight && around === undefined ? undefined : (textIn(show['@id']) ?? textIn(show.url))
  const title = textsOf(show.name)
  const name = id ?? Object.values(title)[0] ?? ''
  const nights = (isOwnNight ? [event] : parts).flatMap(each => nightOf(each, show, name, resolve) ?? [])
  const own = nights.length > 0 && isOwnNight && around === undefined
  const [spoken, surtitles] = [languagesOf(show.inLanguage, resolve), languagesOf(show.subtitleLanguage, resolve)]
  const ofNights = (isOwnNight ? [event] : parts).flatMap(each => [
    ...languagesOf(each.inLanguage, resolve),
    ...languagesOf(each.subtitleLanguage, resolve)
  ])
  const series = [show, ...(isOwnNight ? [event] : parts)].map(each => seriesOf(each, show, resolve))
  const languages = new Map([...spoken, ...surtitles, ...ofNights].map(each => [each.id, each]))
  return {
    show: {
      id,
      title,
      subtitle: textsOf(show.alternateName),
      description: textsOf(show.description),
      description_short: textsOf(show.disambiguatingDescription),
      duration: minutesIn(textIn(show.duration)),
      age_category: agesOf(textIn(show.typicalAgeRange)),
      rights: textIn(show.copyrightNotice),
      price: own ? [] : pricesOf(show),
      companies: [
        ...listOf(show.organizer),
        ...listOf(show.performer).filter(each => typesOf(resolve(each)).some(type => /Group|Organization/.test(type)))
      ].flatMap(each => textIn(resolve(each)?.name ?? each) ?? []),
      genres: listOf(show.keywords).flatMap(each =>
        isJsonObject(each)
          ? (textIn(resolve(each)?.name) ?? [])
          : String(each)
              .split(',')
              .map(word => word.trim())
      ),
      cast: castOf(show, resolve),
      languages: [...languages.values()],
      spoken: spoken.map(each => each.name),
      surtitles: surtitles.map(each => each.name),
      ...seriesOf(show, show, resolve),
      all_tours: series.flatMap(each => each.tours),
      all_subscriptions: series.flatMap(each => each.subscriptions),
      pictures: [...listOf(show.image), ...listOf(show.subjectOf)].flatMap(each => {
        const node = isJsonObject(each) ? each : { contentUrl: each }
        const url = textIn(node.contentUrl) ?? (typesOf(node).includes('ImageObject') ? textIn(node.url) : undefined)
        return url === undefined ? [] : [{ url, title: textIn(node.name), copyright: textIn(node.copyrightNotice) }]
      }),
      nights
    },
    defects: [],
    unmapped: [event, ...(around ? [around] : []), ...parts].flatMap(each => unreadMembers(each, read))
  }
}

function nightOf(event: JsonObject, show: JsonObject, name: string, resolve: Resolve): EventNight | undefined {
  const start = textIn(event.startDate)
  if (start === undefined) return undefined
  const former = textIn(event.previousStartDate)
  const offers = listOf(event.offers).filter(isJsonObject)
  const [offer] = offers
  const status = statuses[nameOf(textIn(event.eventStatus) ?? '')]
  return {
    // A moved night is known by its first date.
    id: textIn(event['@id']) ?? (event === show ? textIn(event.url) : undefined) ?? `${name}@${former ?? start}`,
    start,
    end: textIn(event.endDate),
    doors: textIn(event.doorTime),
    status,
    former_start: former,
    availability: availabilities[nameOf(textIn(offer?.availability) ?? '')],
    on_sale_from: textIn(offer?.validFrom) ?? textIn(offer?.availabilityStarts),
    price: pricesOf(event),
    url: textIn(offer?.url) ?? textIn(event.url),
    attendance: attendances[nameOf(textIn(event.eventAttendanceMode) ?? '')],
    accessibility: listOf(event.accessibilityFeature).flatMap(each => textIn(each) ?? []),
    ...(event === show ? {} : aroundNight(event, show, resolve)),
    ...placesOf(event.location ?? show.location, resolve)
  }
}

/** The cast, languages and series of a night, besides those of its show. */
function aroundNight(event: JsonObject, show: JsonObject, resolve: Resolve) {
  const { tours, subscriptions } = seriesOf(event, show, resolve)
  const names = (value: unknown) => languagesOf(value, resolve).map(each => each.name)
  return {
    cast: castOf(event, resolve),
    spoken: names(event.inLanguage),
    surtitles: names(event.subtitleLanguage),
    ...{ tours, subscriptions }
  }
}

/** Languages by their code, with the name that the source gives them, or that in English. */
const languagesOf = (value: unknown, resolve: Resolve): EventLanguage[] =>
  listOf(value).flatMap(given => {
    const node = resolve(given)
    const [code, name] = [textIn(node?.alternateName), textIn(node?.name ?? given)]
    const found = readLanguage((code ?? name ?? '').replace(/^([A-Za-z]{2,3})[-_].*$/, '$1'))
    const written = (key: string) => String(found?.metadata.find(each => each.key === key)?.value ?? '')
    const [id] = found?.identifiers ?? []
    if (id === undefined) return []
    return [{ id, code: written('code'), name: code !== undefined && name !== undefined ? name : written('name') }]
  })

/**
 * The series around an event that are not shows: one with performers is a tour, and so is one of
 * some nights with dates; one of a show with dates is a season, as festivals are; the performances
 * of any other are sold together.
 */
function seriesOf(event: JsonObject, show: JsonObject, resolve: Resolve) {
  const found: Record<'seasons' | 'tours' | 'subscriptions', EventSeries[]> = {
    seasons: [],
    tours: [],
    subscriptions: []
  }
  for (const node of nodesOf(event.superEvent, resolve)) {
    const name = textIn(node.name)
    if (isShow(node) || !isEvent(node) || name === undefined) continue
    const [from, until] = [textIn(node.startDate), textIn(node.endDate)].map(each => each?.slice(0, 10))
    const hasDates = from !== undefined || typesOf(node).includes('Festival')
    const isTour = node.performer !== undefined || (hasDates && event !== show)
    const kind = isTour ? 'tours' : hasDates ? 'seasons' : 'subscriptions'
    const companies = nodesOf(node.performer, resolve).flatMap(each => textIn(each.name) ?? [])
    found[kind].push({ id: textIn(node['@id']), name, start_date: from, end_date: until, companies })
  }
  return found
}

const statuses = table({ EventCancelled: 'cancelled', EventPostponed: 'postponed', EventRescheduled: 'moved' })
const availabilities = table({ InStock: 'on_sale', LimitedAvailability: 'few_left', SoldOut: 'sold_out' })
const attendances = table({
  ...{ OfflineEventAttendanceMode: 'on_site', OnlineEventAttendanceMode: 'online', MixedEventAttendanceMode: 'mixed' }
})

/** Texts by their languages, which `@language` names. */
function textsOf(value: unknown): Texts {
  return Object.fromEntries(
    listOf(value).flatMap(each => {
      const lang = isJsonObject(each) ? String(each['@language'] ?? '').slice(0, 2) : ''
      const text = textIn(each)
      return text === undefined ? [] : [[(eventLanguages as readonly string[]).includes(lang) ? lang : 'text', text]]
    })
  )
}

const pricesOf = (event: JsonObject): string[] =>
  listOf(event.offers)
    .filter(isJsonObject)
    .flatMap(({ price, lowPrice, priceCurrency, name }) => {
      const [amount, currency] = [textIn(price) ?? textIn(lowPrice), textIn(priceCurrency)]
      if (amount === undefined || currency === undefined) return []
      return [[amount, currency, ...(textIn(name) === undefined ? [] : [textIn(name)])].join(' ')]
    })

/** Minutes of a duration such as `PT1H45M`. */
function minutesIn(duration: string | undefined): number | undefined {
  const [, hours, minutes] = /^PT(?:(\d{1,3})H)?(?:(\d{1,4})M)?/.exec(duration ?? '') ?? []
  const sum = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sum > 0 ? sum : undefined
}

/** `6-12` and `12-`; `0-` is for all ages. */
const agesOf = (range: string | undefined) => (range === '0-' || range === '-' ? 'all' : range)

/** People, with the part or the instrument that a `PerformanceRole` between them names. */
const castOf = (event: JsonObject, resolve: Resolve): CastMember[] =>
  Object.keys(roleOf).flatMap(property =>
    listOf(event[property]).flatMap((given): CastMember[] => {
      const node = resolve(given)
      const isRole = typesOf(node).some(each => each.endsWith('Role'))
      const person = isRole ? resolve(listOf(node?.[property])[0]) : node
      if (typesOf(person).some(each => /Group|Organization/.test(each))) return []
      const name = textIn(person?.name ?? (isJsonObject(given) ? undefined : given))
      if (name === undefined) return []
      const [part, instrument] = isRole ? [textIn(node?.characterName), textIn(node?.roleName)] : []
      return [{ name, role: roleOf[property] ?? (part === undefined ? 'performer' : 'actor'), part, instrument }]
    })
  )

/** The venue, and its hall: a place that is in another, or a second place. */
function placesOf(location: unknown, resolve: Resolve): Partial<EventNight> {
  const named = listOf(location).map((each): unknown => (typeof each === 'string' ? { name: each } : each))
  const places = nodesOf(named, resolve)
  const inner = places.find(each => each.containedInPlace !== undefined)
  const outer = resolve(listOf(inner?.containedInPlace)[0])
  const place = places.find(each => each !== inner && !typesOf(each).includes('VirtualLocation')) ?? outer
  const venue = place && venueOf(place)
  if (venue === undefined) return {}
  const hall = textIn(inner?.name)
  const id = textIn(inner?.['@id']) ?? `${venue.name}: ${hall}`
  const capacity = numberIn(inner?.maximumAttendeeCapacity)
  return { venue, ...(hall === undefined ? {} : { hall: { id, name: hall, capacity } }) }
}

function venueOf(place: JsonObject): EventPlace | undefined {
  const name = textIn(place.name)
  if (name === undefined) return undefined
  const [given] = listOf(place.address)
  const address = isJsonObject(given) ? given : { streetAddress: given }
  const geo = isJsonObject(place.geo) ? place.geo : {}
  const country = isJsonObject(address.addressCountry) ? address.addressCountry.name : address.addressCountry
  return {
    id: textIn(place['@id']),
    name,
    address: textIn(address.streetAddress),
    postal_code: textIn(address.postalCode),
    city: textIn(address.addressLocality),
    country: textIn(country),
    latitude: numberIn(geo.latitude),
    longitude: numberIn(geo.longitude),
    website: textIn(place.url)
  }
}

import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import { readPrice } from '#domain/labels/price.ts'
import { playedTypes, type ProgrammeEntry } from '#domain/record-types/programme.ts'
import { table } from '#domain/table.ts'
import { foldText } from '#domain/values/fold.ts'
import { textOf } from '#domain/search/index-values.ts'
import { endText, first, momentText, nameOf, pricesOf, type ProgrammeZones, zoneOf } from '../programme.ts'

/*
 * Events for the entry API of UiTdatabank (`POST /events`): one for each production at a venue,
 * with all of its dates there. https://docs.publiq.be/docs/uitdatabank/models/event
 */

/** The languages of UiTdatabank. */
const languages = ['nl', 'fr', 'de', 'en'] as const

/** Types of events (`eventtype`), by words in the names of genres. The last is for all others. */
const eventTypes = [
  { words: /dans|danc|tanz|ballet/, id: '0.54.0.0.0', label: 'Dansvoorstelling' },
  { words: /concert|konzert|mu[sz]i[ckq]|jazz/, id: '0.50.4.0.0', label: 'Concert' },
  { words: /film|cinema|kino/, id: '0.50.6.0.0', label: 'Film' },
  { words: /(?:)/, id: '0.55.0.0.0', label: 'Theatervoorstelling' }
] as const
const talk = { id: '0.3.2.0.0', label: 'Lezing of congres' } as const

const statuses = table({ cancelled: 'Unavailable', postponed: 'TemporarilyUnavailable' })
const attendances = table({ on_site: 'offline', online: 'online', mixed: 'mixed' })
const bookingWords = { nl: 'Koop tickets', fr: 'Acheter des billets', de: 'Karten kaufen', en: 'Buy tickets' }

/** Events, and that of the programme which UiTdatabank cannot have, with the reason. */
export interface UitProgramme {
  readonly events: readonly Readonly<Record<string, unknown>>[]
  readonly left_out: readonly { readonly production_id: string; readonly message: string }[]
}

export function uitProgramme(entries: readonly ProgrammeEntry[], zones: ProgrammeZones): UitProgramme {
  const groups = Map.groupBy(entries, ({ performance, production, venues }) =>
    [production?.id, venues[0]?.id, isPlayed(performance)].join('\n')
  )
  const events: Record<string, unknown>[] = []
  const leftOut: { production_id: string; message: string }[] = []
  for (const nights of groups.values()) {
    const [{ production, venues }] = nights as [ProgrammeEntry, ...ProgrammeEntry[]]
    if (production === undefined) continue
    const say = (message: string) => leftOut.push({ production_id: production.id, message })
    const [venue] = venues
    const place = venue && addressAt(venue, /\/places?\//)
    if (place === undefined)
      say(
        venue === undefined
          ? 'The performances have no venue'
          : `The venue ${venue.id} has no identifier of UiTdatabank (https://io.uitdatabank.be/place/…)`
      )
    else events.push(eventOf(production, nights, { place, zones, say }))
  }
  return { events, left_out: leftOut }
}

const isPlayed = (performance: Entity) => playedTypes.includes(first(performance, 'event_type') ?? playedTypes[0] ?? '')

/** The address of a record in UiTdatabank, which is one of its identifiers. */
const addressAt = ({ identifiers }: Entity, path: RegExp): string | undefined =>
  identifiers.find(each => path.test(each) && /^https?:\/\/\S*\/[0-9A-Fa-f-]{36}$/.test(each))

interface Surroundings {
  readonly place: string
  readonly zones: ProgrammeZones
  readonly say: (message: string) => void
}

function eventOf(production: Entity, nights: readonly ProgrammeEntry[], { place, zones, say }: Surroundings) {
  const titles = textsOf(production, 'title')
  const description = { ...textsOf(production, 'description_short'), ...textsOf(production, 'description') }
  const inBoth = languages.find(each => Object.hasOwn(titles, each) && Object.hasOwn(description, each))
  const main = inBoth ?? languages.find(each => Object.hasOwn(titles, each)) ?? 'nl'
  const [one] = nights as [ProgrammeEntry]
  const genres = one.genres.map(each => foldText(nameOf(each))).join(' ')
  const type = isPlayed(one.performance) ? eventTypes.find(({ words }) => words.test(genres)) : talk
  const own = targetsOf(production, 'refVenues').length <= 1 ? addressAt(production, /\/events?\//) : undefined
  const organizer = one.companies.map(each => addressAt(each, /\/organizers?\//)).find(each => each !== undefined)
  const age = first(production, 'age_category')
  const attendance = attendances[first(one.performance, 'attendance') ?? '']
  const booking = bookingOf(nights, zones, say)
  const hasDescription = Object.keys(description).length > 0
  if (hasDescription && inBoth === undefined)
    say('UiTdatabank needs the description in a language of the title; it is left out')
  const price = priceInfo(nights, main, say)
  if (nights.some(({ performance }) => first(performance, 'status') === 'moved'))
    say('UiTdatabank has no former date; moved performances have their new date only')
  return {
    ...(own === undefined ? {} : { '@id': own }),
    mainLanguage: main,
    name: titles,
    terms: [{ id: type?.id, label: type?.label, domain: 'eventtype' }],
    location: { '@id': place },
    calendarType: nights.length === 1 ? 'single' : 'multiple',
    subEvent: nights.map((each, id) => ({ id, ...dateOf(each, main, zones) })),
    ...(age === undefined ? {} : { typicalAgeRange: age === 'all' ? '-' : age.replace('+', '-') }),
    ...(inBoth === undefined ? {} : { description }),
    ...(organizer === undefined ? {} : { organizer: { '@id': organizer } }),
    ...(attendance === undefined ? {} : { attendanceMode: attendance }),
    ...(price.length === 0 ? {} : { priceInfo: price }),
    ...(booking === undefined ? {} : { bookingInfo: booking })
  }
}

/** The texts of a field by language; one without a language is in Dutch. */
const textsOf = ({ metadata }: Entity, key: string): Record<string, string> =>
  Object.fromEntries(
    metadata
      .filter(each => each.key === key && textOf(each.value).trim() !== '')
      .map(({ lang, value }) => [languages.find(each => lang?.startsWith(each)) ?? 'nl', textOf(value)])
  )

function dateOf(entry: ProgrammeEntry, main: string, zones: ProgrammeZones) {
  const { performance, production } = entry
  const zone = zoneOf(entry, zones)
  const start = withTime(momentText(performance, 'start', zone) ?? '')
  const [status, reason] = [first(performance, 'status'), first(performance, 'status_reason')]
  const isSoldOut = [status, first(performance, 'availability')].includes('sold_out')
  return {
    startDate: start,
    // An end is required; one that is not known is the beginning.
    endDate: withTime(endText(performance, production, zone) ?? start),
    status: {
      type: statuses[status ?? ''] ?? 'Available',
      ...(reason === undefined ? {} : { reason: { [main]: reason } })
    },
    bookingAvailability: { type: isSoldOut ? 'Unavailable' : 'Available' }
  }
}

const withTime = (moment: string) => (moment.length === 10 ? `${moment}T00:00:00Z` : moment)

/** The addresses that UiTdatabank accepts: with a domain name and without a port. */
const bookingAddress = /^https?:\/\/[\w.-]+\.\w{2,}(?:\/.*)?$/

function bookingOf(nights: readonly ProgrammeEntry[], zones: ProgrammeZones, say: Surroundings['say']) {
  const sold = nights.filter(({ performance }) => /^https?:/.test(first(performance, 'url') ?? ''))
  const withTickets = sold.find(({ performance }) => bookingAddress.test(first(performance, 'url') ?? ''))
  if (withTickets === undefined) {
    if (sold.length > 0)
      say('UiTdatabank refuses the address of the tickets: it has a port, a query alone, or no domain')
    return undefined
  }
  const { performance } = withTickets
  const starts = momentText(performance, 'on_sale_from', zoneOf(withTickets, zones))
  return {
    url: first(performance, 'url'),
    urlLabel: bookingWords,
    ...(starts === undefined ? {} : { availabilityStarts: withTime(starts) })
  }
}

/** The tariffs of an event: the first is the base price, and names are distinct. */
function priceInfo(nights: readonly ProgrammeEntry[], main: string, say: Surroundings['say']) {
  const [all = [], ...others] = nights.map(pricesOf)
  if (others.some(each => each.join() !== all.join()))
    say('UiTdatabank has one list of prices for all dates; those of the first date are given')
  const prices = all.flatMap(each => readPrice(each) ?? [])
  if (prices.some(({ currency }) => currency !== 'EUR')) say('UiTdatabank has prices in euro only; others are left out')
  return prices
    .filter(({ currency }) => currency === 'EUR')
    .map(({ amount, tariff }, at) => ({
      category: at === 0 ? 'base' : 'tariff',
      price: Number(amount),
      priceCurrency: 'EUR',
      ...(tariff === '' && at === 0 ? {} : { name: { [main]: tariff === '' ? `${at + 1}` : tariff } })
    }))
}

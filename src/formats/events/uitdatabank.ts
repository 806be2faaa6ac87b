import { eventLanguages } from '#domain/record-types/event-records.ts'
import { isJsonObject, type JsonObject } from '#domain/json.ts'
import { table } from '#domain/table.ts'
import type { Defect } from '../source/defects.ts'
import type { EventNight, EventPicture, EventPlace, Texts } from './event.ts'
import { listOf, numberIn, type ShowReader, textIn, unreadMembers } from './read-json-events.ts'

/*
 * Events of UiTdatabank: the JSON of its entry API, and the JSON-LD of its search, which has more
 * members. https://docs.publiq.be/docs/uitdatabank/models/event
 */

const read = new Set([
  ...['@id', 'mainLanguage', 'name', 'description', 'terms', 'location', 'calendarType', 'subEvent', 'startDate'],
  ...['endDate', 'typicalAgeRange', 'priceInfo', 'bookingInfo', 'status', 'bookingAvailability', 'organizer'],
  ...['attendanceMode', 'mediaObject', 'image'],
  // About the record in UiTdatabank, not about the event.
  ...['@context', '@type', 'creator', 'created', 'modified', 'publisher', 'languages', 'completedLanguages'],
  ...['completeness', 'workflowStatus', 'availableFrom', 'availableTo', 'calendarSummary', 'playhead', 'sameAs']
])

const statuses = table({ Unavailable: 'cancelled', TemporarilyUnavailable: 'postponed' })
const attendances = table({ offline: 'on_site', online: 'online', mixed: 'mixed' })

export const uitShow: ShowReader = event => {
  if (event.name === undefined || (event.calendarType === undefined && event.mainLanguage === undefined))
    return undefined
  const main = textIn(event.mainLanguage) ?? 'nl'
  const [title, description] = [textsOf(event.name, main), textsOf(event.description, main)]
  const id = textIn(event['@id'])
  const defects: Defect[] = []
  const dates = listOf(event.subEvent).filter(isJsonObject)
  if (dates.length === 0 && (event.calendarType === 'periodic' || event.calendarType === 'permanent'))
    defects.push({
      kind: 'bad_value',
      tag: 'calendarType',
      message: 'Opening hours are not dates; no performance is made'
    })
  const single =
    dates.length === 0 && event.calendarType !== 'periodic' && event.startDate !== undefined ? [event] : dates
  const booking = isJsonObject(event.bookingInfo) ? event.bookingInfo : {}
  const venue = placeOf(event.location, main)
  const price = listOf(event.priceInfo)
    .filter(isJsonObject)
    .flatMap(each => priceOf(each, main) ?? [])
  const nights = single.flatMap((date): EventNight[] => {
    const start = textIn(date.startDate)
    if (start === undefined) return []
    const status = objectIn(date.status) ?? objectIn(event.status)
    const sale = objectIn(date.bookingAvailability) ?? objectIn(event.bookingAvailability)
    return [
      {
        id: `${id ?? title[main as 'nl'] ?? ''}@${start}`,
        start,
        end: textIn(date.endDate) === start ? undefined : textIn(date.endDate),
        status: statuses[textIn(status?.type) ?? ''],
        status_reason: inMain(status?.reason, main),
        availability: textIn(sale?.type) === 'Unavailable' ? 'sold_out' : undefined,
        on_sale_from: textIn(booking.availabilityStarts),
        url: textIn(booking.url),
        attendance: attendances[textIn(event.attendanceMode) ?? ''],
        ...(venue?.name === '' ? { place: venue.id } : { venue })
      }
    ]
  })
  return {
    show: {
      id,
      title,
      description,
      age_category: agesOf(textIn(event.typicalAgeRange)),
      price,
      companies: listOf(inMain(objectIn(event.organizer)?.name, main)) as string[],
      genres: listOf(event.terms)
        .filter(isJsonObject)
        .flatMap(each => (each.domain === 'facility' ? [] : (textIn(each.label) ?? []))),
      pictures: picturesOf(event),
      nights
    },
    defects,
    unmapped: unreadMembers(event, read)
  }
}

const objectIn = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined)

/** Texts by language; a text alone is in the main language. */
function textsOf(value: unknown, main: string): Texts {
  if (!isJsonObject(value)) return { [keyOf(main)]: textIn(value) }
  return Object.fromEntries(
    Object.entries(value).flatMap(([lang, text]) => (textIn(text) ? [[keyOf(lang), textIn(text)]] : []))
  )
}

const keyOf = (lang: string) => ((eventLanguages as readonly string[]).includes(lang) ? lang : 'text')

const inMain = (value: unknown, main: string): string | undefined =>
  isJsonObject(value) ? (textIn(value[main]) ?? textIn(Object.values(value)[0])) : textIn(value)

function placeOf(value: unknown, main: string): EventPlace | undefined {
  if (!isJsonObject(value)) return undefined
  const id = textIn(value['@id'])
  const given = objectIn(value.address)
  const address = objectIn(given?.[main]) ?? objectIn(Object.values(given ?? {})[0]) ?? given
  const geo = objectIn(value.geo)
  const name = inMain(value.name, main)
  // The entry API names the place by its address only.
  if (id === undefined && name === undefined) return undefined
  return {
    id,
    name: name ?? '',
    address: textIn(address?.streetAddress),
    postal_code: textIn(address?.postalCode),
    city: textIn(address?.addressLocality),
    country: textIn(address?.addressCountry),
    latitude: numberIn(geo?.latitude),
    longitude: numberIn(geo?.longitude)
  }
}

function priceOf(tariff: JsonObject, main: string): string | undefined {
  const price = numberIn(tariff.price)
  if (price === undefined || tariff.category === 'uitpas') return undefined
  const name = inMain(tariff.name, main)
  return [price.toFixed(2), textIn(tariff.priceCurrency) ?? 'EUR', ...(name === undefined ? [] : [name])].join(' ')
}

/** `6-12`, `12-` and `-12`; `-` is for all ages. */
const agesOf = (range: string | undefined) => (range === '-' || range === '0-' ? 'all' : range)

function picturesOf(event: JsonObject): EventPicture[] {
  const objects = listOf(event.mediaObject)
  return (objects.length > 0 ? objects : listOf(event.image)).flatMap(each => {
    const node = isJsonObject(each) ? each : { contentUrl: each }
    const url = textIn(node.contentUrl)
    return url === undefined ? [] : [{ url, title: textIn(node.description), copyright: textIn(node.copyrightHolder) }]
  })
}

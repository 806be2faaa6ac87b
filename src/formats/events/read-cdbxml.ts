import { eventLanguages } from '#domain/record-types/event-records.ts'
import type { ByteSource } from '../source/bytes.ts'
import { cutElements, type PieceNames } from '../xml/cut-elements.ts'
import { type Element, elementsAt, textAt, textsAt, tryElement, unreadIn } from '../xml/read-element.ts'
import type { EventNight, EventPlace, EventShow, ReadEvent, Texts } from './event.ts'

/*
 * Events of UiTdatabank in CdbXML 3, its older format.
 * https://documentatie.uitdatabank.be/content/cdbxml/latest/start.html
 */

const pieceNames: PieceNames = { record: 'event', header: 'nofrecords', noun: 'event' }

export async function* readCdbXml(source: ByteSource, limit: number): AsyncGenerator<ReadEvent, void, undefined> {
  for await (const { kind, position, text, trouble } of cutElements(source, limit, pieceNames)) {
    if (kind === 'header') continue
    const bytes = Buffer.from(text)
    const event = trouble ?? tryElement(text)
    if ('kind' in event) yield { position, source: bytes, found: { defect: event } }
    else yield { position, source: bytes, found: { show: showOf(event), unmapped: unreadIn(event), defects: [] } }
  }
}

function showOf(event: Element): EventShow {
  const details = elementsAt(event, 'eventdetails/eventdetail')
  const inLanguages = (path: string): Texts =>
    Object.fromEntries(
      details.flatMap(each => {
        const lang = each.attributes.get('lang') ?? ''
        const text = textAt(each, path)
        return text === undefined ? [] : [[(eventLanguages as readonly string[]).includes(lang) ? lang : 'text', text]]
      })
    )
  const cdbid = event.attributes.get('cdbid')
  const id = cdbid === undefined ? undefined : `https://io.uitdatabank.be/event/${cdbid}`
  const title = inLanguages('title')
  const venue = venueOf(event)
  const [url] = textsAt(event, 'contactinfo/url')
  const [from, to] = [textAt(event, 'agefrom'), textAt(event, 'ageto')]
  const nights = elementsAt(event, 'calendar/timestamps/timestamp').flatMap((each): EventNight[] => {
    const day = textAt(each, 'date')
    if (day === undefined) return []
    const at = (time: string | undefined) => (time === undefined ? undefined : `${day}T${time}`)
    const start = at(textAt(each, 'timestart')) ?? day
    const end = at(textAt(each, 'timeend'))
    // A night that ends after midnight has the date of its beginning.
    return [
      { id: `${id ?? Object.values(title)[0]}@${start}`, start, end: end && end > start ? end : undefined, url, venue }
    ]
  })
  return {
    id,
    title,
    description: inLanguages('longdescription'),
    description_short: inLanguages('shortdescription'),
    age_category: from === undefined ? undefined : to === undefined ? `${from}+` : `${from}-${to}`,
    price: details
      .flatMap(each => textsAt(each, 'price/pricevalue'))
      .slice(0, 1)
      .map(each => `${Number(each).toFixed(2)} EUR`),
    companies: textsAt(event, 'organiser/label'),
    genres: elementsAt(event, 'categories/category').flatMap(each =>
      /^(?:eventtype|theme)$/.test(each.attributes.get('type') ?? '') ? each.text || [] : []
    ),
    cast: details.slice(0, 1).flatMap(detail =>
      elementsAt(detail, 'performers/performer').flatMap(each => {
        const name = textAt(each, 'label')
        return name === undefined ? [] : [{ name, role: textAt(each, 'role') }]
      })
    ),
    nights
  }
}

function venueOf(event: Element): EventPlace | undefined {
  const [label] = elementsAt(event, 'location/label')
  const [address] = elementsAt(event, 'location/address/physical')
  if (label === undefined || label.text === '') return undefined
  const street = address && [textAt(address, 'street'), textAt(address, 'housenr')].filter(Boolean).join(' ')
  const cdbid = label.attributes.get('cdbid')
  return {
    id: cdbid === undefined ? undefined : `https://io.uitdatabank.be/place/${cdbid}`,
    name: label.text,
    address: street,
    postal_code: address && textAt(address, 'zipcode'),
    city: address && textAt(address, 'city'),
    country: address && textAt(address, 'country')
  }
}

import { isAge } from '#domain/values/ages.ts'
import { readDate } from '#domain/values/dates.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { readPrice } from '#domain/labels/price.ts'
import { momentIn } from '#domain/values/time-zone.ts'
import { readLink } from '#domain/values/link.ts'
import { htmlToText } from '../html/html-to-text.ts'
import { pagesIn, readQualified, splitName } from '../description/statements.ts'
import { type Term, named, toIri, toText, toTyped, toWebAddress } from './triples.ts'
import type { Name } from './vocabularies.ts'

/*
 * Converts the values of fields to terms. A value without the form that its kind needs becomes
 * plain text, or is left out.
 */

type Reader = (text: string, lang: string | undefined, zone: string) => Term | undefined

const chosen =
  (names: Readonly<Record<string, Name>>): Reader =>
  text =>
    Object.hasOwn(names, text) ? named(names[text] as Name) : undefined

const year: Reader = text => (/^\d{4}$/.test(text.trim()) ? toTyped(text.trim(), 'xsd:gYear') : toText(text))

export const valueReaders = {
  text: toText,
  html: (text, lang) => toText(htmlToText(text), lang),
  year,
  date: text => (readDate(text)?.isDay ? toTyped(text, 'xsd:date') : toText(text)),
  /** A time on the clocks of the place, with its offset from UTC; a day stays a day. */
  moment: (text, _lang, zone) => {
    const date = readDate(text)
    if (!date) return undefined
    return date.isDay ? toTyped(text, 'xsd:date') : toTyped(momentIn(zone, date.first), 'xsd:dateTime')
  },
  /** Minutes, as a duration of ISO 8601. */
  minutes: text => (/^\d{1,6}(?:\.\d+)?$/.test(text) ? toText(`PT${Math.round(Number(text))}M`) : undefined),
  whole: text => (/^\d{1,15}$/.test(text) ? toTyped(text, 'xsd:integer') : undefined),
  decimal: text => (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? toTyped(text, 'xsd:decimal') : undefined),
  /** The number, and its qualifiers, of an ISBN for one binding or volume. */
  qualified: text => toText(readIsbn(readQualified(text).number)?.comparable ?? readQualified(text).number),
  qualifier: text => toText(readQualified(text).qualifiers.join(' ; ')),
  isbn: text => toText(readIsbn(text)?.comparable ?? text),
  /** A web page is a node of its own; any other address stays text. */
  address: text => toWebAddress(text) ?? toText(text),
  /** The address of a link, without its text. */
  link: text => toWebAddress(readLink(text).address),
  /** The status of a number that is cancelled or invalid, whichever number it is. */
  cancelled: () => toIri('http://id.loc.gov/vocabulary/mstatus/cancinv'),
  /** `148 p.` */
  pages: text => {
    const pages = pagesIn(text)
    return pages === undefined ? undefined : toTyped(pages, 'xsd:integer')
  },
  /**
   * `1564-1616`, `1980-`: for a year before our era, or an uncertain one, only the text is written.
   */
  birth: text => yearIn(/^(\d{4})\s*[-–]\s*(?:\d{4})?$/, text),
  death: text => yearIn(/^(?:\d{4})?\s*[-–]\s*(\d{4})$/, text),
  /** `Shakespeare, William`: a name of one part is not a family name. */
  familyName: text => toText(splitName(text)?.family ?? ''),
  givenName: text => toText(splitName(text)?.given ?? ''),
  /** `14+` is written `14-`; `all` is no range. */
  ages: text => (text !== 'all' && isAge(text) ? toText(text.replace('+', '-')) : undefined),
  /** The code of an authority file in the list of the Library of Congress. */
  scheme: text => toIri(`http://id.loc.gov/vocabulary/subjectSchemes/${encodeURIComponent(text.toLowerCase())}`),
  nameKind: chosen({ family: 'bf:Family', meeting: 'bf:Meeting' }),
  amount: text => toTyped(readPrice(text)?.amount ?? '', 'xsd:decimal'),
  currency: text => toText(readPrice(text)?.currency ?? ''),
  tariff: (text, lang) => toText(readPrice(text)?.tariff ?? '', lang),
  eventStatus: chosen({
    scheduled: 'schema:EventScheduled',
    sold_out: 'schema:EventScheduled',
    cancelled: 'schema:EventCancelled',
    postponed: 'schema:EventPostponed',
    moved: 'schema:EventRescheduled'
  }),
  availability: chosen({
    on_sale: 'schema:InStock',
    few_left: 'schema:LimitedAvailability',
    sold_out: 'schema:SoldOut'
  }),
  attendance: chosen({
    on_site: 'schema:OfflineEventAttendanceMode',
    online: 'schema:OnlineEventAttendanceMode',
    mixed: 'schema:MixedEventAttendanceMode'
  }),
  eventType: chosen({
    performance: 'schema:TheaterEvent',
    introduction: 'schema:EducationEvent',
    talk: 'schema:EducationEvent',
    workshop: 'schema:EducationEvent',
    open_rehearsal: 'schema:TheaterEvent',
    school_performance: 'schema:TheaterEvent'
  }),
  /** `sign_language` is written in words. */
  words: text => toText(text.replaceAll('_', ' ')),
  mailbox: text => (/^[^\s@<>]+@[^\s@<>]+$/.test(text) ? toText(text) : undefined)
} as const satisfies Record<string, Reader>

export type ValueKind = keyof typeof valueReaders

function yearIn(pattern: RegExp, text: string): Term | undefined {
  const found = pattern.exec(text.trim())?.[1]
  return found === undefined ? undefined : toTyped(found, 'xsd:gYear')
}

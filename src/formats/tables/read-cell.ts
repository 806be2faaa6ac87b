import type { Json } from '#domain/entity/entity.ts'
import type { Field, FieldKind } from '#domain/record-types/record-type.ts'
import { foldText } from '#domain/values/fold.ts'
import { isAge } from '#domain/values/ages.ts'
import { isCurrency, readPrice } from '#domain/labels/price.ts'
import { isZoneName } from '#domain/values/time-zone.ts'
import { htmlToText } from '../html/html-to-text.ts'
import { type DateReader, readDay, readMoment, type WrittenDate } from './written-dates.ts'

/** The value of a cell for a field, or the reason why it has none. */
export type CellReading = { readonly value: Json } | { readonly problem: string }

/**
 * Reads the text of a cell as the value of a field. `beside` are the texts of further columns of
 * the same value, such as the time beside a date.
 */
export function readCell(
  field: Field | undefined,
  text: string,
  beside: readonly string[],
  dates: DateReader
): CellReading {
  if (field === undefined) return { value: joined(text, beside) }
  if (field.kind === 'moment') return dateValue(readMoment([text, ...beside], dates))
  if (field.kind === 'date') return dateValue(readDay(text, dates))
  return readers[field.kind](joined(text, beside), field)
}

const joined = (text: string, beside: readonly string[]) => [text, ...beside].filter(each => each !== '').join(' ')

const dateValue = (date: WrittenDate): CellReading => ('problem' in date ? date : { value: date.text })

type Reader = (text: string, field: Field) => CellReading

const asText: Reader = text => {
  const plain = hasMarkup(text) ? htmlToText(text).replaceAll(/\s+/g, run => (run.includes('\n') ? '\n' : run)) : text
  return { value: plain.replaceAll(/[ \t\u00a0]+/g, ' ') }
}

const hasMarkup = (text: string) => /<\/?[a-z][^<>]*>|&(?:[a-z]+|#\d+|#x[\da-f]+);/i.test(text)

const readers: Readonly<Record<Exclude<FieldKind, 'moment' | 'date'>, Reader>> = {
  text: asText,
  isbn: asText,
  year: asText,
  html: text => ({ value: /<\/?[a-z][^<>]*>/i.test(text) ? text : toHtml(text) }),
  choice: (text, { of = [], readAs = {} }) => {
    const wanted = foldText(text).replaceAll(/[\s-]+/g, '_')
    const found = [...of, ...Object.keys(readAs)].find(each => each === wanted)
    return found === undefined
      ? { problem: `"${text}" is none of ${of.join(', ')}; set "words" in the mapping` }
      : { value: found }
  },
  number: (text, field) => {
    const number = numberIn(text, field)
    return number === undefined ? { problem: `"${text}" is not a number` } : { value: number }
  },
  minutes: text => {
    const minutes = minutesIn(text)
    return minutes === undefined ? { problem: `"${text}" is not a length in minutes` } : { value: minutes }
  },
  boolean: text => {
    const value = booleanIn(text)
    return value === undefined ? { problem: `"${text}" is neither yes nor no` } : { value }
  },
  codes: text => ({ value: [text] }),
  age_category: text => {
    const ages = (text.match(/\d+/g) ?? []).map(Number)
    if (ages.length === 0 && /^(?:all|tous|toutes|jeder)/.test(foldText(text))) return { value: 'all' }
    const isHighest = ages.length === 1 && isMaximum(foldText(text))
    const age = isHighest ? `0-${ages[0]}` : ages.length === 1 ? `${ages[0]}+` : ages.join('-')
    return isAge(age) ? { value: age } : { problem: `"${text}" is neither an age such as "12+" nor a range of ages` }
  },
  price: text => {
    const price = readPrice(text) ? text : priceIn(text)
    return price === undefined ? { problem: `"${text}" is not a price such as "24.50 EUR Standard"` } : { value: price }
  },
  time_zone: text =>
    isZoneName(text.trim())
      ? { value: text.trim() }
      : { problem: `"${text}" is not a time zone such as "Europe/Brussels"` }
}

/** Whether the age in a text is the highest one: `-12`, `tot 12 jaar`, `bis 12`, `under 12`. */
const isMaximum = (text: string) =>
  /^\s*[-–<]|\b(?:tot|t\/m|onder|max\w*|until|under|below|up to|jusqu\w*|moins|bis|unter)\b/.test(text)

/** The signs of currencies, in which prices are often written. */
const currencySigns: Readonly<Record<string, string>> = {
  '€': 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  $: 'USD',
  '£': 'GBP'
}

/**
 * Prices such as `24.50 EUR Standard`, `€ 24,50` and `Standard: 24,50 €`. A text with several
 * amounts or without a currency is no price.
 */
function priceIn(text: string): string | undefined {
  const [amount = '', ...others] = text.match(/\d+(?:[.,]\d{1,2})?/g) ?? []
  const signs = text.match(/[€$£]|\b(?:[Ee]uros?|[A-Z]{3})\b/g) ?? []
  const sign = signs.find(each => each.length !== 3 || isCurrency(each)) ?? ''
  const words = text
    .replace(amount, ' ')
    .replace(sign, ' ')
    .split(/[\s:,;]+/)
  const currency = currencySigns[sign.toLowerCase()] ?? sign
  const price = [amount.replace(',', '.'), currency, ...words].filter(each => each !== '').join(' ')
  return others.length === 0 && readPrice(price) ? price : undefined
}

/** Plain text as HTML: blank lines separate paragraphs. */
function toHtml(text: string): string {
  const safe = /&(?:[a-z]+|#\d+|#x[\da-f]+);/i.test(text) ? text : text.replaceAll('&', '&amp;')
  const paragraphs = safe.replaceAll('<', '&lt;').split(/(?:\r?\n){2,}/)
  return paragraphs.map(each => `<p>${each.trim().replaceAll(/\r?\n/g, '<br>')}</p>`).join('')
}

const yes = ['true', 'yes', 'ja', 'oui', '1', 'x', 'y', 'waar', 'vrai']
const no = ['false', 'no', 'nee', 'nein', 'non', '0', 'n', 'onwaar', 'faux']

export function booleanIn(text: string): boolean | undefined {
  const word = foldText(text)
  return yes.includes(word) ? true : no.includes(word) ? false : undefined
}

/**
 * Numbers may have blanks or points between thousands, and a decimal comma. A latitude of `51.054`
 * has no thousands: the number would be outside the range of the field.
 */
function numberIn(text: string, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Field) {
  const bare = text.replaceAll(/[\s\u00a0\u202f']/g, '')
  const whole = /^-?\d{1,3}(?:[.,]\d{3})+$/.test(bare) ? bare.replaceAll(/[.,]/g, '') : undefined
  const isInRange = whole !== undefined && Number(whole) >= min && Number(whole) <= max
  const plain = isInRange ? whole : bare.replace(',', '.')
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : undefined
}

/** Lengths such as `90`, `90 min`, `1u30`, `1:30` and `1 h 30 min`. */
function minutesIn(text: string): number | undefined {
  const [, hours, rest = '0'] =
    /^(\d{1,2})\s*(?:[:hu]|hours?|uur|heures?|Std\.?)\s*(?:(\d{1,2})\s*)?(?:min\w*\.?|m|['’′])?$/i.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 60 + Number(rest)
  const [, minutes] = /^(?:ca\.?\s*|±\s*)?(\d{1,4})\s*(?:min\w*\.?|m|['’′])?$/i.exec(text) ?? []
  return minutes === undefined ? undefined : Number(minutes)
}

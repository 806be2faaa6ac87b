import { priceText } from '../../../src/domain/labels/price.ts'
import { isEmpty, textOf } from '../data/record-model.ts'
import { zoneName } from '../data/time-zones.ts'
import { HtmlText } from '../parts/html-text.tsx'
import { useLocale } from '../i18n/locale.tsx'

interface FieldValueProps {
  /** The key and the kind of the field. */
  readonly name: string
  readonly kind: string | undefined
  readonly value: unknown
  /** The time zone of the place, for moments. */
  readonly zone?: string | undefined
}

/** A value in readable form. */
export function FieldValue({ name, kind, value, zone }: FieldValueProps) {
  const { words, valueName, languageName, number, date, moment, locale } = useLocale()
  const text = textOf(value)
  if (isEmpty(value)) return <span className="soft">{words.emptyValue}</span>
  if (kind === 'html') return <HtmlText html={text} />
  if (kind === 'choice') return valueName(text)
  if (kind === 'boolean' || typeof value === 'boolean') return value === true ? words.yes : words.no
  if (kind === 'date') return date(text)
  if (kind === 'moment')
    return (
      <>
        {moment(text, zone)} {zone !== undefined && <span className="hint">{words.inZone(zoneName(zone))}</span>}
      </>
    )
  if (kind === 'minutes' && typeof value === 'number') return words.minutes(number(value))
  if (kind === 'age_category') return text === 'all' ? valueName(text) : text
  if (kind === 'price') return priceText(locale, text)
  if (kind === 'isbn') return <span className="code">{text}</span>
  if (kind === 'number' && typeof value === 'number' && Number.isInteger(value)) return number(value)
  // A link may have words after its address.
  const [, icon] = /^\/icons\/([a-z]{2,3})\.svg$/.exec(text) ?? []
  if (icon !== undefined) return languageName(icon)
  const [, address, caption] = /^(https?:\/\/\S+)(?:\s+(\S.*))?$/s.exec(text) ?? []
  if (address !== undefined)
    return (
      <a href={address} rel="noopener noreferrer" className="outward">
        {caption ?? address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')}
      </a>
    )
  if (name === 'email' && /^[^\s@]+@[^\s@]+$/.test(text)) return <a href={`mailto:${text}`}>{text}</a>
  return text
}

import { addressIn } from '#domain/values/authority-link.ts'
import { type DataField, type Dialect, isDataField, type MarcField, type MarcRecord } from '../record.ts'
import type { AuthorityDraft } from '../../description/description.ts'
import { birthYearOf, keyOf } from '../../description/keys.ts'
import { firstPart, partsOf, withoutFullStop, withoutSeparator } from './values.ts'

/** The subfields of the parts of names in a dialect. */
export interface NameStyle {
  readonly dates: string
  readonly identifiers: string
  /** The forenames in full, of a name with initials. */
  readonly fuller: string
  /** Whether forenames have a subfield of their own, as in UNIMARC. */
  readonly hasForenames: boolean
  /** The agency whose authority file the numbers in $3 are of, in UNIMARC. */
  readonly file?: string | undefined
}

const nameStyles = {
  marc21: { dates: 'd', identifiers: '01', fuller: 'q', hasForenames: false },
  unimarc: { dates: 'f', identifiers: '3o', fuller: 'g', hasForenames: true }
} as const satisfies Record<Dialect, NameStyle>

export function readPerson(
  field: DataField,
  codes: string,
  type: string,
  style: NameStyle
): AuthorityDraft | undefined {
  const name = style.hasForenames ? unimarcName(field) : marc21Name(field, codes)
  if (name === '') return undefined
  const dates = firstPart(field, style.dates)
  const lifeDates = dates === undefined ? undefined : withoutSeparator(dates).replace(/([\d-])\.+$/, '$1')
  const birthYear = birthYearOf(lifeDates)
  const fuller = withoutSeparator(firstPart(field, style.fuller) ?? '').replace(/^\((.*)\)\.?$/, '$1')
  return {
    type,
    metadata: [
      { key: 'name', value: name },
      ...(lifeDates ? [{ key: 'life_dates', value: lifeDates }] : []),
      ...(fuller === '' ? [] : [{ key: 'fuller_name', value: fuller }])
    ],
    identifiers: identifiersOf(field, style),
    key: keyOf(name),
    ...(birthYear === undefined ? {} : { birthYear })
  }
}

function marc21Name(field: DataField, codes: string): string {
  const parts = partsOf(field, codes)
  // A second heading in the field is not a part of the name.
  const isWhole = /,\s*\p{L}/u.test(parts[0]?.value ?? '')
  const second = parts.findIndex(
    ({ code, value }, place) => place > 0 && code === 'a' && (isWhole || value.includes(','))
  )
  return (second < 0 ? parts : parts.slice(0, second)).map(({ value }) => withoutFullStop(value)).join(' ')
}

function unimarcName(field: DataField): string {
  const part = (code: string) => withoutFullStop(firstPart(field, code) ?? '')
  const surname = part('a')
  const forename = part('b')
  // The second indicator marks names that are entered under the forename.
  const isDirect = field.indicators[1] === '0'
  const name = forename === '' ? surname : isDirect ? `${surname} ${forename}` : `${surname}, ${forename}`
  return [name, part('d'), part('c')].filter(Boolean).join(' ')
}

export function readCorporation(
  field: DataField,
  codes: string,
  type: string,
  style: NameStyle
): AuthorityDraft | undefined {
  return named(
    partsOf(field, codes)
      .map(({ value }) => withoutFullStop(value))
      .join('. '),
    field,
    type,
    style
  )
}

export function readMeeting(
  field: DataField,
  codes: string,
  type: string,
  style: NameStyle
): AuthorityDraft | undefined {
  const parts = partsOf(field, codes).map(({ value }) => value)
  return named(withoutFullStop(parts.join(' ')), field, type, style)
}

function named(name: string, field: DataField, type: string, style: NameStyle): AuthorityDraft | undefined {
  if (name === '') return undefined
  return {
    type,
    metadata: [{ key: 'name', value: name }],
    identifiers: identifiersOf(field, style),
    key: keyOf(name)
  }
}

/**
 * The numbers of a field. In UNIMARC, $3 is a number in the authority file of the agency of the
 * record, without its name; further ones are those of the subdivisions of a heading.
 */
export function identifiersOf(
  field: DataField,
  { identifiers, file }: Pick<NameStyle, 'identifiers' | 'file'>
): string[] {
  const parts = partsOf(field, identifiers)
  if (parts.length === 0) return []
  const first = parts.findIndex(({ code }) => code === '3')
  return [
    ...new Set(
      parts.flatMap(({ code, value }, place) => {
        if (code === '3') return place === first ? withFile(value, file) : []
        // $o of UNIMARC is an ISNI, with or without its name.
        return code === 'o' ? (addressIn('isni', value.replace(/^ISNI/i, '')) ?? []) : value
      })
    )
  ]
}

const withFile = (number: string, file: string | undefined) =>
  file === undefined || /^\(|:/.test(number) ? number : `(${file})${number}`

/** The style of the names of a record. */
export const nameStyleOf = ({ fields }: MarcRecord, dialect: Dialect): NameStyle =>
  dialect === 'marc21' ? nameStyles.marc21 : { ...nameStyles.unimarc, file: authorityFileOf(fields) }

/**
 * The agency of the authority file of a UNIMARC record: the one that issued it (801 with 3 as its
 * second indicator), or else the first.
 */
function authorityFileOf(fields: readonly MarcField[]): string | undefined {
  const agencies = fields.filter(isDataField).filter(({ tag }) => tag === '801')
  const issuer = agencies.find(({ indicators }) => indicators[1] === '3') ?? agencies[0]
  const agency = issuer && firstPart(issuer, 'b')
  return agency === undefined || /[\s()]/.test(agency) ? undefined : agency
}

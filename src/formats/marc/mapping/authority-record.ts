import { addressIn, malformedAmong } from '#domain/values/authority-link.ts'
import type { AuthorityDraft } from '../../description/description.ts'
import { birthYearOf, keyOf } from '../../description/keys.ts'
import {
  controlNumberOf,
  type DataField,
  type Dialect,
  findControlValue,
  isDataField,
  type MarcRecord
} from '../record.ts'
import { identifiersOf, nameStyles, readCorporation, readMeeting, readPerson } from './agents.ts'
import { authorityTables, type HeadingRow } from './authority-tables.ts'
import { firstPart, joinTitle, partsOf, withoutFullStop } from './values.ts'

/** An authority record: the preferred name, with its other forms, life dates and identifiers. */
export interface AuthorityDescription {
  readonly controlNumber: string | undefined
  readonly agency: string | undefined
  readonly authority: AuthorityDraft
  /** Identifiers that are left out, since they are no numbers of their file. */
  readonly malformed: readonly string[]
}

/** Leader/06 of authority records: z in MARC 21; x, y and z in UNIMARC. */
const authorityTypes: Readonly<Record<Dialect, string>> = { marc21: 'z', unimarc: 'xyz' }

/**
 * The dialect of an authority record: its preferred name stands in 1XX in MARC 21 and in 2XX in
 * UNIMARC. Undefined for a record of another kind.
 */
export function detectAuthority(record: MarcRecord): Dialect | undefined {
  const type = record.leader[6] ?? ''
  const has = (dialect: Dialect) => authorityTypes[dialect].includes(type) && headingOf(record, dialect) !== undefined
  if (record.fields.some(({ tag }) => tag === '245')) return undefined
  return has('marc21') ? 'marc21' : has('unimarc') ? 'unimarc' : undefined
}

function headingOf(record: MarcRecord, dialect: Dialect): { field: DataField; row: HeadingRow } | undefined {
  for (const row of authorityTables[dialect])
    for (const field of record.fields)
      if (field.tag === row.heading && isDataField(field) && (row.has === undefined || firstPart(field, row.has)))
        return { field, row }
  return undefined
}

/** Describes an authority record. Undefined if its preferred name cannot be read. */
export function describeAuthority(record: MarcRecord, dialect: Dialect): AuthorityDescription | undefined {
  const heading = headingOf(record, dialect)
  const draft = heading && readHeading(heading.field, heading.row, dialect)
  if (heading === undefined || draft === undefined) return undefined
  const name = draft.metadata[0]?.value
  const variants = record.fields
    .filter(isDataField)
    .filter(({ tag }) => tag === heading.row.tracing)
    .flatMap(field => readHeading(field, heading.row, dialect)?.metadata[0]?.value ?? [])
    .filter(each => each !== name)
  const lifeDates = draft.metadata.some(each => each.key === 'life_dates')
    ? undefined
    : heading.row.as === 'personal name'
      ? lifeDatesIn(record)
      : undefined
  const birthYear = draft.birthYear ?? birthYearOf(lifeDates)
  const agency = dialect === 'marc21' ? findControlValue(record, '003')?.trim() : agencyOf(record)
  const given = [...new Set([...draft.identifiers, ...identifiersIn(record, dialect)])]
  const malformed = malformedAmong(given)
  return {
    controlNumber: controlNumberOf(record),
    agency,
    authority: {
      ...draft,
      metadata: [...draft.metadata, ...(lifeDates === undefined ? [] : [{ key: 'life_dates', value: lifeDates }])],
      ...(variants.length === 0 ? {} : { variants: [...new Set(variants)].sort() }),
      identifiers: given.filter(each => !malformed.includes(each)),
      ...(birthYear === undefined ? {} : { birthYear })
    },
    malformed
  }
}

function readHeading(field: DataField, { as, type, from }: HeadingRow, dialect: Dialect): AuthorityDraft | undefined {
  const style = nameStyles[dialect]
  if (as === 'personal name') return readPerson(field, from, type, style)
  if (as === 'corporate name') return readCorporation(field, from, type, style)
  if (as === 'meeting name') return readMeeting(field, from, type, style)
  const parts = partsOf(field, from).map(({ value }) => value)
  const isTitle = as === 'title'
  const value = isTitle ? joinTitle(parts) : parts.map(withoutFullStop).join(' -- ')
  if (value === '') return undefined
  const identifiers = identifiersOf(field, style.identifiers)
  return { type, metadata: [{ key: isTitle ? 'title' : 'name', value }], identifiers, key: keyOf(value) }
}

/** 046 $f and $g: birth and death, as years. */
function lifeDatesIn(record: MarcRecord): string | undefined {
  const field = record.fields.find(each => each.tag === '046')
  if (field === undefined || !isDataField(field)) return undefined
  const [born, died] = ['f', 'g'].map(code => /^\d{4}/.exec(firstPart(field, code) ?? '')?.[0])
  return born === undefined && died === undefined ? undefined : `${born ?? ''}-${died ?? ''}`
}

/**
 * Identifiers that the record gives for itself: 024 with its file, 010, 035; in UNIMARC 010, 033,
 * 035.
 */
function identifiersIn(record: MarcRecord, dialect: Dialect): string[] {
  const fields = record.fields.filter(isDataField)
  const texts = (tag: string, codes: string) =>
    fields.filter(each => each.tag === tag).flatMap(field => partsOf(field, codes).map(({ value }) => value))
  if (dialect === 'unimarc')
    return [...texts('010', 'a').flatMap(each => inFile('isni', each)), ...texts('033', 'a'), ...texts('035', 'a')]
  const others = fields
    .filter(each => each.tag === '024')
    .flatMap(field => {
      const file = firstPart(field, '2') ?? ''
      return partsOf(field, 'a01').flatMap(({ value }) => inFile(file, value))
    })
  return [...others, ...texts('010', 'a').flatMap(each => inFile('dlc', each)), ...texts('035', 'a')]
}

/** The address of a number in a file; a malformed number with its file; none in an unknown file. */
function inFile(file: string, number: string): string[] {
  const address = addressIn(file, number)
  return address === undefined ? malformedAmong([`(${file})${number}`]) : [address]
}

function agencyOf(record: MarcRecord): string | undefined {
  const field = record.fields.find(each => each.tag === '801')
  return field !== undefined && isDataField(field) ? firstPart(field, 'b') : undefined
}

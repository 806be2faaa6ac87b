import { readIsbn } from '#domain/values/isbn.ts'
import type { Dialect, MarcRecord } from '../record.ts'
import { type NameStyle, nameStyles } from './agents.ts'
import type { MappingProblem } from '../../description/description.ts'
import { marc21Table } from './marc21-table.ts'
import type { MappingTable, MetadataRow, RelationRow } from './table.ts'
import { unimarcTable } from './unimarc-table.ts'
import {
  type FieldIndex,
  fieldsOf,
  type Found,
  indexFields,
  isPlaces,
  joinParts,
  joinTitle,
  nameUnlessUnknown,
  originOf,
  partsOf,
  placesOf,
  withoutFullStop,
  yearIn
} from './values.ts'

export const mappingTables: Readonly<Record<Dialect, MappingTable>> = { marc21: marc21Table, unimarc: unimarcTable }

const contentTypeRows: Readonly<Record<Dialect, readonly MetadataRow[]>> = {
  marc21: marc21Table.metadata.filter(row => row.gives === 'content_type'),
  unimarc: unimarcTable.metadata.filter(row => row.gives === 'content_type')
}

/** Differences between the dialects beyond the table. */
const statementFields = { marc21: ['245', 'c'], unimarc: ['200', 'fg'] } as const
export const uniformFields = { marc21: ['130', '240'], unimarc: ['500'] } as const

/** A record that is being described, for all parts of the mapping. */
export interface Reader {
  readonly record: MarcRecord
  readonly dialect: Dialect
  readonly table: MappingTable
  readonly fields: FieldIndex
  readonly style: NameStyle
  readonly problems: MappingProblem[]
  /** The statement of responsibility. */
  readonly statement: string
  contentTypes(): string[]
}

export function createReader(record: MarcRecord, dialect: Dialect): Reader {
  const fields = indexFields(record)
  const table = mappingTables[dialect]
  const [tag, codes] = statementFields[dialect]
  const found = fields.get(tag)?.[0]
  const statement =
    found === undefined
      ? ''
      : partsOf(found.field, codes)
          .map(each => each.value)
          .join(' ; ')
  const reader: Reader = {
    record,
    dialect,
    table,
    fields,
    style: nameStyles[dialect],
    problems: [],
    statement,
    contentTypes: () =>
      contentTypeRows[dialect].flatMap(row =>
        fieldsOf(fields, row, record.leader).flatMap(each => valuesOf(each, row).map(({ value }) => value))
      )
  }
  return reader
}

export interface Value {
  readonly value: string
  readonly part: string
}

/** The values of a field according to a row. */
export function valuesOf(found: Found, row: MetadataRow | RelationRow, problems?: MappingProblem[]): Value[] {
  const { field } = found
  if (isPlaces(row.from)) {
    const text = placesOf(field, row.from)
    const value =
      row.as === 'fixed year'
        ? /^[12]\d{3}$/.test(text)
          ? text
          : undefined
        : row.as === 'code'
          ? row.codes?.[text]
          : text
    return value === undefined || value === '' ? [] : [{ value, part: row.from }]
  }
  const parts = partsOf(field, row.from)
  const each = (read: (text: string) => string | undefined): Value[] =>
    parts.flatMap(({ code, value }) => {
      const text = read(value)
      return text === undefined || text === '' ? [] : [{ value: text, part: code }]
    })
  const whole = (text: string): Value[] => (text === '' ? [] : [{ value: text, part: partNames(parts) }])
  switch (row.as) {
    case 'isbn':
      return each(text => readNumber(text, found, problems))
    case 'number':
      return each(text => /^[\dXx][\dXx\s-]*/.exec(text)?.[0].trim())
    case 'year':
      return each(yearIn)
    case 'code':
      return each(text => row.codes?.[text.trim()])
    case 'name':
      return each(text => withoutFullStop(text.replace(/^\[(.*)\]$/, '$1')))
    case 'unless unknown':
      return each(nameUnlessUnknown)
    case 'class':
      return each(text => text)
    case 'title':
    case 'uniform':
      return whole(joinTitle(firstTitle(parts)))
    default:
      return whole(joinParts(parts.map(({ value }) => value)))
  }
}

export const partNames = (parts: readonly { readonly code: string }[]) =>
  [...new Set(parts.map(each => each.code))].join('')

/** The first title and its parts: a repeated title subfield begins another title. */
export function firstTitle(parts: readonly { readonly code: string; readonly value: string }[]): string[] {
  const [first] = parts
  const next = parts.findIndex((each, index) => index > 0 && each.code === first?.code)
  return (next < 0 ? parts : parts.slice(0, next)).map(({ value }) => value)
}

function readNumber(text: string, found: Found, problems: MappingProblem[] | undefined): string | undefined {
  const number = /^(?:ISBN(?:-1[03])?:?\s*)?(97[89][\d\s‐-―-]*\d|[\d][\d\s‐-―-]*[\dXx])/i.exec(text)?.[1]?.trim()
  const reading = number === undefined ? undefined : readIsbn(number)
  if (reading?.checkDigitIsRight) return number
  problems?.push({ kind: 'bad_isbn', message: `"${text}" is not a valid ISBN`, from: originOf(found, 'a') })
  return reading === undefined ? undefined : number
}

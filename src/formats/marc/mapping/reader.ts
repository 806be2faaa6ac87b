import { readIsbn } from '#domain/values/isbn.ts'
import { isPlaceholder } from '#domain/values/placeholder.ts'
import { type DataField, type Dialect, isDataField, type MarcField, type MarcRecord } from '../record.ts'
import { type NameStyle, nameStyleOf } from './agents.ts'
import { withoutEmbedding } from './embedded-fields.ts'
import type { MappingProblem } from '../../description/description.ts'
import { splitOnce } from '../../description/split-once.ts'
import { writeQualified, writeWithScheme } from '../../description/statements.ts'
import { marc21Table } from './marc21-table.ts'
import type { MappingTable, MetadataRow, RelationRow } from './table.ts'
import { unimarcTable } from './unimarc-table.ts'
import {
  clean,
  type FieldIndex,
  fieldsOf,
  firstPart,
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
  withoutSeparator,
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
  /** The fields in the original script (880) that belong to a field, or to any field of a tag. */
  inOriginalScript(tag: string, found?: Found): readonly Found[]
  /** The code of the language of the text, for the tags of texts in the original script. */
  readonly language: string | undefined
  contentTypes(): string[]
}

export function createReader(record: MarcRecord, dialect: Dialect): Reader {
  const fields = indexFields(
    dialect === 'marc21' ? record : { ...record, fields: withoutEmbedding(record.fields, dialect) }
  )
  const table = mappingTables[dialect]
  const [tag, codes] = statementFields[dialect]
  const found = fields.get(tag)?.[0]
  const statement =
    found === undefined
      ? ''
      : partsOf(found.field, codes)
          .map(each => each.value)
          .join(' ; ')
  const scripts = scriptsByTag(fields)
  const reader: Reader = {
    record,
    dialect,
    table,
    fields,
    style: nameStyleOf(record, dialect),
    problems: [],
    statement,
    inOriginalScript: (tag, of) => (scripts.size === 0 ? none : linkedFields(scripts, tag, of)),
    language: dialect === 'marc21' ? placesIn(fields, '008', '35-37') : placesIn(fields, '101', '0-2'),
    contentTypes() {
      const types: string[] = []
      for (const row of contentTypeRows[dialect])
        for (const found of fieldsOf(fields, row, record.leader))
          for (const { value } of valuesOf(found, row)) types.push(value)
      return types
    }
  }
  return reader
}

const placesIn = (fields: FieldIndex, tag: string, places: string) => {
  const [found] = fields.get(tag) ?? []
  return found && placesOf(found.field, places)
}

const none: readonly Found[] = []

/** Fields 880 by the tag in their $6 (`245-01/$1`). */
function scriptsByTag(fields: FieldIndex): FieldIndex {
  const byTag = new Map<string, Found[]>()
  for (const found of fields.get('880') ?? none) {
    const [tag, after] = splitOnce(linkage(found.field), /-/)
    if (after === undefined) continue
    const list = byTag.get(tag)
    if (list === undefined) byTag.set(tag, [found])
    else list.push(found)
  }
  return byTag
}

/**
 * Fields 880 that belong to a tag; of one field only those with the number that its own $6 has
 * (`880-01`).
 */
function linkedFields(scripts: FieldIndex, tag: string, of: Found | undefined): readonly Found[] {
  const all = scripts.get(tag)
  if (all === undefined || of === undefined) return all ?? none
  const number = /^880-(\d\d)/.exec(linkage(of.field))?.[1]
  if (number === undefined || number === '00') return none
  return all.filter(({ field }) => linkage(field).startsWith(`${tag}-${number}`))
}

const linkage = (field: MarcField) => (isDataField(field) ? (firstPart(field, '6') ?? '') : '')

export interface Value {
  readonly value: string
  readonly part: string
}

const noValues: readonly Value[] = []

const codeIn = ({ codes = {} }: MetadataRow | RelationRow, text: string) =>
  Object.hasOwn(codes, text) ? codes[text] : undefined

/** The values of a field according to a row. */
export function valuesOf(found: Found, row: MetadataRow | RelationRow, problems?: MappingProblem[]): readonly Value[] {
  const { field } = found
  if (isPlaces(row.from)) {
    const text = placesOf(field, row.from)
    const value =
      row.as === 'fixed year'
        ? /^[12]\d{3}$/.test(text)
          ? text
          : undefined
        : row.as === 'code'
          ? codeIn(row, text)
          : text
    return value === undefined || value === '' ? [] : [{ value, part: row.from }]
  }
  const parts = partsOf(field, row.from)
  if (parts.length === 0) return noValues
  const each = (read: (text: string) => string | undefined): Value[] => {
    const values: Value[] = []
    for (const { code, value } of parts) {
      const text = read(value)
      if (text !== undefined && text !== '') values.push({ value: text, part: code })
    }
    return values
  }
  const whole = (text: string): Value[] => (text === '' ? [] : [{ value: text, part: partNames(parts) }])
  switch (row.as) {
    case 'isbn':
      return each(text => readNumber(text, found, problems))
    case 'number':
      return each(text => {
        const number = /^[\dXx][\dXx\s-]*/.exec(text)?.[0].trim()
        return number === undefined || isPlaceholder(number) ? undefined : number
      })
    case 'year':
      return each(yearIn)
    case 'code':
      return each(text => codeIn(row, text.trim()))
    case 'name':
      return each(text => withoutFullStop(text.startsWith('[') ? text.replace(/^\[(.*)\]$/, '$1') : text))
    case 'subtitle':
      return parts
        .filter((_, place) => !isParallel(field, row.from, place))
        .map(({ code, value }) => ({ value: withoutFullStop(value), part: code }))
    case 'parallel title':
      return parallelTitlesIn(field, row.from).map(value => ({ value, part: row.from }))
    case 'unless unknown':
      return each(nameUnlessUnknown)
    case 'place in imprint':
      return each(text => nameUnlessUnknown(imprintOf(text)[0] ?? ''))
    case 'publisher in imprint':
      return parts.flatMap(({ code, value }) =>
        imprintOf(value)
          .slice(1)
          .flatMap(text => nameUnlessUnknown(text) ?? [])
          .map(text => ({ value: text, part: code }))
      )
    case 'class':
      return each(text => text)
    case 'class number':
      return each(text => text.replaceAll(/[/′']/g, '').trim())
    case 'cancelled isbn':
      return each(
        text => readIsbn(isbnPattern.exec(text)?.[1] ?? '')?.comparable ?? text.split(/[(:]/, 1)[0]?.trimEnd()
      )
    case 'date as written':
      return each(text => {
        const bare = withoutFullStop(text)
        return bare === yearIn(bare) ? undefined : bare
      })
    case 'isbn with qualifier':
      return qualifiedIsbn(parts)
    case 'with scheme':
      return numbersWithScheme(parts, row)
    case 'words':
      return whole(parts.map(({ value }) => value).join(' '))
    case 'host':
      return whole(parts.map(({ value }) => withoutFullStop(value)).join(' ; '))
    case 'minutes':
      return minutesIn(parts)
    case 'link':
      return linksIn(parts, row.from[0])
    case 'title':
    case 'uniform':
      return whole(joinTitle(firstTitle(parts)))
    default:
      return whole(joinParts(parts, row.before))
  }
}

export function partNames(parts: readonly { readonly code: string }[]): string {
  let names = ''
  for (const { code } of parts) if (!names.includes(code)) names += code
  return names
}

/** The titles after an equals sign, which stands at the end of the subfield before, or first. */
export function parallelTitlesIn(field: MarcField, codes: string): string[] {
  if (!hasEqualsSign(field)) return []
  return partsOf(field, codes)
    .filter((_, place) => isParallel(field, codes, place))
    .flatMap(({ value }) => value.split(/\s=(?=\s)|^=(?=\s)/))
    .map(withoutFullStop)
    .filter(each => each !== '')
}

/** Tests for the sign at all: few fields have one. */
const hasEqualsSign = (field: MarcField): field is DataField =>
  isDataField(field) && field.subfields.some(({ value }) => value.includes('='))

/** Tests whether an equals sign stands before one of the subfields with these codes. */
function isParallel(field: MarcField, codes: string, place: number): boolean {
  if (!hasEqualsSign(field)) return false
  const given = field.subfields.filter(({ code, value }) => code !== '' && clean(value) !== '')
  const at = [...given.keys()].filter(each => codes.includes(given[each]?.code ?? '-'))[place] ?? 0
  return /^=/.test(clean(given[at]?.value ?? '')) || /=$/.test(clean(given[at - 1]?.value ?? ''))
}

/** The first title and its parts: a repeated title subfield begins another title. */
export function firstTitle(parts: readonly { readonly code: string; readonly value: string }[]): string[] {
  const [first] = parts
  const next = parts.findIndex((each, index) => index > 0 && each.code === first?.code)
  return (next < 0 ? parts : parts.slice(0, next)).map(({ value }) => value)
}

/** Place and publishers in one text: `London, British Museum ; B. Quaritch`. */
function imprintOf(text: string): string[] {
  if (text.startsWith('(')) return []
  const comma = text.indexOf(',')
  return comma < 0 ? [text] : [text.slice(0, comma), ...text.slice(comma + 1).split(/(?<!\s)\s+;\s+/)]
}

/** Each number ($a) with the rest of its field, and with the scheme in $2 or the one of the row. */
function numbersWithScheme(
  parts: readonly { readonly code: string; readonly value: string }[],
  row: MetadataRow | RelationRow
): Value[] {
  const scheme = parts.find(({ code }) => code === '2')?.value ?? ('scheme' in row ? row.scheme : undefined)
  const isNumber = 'gives' in row && row.gives === 'other_number'
  const rest = parts.filter(({ code }) => code !== 'a' && code !== '2').map(({ value }) => value)
  return parts
    .filter(({ code, value }) => code === 'a' && !(isNumber && isPlaceholder(value)))
    .map(({ value }) => ({ value: writeWithScheme([value, ...rest].join(' '), scheme), part: partNames(parts) }))
}

/** An ISBN, and what stands in brackets after it or in $q; undefined without such words. */
function qualifiedIsbn(parts: readonly { readonly code: string; readonly value: string }[]): Value[] {
  const given = parts.find(({ code }) => 'az'.includes(code))?.value ?? ''
  const number = isbnPattern.exec(given)?.[1]?.replaceAll(/[^\dXx]/g, '')
  const words = [...given.matchAll(/\(([^()]*)\)/g)].map(([, word = '']) => word)
  const others = parts.filter(({ code }) => !'az'.includes(code)).map(({ value }) => value)
  const qualifiers = [...words, ...others].map(each =>
    withoutSeparator(each)
      .replace(/^\((.*)\)$/, '$1')
      .trim()
  )
  const value = writeQualified(number, qualifiers.filter(Boolean))
  return value === undefined ? [] : [{ value, part: partNames(parts) }]
}

/** Hours, minutes and seconds of each part (`003412`), together. */
function minutesIn(parts: readonly { readonly code: string; readonly value: string }[]): Value[] {
  const times = parts.flatMap(({ code, value }) => {
    const found = /^(\d{2,3})(\d{2})(\d{2})$/.exec(value.trim())
    return found === null ? [] : [{ code, minutes: Number(found[1]) * 60 + Number(found[2]) + Number(found[3]) / 60 }]
  })
  const amount = Math.round(times.reduce((sum, { minutes }) => sum + minutes, 0))
  return amount === 0 ? [] : [{ value: String(amount), part: partNames(times) }]
}

/** Each address, followed by the text that all addresses of the field have. */
function linksIn(parts: readonly { readonly code: string; readonly value: string }[], address: string | undefined) {
  const text = parts.filter(({ code }) => code !== address).map(({ value }) => value)
  return parts
    .filter(({ code, value }) => code === address && !/\s/.test(value))
    .map(({ value }): Value => ({ value: [value, ...text].join(' '), part: partNames(parts) }))
}

const isbnPattern = /^(?:ISBN(?:-1[03])?:?\s*)?(97[89][\d\s‐-―-]*\d|[\d][\d\s‐-―-]*[\dXx])/i

function readNumber(text: string, found: Found, problems: MappingProblem[] | undefined): string | undefined {
  const number = isbnPattern.exec(text)?.[1]?.trim()
  const reading = number === undefined ? undefined : readIsbn(number)
  const isMissing = number !== undefined && isPlaceholder(number)
  if (reading?.checkDigitIsRight && !isMissing) return number
  problems?.push({ kind: 'bad_isbn', message: `"${text}" is not a valid ISBN`, from: originOf(found, 'a') })
  return reading === undefined || isMissing ? undefined : number
}

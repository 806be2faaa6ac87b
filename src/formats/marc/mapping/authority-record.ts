import { authorityTypes as describedTypes, language, person } from '#domain/record-types/related.ts'
import { addressIn, authorityAddress, malformedAmong } from '#domain/values/authority-link.ts'
import type { AuthorityDraft, AuthorityRelation } from '../../description/description.ts'
import { birthYearOf, keyOf } from '../../description/keys.ts'
import { languageAuthority } from '../../description/relations.ts'
import {
  controlNumberOf,
  type DataField,
  type Dialect,
  findControlValue,
  isDataField,
  type MarcRecord
} from '../record.ts'
import { identifiersOf, type NameStyle, nameStyleOf, readCorporation, readMeeting, readPerson } from './agents.ts'
import {
  aroundTables,
  authorityTables,
  byCode,
  byControl,
  byWords,
  controlCodes,
  detailCodes,
  detailTables,
  type HeadingRow,
  type SeeAlso,
  thesauri
} from './authority-tables.ts'
import { firstPart, joinTitle, partsOf, placesOf, withoutFullStop } from './values.ts'

/** An authority record: the preferred name, with its other forms, life dates and identifiers. */
export interface AuthorityDescription {
  readonly controlNumber: string | undefined
  readonly agency: string | undefined
  readonly authority: AuthorityDraft
  /** The other fields of it that the record gives. */
  readonly details: AuthorityDraft['metadata']
  readonly relations: readonly AuthorityRelation[]
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
      if (field.tag === row.heading && isDataField(field) && isOfRow(field, row)) return { field, row }
  return undefined
}

const isOfRow = (field: DataField, { has, first }: HeadingRow) =>
  (has === undefined || firstPart(field, has) !== undefined) && (first === undefined || field.indicators[0] === first)

/** Describes an authority record. Undefined if its preferred name cannot be read. */
export function describeAuthority(record: MarcRecord, dialect: Dialect): AuthorityDescription | undefined {
  const heading = headingOf(record, dialect)
  const style = nameStyleOf(record, dialect)
  const draft = heading && readHeading(heading.field, heading.row, style)
  if (heading === undefined || draft === undefined) return undefined
  const name = draft.metadata[0]?.value
  const variants = record.fields
    .filter(isDataField)
    .filter(({ tag }) => tag === heading.row.tracing)
    .flatMap(field => readHeading(field, heading.row, style)?.metadata[0]?.value ?? [])
    .filter(each => each !== name)
  const lifeDates = draft.metadata.some(each => each.key === 'life_dates')
    ? undefined
    : heading.row.as === 'personal name'
      ? lifeDatesIn(record, dialect)
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
    details: detailsIn(record, heading.row, dialect, given),
    relations: relationsIn(record, heading.row, dialect, style),
    malformed
  }
}

function readHeading(field: DataField, { as, type, from }: HeadingRow, style: NameStyle): AuthorityDraft | undefined {
  if (as === 'personal name') return readPerson(field, from, type, style)
  if (as === 'corporate name') return readCorporation(field, from, type, style)
  if (as === 'meeting name') return readMeeting(field, from, type, style)
  const parts = partsOf(field, from).map(({ value }) => value)
  const isTitle = as === 'title'
  const value = isTitle ? joinTitle(parts) : parts.map(withoutFullStop).join(' -- ')
  if (value === '') return undefined
  const identifiers = identifiersOf(field, style)
  return { type, metadata: [{ key: isTitle ? 'title' : 'name', value }], identifiers, key: keyOf(value) }
}

/** Birth and death, as years: 046 $f and $g, 548 of the GND; 103 of UNIMARC. */
const lifeDatesIn = (record: MarcRecord, dialect: Dialect) =>
  dialect === 'unimarc'
    ? yearsIn(record, '103', 'a', 'b')
    : (yearsIn(record, '046', 'f', 'g') ?? codedIn(record, 'life_dates')[0])

/** Beginning and end of a body, or of a person's work, as years. */
const activeDatesIn = (record: MarcRecord, dialect: Dialect) =>
  dialect === 'unimarc'
    ? yearsIn(record, '103', 'a', 'b')
    : (yearsIn(record, '046', 's', 't') ?? yearsIn(record, '046', 'q', 'r') ?? codedIn(record, 'active_dates')[0])

/** The years of two subfields of a field. */
function yearsIn(record: MarcRecord, tag: string, from: string, to: string): string | undefined {
  const field = record.fields.find(each => each.tag === tag)
  if (field === undefined || !isDataField(field)) return undefined
  const [first, last] = [from, to].map(code => /^\d{4}/.exec(firstPart(field, code) ?? '')?.[0])
  return first === undefined && last === undefined ? undefined : `${first ?? ''}-${last ?? ''}`
}

/** The texts of the fields whose $4 says that they are a value of this authority (GND). */
const codedIn = (record: MarcRecord, gives: keyof typeof detailCodes): string[] =>
  record.fields
    .filter(isDataField)
    .flatMap(field => (hasCode(field, detailCodes[gives]) ? (firstPart(field, 'a') ?? []) : []))

const hasCode = (field: DataField, codes: readonly string[]) =>
  (field.tag === '548' || field.tag === '550') && partsOf(field, '4').some(({ value }) => codes.includes(value))

const allDetailCodes = Object.values(detailCodes).flat()

/** The fields of the type that the record gives, each value once. */
function detailsIn(
  record: MarcRecord,
  { type, kind }: HeadingRow,
  dialect: Dialect,
  identifiers: readonly string[]
): AuthorityDraft['metadata'] {
  const fields = record.fields.filter(isDataField)
  const found = detailTables[dialect].flatMap(({ tags, from, gives, each, isNumber }) =>
    fields
      .filter(({ tag }) => tags.includes(tag))
      .flatMap(field => {
        const values = partsOf(field, from).map(({ value }) => value)
        const read = isNumber ? values.flatMap(value => authorityAddress(value) ?? []) : values
        return (each ? read : [read.join(' ')]).filter(Boolean).map(value => ({ key: gives, value }))
      })
  )
  // The years of a person in UNIMARC are those of the life.
  const active = dialect === 'unimarc' && type === person.type ? undefined : activeDatesIn(record, dialect)
  const occupations = dialect === 'unimarc' ? [] : codedIn(record, 'occupation')
  const all = [
    ...(kind === undefined ? [] : [{ key: 'name_kind', value: kind }]),
    ...(active === undefined ? [] : [{ key: 'active_dates', value: active }]),
    ...schemesIn(record, type, dialect, identifiers).map(value => ({ key: 'scheme', value })),
    ...found,
    ...occupations.map(value => ({ key: 'occupation', value }))
  ].filter(({ key }) => Object.hasOwn(typeNamed(type)?.fields ?? {}, key))
  return [...new Map(all.map(each => [`${each.key} ${each.value}`, each])).values()]
}

const typeNamed = (type: string) => describedTypes.find(each => each.type === type)

/** The file that the record is of: 040 $f, 008/11, or that of its numbers; in UNIMARC 152 $b. */
function schemesIn(record: MarcRecord, type: string, dialect: Dialect, identifiers: readonly string[]): string[] {
  const named = (tag: string, code: string) =>
    record.fields.flatMap(field => (field.tag === tag && isDataField(field) ? (firstPart(field, code) ?? []) : []))
  if (dialect === 'unimarc') return named('152', 'b').map(each => each.toLowerCase())
  if (identifiers.some(each => /^(?:\(DE-588\)|https?:\/\/d-nb\.info\/gnd\/)/.test(each))) return ['gnd']
  const own = named('040', 'f')
  // Files of names have the code of the thesaurus that the name may be used in.
  const isTerm = typeNamed(type)?.isMaker !== true && own.length === 0
  const fixed = isTerm ? record.fields.find(({ tag }) => tag === '008') : undefined
  const thesaurus = fixed && thesauri[placesOf(fixed, '11')]
  return thesaurus === undefined ? own : [thesaurus]
}

/** The authorities that the record refers to. */
function relationsIn(
  record: MarcRecord,
  { type }: HeadingRow,
  dialect: Dialect,
  style: NameStyle
): AuthorityRelation[] {
  const relations: AuthorityRelation[] = []
  const add = ({ relation, isReversed, role }: SeeAlso, target: AuthorityDraft) => {
    const from = isReversed ? target.type : type
    const isKnown = Object.hasOwn(typeNamed(from)?.relations ?? {}, relation)
    relations.push({
      relation: isKnown ? relation : 'refRelated',
      target,
      ...(isKnown && isReversed ? { isReversed } : {}),
      ...(isKnown && role !== undefined ? { role } : {})
    })
  }
  for (const field of record.fields) {
    if (!isDataField(field)) continue
    const row = authorityTables[dialect].find(each => each.seeAlso === field.tag && isOfRow(field, each))
    const target = row && !hasCode(field, allDetailCodes) ? readHeading(field, row, style) : undefined
    if (target !== undefined) add(seeAlsoOf(field, dialect), target)
    for (const { tag, code, relation, to, role } of aroundTables[dialect]) {
      if (tag !== field.tag || !Object.hasOwn(typeNamed(type)?.relations ?? {}, relation)) continue
      for (const { value } of partsOf(field, code)) {
        const named = { type: to, metadata: [{ key: 'name', value }], identifiers: [], key: keyOf(value) }
        const found = to === language.type ? languageAuthority(value, to) : named
        if (found !== undefined) relations.push({ relation, target: found, ...(role === undefined ? {} : { role }) })
      }
    }
  }
  return relations
}

/** The relation that a field names: by a code, by words, or none but “see also”. */
function seeAlsoOf(field: DataField, dialect: Dialect): SeeAlso {
  const control = firstPart(field, controlCodes[dialect])?.[0]
  const codes = partsOf(field, '4').map(({ value }) => value)
  const words = (firstPart(field, 'i') ?? '').toLowerCase()
  const byCodes = [...(control === undefined ? [] : [byControl[dialect][control]]), ...codes.map(each => byCode[each])]
  return (
    byCodes.find(each => each !== undefined) ??
    byWords.find(([begin]) => words.startsWith(begin))?.[1] ?? { relation: 'refRelated' }
  )
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

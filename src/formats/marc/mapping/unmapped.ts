import type { ItemMapping } from '../../source/item-mapping.ts'
import { type DataField, type Dialect, isDataField, type MarcRecord } from '../record.ts'
import { withoutEmbedding } from './embedded-fields.ts'
import { itemTags } from './items.ts'
import { mappingTables } from './reader.ts'
import type { Condition } from './table.ts'
import { firstPart, isMet, isPlaces } from './values.ts'

/*
 * The subfields of a record that no row of the mapping table reads. They are in the source record
 * only.
 */

interface MappedRow {
  readonly codes: string
  readonly when: Condition | undefined
}

/**
 * Subfields that other code than the table reads, by tag; `X00` stands for 100, 600, 700 and 800.
 */
const readElsewhere: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  marc21: {
    ...{ X00: 'dq4ei', X10: '4ei', X11: '4ji', '720': '4e', '035': 'a', '130': 'klmnorsp', '240': 'klmnorsp' },
    ...{ '245': 'c', '246': 'i', '247': 'i', '730': 'i', '740': 'i', '800': 'abcq', '810': 'abn', '811': 'acdenq' }
  },
  unimarc: {
    ...{ '035': 'a', '801': 'b', '500': 'lqrsuwm', '700': 'fg4o', '701': 'fg4o', '702': 'fg4o', '710': '4o' },
    ...{ '711': '4o', '712': '4o', '720': 'f4o', '600': 'fo', '601': 'o', '602': 'fo', '604': 'f' }
  }
}

/** Subfields that say nothing of the publication: sources, links between fields, institutions. */
const controlCodes: Readonly<Record<Dialect, string>> = { marc21: '01235678', unimarc: '0235678' }

/** Fields that manage the record. */
const managing: Readonly<Record<Dialect, readonly string[]>> = {
  marc21: ['040', '042', '066', '758', '884', '887'],
  unimarc: ['100', '801', '830']
}

/** Fields of MARC 21 that are about the record itself. */
export const managedFields = managing.marc21

const rowsOf = (dialect: Dialect): ReadonlyMap<string, readonly MappedRow[]> => {
  const { metadata, relations, titles, contained, links } = mappingTables[dialect]
  const rows = new Map<string, MappedRow[]>()
  const add = (tags: readonly string[], codes: string, when: Condition | undefined) => {
    for (const tag of tags) rows.set(tag, [...(rows.get(tag) ?? []), { codes, when }])
  }
  for (const { tags, from, when } of [...metadata, ...relations, ...titles, ...contained])
    add(tags, isPlaces(from) ? 'a' : from, when)
  for (const { tags, from, author = '', numbers = '', part = '', when } of links)
    add(tags, from + author + numbers + part, when)
  return rows
}
const rows: Readonly<Record<Dialect, ReadonlyMap<string, readonly MappedRow[]>>> = {
  marc21: rowsOf('marc21'),
  unimarc: rowsOf('unimarc')
}

/** Names each subfield of a record that is not mapped: `084 $a`. */
export function unmappedIn(record: MarcRecord, dialect: Dialect, items: ItemMapping | undefined): string[] {
  const names: string[] = []
  const tags = itemTags(items)
  for (const field of withoutEmbedding(record.fields, dialect)) {
    if (!isDataField(field) || managing[dialect].includes(field.tag)) continue
    const tag = field.tag === '880' ? (/^\d{3}/.exec(firstPart(field, '6') ?? '')?.[0] ?? '880') : field.tag
    const always = codesOf(tag, dialect)
    for (const { code, value } of field.subfields)
      if (
        code !== '' &&
        !always.includes(code) &&
        !tags[tag]?.includes(code) &&
        value.trim() !== '' &&
        !isMappedHere(code, tag, field, record.leader, dialect)
      )
        names.push(`${tag} $${code}`)
  }
  return names
}

/** The codes that are read from every field with a tag. */
function codesOf(tag: string, dialect: Dialect): string {
  const known = codesByTag[dialect].get(tag)
  if (known !== undefined) return known
  const elsewhere = readElsewhere[dialect]
  const read = (elsewhere[tag] ?? '') + (dialect === 'marc21' ? (elsewhere[`X${tag.slice(1)}`] ?? '') : '')
  const own = (rows[dialect].get(tag) ?? []).filter(({ when }) => when === undefined)
  const codes = own.map(each => each.codes).join('') + read + controlCodes[dialect]
  // Tags are three characters of a file, so a hostile one could have very many.
  if (codesByTag[dialect].size < 2000) codesByTag[dialect].set(tag, codes)
  return codes
}
const codesByTag: Readonly<Record<Dialect, Map<string, string>>> = { marc21: new Map(), unimarc: new Map() }

/** Tests whether a row with a condition reads a subfield of this field. */
const isMappedHere = (code: string, tag: string, field: DataField, leader: string, dialect: Dialect) =>
  (rows[dialect].get(tag) ?? []).some(
    ({ codes, when }) => when !== undefined && codes.includes(code) && isFor(when, field, leader)
  )

const isFor = (when: Condition, field: DataField, leader: string) =>
  (when.leaderType === undefined || when.leaderType.includes(leader[6] ?? ' ')) &&
  (when.leaderLevel === undefined || when.leaderLevel.includes(leader[7] ?? ' ')) &&
  isMet(when, field)

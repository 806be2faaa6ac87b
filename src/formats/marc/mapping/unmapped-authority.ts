import { type Dialect, isDataField, type MarcRecord } from '../record.ts'
import { aroundTables, authorityTables, detailTables } from './authority-tables.ts'
import { firstPart } from './values.ts'

/*
 * The subfields of an authority record that give nothing in the model. They are in the record only.
 */

/** Subfields that other code than the tables reads, by tag. */
const readElsewhere: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  marc21: { '010': 'a', '024': 'a', '035': 'a', '046': 'fgqrst' },
  unimarc: { '010': 'a', '033': 'a', '035': 'a', '103': 'ab', '152': 'b' }
}

/** Subfields of personal names beside those of the tables: dates, and forenames in full. */
const ofPersons: Readonly<Record<Dialect, string>> = { marc21: 'dq', unimarc: 'fg' }

/** Numbers, relations, sources and links between fields, which are read wherever they matter. */
const controlCodes: Readonly<Record<Dialect, string>> = { marc21: '012345678iw', unimarc: '02345678o' }

/** Fields that manage the record. */
const managing: Readonly<Record<Dialect, readonly string[]>> = {
  marc21: ['040', '042', '066', '884', '887'],
  unimarc: ['100', '106', '801', '830']
}

function codesByTag(dialect: Dialect): ReadonlyMap<string, string> {
  const codes = new Map(Object.entries(readElsewhere[dialect]))
  const add = (tag: string, more: string) => codes.set(tag, (codes.get(tag) ?? '') + more)
  for (const { heading, tracing, seeAlso, as, from } of authorityTables[dialect])
    for (const tag of [heading, tracing, seeAlso]) add(tag, as === 'personal name' ? from + ofPersons[dialect] : from)
  for (const { tags, from } of detailTables[dialect]) for (const tag of tags) add(tag, from)
  for (const { tag, code } of aroundTables[dialect]) add(tag, code)
  return codes
}
const codes: Readonly<Record<Dialect, ReadonlyMap<string, string>>> = {
  marc21: codesByTag('marc21'),
  unimarc: codesByTag('unimarc')
}

/** Names each subfield of an authority record that is not mapped: `authority 371 $a`. */
export const unmappedInAuthority = ({ fields }: MarcRecord, dialect: Dialect): string[] =>
  fields.filter(isDataField).flatMap(field => {
    const tag = field.tag === '880' ? (/^\d{3}/.exec(firstPart(field, '6') ?? '')?.[0] ?? '880') : field.tag
    if (managing[dialect].includes(tag)) return []
    const read = (codes[dialect].get(tag) ?? '') + controlCodes[dialect]
    return field.subfields
      .filter(({ code, value }) => code !== '' && !read.includes(code) && value.trim() !== '')
      .map(({ code }) => `authority ${tag} $${code}`)
  })

/*
 * Words used throughout this folder:
 *
 * - record: a leader of 24 characters and fields in their order, whichever form it was written in
 * - control field: a field with a value and no subfields (001 to 009)
 * - data field: a field with two indicators and subfields
 * - dialect: the meaning of the tags, MARC 21 or UNIMARC
 * - form: the way a record is written: ISO 2709, MARCXML, MARC-in-JSON, or the lines that MarcEdit
 *   calls .mrk
 * - source form: a form, or another format whose records are read as MARC 21
 */

export interface Subfield {
  /** One character; empty if the source had none. */
  readonly code: string
  readonly value: string
}

export interface ControlField {
  readonly tag: string
  readonly value: string
}

export interface DataField {
  readonly tag: string
  /** Two characters. */
  readonly indicators: string
  readonly subfields: readonly Subfield[]
}

export type MarcField = ControlField | DataField

export interface MarcRecord {
  readonly leader: string
  readonly fields: readonly MarcField[]
}

export const dialects = ['marc21', 'unimarc'] as const
export type Dialect = (typeof dialects)[number]

export const forms = ['iso2709', 'marcxml', 'json', 'mrk'] as const
export type Form = (typeof forms)[number]

export const sourceForms = [
  ...forms,
  'aleph',
  'pica',
  'picaxml',
  'mods',
  'dc',
  'turtle',
  'ntriples',
  'rdfxml',
  'jsonld'
] as const
export type SourceForm = (typeof sourceForms)[number]

/** The leader of a record without one: a book, newly made, in UTF-8. */
export const blankLeader = '00000nam a2200000   4500'

export const isDataField = (field: MarcField): field is DataField => 'subfields' in field

/** Tests whether the fields of a tag have no subfields. */
export const isControlTag = (tag: string) => tag.startsWith('00')

/** The value of the first control field with a tag. */
export function findControlValue(record: MarcRecord, tag: string): string | undefined {
  const field = record.fields.find(each => each.tag === tag && !isDataField(each))
  return field !== undefined && !isDataField(field) ? field.value : undefined
}

/** The number of the record in its source system (001). */
export function controlNumberOf(record: MarcRecord): string | undefined {
  const value = findControlValue(record, '001')?.trim()
  return value === '' ? undefined : value
}

/**
 * Detects the dialect. The two have no common field that declares it; but a title stands in 245 in
 * one and in 200 in the other, and the last positions of the leader differ.
 */
export function detectDialect(record: MarcRecord): Dialect {
  const has = (tag: string) => record.fields.some(each => each.tag === tag)
  if (has('245')) return 'marc21'
  if (has('200')) return 'unimarc'
  return has('008') || record.leader.endsWith('4500') ? 'marc21' : 'unimarc'
}

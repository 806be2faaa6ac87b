import { controlNumberOf, type Form, type MarcRecord } from './record.ts'

/** What can be wrong with a record as it is read, and what the reader does about it. */
export const defectKinds = {
  garbage: 'Bytes that belong to no record; left out',
  wrong_length: 'The leader gives another length than the record has; its end was found otherwise',
  no_terminator: 'The record does not end with a record terminator; its end was found otherwise',
  too_long: 'The record is longer than a record can be in this form; its fields were found by their terminators',
  over_limit: 'The record is longer than the limit of this reader; left out',
  truncated: 'The file ends within the record; left out',
  bad_leader: 'The leader is missing, too short, or has characters that it cannot have; the usual ones were taken',
  wrong_base_address:
    'The leader gives another place for the data than the directory does; that of the directory was taken',
  no_directory: 'The record has no directory that can be read; left out',
  bad_directory: 'An entry of the directory is wrong; its field was found by the terminators',
  field_lost: 'An entry of the directory is wrong and its field cannot be told from others; the field is left out',
  bad_field: 'The field is not built as a field must be; read as far as it goes',
  bad_subfield: 'A subfield has no code',
  empty_field: 'The field holds nothing; left out',
  no_control_number: 'The record has no control number (001)',
  repeated_control_number: 'The record has more than one control number (001); the first counts',
  wrong_encoding: 'The text is in another encoding than the record says; read in the one it is in',
  undecodable: 'Bytes that stand for no character; replaced by U+FFFD',
  control_characters: 'Control characters within the text; left out',
  not_well_formed: 'The file cannot be read on from here as what it is (XML, JSON)',
  refused: 'A document type or entity declaration; refused, since it can name other files and grow without bound',
  not_marc: 'This is not a MARC record'
} as const

export type DefectKind = keyof typeof defectKinds

export interface Defect {
  readonly kind: DefectKind
  /** What is wrong in this record, as a sentence. */
  readonly message: string
  /** The tag of the field, where it is one field's. */
  readonly tag?: string
}

/** Where a record stands in its file. */
export interface Position {
  /** Counted from 1; what could not be read counts too. */
  readonly number: number
  /** The first byte of it, counted from 0. */
  readonly offset: number
  /** In bytes. */
  readonly length: number
}

export const textEncodings = ['ascii', 'utf-8', 'marc-8', 'iso-5426', 'windows-1252', 'mixed'] as const
export type TextEncoding = (typeof textEncodings)[number]

interface ReadingBase {
  readonly form: Form
  readonly position: Position
  /** 001, where it could be read, even of a record that otherwise could not. */
  readonly controlNumber: string | undefined
  readonly defects: readonly Defect[]
  /**
   * The record as it came, byte for byte; of what could not be read at most the first 100,000
   * bytes.
   */
  readonly source: Uint8Array
}

/** A record that was read. It may have defects; none of them is lost text without saying so. */
export interface ReadRecord extends ReadingBase {
  readonly outcome: 'record'
  readonly record: MarcRecord
  readonly encoding: TextEncoding
}

/**
 * A word that a record was deleted where it came from: a leader with status d, or a deleted header
 * of OAI-PMH (then without a record).
 */
export interface ReadDeletion extends ReadingBase {
  readonly outcome: 'deletion'
  readonly record: MarcRecord | undefined
  /** The identifier of the OAI-PMH header, where there is one. */
  readonly oaiIdentifier: string | undefined
}

export interface Unreadable extends ReadingBase {
  readonly outcome: 'unreadable'
}

/** What a reader gives for each record of a file, in order. */
export type Reading = ReadRecord | ReadDeletion | Unreadable

export interface ReadOptions {
  /** A longer record is left out, with a defect. Bounds the memory a reader takes. */
  readonly maxRecordBytes?: number
}

export const defaultMaxRecordBytes = 8_000_000
export const maxUnreadableBytes = 100_000

/**
 * A record that was read as a reading: what its leader says of deletion, and what its control
 * numbers are, is looked at here for every form.
 */
export function readingOf(
  found: {
    readonly form: Form
    readonly position: Position
    readonly source: Uint8Array
    readonly record: MarcRecord
    readonly encoding: TextEncoding
    readonly oaiIdentifier?: string | undefined
  },
  defects: Defect[]
): Reading {
  const { record, form, position, source, encoding } = found
  let controlNumbers = 0
  for (const { tag } of record.fields) if (tag === '001') controlNumbers++
  if (controlNumbers > 1)
    defects.push({
      kind: 'repeated_control_number',
      message: `The field 001 is there ${controlNumbers} times`,
      tag: '001'
    })
  const controlNumber = controlNumbers === 0 ? undefined : controlNumberOf(record)
  if (controlNumber === undefined) defects.push({ kind: 'no_control_number', message: 'There is no field 001' })
  const base = { form, position, controlNumber, defects, source }
  if (record.leader[5] === 'd') return { ...base, outcome: 'deletion', record, oaiIdentifier: found.oaiIdentifier }
  return { ...base, outcome: 'record', record, encoding }
}

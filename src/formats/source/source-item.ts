import type { RecordEvidence } from '#domain/clustering/evidence.ts'
import type { CsvMapping } from '../csv/csv-mapping.ts'
import type { RecordDescription } from '../description/description.ts'
import type { Defect } from './defects.ts'
import type { Position } from './position.ts'

/*
 * The items of a file of records, in any format, one after the other. An import needs nothing else.
 *
 * - source: the bytes that an item was read from
 * - name: the permanent identifier of a record, so that a later file can change or delete it
 */

export const sourceFormats = ['iso2709', 'marcxml', 'json', 'mrk', 'onix', 'csv', 'ndjson'] as const
export type SourceFormat = (typeof sourceFormats)[number]

interface ItemBase {
  readonly format: SourceFormat
  readonly position: Position
  readonly defects: readonly Defect[]
  /**
   * The item as received; for a table the header and the row. At most the first 100,000 bytes of an
   * unreadable one.
   */
  readonly source: Uint8Array
}

/**
 * A record to find works for. `description.problems` with `no_title` means that no manifestation
 * can be made of it.
 */
export interface SourceRecord extends ItemBase {
  readonly outcome: 'record'
  /**
   * `(agency)control number`; the control number alone; or `sha256:…` of the source for a record
   * without one.
   */
  readonly name: string
  readonly description: RecordDescription
  readonly evidence: RecordEvidence
}

/** The deletion of a record in its source system. */
export interface SourceDeletion extends ItemBase {
  readonly outcome: 'deletion'
  /** Undefined if the file does not name the record. */
  readonly name: string | undefined
}

/** One of our entities, to be written unchanged. It is not checked yet. */
export interface SourceEntity extends ItemBase {
  readonly outcome: 'entity'
  readonly entity: Readonly<Record<string, unknown>>
}

export interface SourceUnreadable extends ItemBase {
  readonly outcome: 'unreadable'
  /** The control number, if it could be read. */
  readonly name: string | undefined
}

export type SourceItem = SourceRecord | SourceDeletion | SourceEntity | SourceUnreadable

export interface SourceOptions {
  /** The format, if it should not be detected. */
  readonly format?: SourceFormat
  /** The meaning of the columns of a table (`readCsvMapping`); by default their names decide. */
  readonly mapping?: CsvMapping
  /** The agency of control numbers, for records that do not name it. */
  readonly agency?: string
  /** A longer record is left out, with a defect. Bounds the memory of reading. */
  readonly maxRecordBytes?: number
}

export const recordName = (agency: string | undefined, controlNumber: string) =>
  agency === undefined || agency === '' ? controlNumber : `(${agency})${controlNumber}`

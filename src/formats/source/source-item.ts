import type { RecordEvidence } from '#domain/clustering/evidence.ts'
import type { CsvMapping } from '../csv/csv-mapping.ts'
import type { RecordDescription } from '../description/description.ts'
import type { Defect } from './defects.ts'
import type { Position } from './position.ts'

/*
 * What a file of records gives, whichever format it is in, one item after the other. Whoever
 * imports looks at nothing else.
 *
 * - source: what an item was read from, byte for byte
 * - name: what a record goes by for good, so that a later file can change it or say that it is gone
 */

export const sourceFormats = ['iso2709', 'marcxml', 'json', 'mrk', 'onix', 'csv', 'ndjson'] as const
export type SourceFormat = (typeof sourceFormats)[number]

interface ItemBase {
  readonly format: SourceFormat
  readonly position: Position
  readonly defects: readonly Defect[]
  /**
   * The item as it came; of a table the header and the row. Of what could not be read at most the
   * first 100,000 bytes.
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
   * `(agency)control number`; the control number alone; or `sha256:…` of the source, of a record
   * that has none.
   */
  readonly name: string
  readonly description: RecordDescription
  readonly evidence: RecordEvidence
}

/** A word that a record is gone where it came from. */
export interface SourceDeletion extends ItemBase {
  readonly outcome: 'deletion'
  /** Undefined where it does not say of which. */
  readonly name: string | undefined
}

/** An entity of our own, to be written as it is. It is not checked yet. */
export interface SourceEntity extends ItemBase {
  readonly outcome: 'entity'
  readonly entity: Readonly<Record<string, unknown>>
}

export interface SourceUnreadable extends ItemBase {
  readonly outcome: 'unreadable'
  /** The control number, where that much could be read. */
  readonly name: string | undefined
}

export type SourceItem = SourceRecord | SourceDeletion | SourceEntity | SourceUnreadable

export interface SourceOptions {
  /** The format, where it should not be guessed. */
  readonly format?: SourceFormat
  /** What the columns of a table are (`readCsvMapping`); where left out, what their names say. */
  readonly mapping?: CsvMapping
  /** Whose control numbers they are, of records that do not say so themselves. */
  readonly agency?: string
  /** A longer record is left out, with a defect. Bounds the memory that reading takes. */
  readonly maxRecordBytes?: number
}

export const recordName = (agency: string | undefined, controlNumber: string) =>
  agency === undefined || agency === '' ? controlNumber : `(${agency})${controlNumber}`

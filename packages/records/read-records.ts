import { onixItems } from '../../src/formats/onix/onix-items.ts'
import { composeRecord } from '../../src/formats/marc/compose-record.ts'
import { readMarc } from '../../src/formats/marc/read-marc.ts'
import type { Reading } from '../../src/formats/marc/reading.ts'
import type { MarcRecord } from '../../src/formats/marc/record.ts'
import type { Defect } from '../../src/formats/source/defects.ts'
import { detectSource } from '../../src/formats/source/detect-source.ts'
import type { Position } from '../../src/formats/source/position.ts'
import { readDetected } from '../../src/formats/source/read-source.ts'
import { type EventFormat, type SourceFormat, sourceFormats } from '../../src/formats/source/source-formats.ts'
import type { SourceItem } from '../../src/formats/source/source-item.ts'
import { toPublication } from '../../src/formats/source/to-publication.ts'
import { csvItems } from '../../src/formats/tables/publication-items.ts'
import { readCsvMapping } from '../../src/formats/tables/publication-mapping.ts'
import { recordModel } from './record-model.ts'

const { ndjson: _, icalendar: _1, uitdatabank: _2, cdbxml: _3, schemaorg: _4, ...readable } = sourceFormats

/** The formats that are read, each with its title, media type and usual extension. */
export const readFormats: Readonly<
  Record<ReadFormat, { readonly title: string; readonly mediaType: string; readonly extension: string }>
> = readable

export type ReadFormat = Exclude<SourceFormat, EventFormat | 'ndjson'>

const isReadable = (format: SourceFormat): format is ReadFormat => Object.hasOwn(readable, format)

/** A file of records: bytes as they arrive, such as a stream of Node, all bytes, or a text. */
export type RecordSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array | string

export interface ReadOptions {
  /** The format, if it should not be detected. */
  readonly format?: ReadFormat
  /** Maximum bytes of a record, 8,000,000 by default. A longer one is left out, with a defect. */
  readonly maxRecordBytes?: number
  /**
   * The meaning of the columns of a table, such as `{"columns": {"Titel": {"field": "title"}}}`; by
   * default their names decide.
   */
  readonly mapping?: unknown
  /** The agency of control numbers in ONIX and CSV, for files that do not name it. */
  readonly agency?: string
  /** The time at which records of ONIX and CSV become MARC, now by default. */
  readonly at?: Date
}

interface ReadBase {
  readonly format: SourceFormat
  /** The place of the record in the file. */
  readonly position: Position
  /** The number of the record in its source system (001), if it has one that can be read. */
  readonly controlNumber: string | undefined
  /** Everything that is wrong with the record, each with its kind, a sentence, and its field. */
  readonly defects: readonly Defect[]
  /** The record as received, byte for byte; at most 100,000 bytes of an unreadable one. */
  readonly source: Uint8Array
}

/** A record that was read. It may have defects; no text is lost without one. */
export interface ReadRecord extends ReadBase {
  readonly outcome: 'record'
  readonly record: MarcRecord
  /** The parts of a record of another format that have no place in MARC. */
  readonly unmapped: readonly string[]
}

/** The deletion of a record in its source system. */
export interface ReadDeletion extends ReadBase {
  readonly outcome: 'deletion'
}

/** A part of the file that is not a readable record; its defects say why. */
export interface Unreadable extends ReadBase {
  readonly outcome: 'unreadable'
}

export type Read = ReadRecord | ReadDeletion | Unreadable

/**
 * Detects the format of a file from its first bytes (8,192 are enough); undefined for a format that
 * is not read.
 */
export function detectFormat(head: Uint8Array | string): ReadFormat | undefined {
  const format = detectSource(typeof head === 'string' ? Buffer.from(head) : head)
  return format !== undefined && isReadable(format) ? format : undefined
}

/**
 * Reads a file of records, one at a time, whichever format it has. MARC comes as it stands in the
 * file, MARC 21 or UNIMARC; records of other formats become MARC 21.
 *
 * Never throws for the content of a file: an unreadable part is a result too, with its position and
 * its defect. Takes memory for one record and one chunk, however long the file is. Throws a
 * `CatalogueError` with the code `invalid` for a mapping with faults.
 */
export async function* readRecords(
  source: RecordSource,
  { mapping, at = new Date(), ...options }: ReadOptions = {}
): AsyncGenerator<Read, void, undefined> {
  const given = { ...options, ...(mapping === undefined ? {} : { mapping: readCsvMapping(mapping) }) }
  const bytes = typeof source === 'string' ? [Buffer.from(source)] : source instanceof Uint8Array ? [source] : source
  const found = readDetected<Reading | SourceItem>(bytes, given, (format, all) => {
    if (format === 'onix') return onixItems(all, given)
    if (format === 'csv') return csvItems(all, given)
    // Events, and lines of an export of Libretto, are no records of MARC.
    return readMarc(all, { ...options, form: isReadable(format) ? format : 'json' })
  })
  for await (const each of found) yield 'form' in each ? ofReading(each) : ofItem(each, at)
}

function ofReading(reading: Reading): Read {
  const { form: format, position, controlNumber, defects, source } = reading
  const base = { format, position, controlNumber, defects, source }
  if (reading.outcome !== 'record') return { ...base, outcome: reading.outcome }
  return { ...base, outcome: 'record', record: reading.record, unmapped: reading.unmapped ?? [] }
}

/** The result for an item of a format that is not read as MARC. */
function ofItem(item: SourceItem, at: Date): Read {
  const { format, position, defects, source } = item
  const base = { format, position, defects, source }
  if (item.outcome === 'record') {
    const { controlNumber, agency = '', problems } = item.description
    const publication = toPublication(recordModel, item, controlNumber ?? item.name, at.toISOString())
    const { leader, fields } = composeRecord(publication, { agency }).record
    // Fields with the agency, which has no name.
    const record = {
      leader,
      fields: agency === '' ? fields.filter(({ tag }) => tag !== '003' && tag !== '040') : fields
    }
    const found = problems.map(({ message }): Defect => ({ kind: 'bad_value', message }))
    const all = [...defects, ...found]
    return { ...base, defects: all, outcome: 'record', controlNumber, record, unmapped: item.unmapped ?? [] }
  }
  const controlNumber = 'name' in item ? item.name : undefined
  return { ...base, outcome: item.outcome === 'deletion' ? 'deletion' : 'unreadable', controlNumber }
}

/** The defects of a result as sentences that say where: the record, its first byte, its field. */
export function remarksOn({ position, controlNumber, defects }: Read): string[] {
  const number = controlNumber === undefined ? '' : ` (${controlNumber})`
  const where = `Record ${position.number}${number} at byte ${position.offset}`
  return defects.map(({ tag, message }) => `${where}${tag === undefined ? '' : `, field ${tag}`}: ${message}`)
}

import { hash } from 'node:crypto'

import { bytesToDetectSource, detectSource } from './detect-source.ts'
import type { ByteSource } from './larger-chunks.ts'
import { describeRecord } from './marc/mapping/describe-record.ts'
import { readEvidence } from './marc/mapping/evidence.ts'
import { readMarcJson } from './marc/marc-json.ts'
import { readMarc } from './marc/read-marc.ts'
import { defaultMaxRecordBytes, keptOfUnreadable, type Reading } from './marc/reading.ts'
import { detectDialect, findControlValue, type Form, forms, type MarcRecord } from './marc/record.ts'
import { type JsonLine, readNdjson } from './ndjson/read-ndjson.ts'
import { close, peek } from './peek.ts'
import { recordName, type SourceFormat, type SourceItem } from './source-item.ts'

export interface SourceOptions {
  /** The format, where it should not be guessed. */
  readonly format?: SourceFormat
  /** Whose control numbers they are, of records that do not say so themselves. */
  readonly agency?: string
  /** A longer record is left out, with a defect. Bounds the memory that reading takes. */
  readonly maxRecordBytes?: number
}

/**
 * Reads a file of records in any format that can be imported, one item at a time: MARC in its four forms, ONIX, CSV, and entities of our own.
 *
 * Never throws for what a file holds: what cannot be read is an item too, and says where it stands and what is wrong. The same file gives the
 * same items. Takes memory for one record and one chunk, however long the file is.
 */
export async function* readSource(
  source: ByteSource,
  options: SourceOptions = {}
): AsyncGenerator<SourceItem, void, undefined> {
  const { head, all } = await peek(source, bytesToDetectSource)
  const format = options.format ?? detectSource(head)
  if (head.length === 0 || format === undefined) {
    await close(all)
    if (head.length > 0) yield unknownFormat(head)
    return
  }
  yield* itemsOf(format, all, options)
}

function itemsOf(
  format: SourceFormat,
  source: ByteSource,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  if (isForm(format)) return marcItems(readMarc(source, { ...options, form: format }), options)
  return jsonItems(source, options)
}

const isForm = (format: SourceFormat): format is Form => (forms as readonly string[]).includes(format)

function unknownFormat(head: Buffer): SourceItem {
  const message =
    'The file begins as none of these: ISO 2709, MARCXML, MARC-in-JSON, .mrk, ONIX, CSV with a header, NDJSON'
  return {
    outcome: 'unreadable',
    format: 'iso2709',
    position: { number: 1, offset: 0, length: head.length },
    name: undefined,
    defects: [{ kind: 'unknown_format', message }],
    source: head
  }
}

// MARC

async function* marcItems(
  readings: AsyncIterable<Reading>,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  for await (const reading of readings) yield marcItem(reading, options)
}

function marcItem(reading: Reading, { agency }: SourceOptions): SourceItem {
  const { form: format, position, defects, source } = reading
  const base = { format, position, defects, source }
  if (reading.outcome === 'unreadable') return { ...base, outcome: 'unreadable', name: reading.controlNumber }
  if (reading.outcome === 'deletion') {
    const { controlNumber, record, oaiIdentifier } = reading
    const name = controlNumber === undefined ? oaiIdentifier : recordName(agencyOf(record) ?? agency, controlNumber)
    return { ...base, outcome: 'deletion', name }
  }
  const { record } = reading
  const description = describeRecord(record)
  const { controlNumber } = description
  const name =
    controlNumber === undefined ? nameByContent(source) : recordName(description.agency ?? agency, controlNumber)
  return { ...base, outcome: 'record', name, description, evidence: readEvidence(record, description, name) }
}

/** A deletion names its agency as a record does. */
const agencyOf = (record: MarcRecord | undefined) =>
  record === undefined
    ? undefined
    : detectDialect(record) === 'marc21'
      ? findControlValue(record, '003')?.trim()
      : describeRecord(record).agency

/** What a record goes by that says nothing of it: the same record is the same again. */
const nameByContent = (source: Uint8Array) => `sha256:${hash('sha256', source, 'hex').slice(0, 32)}`

// NDJSON

async function* jsonItems(source: ByteSource, options: SourceOptions): AsyncGenerator<SourceItem, void, undefined> {
  for await (const line of readNdjson(source, options.maxRecordBytes ?? defaultMaxRecordBytes))
    yield await jsonItem(line, options)
}

/** A line with an array of fields is MARC; one with a type is an entity of ours. */
async function jsonItem({ position, source, found }: JsonLine, options: SourceOptions): Promise<SourceItem> {
  const base = { format: 'ndjson', position, source } as const
  const unreadable = (defect: SourceItem['defects'][number]): SourceItem => ({
    ...base,
    source: source.subarray(0, keptOfUnreadable),
    outcome: 'unreadable',
    name: undefined,
    defects: [defect]
  })
  if ('defect' in found) return unreadable(found.defect)
  const { object } = found
  if (Array.isArray(object.fields))
    for await (const reading of readMarcJson([source])) return { ...marcItem(reading, options), position }
  if (typeof object.type === 'string') return { ...base, outcome: 'entity', defects: [], entity: object }
  return unreadable({ kind: 'not_a_record', message: 'The object has neither a "type" nor the "fields" of MARC' })
}

import { eventItems } from '../events/event-items.ts'
import { csvItems } from '../tables/publication-items.ts'
import { readCsvMapping } from '../tables/publication-mapping.ts'
import { bytesToDetectSource, detectSource } from './detect-source.ts'
import { type ByteSource, close, peek } from './bytes.ts'
import { marcItem, marcItems } from '../marc/marc-items.ts'
import { readMarcJson } from '../marc/marc-json.ts'
import { readMarc } from '../marc/read-marc.ts'
import type { SourceForm } from '../marc/record.ts'
import type { RecordLine } from '../ndjson/source-line.ts'
import { onixItems } from '../onix/onix-items.ts'
import { rowItems } from '../tables/row-items.ts'
import { readItemMapping } from './item-mapping.ts'
import { isEventFormat, type SourceFormat, sourceFormatNames, sourceFormats } from './source-formats.ts'
import type { SourceItem, SourceOptions, SourceUnreadable } from './source-item.ts'
import { recordNamespace } from '../xml/namespaces.ts'

/**
 * Reads a file of records in any format that can be imported, one item at a time: MARC in its
 * forms, ONIX, CSV, events, and our entities.
 *
 * Never throws for the content of a file: an unreadable part is an item too, with its position and
 * its defect. The same file gives the same items. Takes memory for one record and one chunk,
 * however long the file is.
 */
export async function* readSource(
  source: ByteSource,
  options: SourceOptions = {}
): AsyncGenerator<SourceItem, void, undefined> {
  if (options.rows !== undefined) {
    yield* rowItems(source, options.rows)
    return
  }
  yield* readDetected(source, options, (format, all) => readerOf(format)(all, options))
}

/**
 * The formats whose files can be divided among several readers: each finds all records, and gives
 * the items of its own (`isOwn`). A graph of RDF is in memory as a whole, and other files have no
 * descriptions that take time.
 */
const dividedFormats = [
  'iso2709',
  'marcxml',
  'json',
  'mrk',
  'aleph',
  'pica',
  'picaxml',
  'mods',
  'dc'
] as const satisfies readonly SourceForm[]

/** The format of a file that can be divided, by its beginning; undefined for another one. */
export function dividedFormatOf(head: Buffer, options: SourceOptions): SourceFormat | undefined {
  if (options.rows !== undefined) return undefined
  const { format, foreign } = formatOf(head, options)
  if (foreign !== undefined || (format === 'marcxml' && !isOfRecords(head))) return undefined
  return dividedFormats.find(each => each === format)
}

/** The format of a file, or what it is if it cannot be read. */
function formatOf(head: Buffer, { format, mapping }: Pick<SourceOptions, 'format' | 'mapping'>) {
  // A mapping is for tables only.
  if (format !== undefined || mapping !== undefined) return { format: format ?? 'csv', foreign: undefined }
  return { format: detectSource(head), foreign: describeForeign(head) }
}

/** Reads a file with the reader of its format. A file in no known format gives one item. */
export async function* readDetected<T>(
  source: ByteSource,
  options: Pick<SourceOptions, 'format' | 'mapping'>,
  read: (format: SourceFormat, source: ByteSource) => AsyncIterable<T>
): AsyncGenerator<T | SourceUnreadable, void, undefined> {
  const { head, all } = await peek(source, bytesToDetectSource)
  const { format, foreign } = formatOf(head, options)
  if (head.length === 0 || format === undefined || foreign !== undefined) {
    await close(all)
    if (head.length > 0) yield unknownFormat(head, foreign)
    return
  }
  let count = 0
  for await (const item of read(format, all)) {
    count++
    yield item
  }
  // XML of another kind has no records, but is not an empty file of records.
  if (count === 0 && format === 'marcxml' && !isOfRecords(head)) yield unknownFormat(head)
}

/** Tests whether the root is one of MARCXML. */
const isOfRecords = (head: Buffer) =>
  /<(?:[\w.-]+:)?(?:collection|record|OAI-PMH|ListRecords|GetRecord|searchRetrieveResponse)[\s>/]/i.test(
    head.toString('latin1').replaceAll('\0', '')
  )

type Items = AsyncGenerator<SourceItem, void, undefined>

const marcReader =
  (form: SourceForm) =>
  (source: ByteSource, options: SourceOptions): Items =>
    marcItems(readMarc(source, { ...options, form }), options)

const otherReaders = {
  onix: onixItems,
  csv: csvItems,
  // Loaded with the first file of lines: the library of its schemas is two thirds of the program of
  // an import, which every thread would load.
  ndjson: async function* (source: ByteSource, options: SourceOptions): Items {
    const { ndjsonItems } = await import('../ndjson/ndjson-items.ts')
    yield* ndjsonItems(source, options, { readMarcObject, readRecord })
  }
}

/** The reader of a format: its own, or that of MARC and the formats that are read as MARC. */
function readerOf(format: SourceFormat) {
  if (isEventFormat(format))
    return (source: ByteSource, options: SourceOptions): Items => eventItems(format, source, options)
  return format === 'onix' || format === 'csv' || format === 'ndjson' ? otherReaders[format] : marcReader(format)
}

/** Reads an object of MARC-in-JSON among entities. */
async function readMarcObject(bytes: Buffer, options: SourceOptions): Promise<SourceItem> {
  for await (const reading of readMarcJson([bytes])) return marcItem(reading, options)
  throw new Error('An object of MARC-in-JSON gave no reading')
}

/** Reads the record on a line with a source. */
async function readRecord(
  bytes: Buffer,
  { format, record, options: { mapping, items } = {} }: RecordLine
): Promise<SourceItem | undefined> {
  const [, agency] = /^\(([^()]+)\)/.exec(record) ?? []
  const known = sourceFormatNames.find(each => each === format && each !== 'ndjson')
  if (known === undefined) return undefined
  const options: SourceOptions = {
    format: known,
    ...(agency === undefined ? {} : { agency }),
    ...(mapping === undefined ? {} : { mapping: readCsvMapping(mapping) }),
    ...(items === undefined ? {} : { items: readItemMapping(items) })
  }
  for await (const item of readSource([bytes], options)) return item
  return undefined
}

function unknownFormat(head: Buffer, foreign?: string): SourceUnreadable {
  const known = Object.values(sourceFormats).map(({ title }) => title)
  return {
    outcome: 'unreadable',
    format: 'iso2709',
    position: { number: 1, offset: 0, length: head.length },
    name: undefined,
    defects: [
      { kind: 'unknown_format', message: foreign ?? `The file begins like none of these: ${known.join(', ')}` }
    ],
    source: head
  }
}

/*
 * Formats that are not supported, by their first bytes: the message names the format and an
 * alternative.
 */

interface ForeignFormat {
  readonly name: string
  readonly matches: (text: string, bytes: Uint8Array) => boolean
  readonly advice: string
}

const root = (names: string) => new RegExp(`<(?:[\\w.-]+:)?(?:${names})[\\s>]`)

const foreignFormats: readonly ForeignFormat[] = [
  { name: 'a gzip archive', matches: (_, [a, b]) => a === 0x1f && b === 0x8b, advice: 'Unpack it first (gunzip)' },
  { name: 'a ZIP archive', matches: text => text.startsWith('PK\u0003\u0004'), advice: 'Unpack it first' },
  {
    name: 'a bzip2 or xz archive',
    matches: text => /^(?:BZh\d|\xfd7zXZ)/.test(text),
    advice: 'Unpack it first'
  },
  { name: 'a PDF document', matches: text => text.startsWith('%PDF'), advice: 'Export the records as MARC or CSV' },
  {
    name: 'MAB2',
    matches: text => /^(?:### |\d{5}[a-z]M2\.0)/.test(text) || root('datei').test(text),
    advice: 'Convert it to MARC 21, for example with Catmandu'
  },
  {
    name: 'our own XML',
    matches: text => text.includes(`xmlns="${recordNamespace}"`),
    advice: 'Export the records as NDJSON'
  },
  {
    name: 'a web page',
    matches: text => /^\s*<(?:!doctype html|html)[\s>]/i.test(text),
    advice: 'Save the records themselves'
  },
  {
    name: 'KBART',
    matches: text => /^(?:\xef\xbb\xbf)?publication_title\t/i.test(text),
    advice: 'Rename the columns, or use a mapping (docs/how-to/import-csv.md)'
  },
  {
    name: 'BibTeX',
    matches: text => /^\s*(?:%[^\n]*\n\s*)*@[a-z]+\s*[{(]/i.test(text) && !/^\s*@(?:prefix|base)\b/i.test(text),
    advice: 'Export the references as CSV from your reference manager'
  },
  {
    name: 'RIS',
    matches: text => /^(?:\xef\xbb\xbf)?\s*TY {2}- /.test(text),
    advice: 'Export the references as CSV from your reference manager'
  }
]

/**
 * Names a format that is not supported, and the alternative; returns undefined for any other file.
 */
function describeForeign(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const text = bytes.toString('latin1')
  const found = foreignFormats.find(each => each.matches(text, bytes))
  return found && `The file is ${found.name}, which is not supported. ${found.advice}`
}

import { csvItems } from '../csv/csv-items.ts'
import { bytesToDetectSource, detectSource } from './detect-source.ts'
import { describeForeign } from './foreign-formats.ts'
import type { ByteSource } from './larger-chunks.ts'
import { marcItems } from '../marc/marc-items.ts'
import { readMarc } from '../marc/read-marc.ts'
import { type Form, forms } from '../marc/record.ts'
import { ndjsonItems } from '../ndjson/ndjson-items.ts'
import { onixItems } from '../onix/onix-items.ts'
import { close, peek } from './peek.ts'
import type { SourceFormat, SourceItem, SourceOptions } from './source-item.ts'

/**
 * Reads a file of records in any format that can be imported, one item at a time: MARC in its four
 * forms, ONIX, CSV, and entities of our own.
 *
 * Never throws for what a file holds: what cannot be read is an item too, and says where it stands
 * and what is wrong. The same file gives the same items. Takes memory for one record and one chunk,
 * however long the file is.
 */
export async function* readSource(
  source: ByteSource,
  options: SourceOptions = {}
): AsyncGenerator<SourceItem, void, undefined> {
  const { head, all } = await peek(source, bytesToDetectSource)
  // A mapping is for tables.
  const format = options.format ?? (options.mapping === undefined ? detectSource(head) : 'csv')
  const foreign = options.format === undefined && options.mapping === undefined ? describeForeign(head) : undefined
  if (head.length === 0 || format === undefined || foreign !== undefined) {
    await close(all)
    if (head.length > 0) yield unknownFormat(head, foreign)
    return
  }
  let count = 0
  for await (const item of itemsOf(format, all, options)) {
    count++
    yield item
  }
  // XML of some other kind has no records, and is no empty file of them.
  if (count === 0 && format === 'marcxml' && !isOfRecords(head)) yield unknownFormat(head)
}

/** Whether the root is one that MARCXML comes in. */
const isOfRecords = (head: Buffer) =>
  /<(?:[\w.-]+:)?(?:collection|record|OAI-PMH|ListRecords|GetRecord|searchRetrieveResponse)[\s>/]/i.test(
    head.toString('latin1').replaceAll('\0', '')
  )

function itemsOf(
  format: SourceFormat,
  source: ByteSource,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  if (format === 'onix') return onixItems(source, options)
  if (format === 'csv') return csvItems(source, options)
  if (format === 'ndjson') return ndjsonItems(source, options)
  return marcItems(readMarc(source, { ...options, form: format satisfies Form }), options)
}

function unknownFormat(head: Buffer, foreign?: string): SourceItem {
  const known = [...forms.map(each => (each === 'json' ? 'MARC-in-JSON' : each)), 'ONIX', 'CSV with a header', 'NDJSON']
  return {
    outcome: 'unreadable',
    format: 'iso2709',
    position: { number: 1, offset: 0, length: head.length },
    name: undefined,
    defects: [{ kind: 'unknown_format', message: foreign ?? `The file begins as none of these: ${known.join(', ')}` }],
    source: head
  }
}

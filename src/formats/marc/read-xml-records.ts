import { type Readings, type Reading, type ReadOptions, readingOf } from './reading.ts'
import type { MarcRecord, SourceForm } from './record.ts'
import type { ByteSource } from '../source/bytes.ts'
import { defaultMaxRecordBytes } from '../source/position.ts'
import { cutElements, type XmlPiece } from '../xml/cut-elements.ts'
import { type Element, textAt, tryElement, unreadIn } from '../xml/read-element.ts'

/** A format in XML whose records are read as MARC 21. */
export interface XmlFormat {
  readonly form: SourceForm
  /** The local names of the elements of records, as alternatives. */
  readonly names: string
  /** Converts a record. `number` is its identifier in OAI-PMH, if it has one. */
  toMarc(element: Element, number: string | undefined): MarcRecord
}

/**
 * Reads the records of a document, also those in an answer of OAI-PMH, where a deleted header is a
 * deletion.
 */
export async function* readXmlRecords(
  source: ByteSource,
  { maxRecordBytes = defaultMaxRecordBytes }: ReadOptions,
  format: XmlFormat
): Readings {
  const names = { record: format.names, header: 'header', noun: 'record' }
  let header: Header | undefined
  let count = 0
  for await (const piece of cutElements(source, maxRecordBytes, names)) {
    if (piece.kind === 'header') {
      header = headerIn(piece)
      if (header?.isDeleted) yield deletion(piece, ++count, format.form, header)
      continue
    }
    yield recordReading(piece, ++count, format, header?.identifier)
    header = undefined
  }
}

interface Header {
  readonly identifier: string | undefined
  readonly isDeleted: boolean
}

function headerIn({ text, trouble }: XmlPiece): Header | undefined {
  const header = trouble ?? tryElement(text)
  if ('kind' in header) return undefined
  return { identifier: textAt(header, 'identifier'), isDeleted: header.attributes.get('status') === 'deleted' }
}

const deletion = (piece: XmlPiece, number: number, form: SourceForm, { identifier }: Header): Reading => ({
  outcome: 'deletion',
  form,
  position: { ...piece.position, number },
  controlNumber: identifier,
  defects: [],
  source: Buffer.from(piece.text),
  record: undefined,
  oaiIdentifier: identifier
})

function recordReading(piece: XmlPiece, number: number, format: XmlFormat, identifier: string | undefined): Reading {
  const { form } = format
  const position = { ...piece.position, number }
  const source = Buffer.from(piece.text)
  const element = piece.trouble ?? tryElement(piece.text)
  if ('kind' in element)
    return { outcome: 'unreadable', form, position, controlNumber: identifier, defects: [element], source }
  const record = format.toMarc(element, identifier)
  const oaiIdentifier = identifier
  const unmapped = unreadIn(element).filter(each => !each.startsWith('recordInfo/'))
  return readingOf({ form, position, source, record, encoding: 'utf-8', oaiIdentifier, unmapped }, [])
}

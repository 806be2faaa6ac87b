import type { Defect } from '../source/defects.ts'
import { defaultMaxRecordBytes } from '../source/position.ts'
import type { ByteSource } from '../source/bytes.ts'
import { readEvidence } from '../description/evidence.ts'
import { nameByContent } from '../description/name-by-content.ts'
import { recordName, type SourceItem, type SourceOptions } from '../source/source-item.ts'
import { cutElements, type PieceNames, type XmlPiece } from '../xml/cut-elements.ts'
import { type Element, textAt, unreadIn } from '../xml/read-element.ts'
import { XmlTrouble } from '../xml/xml-tokens.ts'
import { describeProduct } from './describe-product.ts'
import { readElement } from './element.ts'

const pieceNames: PieceNames = { record: 'Product|product', header: 'Header|header', noun: 'product' }

/** The notification that a record is withdrawn (list 1). */
const deleted = '05'

/**
 * Reads products of ONIX 3.0 or 2.1, with reference names or short tags. Their name is their
 * reference with the sender.
 */
export async function* onixItems(
  source: ByteSource,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  let { agency } = options
  for await (const piece of cutElements(source, options.maxRecordBytes ?? defaultMaxRecordBytes, pieceNames)) {
    if (piece.kind === 'record') yield productItem(piece, agency)
    else agency ??= senderIn(piece)
  }
}

function senderIn({ text }: XmlPiece): string | undefined {
  const header = parse(text)
  if ('kind' in header) return undefined
  return textAt(header, 'Sender/SenderName') ?? textAt(header, 'FromCompany')
}

function productItem({ position, text, trouble }: XmlPiece, agency: string | undefined): SourceItem {
  const base = { format: 'onix', position, source: Buffer.from(text) } as const
  const product = trouble ?? parse(text)
  if ('kind' in product) {
    const reference = /<(?:\w+:)?(?:RecordReference|a001)\s*>([^<]*)</.exec(text)?.[1]?.trim()
    // The file is refused, not its first product.
    const isNamed = reference && reference.length <= 200 && product.kind !== 'refused'
    const name = isNamed ? recordName(agency, reference) : undefined
    return { ...base, outcome: 'unreadable', name, defects: [product] }
  }
  const reference = textAt(product, 'RecordReference')
  if (textAt(product, 'NotificationType') === deleted)
    return {
      ...base,
      outcome: 'deletion',
      name: reference === undefined ? undefined : recordName(agency, reference),
      defects: []
    }
  const defects: Defect[] =
    reference === undefined
      ? [{ kind: 'no_control_number', message: 'The product has no reference', tag: 'RecordReference' }]
      : []
  const description = describeProduct(product, agency)
  const name = reference === undefined ? nameByContent(base.source) : recordName(agency, reference)
  const evidence = readEvidence(description, name)
  return { ...base, outcome: 'record', name, defects, description, evidence, unmapped: unreadIn(product) }
}

function parse(text: string): Element | Defect {
  try {
    return readElement(text)
  } catch (error) {
    if (!(error instanceof XmlTrouble)) throw error
    return { kind: error.kind, message: error.message }
  }
}

import { type Readings, readingOf, type Reading, type ReadOptions } from '../marc/reading.ts'
import { isDataField } from '../marc/record.ts'
import type { Defect } from '../source/defects.ts'
import type { ByteSource } from '../source/bytes.ts'
import { maxUnreadableBytes, type Position } from '../source/position.ts'
import { decodeXmlText } from '../xml/xml-text.ts'
import { XmlTrouble } from '../xml/xml-tokens.ts'
import { contentsOf, findPublications, findUnpublished } from './find-publications.ts'
import { createGraphView, type GraphView } from './graph-view.ts'
import { RdfTrouble } from './rdf-trouble.ts'
import { rdfToMarc } from './rdf-to-marc.ts'
import { readJsonLd } from './read-jsonld.ts'
import { createRdfXmlReader } from './read-rdfxml.ts'
import { readTurtle } from './read-turtle.ts'
import { sourceOf } from './record-statements.ts'
import { withRegistry } from './registry-statements.ts'
import { createStatements, type Statements } from './statements.ts'
import { findNameless, unmappedProperties } from './unmapped.ts'

export type RdfSyntax = 'turtle' | 'ntriples' | 'rdfxml' | 'jsonld'

/** Maximum bytes of a file: a record may be anywhere in it, so it is read as a whole. */
const maxFileBytes = 64_000_000

/** Maximum statements of the records of a file, counted for each record: records share works. */
const maxConverted = 20_000_000

/**
 * Reads the publications of a file of RDF, as MARC 21. A publication is a `bf:Instance` of
 * BIBFRAME, or a manifestation of LRMoo, IFLA LRM or RDA. The source of a record is its
 * statements, as N-Triples, whatever the syntax of the file was. A file with a fault gives no
 * records.
 */
export const readRdf = (syntax: RdfSyntax) =>
  async function* (source: ByteSource, _options: ReadOptions = {}): Readings {
    const statements = createStatements()
    const { head, trouble } = await readStatements(source, syntax, statements)
    if (trouble !== undefined) {
      yield unreadable(1, head, trouble)
      return
    }
    if (statements.nodes.size === 0) return
    const view = createGraphView(withRegistry(statements))
    const publications = findPublications(view)
    let number = 0
    let converted = 0
    for (const publication of publications) {
      const { lines, count, isOver } = sourceOf(view, publication, statements)
      converted += count
      const record = Buffer.from(lines)
      if (isOver || converted > maxConverted) {
        const message = isOver
          ? `The publication ${publication.slice(0, 200)} has too many statements`
          : 'The publications of the file share too many statements; divide the file by works'
        yield unreadable(++number, record, { kind: 'over_limit', message })
        if (!isOver) return
        continue
      }
      yield readPublication(view, publication, ++number, record)
    }
    const left = findUnpublished(view, publications)
    const [first] = left
    if (publications.length > 0 && first === undefined) return
    const message =
      first === undefined
        ? 'The file has no publications: no bf:Instance of BIBFRAME and no manifestation of LRMoo, IFLA LRM or RDA'
        : `Left out, since the file has no publication of them: ${left.length} works, for example ${first.slice(0, 200)}`
    yield unreadable(number + 1, head, { kind: 'not_a_record', message })
  }

function readPublication(view: GraphView, publication: string, number: number, source: Buffer): Reading {
  const record = rdfToMarc(view, publication)
  const position = placed(number)
  const contents = contentsOf(view, publication)
  const defects = findNameless(view, publication, contents, record.fields.filter(isDataField))
  const unmapped = unmappedProperties(view, publication, contents)
  return readingOf({ form: 'ntriples', position, source, record, encoding: 'utf-8', unmapped }, defects)
}

/** The statements of a record may be anywhere in the file, so it has no place there. */
const placed = (number: number): Position => ({ number, offset: 0, length: 0 })

const unreadable = (number: number, source: Buffer, defect: Defect): Reading => ({
  outcome: 'unreadable',
  form: 'ntriples',
  position: placed(number),
  controlNumber: undefined,
  defects: [defect],
  source: source.subarray(0, maxUnreadableBytes)
})

interface ReadFile {
  /** The beginning of the file. */
  readonly head: Buffer
  readonly trouble: Defect | undefined
}

async function readStatements(source: ByteSource, syntax: RdfSyntax, statements: Statements): Promise<ReadFile> {
  let bytes = 0
  let head: Uint8Array = new Uint8Array(0)
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxFileBytes)
        throw new RdfTrouble(
          'over_limit',
          `The file has more than ${maxFileBytes} bytes, and is read as a whole; divide it by publications`
        )
      if (head.length < maxUnreadableBytes) head = Buffer.concat([head, chunk])
      yield chunk
    }
  }
  const ended = (trouble?: Defect) => ({ head: Buffer.from(head), trouble })
  try {
    if (syntax === 'rdfxml') await readXml(counted(), statements)
    else {
      const chunks: Uint8Array[] = []
      for await (const chunk of counted()) chunks.push(chunk)
      const text = decode(Buffer.concat(chunks))
      if (syntax === 'jsonld') readJsonLd(text, statements)
      else readTurtle(text, statements)
    }
    return ended()
  } catch (error) {
    if (!(error instanceof RdfTrouble) && !(error instanceof XmlTrouble)) throw error
    return ended({ kind: error.kind, message: error.message })
  }
}

async function readXml(source: ByteSource, statements: Statements): Promise<void> {
  const reader = createRdfXmlReader(statements)
  for await (const text of decodeXmlText(source)) reader.write(text)
  reader.end()
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new RdfTrouble('not_well_formed', 'The file is not in UTF-8')
  }
}

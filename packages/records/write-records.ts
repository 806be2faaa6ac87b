import type { Publication } from '../../src/domain/entity/publication.ts'
import { CatalogueError } from '../../src/domain/errors.ts'
import { writeBibtex } from '../../src/formats/citations/bibtex.ts'
import { writeCslJson } from '../../src/formats/citations/csl-json.ts'
import { writeRis } from '../../src/formats/citations/ris.ts'
import { toCitation } from '../../src/formats/citations/to-citation.ts'
import { nameByContent } from '../../src/formats/description/name-by-content.ts'
import { describePublication } from '../../src/formats/dublin-core/describe.ts'
import { writeOaiDublinCore } from '../../src/formats/dublin-core/write-dublin-core.ts'
import { type Frame, frames, singleFrames } from '../../src/formats/frames.ts'
import { describeRecord } from '../../src/formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '../../src/formats/marc/mapping/evidence.ts'
import { writeMarcJson } from '../../src/formats/marc/marc-json.ts'
import { type Form, forms, type MarcRecord } from '../../src/formats/marc/record.ts'
import { writers as marcWriters } from '../../src/formats/marc/write-marc.ts'
import { writeMods } from '../../src/formats/mods/write-mods.ts'
import { addressOf } from '../../src/formats/rdf/address-of.ts'
import { describeEntity } from '../../src/formats/rdf/describe-entity.ts'
import { jsonLdContext } from '../../src/formats/rdf/jsonld-context.ts'
import type { Graph } from '../../src/formats/rdf/triples.ts'
import { writeJsonLd, writeSchemaOrg } from '../../src/formats/rdf/write-jsonld.ts'
import { writeNTriples } from '../../src/formats/rdf/write-ntriples.ts'
import { rdfXmlHead, rdfXmlTail, writeRdfXmlNodes } from '../../src/formats/rdf/write-rdfxml.ts'
import { turtleHead, writeTurtleNodes } from '../../src/formats/rdf/write-turtle.ts'
import { toPublication } from '../../src/formats/source/to-publication.ts'
import { xmlDeclaration } from '../../src/formats/xml/write-xml.ts'
import { recordModel } from './record-model.ts'

const otherFormats = [
  ...(['mods', 'dc', 'bibtex', 'ris', 'csl'] as const),
  ...(['jsonld', 'schema', 'turtle', 'ntriples', 'rdfxml'] as const)
]
type OtherFormat = (typeof otherFormats)[number]

/** The formats that are written: the forms of MARC, other formats, citations and linked data. */
export const writtenFormats: readonly WrittenFormat[] = [...forms, ...otherFormats]

export type WrittenFormat = Form | OtherFormat

export interface WriteOptions {
  /**
   * The address of the catalogue that publishes the records. Linked data needs it: each record,
   * work and person has an address below it, `<baseUrl>/entities/<number>`.
   */
  readonly baseUrl?: string
  /** The time that is written as that of the description, now by default. */
  readonly at?: Date
}

/** A record on its way into a format that is not MARC. */
interface Described {
  readonly publication: Publication
  readonly agency: string | undefined
  readonly baseUrl: string | undefined
}

interface Writer {
  readonly frame: Frame
  /** The text around a single record, where it differs from that of a file. */
  readonly single?: Frame
  write(described: Described): string
}

const addressIn = ({ publication, baseUrl }: Described) =>
  baseUrl === undefined ? undefined : addressOf(baseUrl, publication.manifestation.entity.id)

/** A writer of linked data. */
const graphWriter = (write: (graph: Graph, root: string) => string, frame: Frame, single?: Frame): Writer => ({
  frame,
  ...(single && { single }),
  write({ publication, baseUrl }) {
    if (baseUrl === undefined)
      throw new CatalogueError('invalid', 'Linked data needs "baseUrl", the address of the catalogue')
    const { manifestation, expressions } = publication
    const levels = [manifestation, ...expressions, ...expressions.flatMap(({ work }) => work ?? [])]
    const whole = levels.map(({ entity }) => entity)
    const related = levels.flatMap(level => level.related.map(({ entity }) => entity))
    const graph = describeEntity(recordModel, baseUrl, {
      entity: manifestation.entity,
      whole,
      referring: [],
      related: new Map([...whole, ...related].map(each => [each.id, each])),
      cutOff: [],
      timeZone: 'UTC'
    })
    return write(graph, addressOf(baseUrl, manifestation.entity.id))
  }
})

const jsonWriter = (write: (graph: Graph, root: string) => string) =>
  graphWriter((graph, root) => write(graph, root).trimEnd(), frames.jsonList, singleFrames.json)

const otherWriters: Readonly<Record<OtherFormat, Writer>> = {
  mods: {
    frame: frames.mods,
    single: singleFrames.xml,
    write: each => writeMods(recordModel, each.publication, addressIn(each), each.agency ?? '').markup
  },
  dc: {
    frame: frames.dc,
    single: singleFrames.xml,
    write: each => writeOaiDublinCore(describePublication(recordModel, each.publication, addressIn(each))).markup
  },
  bibtex: { frame: frames.bibtex, write: ({ publication }) => writeBibtex(toCitation(publication)) },
  ris: { frame: frames.ris, write: each => writeRis(toCitation(each.publication), addressIn(each)) },
  csl: {
    frame: frames.jsonList,
    single: singleFrames.json,
    write: ({ publication }) => writeCslJson(toCitation(publication)).trimEnd()
  },
  jsonld: jsonWriter((graph, root) => writeJsonLd(graph, root, jsonLdContext()['@context'])),
  schema: jsonWriter(writeSchemaOrg),
  turtle: graphWriter(writeTurtleNodes, { ...frames.none, head: turtleHead }),
  ntriples: graphWriter(writeNTriples, frames.none),
  rdfxml: graphWriter(writeRdfXmlNodes, { head: `${xmlDeclaration}${rdfXmlHead}`, between: '', tail: rdfXmlTail })
}

const isForm = (format: WrittenFormat): format is Form => (forms as readonly string[]).includes(format)

/**
 * Writes one record as a document of its own. The text is to be encoded as UTF-8, in ISO 2709 too.
 * Throws a `CatalogueError` with the code `invalid`, and a sentence, when the format cannot contain
 * the record: ISO 2709 has a maximum length, and linked data needs a `baseUrl`.
 */
export function writeRecord(record: MarcRecord, format: WrittenFormat, options: WriteOptions = {}): string {
  const { head, tail } = isForm(format) ? marcWriters[format] : singleOf(otherWriters[format])
  return `${head}${writeBody(record, format, options)}${tail}`
}

const singleOf = ({ frame, single = frame }: Writer) => single

/** Writes a file of records, piece by piece, as `writeRecord` writes each of them. */
export async function* writeRecords(
  records: AsyncIterable<MarcRecord> | Iterable<MarcRecord>,
  format: WrittenFormat,
  options: WriteOptions = {}
): AsyncGenerator<string, void, undefined> {
  const { head, between, tail }: Frame = isForm(format)
    ? { between: '', ...marcWriters[format] }
    : otherWriters[format].frame
  if (head !== '') yield head
  let before = ''
  for await (const record of records) {
    yield before + writeBody(record, format, options)
    before = between
  }
  if (tail !== '') yield tail
}

function writeBody(record: MarcRecord, format: WrittenFormat, { baseUrl, at = new Date() }: WriteOptions): string {
  if (isForm(format)) return marcWriters[format].write(record).toString()
  const description = describeRecord(record)
  const { agency } = description
  const id = description.controlNumber ?? nameByContent(Buffer.from(writeMarcJson(record)))
  const evidence = readMarcEvidence(record, description, id)
  const publication = toPublication(recordModel, { description, evidence }, id, at.toISOString())
  return otherWriters[format].write({ publication, agency, baseUrl: baseUrl?.replace(/\/$/, '') })
}

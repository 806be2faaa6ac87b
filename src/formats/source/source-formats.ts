import type { SourceForm } from '../marc/record.ts'

interface SourceFacts {
  /** Name for people, the same in every language. */
  readonly title: string
  readonly mediaType: string
  readonly extension: string
}

/** The formats of events, which become productions and performances. */
const eventFormats = ['icalendar', 'uitdatabank', 'cdbxml', 'schemaorg'] as const
export type EventFormat = (typeof eventFormats)[number]

export const isEventFormat = (format: string | undefined): format is EventFormat =>
  eventFormats.some(each => each === format)

/** The formats of files that can be imported. */
export const sourceFormats = {
  iso2709: { title: 'MARC (ISO 2709)', mediaType: 'application/marc', extension: 'mrc' },
  marcxml: { title: 'MARCXML', mediaType: 'application/marcxml+xml', extension: 'xml' },
  json: { title: 'MARC-in-JSON', mediaType: 'application/marc+json', extension: 'json' },
  mrk: { title: 'MARC in lines (.mrk)', mediaType: 'text/plain', extension: 'mrk' },
  aleph: { title: 'Aleph sequential', mediaType: 'text/plain', extension: 'seq' },
  pica: { title: 'PICA+', mediaType: 'text/plain', extension: 'pica' },
  picaxml: { title: 'PICA XML', mediaType: 'application/xml', extension: 'xml' },
  mods: { title: 'MODS', mediaType: 'application/mods+xml', extension: 'mods.xml' },
  dc: { title: 'Dublin Core', mediaType: 'application/dc+xml', extension: 'dc.xml' },
  turtle: { title: 'Turtle', mediaType: 'text/turtle', extension: 'ttl' },
  ntriples: { title: 'N-Triples', mediaType: 'application/n-triples', extension: 'nt' },
  rdfxml: { title: 'RDF/XML', mediaType: 'application/rdf+xml', extension: 'rdf' },
  jsonld: { title: 'JSON-LD', mediaType: 'application/ld+json', extension: 'jsonld' },
  icalendar: { title: 'iCalendar', mediaType: 'text/calendar', extension: 'ics' },
  uitdatabank: { title: 'UiTdatabank (JSON)', mediaType: 'application/ld+json', extension: 'uit.json' },
  cdbxml: { title: 'UiTdatabank (CdbXML)', mediaType: 'application/xml', extension: 'cdb.xml' },
  schemaorg: { title: 'schema.org events (JSON-LD)', mediaType: 'application/ld+json', extension: 'events.jsonld' },
  onix: { title: 'ONIX', mediaType: 'application/xml', extension: 'xml' },
  csv: { title: 'CSV', mediaType: 'text/csv', extension: 'csv' },
  ndjson: { title: 'NDJSON', mediaType: 'application/x-ndjson', extension: 'ndjson' }
} as const satisfies Readonly<Record<SourceForm | EventFormat | 'onix' | 'csv' | 'ndjson', SourceFacts>>

export type SourceFormat = keyof typeof sourceFormats

export const sourceFormatNames = Object.keys(sourceFormats) as SourceFormat[]

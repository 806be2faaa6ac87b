import { type SourceFormat, sourceFormats } from '#formats/source/source-formats.ts'
import {
  marcXmlNamespace,
  modsNamespace,
  oaiDublinCoreNamespace,
  rdfNamespace,
  recordNamespace,
  sruDublinCoreNamespace
} from '#formats/xml/namespaces.ts'
import { recordSchemaPath } from '../oai-pmh/record-schema-path.ts'
import { vocabularies } from '#formats/rdf/vocabularies.ts'
import { authorities, everyEntity, type Format, manifestations } from './format.ts'

/*
 * The formats of records. Everything that offers formats reads this list: single records and
 * `Accept`, exports, OAI-PMH, SRU, the menus of the page, and the documents. To add one, write its
 * writer and add it here; `npm run docs` brings the documents and the client up to date.
 *
 * Writers are loaded on first use: most services never need most formats.
 */

const marc = () => import('./writers/marc.ts')
const citations = () => import('./writers/citations.ts')
const linkedData = () => import('./writers/linked-data.ts')
const xmlRecords = () => import('./writers/xml-records.ts')
const tables = () => import('./writers/tables.ts')

/** The facts of a format that can be imported too. */
const alsoRead = <Name extends SourceFormat>(name: Name) => ({ ...sourceFormats[name], reads: name })

export const formats = {
  jsonld: {
    ...alsoRead('jsonld'),
    describe: 'Linked data: JSON-LD, in a file as a list',
    kind: 'linked data',
    of: everyEntity,
    load: async () => (await linkedData()).jsonLd
  },
  dc: {
    ...alsoRead('dc'),
    describe: 'The fifteen elements of Dublin Core, as XML',
    kind: 'catalogue records',
    of: everyEntity,
    oai: {
      prefix: 'oai_dc',
      namespace: oaiDublinCoreNamespace,
      schema: 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd'
    },
    sru: { name: 'dc', identifier: 'info:srw/schema/1/dc-v1.1', otherNames: [sruDublinCoreNamespace] },
    load: async () => (await xmlRecords()).dublinCore
  },
  turtle: {
    ...alsoRead('turtle'),
    describe: 'Linked data as Turtle',
    kind: 'linked data',
    of: everyEntity,
    load: async () => (await linkedData()).turtle
  },
  ntriples: {
    ...alsoRead('ntriples'),
    describe: 'Linked data as N-Triples',
    kind: 'linked data',
    of: everyEntity,
    load: async () => (await linkedData()).nTriples
  },
  rdfxml: {
    ...alsoRead('rdfxml'),
    describe: 'Linked data as RDF/XML',
    kind: 'linked data',
    of: everyEntity,
    oai: { prefix: 'rdf', namespace: rdfNamespace, schema: 'http://www.openarchives.org/OAI/2.0/rdf.xsd' },
    sru: { name: 'rdfxml', identifier: rdfNamespace, otherNames: ['rdf'] },
    load: async () => (await linkedData()).rdfXml
  },
  schema: {
    title: 'schema.org (JSON-LD)',
    describe: 'Linked data in the vocabulary of schema.org, for web pages',
    mediaType: sourceFormats.jsonld.mediaType,
    extension: 'schema.jsonld',
    kind: 'linked data',
    of: everyEntity,
    isByNameOnly: true,
    load: async () => (await linkedData()).schemaOrg
  },
  bibtex: {
    title: 'BibTeX',
    describe: 'Manifestations as BibTeX',
    mediaType: 'application/x-bibtex',
    extension: 'bib',
    kind: 'citations',
    of: manifestations,
    load: async () => (await citations()).bibtex
  },
  ris: {
    title: 'RIS',
    describe: 'Manifestations as RIS',
    mediaType: 'application/x-research-info-systems',
    extension: 'ris',
    kind: 'citations',
    of: manifestations,
    load: async () => (await citations()).ris
  },
  csl: {
    title: 'CSL-JSON',
    describe: 'Manifestations as CSL-JSON, in a file as a list',
    mediaType: 'application/vnd.citationstyles.csl+json',
    extension: 'csl.json',
    kind: 'citations',
    of: manifestations,
    load: async () => (await citations()).cslJson
  },
  marc21: {
    ...alsoRead('iso2709'),
    title: 'MARC 21 (ISO 2709)',
    describe: 'MARC 21 in ISO 2709; manifestations with their expressions and works',
    kind: 'catalogue records',
    of: manifestations,
    load: async () => (await marc()).iso2709
  },
  marcxml: {
    ...alsoRead('marcxml'),
    describe: 'The same as MARCXML, without a limit of length',
    kind: 'catalogue records',
    of: manifestations,
    oai: {
      prefix: 'marcxml',
      namespace: marcXmlNamespace,
      schema: 'http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd'
    },
    sru: { name: 'marcxml', identifier: 'info:srw/schema/1/marcxml-v1.1', otherNames: ['marc21', 'marc'] },
    load: async () => (await marc()).marcXml
  },
  marcjson: {
    ...alsoRead('json'),
    describe: 'The same as MARC-in-JSON, in a file one record per line',
    extension: 'marc.json',
    kind: 'catalogue records',
    of: manifestations,
    load: async () => (await marc()).marcJson
  },
  mrk: {
    ...alsoRead('mrk'),
    describe: 'The same in lines for editors (.mrk)',
    kind: 'catalogue records',
    of: manifestations,
    isByNameOnly: true,
    load: async () => (await marc()).marcLines
  },
  mods: {
    ...alsoRead('mods'),
    describe: 'Manifestations as MODS 3.7',
    kind: 'catalogue records',
    of: manifestations,
    oai: {
      prefix: 'mods',
      namespace: modsNamespace,
      schema: 'http://www.loc.gov/standards/mods/v3/mods-3-7.xsd'
    },
    sru: { name: 'mods', identifier: 'info:srw/schema/1/mods-v3.7', otherNames: [modsNamespace] },
    load: async () => (await xmlRecords()).mods
  },
  marcauth: {
    title: 'MARC 21 authorities (MARCXML)',
    describe:
      'Persons, corporations, subjects, genres, places, periods and uniform titles as MARC 21 authority records',
    mediaType: sourceFormats.marcxml.mediaType,
    extension: 'authority.xml',
    kind: 'catalogue records',
    of: authorities,
    isByNameOnly: true,
    oai: {
      prefix: 'marcauth',
      namespace: marcXmlNamespace,
      schema: 'http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd'
    },
    sru: { name: 'marcauth', identifier: `${marcXmlNamespace}#authority` },
    load: async () => (await marc()).marcAuthority
  },
  skos: {
    title: 'SKOS (RDF/XML)',
    describe: 'The same authorities as concepts of SKOS',
    mediaType: sourceFormats.rdfxml.mediaType,
    extension: 'skos.rdf',
    kind: 'linked data',
    of: authorities,
    isByNameOnly: true,
    oai: { prefix: 'skos', namespace: rdfNamespace, schema: 'http://www.openarchives.org/OAI/2.0/rdf.xsd' },
    sru: { name: 'skos', identifier: vocabularies.skos },
    load: async () => (await linkedData()).skos
  },
  libretto: {
    title: 'XML',
    describe: 'The entity itself as XML',
    mediaType: 'application/vnd.libretto+xml',
    extension: 'libretto.xml',
    kind: 'whole records',
    of: everyEntity,
    oai: { prefix: 'libretto', namespace: recordNamespace, schema: recordSchemaPath },
    sru: { name: 'libretto', identifier: recordNamespace },
    load: async () => (await xmlRecords()).recordXml
  },
  ndjson: {
    ...alsoRead('ndjson'),
    describe: 'Entities, one per line; in a file, their source records follow',
    kind: 'whole records',
    of: everyEntity,
    sru: { name: 'json', identifier: `${recordNamespace}:json` },
    load: async () => (await import('./writers/ndjson.ts')).ndjson
  },
  csv: {
    ...alsoRead('csv'),
    describe: 'A table with a row for each entity',
    kind: 'table',
    of: everyEntity,
    load: async () => (await tables()).csv
  }
} as const satisfies Readonly<Record<string, Format>>

export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as FormatName[]

/** All formats with their names. */
export const allFormats: readonly (Format & { readonly name: FormatName })[] = formatNames.map(name => ({
  name,
  ...(formats[name] as Format)
}))

/** The formats that OAI-PMH offers. */
export const harvestedFormats = allFormats.flatMap(format => (format.oai === undefined ? [] : [format]))

/** The formats that SRU offers; the first is the default. */
export const searchedFormats = allFormats.flatMap(format => (format.sru === undefined ? [] : [format]))

/* Written by `npm run docs` from the formats of the service. */

/** The formats that records are exported in. */
export const exportFormats = [
  { name: 'jsonld', title: 'JSON-LD', extension: 'jsonld', kind: 'linked data', isOfManifestations: false },
  { name: 'dc', title: 'Dublin Core', extension: 'dc.xml', kind: 'catalogue records', isOfManifestations: false },
  { name: 'turtle', title: 'Turtle', extension: 'ttl', kind: 'linked data', isOfManifestations: false },
  { name: 'ntriples', title: 'N-Triples', extension: 'nt', kind: 'linked data', isOfManifestations: false },
  { name: 'rdfxml', title: 'RDF/XML', extension: 'rdf', kind: 'linked data', isOfManifestations: false },
  { name: 'schema', title: 'schema.org (JSON-LD)', extension: 'schema.jsonld', kind: 'linked data', isOfManifestations: false },
  { name: 'bibtex', title: 'BibTeX', extension: 'bib', kind: 'citations', isOfManifestations: true },
  { name: 'ris', title: 'RIS', extension: 'ris', kind: 'citations', isOfManifestations: true },
  { name: 'csl', title: 'CSL-JSON', extension: 'csl.json', kind: 'citations', isOfManifestations: true },
  { name: 'marc21', title: 'MARC 21 (ISO 2709)', extension: 'mrc', kind: 'catalogue records', isOfManifestations: true },
  { name: 'marcxml', title: 'MARCXML', extension: 'xml', kind: 'catalogue records', isOfManifestations: true },
  { name: 'marcjson', title: 'MARC-in-JSON', extension: 'marc.json', kind: 'catalogue records', isOfManifestations: true },
  { name: 'mrk', title: 'MARC in lines (.mrk)', extension: 'mrk', kind: 'catalogue records', isOfManifestations: true },
  { name: 'mods', title: 'MODS', extension: 'mods.xml', kind: 'catalogue records', isOfManifestations: true },
  { name: 'marcauth', title: 'MARC 21 authorities (MARCXML)', extension: 'authority.xml', kind: 'catalogue records', isOfManifestations: false },
  { name: 'skos', title: 'SKOS (RDF/XML)', extension: 'skos.rdf', kind: 'linked data', isOfManifestations: false },
  { name: 'libretto', title: 'XML', extension: 'libretto.xml', kind: 'whole records', isOfManifestations: false },
  { name: 'ndjson', title: 'NDJSON', extension: 'ndjson', kind: 'whole records', isOfManifestations: false },
  { name: 'csv', title: 'CSV', extension: 'csv', kind: 'table', isOfManifestations: false }
] as const

/** The formats that files of records are imported from. */
export const importFormats = [
  { name: 'iso2709', title: 'MARC (ISO 2709)', extension: 'mrc' },
  { name: 'marcxml', title: 'MARCXML', extension: 'xml' },
  { name: 'json', title: 'MARC-in-JSON', extension: 'json' },
  { name: 'mrk', title: 'MARC in lines (.mrk)', extension: 'mrk' },
  { name: 'aleph', title: 'Aleph sequential', extension: 'seq' },
  { name: 'pica', title: 'PICA+', extension: 'pica' },
  { name: 'picaxml', title: 'PICA XML', extension: 'xml' },
  { name: 'mods', title: 'MODS', extension: 'mods.xml' },
  { name: 'dc', title: 'Dublin Core', extension: 'dc.xml' },
  { name: 'turtle', title: 'Turtle', extension: 'ttl' },
  { name: 'ntriples', title: 'N-Triples', extension: 'nt' },
  { name: 'rdfxml', title: 'RDF/XML', extension: 'rdf' },
  { name: 'jsonld', title: 'JSON-LD', extension: 'jsonld' },
  { name: 'icalendar', title: 'iCalendar', extension: 'ics' },
  { name: 'uitdatabank', title: 'UiTdatabank (JSON)', extension: 'uit.json' },
  { name: 'cdbxml', title: 'UiTdatabank (CdbXML)', extension: 'cdb.xml' },
  { name: 'schemaorg', title: 'schema.org events (JSON-LD)', extension: 'events.jsonld' },
  { name: 'onix', title: 'ONIX', extension: 'xml' },
  { name: 'csv', title: 'CSV', extension: 'csv' },
  { name: 'ndjson', title: 'NDJSON', extension: 'ndjson' }
] as const

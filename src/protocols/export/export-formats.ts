/** The export formats. */
export const exportFormats = {
  marc21: {
    mediaType: 'application/marc',
    extension: 'mrc',
    describe: 'MARC 21 in ISO 2709; manifestations with their expressions and works'
  },
  marcxml: {
    mediaType: 'application/marcxml+xml',
    extension: 'xml',
    describe: 'The same as MARCXML, without a limit of length'
  },
  ndjson: { mediaType: 'application/x-ndjson', extension: 'ndjson', describe: 'Entities, one per line' },
  csv: { mediaType: 'text/csv', extension: 'csv', describe: 'A table with a row for each entity' },
  bibtex: { mediaType: 'application/x-bibtex', extension: 'bib', describe: 'Manifestations as BibTeX' },
  ris: { mediaType: 'application/x-research-info-systems', extension: 'ris', describe: 'Manifestations as RIS' },
  csl: {
    mediaType: 'application/vnd.citationstyles.csl+json',
    extension: 'csl.json',
    describe: 'Manifestations as a list of CSL-JSON'
  },
  mods: { mediaType: 'application/mods+xml', extension: 'mods.xml', describe: 'Manifestations as MODS 3.7' },
  jsonld: { mediaType: 'application/ld+json', extension: 'jsonld', describe: 'Linked data: a list of JSON-LD' },
  turtle: { mediaType: 'text/turtle', extension: 'ttl', describe: 'Linked data as Turtle' },
  ntriples: { mediaType: 'application/n-triples', extension: 'nt', describe: 'Linked data as N-Triples' }
} as const

export type ExportFormat = keyof typeof exportFormats

export const exportFormatNames = Object.keys(exportFormats) as ExportFormat[]

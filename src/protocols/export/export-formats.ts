/** The formats in which records can be taken out. */
export const exportFormats = {
  marc21: {
    mediaType: 'application/marc',
    extension: 'mrc',
    describe: 'MARC 21 in ISO 2709; manifestations with their expressions and works'
  },
  marcxml: {
    mediaType: 'application/marcxml+xml',
    extension: 'xml',
    describe: 'The same as MARCXML, where no record is too long'
  },
  ndjson: { mediaType: 'application/x-ndjson', extension: 'ndjson', describe: 'Every entity as it is, one on a line' },
  csv: { mediaType: 'text/csv', extension: 'csv', describe: 'A table with a row for each entity' }
} as const

export type ExportFormat = keyof typeof exportFormats

export const exportFormatNames = Object.keys(exportFormats) as ExportFormat[]

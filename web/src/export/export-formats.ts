import type { ExportFormat } from '../../../client/index.ts'

interface Format {
  readonly name: ExportFormat
  readonly extension: string
  /** Whether the format is for editions only. */
  readonly isOfEditions: boolean
}

const ofEditions = (name: ExportFormat, extension: string): Format => ({ name, extension, isOfEditions: true })
const ofAll = (name: ExportFormat, extension: string): Format => ({ name, extension, isOfEditions: false })

/** The export formats, grouped by audience. */
export const exportGroups = {
  people: [ofAll('csv', 'csv'), ofEditions('bibtex', 'bib'), ofEditions('ris', 'ris'), ofEditions('csl', 'json')],
  catalogues: [ofEditions('marc21', 'mrc'), ofEditions('marcxml', 'xml'), ofEditions('mods', 'xml')],
  programs: [ofAll('ndjson', 'ndjson'), ofAll('jsonld', 'jsonld'), ofAll('turtle', 'ttl'), ofAll('ntriples', 'nt')]
} as const satisfies Readonly<Record<string, readonly Format[]>>

/** Additional formats of a single record. */
export const moreForms = [
  { name: 'rdfxml', extension: 'rdf', isOfEditions: false },
  { name: 'marcjson', extension: 'json', isOfEditions: true }
] as const

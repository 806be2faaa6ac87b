/** A catalogue elsewhere that records are copied from, by SRU. */
export interface ForeignCatalogue {
  readonly name: string
  /** The address of its SRU service. */
  readonly address: string
  readonly version: (typeof sruVersions)[number]
  /** The name of its schema of MARC records. */
  readonly schema: string
  /**
   * The names of its indexes for ISBNs and for words anywhere, in CQL; `=` is used where they name
   * no relation, as `bib.isbn all` does.
   */
  readonly isbn: string
  readonly words: string
}

export const sruVersions = ['1.1', '1.2'] as const

/** The form of the name of an index, with or without a relation. */
export const indexPattern = /^[\w.-]{1,100}(?: (?:all|any|adj|exact))?$/

/** The members that a catalogue has where none are given. */
export const usualCatalogue = {
  version: '1.2',
  schema: 'marcxml',
  isbn: 'bath.isbn',
  words: 'cql.serverChoice'
} as const satisfies Partial<ForeignCatalogue>

/**
 * Large public catalogues with SRU. No test can ask them, so an administrator compares them with
 * what their operators document.
 */
export const cataloguePresets: readonly ForeignCatalogue[] = [
  {
    name: 'Library of Congress',
    address: 'http://lx2.loc.gov:210/LCDB',
    version: '1.1',
    schema: 'marcxml',
    isbn: 'bath.isbn',
    words: 'cql.anywhere'
  },
  {
    name: 'Deutsche Nationalbibliothek',
    address: 'https://services.dnb.de/sru/dnb',
    version: '1.1',
    schema: 'MARC21-xml',
    isbn: 'isbn',
    words: 'WOE'
  },
  {
    name: 'K10plus',
    address: 'https://sru.k10plus.de/opac-de-627',
    version: '1.1',
    schema: 'marcxml',
    isbn: 'pica.isb',
    words: 'pica.all'
  },
  {
    name: 'Bibliothèque nationale de France',
    address: 'https://catalogue.bnf.fr/api/SRU',
    version: '1.2',
    schema: 'unimarcxchange',
    isbn: 'bib.isbn all',
    words: 'bib.anywhere all'
  },
  {
    name: 'swisscovery',
    address: 'https://swisscovery.slsp.ch/view/sru/41SLSP_NETWORK',
    version: '1.2',
    schema: 'marcxml',
    isbn: 'alma.isbn',
    words: 'alma.all_for_ui'
  }
]

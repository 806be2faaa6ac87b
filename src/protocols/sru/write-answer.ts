import { element, type Xml, type XmlChild, xmlDocument } from '#formats/xml/write-xml.ts'
import { type Diagnostic, diagnosticMessages } from './diagnostics.ts'
import type { SruVersion } from './read-request.ts'

/*
 * The documents of both versions. 2.0 has another namespace, no version element, and calls the
 * packing of a record its escaping.
 */

const namespaces = {
  '1': { answer: 'http://www.loc.gov/zing/srw/', diagnostic: 'http://www.loc.gov/zing/srw/diagnostic/' },
  '2': {
    answer: 'http://docs.oasis-open.org/ns/search-ws/sruResponse',
    diagnostic: 'http://docs.oasis-open.org/ns/search-ws/diagnostic'
  },
  facets: 'http://docs.oasis-open.org/ns/search-ws/facetedResults',
  scan2: 'http://docs.oasis-open.org/ns/search-ws/scan'
} as const

const isOld = (version: SruVersion) => version !== '2.0'
const of = (version: SruVersion) => namespaces[isOld(version) ? '1' : '2']

/** Makes elements of an answer in its namespace, with the prefix `zs`. */
const own = (name: string, ...children: readonly XmlChild[]) => element(`zs:${name}`, {}, ...children)

function answer(version: SruVersion, name: string, ...children: readonly XmlChild[]): string {
  const namespace = name === 'scanResponse' && !isOld(version) ? namespaces.scan2 : of(version).answer
  const stated = isOld(version) ? [own('version', version)] : []
  return xmlDocument(element(`zs:${name}`, { 'xmlns:zs': namespace }, ...stated, ...children))
}

export function writeDiagnostic(version: SruVersion, { number, details }: Diagnostic): Xml {
  return element(
    'diagnostic',
    { xmlns: of(version).diagnostic },
    element('uri', {}, `info:srw/diagnostic/1/${number}`),
    ...(details === '' ? [] : [element('details', {}, details)]),
    element('message', {}, diagnosticMessages[number])
  )
}

const diagnosticsOf = (version: SruVersion, diagnostics: readonly Diagnostic[]) =>
  diagnostics.length === 0 ? [] : [own('diagnostics', ...diagnostics.map(each => writeDiagnostic(version, each)))]

export interface WrittenRecord {
  readonly schema: string
  readonly data: XmlChild
  readonly id: string
  readonly position: number
}

export interface WrittenFacet {
  readonly title: string
  /** The index that finds the terms: `dc.creator`. */
  readonly index: string
  readonly terms: readonly { readonly term: string; readonly count: number }[]
}

export interface SearchAnswer {
  readonly version: SruVersion
  readonly count: number
  readonly records: readonly WrittenRecord[]
  readonly isEscaped: boolean
  readonly next?: number
  readonly query: string
  readonly diagnostics: readonly Diagnostic[]
  readonly facets?: readonly WrittenFacet[]
}

const ofFacet = (name: string, ...children: readonly XmlChild[]) => element(`fr:${name}`, {}, ...children)

const facetedResults = (facets: readonly WrittenFacet[]) =>
  element(
    'fr:facetedResults',
    { 'xmlns:fr': namespaces.facets },
    ...facets.map(({ title, index, terms }) =>
      ofFacet(
        'facet',
        ofFacet('facetDisplayLabel', title),
        ofFacet('index', index),
        ofFacet('relation', '=='),
        ofFacet(
          'terms',
          ...terms.map(({ term, count }) => ofFacet('term', ofFacet('actualTerm', term), ofFacet('count', count)))
        )
      )
    )
  )

export function writeSearchAnswer(found: SearchAnswer): string {
  const { version, records } = found
  const packing = isOld(version) ? 'recordPacking' : 'recordXMLEscaping'
  const how = found.isEscaped ? 'string' : 'xml'
  const written = records.map(({ schema, data, id, position }) =>
    own(
      'record',
      own('recordSchema', schema),
      own(packing, how),
      own('recordData', data),
      ...(isOld(version) && version !== '1.1' ? [own('recordIdentifier', id)] : []),
      own('recordPosition', position)
    )
  )
  const echo = own(
    `echoedSearchRetrieveRequest`,
    ...(isOld(version) ? [own('version', version)] : []),
    own('query', found.query)
  )
  return answer(
    version,
    'searchRetrieveResponse',
    own('numberOfRecords', found.count),
    ...(written.length === 0 ? [] : [own('records', ...written)]),
    ...(found.next === undefined ? [] : [own('nextRecordPosition', found.next)]),
    echo,
    ...diagnosticsOf(version, found.diagnostics),
    ...(isOld(version) ? [] : [own('resultCountPrecision', 'exact')]),
    ...(found.facets === undefined ? [] : [facetedResults(found.facets)])
  )
}

export interface ScannedTerm {
  readonly value: string
  readonly display: string
  readonly count: number
  readonly where: 'first' | 'last' | 'only' | undefined
}

export function writeScanAnswer(
  version: SruVersion,
  terms: readonly ScannedTerm[],
  diagnostics: readonly Diagnostic[]
): string {
  const written = terms.map(({ value, display, count, where }) =>
    own(
      'term',
      own('value', value),
      own('numberOfRecords', count),
      own('displayTerm', display),
      ...(where === undefined ? [] : [own('whereInList', where)])
    )
  )
  return answer(
    version,
    'scanResponse',
    ...(written.length === 0 ? [] : [own('terms', ...written)]),
    ...diagnosticsOf(version, diagnostics)
  )
}

export function writeExplainAnswer(
  version: SruVersion,
  record: { readonly schema: string; readonly explain: Xml },
  diagnostics: readonly Diagnostic[]
): string {
  return answer(
    version,
    'explainResponse',
    own(
      'record',
      own('recordSchema', record.schema),
      own(isOld(version) ? 'recordPacking' : 'recordXMLEscaping', 'xml'),
      own('recordData', record.explain)
    ),
    ...diagnosticsOf(version, diagnostics)
  )
}

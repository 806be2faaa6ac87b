import { element, type Xml } from '#formats/xml/write-xml.ts'
import { searchedFormats } from '../formats/registry.ts'
import { contextSets, indexes } from './indexes.ts'
import type { SruVersion } from './read-request.ts'

export const explainNamespace = 'http://explain.z3950.org/dtd/2.0/'

export interface ExplainedDatabase {
  readonly title: string
  readonly host: string
  readonly port: string
  readonly path: string
  readonly pageSize: number
  readonly maxRecords: number
}

/** The description of the server for clients (ZeeRex 2.0). http://zeerex.z3950.org/dtd/ */
export function writeExplain(version: SruVersion, database: ExplainedDatabase): Xml {
  return element(
    'explain',
    { xmlns: explainNamespace },
    element(
      'serverInfo',
      { protocol: 'SRU', version, transport: 'http', method: 'GET POST' },
      element('host', {}, database.host),
      element('port', {}, database.port),
      element('database', {}, database.path)
    ),
    element('databaseInfo', {}, element('title', { lang: 'en', primary: 'true' }, database.title)),
    element(
      'indexInfo',
      {},
      ...Object.entries(contextSets).map(([name, identifier]) => element('set', { name, identifier })),
      ...indexes.map(({ set, name, title, scan, sort }) =>
        element(
          'index',
          { search: 'true', scan: scan ? 'true' : 'false', sort: sort ? 'true' : 'false' },
          element('title', { lang: 'en' }, title),
          element('map', {}, element('name', { set }, name))
        )
      )
    ),
    element(
      'schemaInfo',
      {},
      ...searchedFormats.map(({ title, sru: { name, identifier } }) =>
        element('schema', { name, identifier, sort: 'false' }, element('title', { lang: 'en' }, title))
      )
    ),
    element(
      'configInfo',
      {},
      element('default', { type: 'numberOfRecords' }, database.pageSize),
      element('default', { type: 'retrieveSchema' }, searchedFormats[0]?.sru.name ?? ''),
      element('setting', { type: 'maximumRecords' }, database.maxRecords),
      ...['and', 'or', 'not'].map(operator => element('supports', { type: 'booleanOperator' }, operator)),
      ...['=', '==', '<>', '<', '<=', '>', '>=', 'any', 'all', 'adj', 'within'].map(relation =>
        element('supports', { type: 'relation' }, relation)
      ),
      ...['ignoreCase', 'masked', 'unmasked', 'string', 'word'].map(modifier =>
        element('supports', { type: 'relationModifier' }, modifier)
      ),
      ...['*', '?', '^'].map(mask => element('supports', { type: 'maskingCharacter' }, mask)),
      element('supports', { type: 'sort' })
    )
  )
}

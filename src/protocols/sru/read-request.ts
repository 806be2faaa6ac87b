import { SruError } from './diagnostics.ts'

/** Parameters as sent, in order. */
export type SentParameters = readonly (readonly [name: string, value: string])[]

export const sruVersions = ['1.1', '1.2', '2.0'] as const
export type SruVersion = (typeof sruVersions)[number]
const sruOperations = ['explain', 'searchRetrieve', 'scan'] as const
export type SruOperation = (typeof sruOperations)[number]

export interface SruRequest {
  readonly version: SruVersion
  readonly operation: SruOperation
  readonly parameters: Readonly<Record<string, string>>
}

/** The parameters of each operation; 2.0 renames some. */
const known: Readonly<Record<SruOperation, readonly string[]>> = {
  explain: ['recordPacking', 'recordXMLEscaping', 'stylesheet', 'extraRequestData'],
  searchRetrieve: [
    ...['query', 'queryType', 'startRecord', 'maximumRecords', 'recordPacking', 'recordXMLEscaping', 'recordSchema'],
    ...['recordXPath', 'resultSetTTL', 'sortKeys', 'stylesheet', 'renderedBy', 'extraRequestData', 'facetLimit']
  ],
  scan: ['scanClause', 'responsePosition', 'maximumTerms', 'stylesheet', 'extraRequestData']
}
const always = ['version', 'operation', 'httpAccept', 'responseType']

/**
 * Determines operation and version. 2.0 names neither: a query is a search, a scan clause a scan,
 * anything else an explain. The version is known even for a faulty request, so that the diagnostic
 * has its format.
 */
export function readRequest(
  sent: SentParameters
): SruRequest | { readonly version: SruVersion; readonly operation: SruOperation; readonly error: SruError } {
  const parameters: Record<string, string> = Object.create(null)
  const twice: string[] = []
  for (const [name, value] of sent) {
    if (parameters[name] !== undefined) twice.push(name)
    parameters[name] ??= value
  }
  const stated = parameters.version
  const version =
    sruVersions.find(each => each === stated) ??
    (parameters.operation === undefined && stated === undefined ? '2.0' : '1.2')
  const operation = operationOf(parameters)
  const fail = (error: SruError) => ({ version, operation: operation ?? 'explain', error })
  if (stated !== undefined && stated !== version) return fail(new SruError(5, '2.0'))
  if (operation === undefined) return fail(new SruError(4, parameters.operation ?? ''))
  if (stated === undefined && parameters.operation !== undefined && operation !== 'explain')
    return fail(new SruError(7, 'version'))
  const [repeated] = twice
  if (repeated !== undefined) return fail(new SruError(6, `${repeated} is given more than once`))
  const odd = Object.keys(parameters).find(
    name => !always.includes(name) && !known[operation].includes(name) && !name.startsWith('x-')
  )
  if (odd !== undefined) return fail(new SruError(8, odd))
  if (parameters.facetLimit !== undefined && version !== '2.0') return fail(new SruError(8, 'facetLimit'))
  if (parameters.stylesheet !== undefined) return fail(new SruError(110, parameters.stylesheet))
  return { version, operation, parameters }
}

function operationOf(parameters: Readonly<Record<string, string>>): SruOperation | undefined {
  const { operation } = parameters
  if (operation !== undefined) return sruOperations.find(each => each === operation)
  if (parameters.query !== undefined) return 'searchRetrieve'
  return parameters.scanClause === undefined ? 'explain' : 'scan'
}

/** A whole number of a parameter. Throws diagnostic 6 for anything else. */
export function wholeNumber(
  parameters: Readonly<Record<string, string>>,
  name: string,
  otherwise: number,
  min: number
): number {
  const text = parameters[name]
  if (text === undefined || text === '') return otherwise
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min)) throw new SruError(6, `${name} must be a whole number from ${min}, not "${text}"`)
  return number
}
